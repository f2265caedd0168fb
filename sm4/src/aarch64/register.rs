//! The instructions of NEON's registers: what the shapes and the AES instructions need.

use core::arch::{aarch64::*, asm};

use crate::lanes::{
    Lanes,
    aes::{AesInstructions, SUB_BYTES_CONSTANT},
};

impl Lanes for uint8x16_t {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the same conditions
        unsafe { vld1q_u8(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the same conditions
        unsafe { vst1q_u8(to, self) }
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the CPU has the instructions
        unsafe { vreinterpretq_u8_u32(vdupq_n_u32(word)) }
    }

    #[inline(always)]
    unsafe fn lanes(bytes: &[u8; 16]) -> Self {
        // SAFETY: the CPU has the instructions; a reference to 16 bytes is readable
        unsafe { vld1q_u8(bytes.as_ptr()) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { veorq_u8(self, other) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { vandq_u8(self, other) }
    }

    #[inline(always)]
    fn add8(self, other: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { vaddq_u8(self, other) }
    }

    #[inline(always)]
    fn greater8(self, other: Self) -> Self {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { vcgtq_s8(vreinterpretq_s8_u8(self), vreinterpretq_s8_u8(other)) }
    }

    #[inline(always)]
    fn shift_right_4(self) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        unsafe { vshrq_n_u8::<4>(self) }
    }

    #[inline(always)]
    fn shuffle(self, pattern: &'static [u8; 16]) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        unsafe { vqtbl1q_u8(self, Self::lanes(pattern)) }
    }

    #[inline(always)]
    fn look_up(self, table: &'static [u8; 16]) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        unsafe { vqtbl1q_u8(Self::lanes(table), self) }
    }

    #[inline(always)]
    fn zip8(self, other: Self) -> (Self, Self) {
        // SAFETY: the values prove the CPU has the instructions
        unsafe { (vzip1q_u8(self, other), vzip2q_u8(self, other)) }
    }

    #[inline(always)]
    fn zip32(self, other: Self) -> (Self, Self) {
        // SAFETY: the values prove the CPU has the instructions
        unsafe {
            let (x, y) = (vreinterpretq_u32_u8(self), vreinterpretq_u32_u8(other));
            (
                vreinterpretq_u8_u32(vzip1q_u32(x, y)),
                vreinterpretq_u8_u32(vzip2q_u32(x, y)),
            )
        }
    }

    #[inline(always)]
    fn settle(mut self) -> Self {
        // SAFETY: no instruction at all
        unsafe {
            asm!("/* {0:v} */", inout(vreg) self, options(pure, nomem, nostack, preserves_flags));
        }
        self
    }

    #[inline(always)]
    fn first(self) -> u32 {
        // SAFETY: the value proves the CPU has the instructions
        unsafe { vgetq_lane_u32::<0>(vreinterpretq_u32_u8(self)) }
    }

    #[inline(always)]
    unsafe fn store_lane(self, to: *mut u8) {
        // SAFETY: the same condition
        unsafe { vst1q_u8(to, self) }
    }
}

/// `AESE(x, k)` is `ShiftRows(SubBytes(x + k))`: the last addition before it costs nothing, since the
/// compiler makes it that `k`, but the constant of `SubBytes` stays.
#[derive(Clone, Copy)]
pub(crate) struct Aese;

impl AesInstructions<uint8x16_t> for Aese {
    const CONSTANT: u8 = SUB_BYTES_CONSTANT;

    #[inline(always)]
    #[allow(
        unknown_lints,
        inline_always_mismatching_target_features,
        reason = "inlined where this function is: in the kernels, which have the feature"
    )]
    unsafe fn sub_bytes_shift_rows(register: uint8x16_t) -> uint8x16_t {
        // SAFETY: the same condition
        unsafe { vaeseq_u8(register, uint8x16_t::splat(0)) }
    }
}
