//! WebAssembly with 128-bit vectors.
//!
//! Many blocks and one, in ns a byte, in node 20 (V8 11.3) on an Emerald Rapids, beside the portable
//! backend in a build without vectors, whose integers of 64 bits are half as long:
//!
//! | | vectors | portable | |
//! | --- | --- | --- | --- |
//! | 16 KiB | 1.56 | 3.30 | 2.1 times |
//! | one block | 20.3 | 157 | 7.7 times |
//! | one block, when V8 has compiled it once more | 16.3 | 48.5 | 3.0 times |
//!
//! On a Zen 5 many blocks take 1.18 ns a byte. One block takes 26 against 170, or 19 against 34. That
//! is where the rest was measured:
//!
//! | | V8's instructions per byte | ns |
//! | --- | --- | --- |
//! | nibble tables, 16 blocks (`simd128_80`) | 27 | 1.7 |
//! | the same, two groups of 16 side by side | | 2.3 |
//! | bit-sliced, all in one expression | 35 | 1.9 |
//! | bit-sliced, an S-box at a time (`simd128_128`) | 23 | 1.18 |
//!
//! Nibble tables take 36 `i8x16.swizzle` in a round, nine for an S-box with its two images. On x86 each
//! is three instructions, since indices above 15 mean zero. (With `i8x16.relaxed_swizzle`, which few
//! builds can rely on, it is one, and 1.4 ns.) The other 76 are additions, masks and shifts; what binds
//! the kernel is the latency of 18 of them one behind the other.
//!
//! Bit-sliced, a round of 128 blocks is 612 gates, and 47 instructions for its key. V8 orders
//! instructions by their distance from the end, so that too many values are alive at a time: of 1781
//! instructions in a round 919 moved registers to the stack and back. Now what an S-box makes goes to
//! memory at once, and the sum of a round's three words is kept there instead of being made of 96
//! loads: 1187 instructions, 317 loads and stores for that and 182 of registers. At five in a cycle
//! they take 0.94 ns a byte, and the transpositions 0.22. Of other orders (two S-boxes interleaved or
//! half an S-box apart, all forms or all divisors of an S-box in memory, sums of the images instead
//! of images) the best would save 5 % of the rounds.
//!
//! Nothing here branches or addresses memory by secret data; what an engine makes of it is its own
//! affair, but all of them compile these instructions to such as have no reason to differ in time.

mod planes;
mod register;

use core::arch::wasm32::v128;

use cipher::consts::{U8, U128};

use crate::{
    groups::Groups,
    kernel::define_instruction_set,
    lanes::{bytes::Bytes, tower::Tower},
    round::{Chain, Rounds},
    shape::{Packed, Single, Sliced, pair::Pair},
};
use planes::BitSliced;

define_instruction_set! {
    /// 128-bit vectors. A module either has them or does not, so there is nothing to detect.
    Simd128,
    target_features: #[cfg(all())],
    par_blocks: U8, bulk_blocks: U128,
    schedule: Bytes<v128, Tower>, block: Chain<Single<Bytes<v128, Tower>>>,
    batches: [
        simd128_4: Chain<Packed<Bytes<v128, Tower>>>,
        simd128_8: Chain<Pair<Packed<Bytes<v128, Tower>>>>,
        simd128_80: Groups<Rounds<Sliced<Bytes<v128, Tower>>>, 80>,
        simd128_128: BitSliced,
    ],
}
