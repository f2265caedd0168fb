//! AArch64 (little-endian).
//!
//! What llvm-mca expects of 16 KiB, in cycles per byte, with calls and addresses counted, beside the
//! shortest sequence that does the job of SM4 CE (load, byte order, eight `SM4E`, order of words and
//! bytes, store) and the usual NEON code, which looks bytes up in four tables of 64 (`TBL`, `TBX`):
//!
//! ```text
//!                     instructions   Neoverse N2   Neoverse V2   Neoverse V1   Cortex-A72
//! sm4-ce    ECB                0.9          0.58          0.54          0.51            –
//!           CTR                1.3          0.74          0.63          0.59            –
//!           CBC encryption     1.1          2.42          2.42          2.42            –
//!   shortest sequence          0.8          0.57          0.51          0.51            –
//! neon-aes  ECB               11.5          4.96          2.49          3.39         7.91
//!           CTR               12.1          5.17          2.60          3.50         8.25
//!           CBC encryption    57           31            29            30           58
//! neon      ECB               16.9          7.48          3.76          5.48        12.27
//!           CTR               17.4          7.70          3.87          5.59        12.65
//!           CBC encryption    77           50            48            48           96
//!   four tables                8.9         11.19          6.25          8.75        18.38
//! ```
//!
//! A block of CBC encryption takes 38 cycles with SM4 CE: eight times the four of `SM4E`, the order of
//! words, and the sum.
//!
//! # Constant time
//!
//! With PSTATE.DIT set, the architecture says of all instructions here (`SM4E`, `AESE`, `TBL` and plain
//! logic) that their time does not depend on data; without it, that is up to the CPU. This crate does
//! not set the bit: it belongs to the thread, not to a call that would have to restore it each time at
//! the cost of a serialising write. Who has to rely on it sets it once, where the CPU has it
//! (`FEAT_DIT`), before secrets are there; the operating system keeps it with the thread.
//!
//! # What there is no backend for
//!
//! There is no backend of its own for `EOR3` (SHA3): the compiler uses it in builds that have it, as
//! for Apple's CPUs. On Neoverse it can start once a cycle, two plain additions twice as often, and
//! the estimate is a tenth worse. There is none for SVE2-SM4 either. The CPUs that have it have
//! vectors of 128 bits and the same units for both kinds of instruction, so that `SM4E` on NEON's
//! registers is as fast; and the compiler knows no registers of unknown length, so that a kernel
//! would be one piece of assembly, as on RISC-V.

mod ce;
pub(crate) mod detect;
mod register;

use core::arch::aarch64::uint8x16_t;

use cipher::consts::{U8, U32, U64};

use crate::{
    groups::Groups,
    kernel::define_instruction_set,
    lanes::{aes::Aes, bytes::Bytes, tower::Tower},
    round::{Chain, Rounds},
    row::Rows,
    shape::{Packed, Single, Sliced, pair::Pair},
};
use register::Aese;

define_instruction_set! {
    /// The SM4 instructions.
    Sm4Ce,
    target_features: #[target_feature(enable = "neon,sm4")],
    par_blocks: U8, bulk_blocks: U64,
    schedule: Rows<ce::Block, 1>, block: Rows<ce::Block, 1>,
    batches: [
        sm4_ce_2: Rows<ce::Block, 2>,
        sm4_ce_4: Rows<ce::Block, 4>,
        sm4_ce_8: Rows<ce::Block, 8>,
        sm4_ce_64: Groups<Rows<ce::Block, 8>, 64>,
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
        neon_aes_20: Rounds<
            Pair<Sliced<Bytes<uint8x16_t, Aes<Aese>>>, Packed<Bytes<uint8x16_t, Aes<Aese>>>>,
        >,
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
        neon_20: Rounds<Pair<Sliced<Bytes<uint8x16_t, Tower>>, Packed<Bytes<uint8x16_t, Tower>>>>,
        neon_32: Rounds<Pair<Sliced<Bytes<uint8x16_t, Tower>>>>,
    ],
}
