//! The portable backend: bit-sliced, without a table and without a branch on anything secret.

mod planes;

use cipher::consts::{U16, U64};

use crate::{
    kernel::define_instruction_set,
    round::{Chain, Rounds},
    shape::{Packed, Single, Sliced},
};
use planes::Planes;

define_instruction_set! {
    /// 64-bit integers as vectors of bits.
    Soft,
    target_features: #[cfg(all())],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Planes, block: Chain<Single<Planes>>,
    batches: [
        soft_16: Chain<Packed<Planes>>,
        soft_64: Rounds<Sliced<Planes>>,
    ],
}
