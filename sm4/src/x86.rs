//! x86 and x86-64.
//!
//! All figures are cycles of the core's own clock, measured with a dependent chain of
//! multiplications of the same duration beside the kernel, the least of thousands of runs, in the
//! default release profile; bytes are those of 16 KiB through [`Bulk`](crate::Bulk).

pub(crate) mod aesni;
pub mod cpuid;
pub(crate) mod gfni;
pub(crate) mod register;
pub(crate) mod sm4ni;

use cipher::consts::{U16, U32, U64, U128};

use crate::{
    double::Double,
    kernel::define_instruction_set,
    lanes::{aes::Aes, bytes::Bytes},
    round::{Chain, Rounds},
    row::Rows,
    shape::{Packed, Single, Sliced, pair::Pair},
};
use aesni::{AesNi, Vaes};
use gfni::Gfni;
use register::{Xmm, Ymm, Zmm};

define_instruction_set! {
    /// SM4-NI on XMM and YMM registers.
    Sm4Ni,
    target_features: #[target_feature(enable = "avx2,sm4")],
    par_blocks: U16, bulk_blocks: U16,
    schedule: Rows<sm4ni::Xmm, 1>, block: Rows<sm4ni::Xmm, 1>,
    batches: [
        sm4ni_2: Rows<sm4ni::Ymm, 1>,
        sm4ni_4: Rows<sm4ni::Ymm, 2>,
        sm4ni_8: Rows<sm4ni::Ymm, 4>,
        sm4ni_16: Rows<sm4ni::Ymm, 8>,
    ],
}

define_instruction_set! {
    /// GFNI on ZMM registers.
    ///
    /// A round of 64 blocks is 24 instructions: 8 `GF2P8AFFINEINVQB`, 13 `VPTERNLOGD` and 3
    /// `VPXORD`, with 14 loads (4 of them of the round key, once for both groups of the pair) and 4
    /// stores. In and out of the domain and the transposes come to 160 for 64 blocks.
    ///
    /// | | rounds | with transposes |
    /// | --- | --- | --- |
    /// | two 512-bit ports (Intel) allow, cycles per byte | 0.375 | 0.45 |
    /// | four ports (Zen 5) allow | 0.19 | 0.23 |
    /// | measured on Zen 5, 128 blocks a batch | 0.30 | 0.36 |
    /// | measured on Emerald Rapids | 0.43 | 0.58 |
    ///
    /// On Zen 5 the rounds are bound by latency. An addition takes 2 cycles there and
    /// `GF2P8AFFINEINVQB` 3, which makes 15 to 17 for a round of one group; two groups take 19.4
    /// instead of 12. Assembly in the same order is no faster; three groups would be (17.6 for two,
    /// by the same measure), at a batch of 192 blocks. What did not pay, where this takes 0.37: the pair
    /// without its state in memory (0.39); one group four rounds behind the other, so that the
    /// transposes of each overlap with rounds of the other (0.39); for CTR, which takes 0.41, counter
    /// blocks made in registers, since 14 of their 16 bytes are the same in all blocks or two values,
    /// instead of in memory and transposed (0.39 to 0.42, by the way bytes are spread).
    ///
    /// On Emerald Rapids they are bound by the ports: `GF2P8AFFINEINVQB` has one of the two and shuffles
    /// the other, and an addition gets what the map makes after six cycles. In assembly the best order of
    /// two groups takes 0.42 for the rounds, and 0.41 without any memory. The 128 shuffles of 64 blocks
    /// come to 0.125, of which nothing overlaps. What did not pay there, where this takes 0.58: the pair
    /// without its state in memory, and one group four rounds behind the other (both 0.57); one step of
    /// four of the transposes by shifts and logic, which have the other port (0.57, CTR 0.60 instead of
    /// 0.61); 64 blocks as two groups in YMM registers, with three ports (830 cycles instead of 770). A
    /// pipeline over all batches, in which the transposes of one group always meet rounds of the other,
    /// would be 0.52 (in assembly): with it a kernel would have to know about batches.
    ///
    /// One block: 350 cycles (Emerald Rapids: 325), of which 32 rounds of 9 (map 3, shuffle 2, two
    /// additions 4) are 288; with [feedback](crate::feedback), 324 (302). The shortest loop of the bare
    /// path (map, two shuffles, their sum, the sum with the rest) takes 9.4 a round and not 9, and the
    /// whole round 9.5 to 10, with the order of its instructions: nothing but the path may come early.
    GfniAvx512,
    target_features: #[target_feature(enable = "avx512f,avx512bw,avx512vl,gfni")],
    par_blocks: U16, bulk_blocks: U128,
    schedule: Bytes<Xmm, Gfni, true>, block: Chain<Single<Bytes<Xmm, Gfni, true>>>,
    batches: [
        gfni_avx512_4: Chain<Packed<Bytes<Xmm, Gfni, true>>>,
        gfni_avx512_16: Chain<Packed<Bytes<Zmm, Gfni, true>>>,
        gfni_avx512_32: Chain<Pair<Packed<Bytes<Zmm, Gfni, true>>>>,
        gfni_avx512_48: Chain<Pair<Pair<Packed<Bytes<Zmm, Gfni, true>>>, Packed<Bytes<Zmm, Gfni, true>>>>,
        gfni_avx512_64: Rounds<Sliced<Bytes<Zmm, Gfni, true>>>,
        gfni_avx512_80: Rounds<Pair<Sliced<Bytes<Zmm, Gfni, true>>, Packed<Bytes<Zmm, Gfni, true>>>>,
        gfni_avx512_128: Rounds<Pair<Sliced<Bytes<Zmm, Gfni, true>>>, true>,
    ],
}

