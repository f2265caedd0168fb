//! RISC-V of 64 bits.
//!
//! Instructions per byte of many blocks: Zvksed 0.5 with vectors of 128 bits, 0.3 with 256 and 0.2
//! with 512 (each of which does as much more work), Zksed 23, the portable backend 60. One block takes
//! 54 instructions with Zvksed and 331 with Zksed.
//!
//! A CPU has to say that the instructions' time does not depend on data, by Zkt and Zvkt: see
//! [`detect`].

pub(crate) mod detect;
mod zksed;
mod zvksed;

use cipher::consts::{U4, U8, U64};

use crate::kernel::define_instruction_set;
use zksed::Scalars;
use zvksed::Vectors;

define_instruction_set! {
    /// Zvksed on vectors of any length: the kernel goes round its loop until there are no blocks
    /// left.
    Zvksed,
    target_features: #[cfg(all())],
    par_blocks: U8, bulk_blocks: U64,
    schedule: Vectors<1>, block: Vectors<1>,
    batches: [
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
