//! AArch64 (little-endian).

mod ce;
pub(crate) mod detect;
mod register;

use core::arch::aarch64::uint8x16_t;

use cipher::consts::{U8, U16, U32};

use crate::{
    kernel::define_instruction_set,
    lanes::{aes::Aes, bytes::Bytes, tower::Tower},
    round::{Chain, Rounds},
    row::Rows,
    shape::{Packed, Pair, Single, Sliced},
};
use register::Aese;

define_instruction_set! {
    /// The SM4 instructions.
    Sm4Ce,
    target_features: #[target_feature(enable = "neon,sm4")],
    par_blocks: U8, bulk_blocks: U16,
    schedule: Rows<ce::Block, 1>, block: Rows<ce::Block, 1>,
    batches: [
        sm4_ce_2: Rows<ce::Block, 2>,
        sm4_ce_4: Rows<ce::Block, 4>,
        sm4_ce_8: Rows<ce::Block, 8>,
        sm4_ce_16: Rows<ce::Block, 16>,
    ],
}

define_instruction_set! {
    /// NEON with the AES instructions.
    NeonAes,
    target_features: #[target_feature(enable = "neon,aes")],
    par_blocks: U8, bulk_blocks: U32,
    schedule: Bytes<uint8x16_t, Aes<Aese, true>>,
    block: Chain<Single<Bytes<uint8x16_t, Aes<Aese, true>>>>,
    batches: [
        neon_aes_4: Chain<Packed<Bytes<uint8x16_t, Aes<Aese>>>>,
        neon_aes_8: Chain<Pair<Packed<Bytes<uint8x16_t, Aes<Aese>>>>>,
        neon_aes_16: Rounds<Sliced<Bytes<uint8x16_t, Aes<Aese>>>>,
        neon_aes_32: Rounds<Pair<Sliced<Bytes<uint8x16_t, Aes<Aese>>>>>,
    ],
}

define_instruction_set! {
    /// NEON alone.
    Neon,
    target_features: #[target_feature(enable = "neon")],
    par_blocks: U8, bulk_blocks: U32,
    schedule: Bytes<uint8x16_t, Tower>, block: Chain<Single<Bytes<uint8x16_t, Tower>>>,
    batches: [
        neon_4: Chain<Packed<Bytes<uint8x16_t, Tower>>>,
        neon_8: Chain<Pair<Packed<Bytes<uint8x16_t, Tower>>>>,
        neon_16: Rounds<Sliced<Bytes<uint8x16_t, Tower>>>,
        neon_32: Rounds<Pair<Sliced<Bytes<uint8x16_t, Tower>>>>,
    ],
}
