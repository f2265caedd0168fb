//! The portable backend: bit-sliced, without a table and without a branch on anything secret.

mod integer;
mod inversion;
mod maps;
mod plane;
mod planes;
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod sse2;

use cipher::consts::{U16, U64, U128};

use crate::{
    kernel::define_instruction_set,
    round::{Chain, Rounds},
    shape::{Packed, Single, Sliced},
};
use planes::Planes;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
type Wide = core::arch::x86_64::__m128i;
#[cfg(all(target_arch = "x86", target_feature = "sse2"))]
type Wide = core::arch::x86::__m128i;
#[cfg(not(target_feature = "sse2"))]
type Wide = u64;

#[cfg(target_feature = "sse2")]
define_instruction_set! {
    /// 64-bit integers as vectors of bits.
    Soft,
    target_features: #[cfg(all())],
    par_blocks: U16, bulk_blocks: U128,
    schedule: Planes<u32>, block: Chain<Single<Planes<u32>>>,
    batches: [
        soft_8: Chain<Packed<Planes<u32>>>,
        soft_32: Chain<Packed<Planes<Wide>>>,
        soft_128: Rounds<Sliced<Planes<Wide>>>,
    ],
}

#[cfg(not(target_feature = "sse2"))]
define_instruction_set! {
    /// 64-bit integers as vectors of bits.
    Soft,
    target_features: #[cfg(all())],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Planes<u32>, block: Chain<Single<Planes<u32>>>,
    batches: [
        soft_8: Chain<Packed<Planes<u32>>>,
        soft_16: Chain<Packed<Planes<Wide>>>,
        soft_64: Rounds<Sliced<Planes<Wide>>>,
    ],
}