define_instruction_set! {
    /// GFNI on YMM registers.
    ///
    /// A round of 32 blocks is 33 instructions: 8 `GF2P8AFFINEINVQB` and 25 `VPXOR`. Four ports
    /// (Zen 5) allow 0.52 cycles per byte for the rounds, three 0.69; measured on Emerald Rapids in all:
    /// 0.97, on Zen 5: 0.90
    /// (1.04 with the state in registers as far as they go; 0.89 with one group four rounds behind the
    /// other, where this takes 0.91).
    ///
    /// One block: 386 cycles, with feedback 361: without an addition of three a round is three maps
    /// and three shuffles of which two can begin in a cycle, so one of each comes late.
    GfniAvx2,
    target_features: #[target_feature(enable = "avx2,gfni")],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Bytes<Xmm, Gfni>, block: Chain<Single<Bytes<Xmm, Gfni>>>,
    batches: [
        gfni_avx2_4: Chain<Packed<Bytes<Xmm, Gfni>>>,
        gfni_avx2_8: Chain<Packed<Bytes<Ymm, Gfni>>>,
        gfni_avx2_16: Chain<Pair<Packed<Bytes<Ymm, Gfni>>>>,
        gfni_avx2_32: Rounds<Sliced<Bytes<Ymm, Gfni>>>,
        gfni_avx2_40: Rounds<Pair<Sliced<Bytes<Ymm, Gfni>>, Packed<Bytes<Ymm, Gfni>>>>,
        gfni_avx2_64: Rounds<Pair<Sliced<Bytes<Ymm, Gfni>>>, true>,
    ],
}

define_instruction_set! {
    /// VAES on YMM registers.
    ///
    /// A round of 32 blocks is 69 instructions: 4 `VAESENCLAST`, 20 `VPSHUFB`, 4 shifts, 8 `VPAND`
    /// and 33 `VPXOR`. Four ports (Zen 5) allow 1.08 cycles per byte for the rounds, three 1.44;
    /// measured in all on Zen 5: 1.70, on Emerald Rapids: 2.01. The path through a round is some 30
    /// cycles long and two groups do not fill it; more find no registers. Two groups round by round
    /// instead of instruction by instruction take 1.75 (1.93), with the state in memory 1.79 (2.03)
    /// and, instruction by instruction, 3.3.
    VaesAvx2,
    target_features: #[target_feature(enable = "avx2,aes,vaes")],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Bytes<Xmm, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<Xmm, Aes<AesNi, true>>>>,
    batches: [
        vaes_avx2_4: Chain<Packed<Bytes<Xmm, Aes<AesNi>>>>,
        vaes_avx2_8: Chain<Packed<Bytes<Ymm, Aes<Vaes>>>>,
        vaes_avx2_16: Chain<Pair<Packed<Bytes<Ymm, Aes<Vaes>>>>>,
        vaes_avx2_32: Rounds<Sliced<Bytes<Ymm, Aes<Vaes>>>>,
        vaes_avx2_40: Rounds<Pair<Sliced<Bytes<Ymm, Aes<Vaes>>>, Packed<Bytes<Ymm, Aes<Vaes>>>>>,
        vaes_avx2_64: Rounds<Sliced<Double<Bytes<Ymm, Aes<Vaes>>>>>,
    ],
}

