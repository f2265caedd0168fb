//! NEON's registers as polynomials.

use core::arch::aarch64::*;

use super::super::wide::Vector;

impl Vector for uint8x16_t {
    const BLOCKS: usize = 1;
    /// As many as the compiler unrolls.
    const POWERS: usize = 8;

    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { vdupq_n_u8(0) }
    }

    #[inline(always)]
    unsafe fn first(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU; the array has 16 bytes
        unsafe { vld1q_u8(polynomial.to_le_bytes().as_ptr()) }
    }

    #[inline(always)]
    unsafe fn splat(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { Self::first(polynomial) }
    }

    #[inline(always)]
    unsafe fn select<const BITS: u8>(self, other: Self) -> Self {
        if BITS & 1 == 0 { self } else { other }
    }

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the CPU and the pointer
        unsafe { vld1q_u8(from) }
    }

    #[inline(always)]
    unsafe fn load_part(from: *const u8, len: usize) -> Self {
        debug_assert!(len < 16);
        let mut buffer = [0; 16];
        // SAFETY: the caller vouches for the CPU and `len` bytes, which fit into the buffer
        unsafe {
            buffer.as_mut_ptr().copy_from_nonoverlapping(from, len);
            vld1q_u8(buffer.as_ptr())
        }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the CPU and the pointer
        unsafe { vst1q_u8(to, self) }
    }

    #[inline(always)]
    unsafe fn xor(self, other: Self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { veorq_u8(self, other) }
    }

    #[inline(always)]
    unsafe fn reverse(self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { vrev64q_u8(self).swap() }
    }

    #[inline(always)]
    #[allow(
        unknown_lints,
        inline_always_mismatching_target_features,
        reason = "inlined where this function is: in the kernels, which have the feature"
    )]
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            let (x, y) = (vreinterpretq_p64_u8(self), vreinterpretq_p64_u8(other));
            vreinterpretq_u8_p128(match HALVES {
                0x00 => vmull_p64(low(x), low(y)),
                0x11 => vmull_high_p64(x, y),
                _ => unreachable!("nobody multiplies a low half by a high one"),
            })
        }
    }

    #[inline(always)]
    unsafe fn raise(self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { vextq_u8::<8>(Self::zero(), self) }
    }

    #[inline(always)]
    unsafe fn lower(self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { vextq_u8::<8>(self, Self::zero()) }
    }

    #[inline(always)]
    unsafe fn swap(self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { vextq_u8::<8>(self, self) }
    }

    #[inline(always)]
    unsafe fn sum(self) -> u128 {
        let mut bytes = [0; 16];
        // SAFETY: the caller vouches for the CPU; the array has 16 bytes
        unsafe { vst1q_u8(bytes.as_mut_ptr(), self) };
        u128::from_le_bytes(bytes)
    }
}

/// # Safety
/// The CPU has NEON.
#[inline(always)]
unsafe fn low(polynomial: poly64x2_t) -> u64 {
    // SAFETY: the same condition
    unsafe { vgetq_lane_p64::<0>(polynomial) }
}
