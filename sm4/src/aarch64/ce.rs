//! The SM4 instructions of Arm's cryptographic extension: `SM4E` and `SM4EKEY` do four rounds of
//! the cipher and of the key schedule.
//!
//! The compiler has no stable intrinsics for them, hence the assembly. Each piece of it is a single
//! instruction, so that registers and order are still the compiler's business.

use core::arch::{aarch64::*, asm};

use crate::row::{KeyRow, Row};

/// One block.
#[derive(Clone, Copy)]
pub(crate) struct Block(uint32x4_t);

impl Row for Block {
    const BLOCKS: usize = 1;

    #[inline(always)]
    unsafe fn load(blocks: *const u8) -> Self {
        // SAFETY: the same conditions
        unsafe { Self(vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks)))) }
    }

    #[inline(always)]
    unsafe fn store_reversed(self, blocks: *mut u8) {
        // SAFETY: the same condition
        unsafe {
            let halves = vrev64q_u8(vreinterpretq_u8_u32(self.0));
            vst1q_u8(blocks, vextq_u8::<8>(halves, halves));
        }
    }

    #[inline(always)]
    unsafe fn splat(words: &[u32; 4]) -> Self {
        // SAFETY: the CPU has the instructions; four words are readable
        unsafe { Self(vld1q_u32(words.as_ptr())) }
    }

    #[inline(always)]
    fn rounds(self, keys: Self) -> Self {
        let mut state = self.0;
        // SAFETY: the values prove the CPU has the instruction, which touches registers only
        unsafe {
            asm!(
                "sm4e {state:v}.4s, {keys:v}.4s",
                state = inout(vreg) state,
                keys = in(vreg) keys.0,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        Self(state)
    }
}

impl KeyRow for Block {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { Self(veorq_u32(self.0, other.0)) }
    }

    #[inline(always)]
    fn reversed(self) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        unsafe {
            let halves = vrev64q_u32(self.0);
            Self(vextq_u32::<2>(halves, halves))
        }
    }

    #[inline(always)]
    fn key_rounds(self, constants: Self) -> Self {
        let keys;
        // SAFETY: the values prove the CPU has the instruction, which touches registers only
        unsafe {
            asm!(
                "sm4ekey {keys:v}.4s, {last:v}.4s, {constants:v}.4s",
                keys = lateout(vreg) keys,
                last = in(vreg) self.0,
                constants = in(vreg) constants.0,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        Self(keys)
    }

    #[inline(always)]
    fn words(self) -> [u32; 4] {
        let mut words = [0; 4];
        // SAFETY: the value proves the CPU has the instructions; four words are writable
        unsafe { vst1q_u32(words.as_mut_ptr(), self.0) };
        words
    }
}