define_instruction_set! {
    /// AES-NI, with the rest on YMM registers.
    ///
    /// As with VAES, but 8 `VAESENCLAST`, 4 `VEXTRACTI128` and 4 `VINSERTI128` a round: 81
    /// instructions, 1.27 cycles per byte on four ports; measured on Zen 5 in all: 1.94 (2.08 round
    /// by round, 2.09 with the state in memory), on Emerald Rapids 2.17 (2.22, 2.27).
    ///
    /// One block: 713 cycles, with feedback 667. From one inversion to the next it takes `AESENCLAST` (4), halving (4),
    /// look-up and addition (4), shuffle (2) and three additions (6): 20 of the 21 cycles of a round.
    AesniAvx2,
    target_features: #[target_feature(enable = "avx2,aes")],
    par_blocks: U16, bulk_blocks: U64,
    schedule: Bytes<Xmm, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<Xmm, Aes<AesNi, true>>>>,
    batches: [
        aesni_avx2_4: Chain<Packed<Bytes<Xmm, Aes<AesNi>>>>,
        aesni_avx2_8: Chain<Packed<Bytes<Ymm, Aes<AesNi>>>>,
        aesni_avx2_16: Chain<Pair<Packed<Bytes<Ymm, Aes<AesNi>>>>>,
        aesni_avx2_32: Rounds<Sliced<Bytes<Ymm, Aes<AesNi>>>>,
        aesni_avx2_40: Rounds<Pair<Sliced<Bytes<Ymm, Aes<AesNi>>>, Packed<Bytes<Ymm, Aes<AesNi>>>>>,
        aesni_avx2_64: Rounds<Sliced<Double<Bytes<Ymm, Aes<AesNi>>>>>,
    ],
}

define_instruction_set! {
    /// AES-NI on XMM registers.
    ///
    /// A round of 16 blocks is the 69 instructions of the VAES backend: 2.2 cycles per byte on four
    /// ports; measured on Zen 5 in all: 3.34 (3.41 round by round, 3.54 with the state in memory), on
    /// Emerald Rapids 3.75 (3.70, 3.78). The
    /// path through a round is as long as with VAES, and two groups of 16 blocks are too few to fill it;
    /// a third one finds no registers.
    AesniAvx,
    target_features: #[target_feature(enable = "avx,aes")],
    par_blocks: U16, bulk_blocks: U32,
    schedule: Bytes<Xmm, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<Xmm, Aes<AesNi, true>>>>,
    batches: [
        aesni_avx_4: Chain<Packed<Bytes<Xmm, Aes<AesNi>>>>,
        aesni_avx_8: Chain<Pair<Packed<Bytes<Xmm, Aes<AesNi>>>>>,
        aesni_avx_16: Rounds<Sliced<Bytes<Xmm, Aes<AesNi>>>>,
        aesni_avx_20: Rounds<Pair<Sliced<Bytes<Xmm, Aes<AesNi>>>, Packed<Bytes<Xmm, Aes<AesNi>>>>>,
        aesni_avx_32: Rounds<Sliced<Double<Bytes<Xmm, Aes<AesNi>>>>>,
    ],
}

define_instruction_set! {
    /// AES-NI on XMM registers, in the encoding before AVX: an instruction overwrites one of its
    /// operands, so that every look-up first copies its table.
    ///
    /// Measured on Zen 5: 3.70 cycles per byte; one block: 714 cycles. Emerald Rapids: 3.81 and 560.
    AesniSsse3,
    target_features: #[target_feature(enable = "ssse3,aes")],
    par_blocks: U16, bulk_blocks: U32,
    schedule: Bytes<Xmm, Aes<AesNi, true>>,
    block: Chain<Single<Bytes<Xmm, Aes<AesNi, true>>>>,
    batches: [
        aesni_ssse3_4: Chain<Packed<Bytes<Xmm, Aes<AesNi>>>>,
        aesni_ssse3_8: Chain<Pair<Packed<Bytes<Xmm, Aes<AesNi>>>>>,
        aesni_ssse3_16: Rounds<Sliced<Bytes<Xmm, Aes<AesNi>>>>,
        aesni_ssse3_20: Rounds<Pair<Sliced<Bytes<Xmm, Aes<AesNi>>>, Packed<Bytes<Xmm, Aes<AesNi>>>>>,
        aesni_ssse3_32: Rounds<Sliced<Double<Bytes<Xmm, Aes<AesNi>>>>>,
    ],
}
