//! RISC-V of 64 bits.

pub(crate) mod detect;
mod zksed;
mod zvksed;

use cipher::consts::{U4, U8, U64};

use crate::kernel::define_instruction_set;
use zksed::Scalars;
use zvksed::Vectors;

define_instruction_set! {
    /// Zvksed on vectors of any length. A kernel takes blocks by the vector, so the widest one is
    /// for vectors of 2048 bits; on shorter ones it goes round its loop more often.
    Zvksed,
    target_features: #[cfg(all())],
    par_blocks: U8, bulk_blocks: U64,
    schedule: Vectors<1>, block: Vectors<1>,
    batches: [
        zvksed_2: Vectors<2>,
        zvksed_4: Vectors<4>,
        zvksed_8: Vectors<8>,
        zvksed_16: Vectors<16>,
        zvksed_32: Vectors<32>,
        zvksed_64: Vectors<64>,
    ],
}

define_instruction_set! {
    /// Zksed.
    Zksed,
    target_features: #[cfg(all())],
    par_blocks: U4, bulk_blocks: U4,
    schedule: Scalars<1>, block: Scalars<1>,
    batches: [
        zksed_2: Scalars<2>,
        zksed_4: Scalars<4>,
    ],
}
