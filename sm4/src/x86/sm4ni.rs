//! SM4-NI: `VSM4RNDS4` and `VSM4KEY4` do four rounds of the cipher and of the key schedule on every
//! 128-bit lane. Of their forms the VEX ones are used, for XMM and YMM registers: all CPUs with the
//! instructions have those. (The EVEX form for ZMM registers belongs to AVX10.2.)
//!
//! **Cost.** Two blocks in a YMM register take 8 `VSM4RNDS4` and 2 byte shuffles, beside loads and
//! stores; the round keys' broadcasts are shared by the registers in flight. If a `VSM4RNDS4` can
//! start every `r` cycles and takes `l`, then many blocks take `r / 4` cycles a byte, one block takes
//! `8 l` cycles and a few for its shuffles, and `l / r` registers have to be in flight. None of this
//! has been measured: no CPU with the instructions was at hand, and their timing is not published
//! (LLVM's models assume `l = 5` and `r = 1` or less, as for a multiplication). Eight registers do
//! for `l / r` up to 8, and what is missing beyond that out-of-order execution takes from the next
//! batch: with 64 `VSM4RNDS4` a batch is much shorter than the window.
//!
//! For the same reason blocks that a caller hands over one by one overlap, if they do not depend on
//! each other: there is no need of a width between one block and sixteen, and `ParBlocksSize` is
//! sixteen for all callers. Nor is there of a greater one: with `VAESENC` in the place of `VSM4RNDS4`
//! (on Zen 5; 0.08 cycles a byte) CTR mode gained 6 % from batches of 64 blocks, and the slower the
//! instruction the less there is to gain.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::row::{KeyRow, Row};

/// Reverses the bytes of every word.
const SWAP: [u8; 16] = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12];

/// Reverses the bytes of every word, and the words.
const REVERSE: [u8; 16] = [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

/// One block in an XMM register.
#[derive(Clone, Copy)]
pub(crate) struct Xmm(__m128i);

impl Row for Xmm {
    const BLOCKS: usize = 1;

    #[inline(always)]
    unsafe fn load(blocks: *const u8) -> Self {
        // SAFETY: the same conditions; the loads have no alignment
        unsafe {
            let swap = _mm_loadu_si128(SWAP.as_ptr().cast());
            Self(_mm_shuffle_epi8(_mm_loadu_si128(blocks.cast()), swap))
        }
    }

    #[inline(always)]
    unsafe fn store_reversed(self, blocks: *mut u8) {
        // SAFETY: the same condition; load and store have no alignment
        unsafe {
            let reverse = _mm_loadu_si128(REVERSE.as_ptr().cast());
            _mm_storeu_si128(blocks.cast(), _mm_shuffle_epi8(self.0, reverse));
        }
    }

    #[inline(always)]
    unsafe fn splat(words: &[u32; 4]) -> Self {
        // SAFETY: the CPU has the instructions; the load has no alignment
        unsafe { Self(_mm_loadu_si128(words.as_ptr().cast())) }
    }

    #[inline(always)]
    fn rounds(self, keys: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { Self(_mm_sm4rnds4_epi32(self.0, keys.0)) }
    }
}

impl KeyRow for Xmm {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { Self(_mm_xor_si128(self.0, other.0)) }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        unsafe { Self(_mm_shuffle_epi32::<0b00_01_10_11>(self.0)) }
    }

    #[inline(always)]
    fn key_rounds(self, constants: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { Self(_mm_sm4key4_epi32(self.0, constants.0)) }
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: the value proves the CPU has the instructions; the store has no alignment
        unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), self.0) };
        words
    }
}

/// Two blocks in a YMM register.
#[derive(Clone, Copy)]
pub(crate) struct Ymm(__m256i);

impl Row for Ymm {
    const BLOCKS: usize = 2;

    #[inline(always)]
    unsafe fn load(blocks: *const u8) -> Self {
        // SAFETY: the same conditions; the loads have no alignment
        unsafe {
            let swap = _mm256_broadcastsi128_si256(_mm_loadu_si128(SWAP.as_ptr().cast()));
            Self(_mm256_shuffle_epi8(_mm256_loadu_si256(blocks.cast()), swap))
        }
    }

    #[inline(always)]
    unsafe fn store_reversed(self, blocks: *mut u8) {
        // SAFETY: the same condition; load and store have no alignment
        unsafe {
            let reverse = _mm256_broadcastsi128_si256(_mm_loadu_si128(REVERSE.as_ptr().cast()));
            _mm256_storeu_si256(blocks.cast(), _mm256_shuffle_epi8(self.0, reverse));
        }
    }

    #[inline(always)]
    unsafe fn splat(words: &[u32; 4]) -> Self {
        // SAFETY: the CPU has the instructions; the load has no alignment
        unsafe {
            Self(_mm256_broadcastsi128_si256(_mm_loadu_si128(
                words.as_ptr().cast(),
            )))
        }
    }

    #[inline(always)]
    fn rounds(self, keys: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { Self(_mm256_sm4rnds4_epi32(self.0, keys.0)) }
    }
}

#[cfg(all(test, target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod emulator;
#[cfg(all(test, target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
mod tests;
