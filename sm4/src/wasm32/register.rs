//! The instructions of 128-bit vectors.

use core::arch::wasm32::*;

use crate::lanes::Lanes;

impl Lanes for v128 {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the same condition; the load has no alignment
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the same condition; the store has no alignment
        unsafe { v128_store(to.cast(), self) };
    }

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        u32x4_splat(word)
    }

    #[inline(always)]
    unsafe fn lanes(bytes: &[u8; 16]) -> Self {
        // SAFETY: a reference to 16 bytes is readable; the load has no alignment
        unsafe { v128_load(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        v128_xor(self, other)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        v128_and(self, other)
    }

    #[inline(always)]
    fn add8(self, other: Self) -> Self {
        u8x16_add(self, other)
    }

    #[inline(always)]
    fn greater8(self, other: Self) -> Self {
        i8x16_gt(self, other)
    }

    #[inline(always)]
    fn shift_right_4(self) -> Self {
        u32x4_shr(self, 4)
    }

    #[inline(always)]
    fn shuffle(self, pattern: &'static [u8; 16]) -> Self {
        // SAFETY: every CPU that runs this has the instructions
        i8x16_swizzle(self, unsafe { Self::lanes(pattern) })
    }

    #[inline(always)]
    fn look_up(self, table: &'static [u8; 16]) -> Self {
        // SAFETY: every CPU that runs this has the instructions
        i8x16_swizzle(unsafe { Self::lanes(table) }, self)
    }

    #[inline(always)]
    fn zip8(self, other: Self) -> (Self, Self) {
        (
            u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(self, other),
            u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(
                self, other,
            ),
        )
    }

    #[inline(always)]
    fn zip32(self, other: Self) -> (Self, Self) {
        (
            u32x4_shuffle::<0, 4, 1, 5>(self, other),
            u32x4_shuffle::<2, 6, 3, 7>(self, other),
        )
    }

    #[inline(always)]
    fn first(self) -> u32 {
        u32x4_extract_lane::<0>(self)
    }

    #[inline(always)]
    unsafe fn store_lane(self, to: *mut u8) {
        // SAFETY: the same condition; the store has no alignment
        unsafe { v128_store(to.cast(), self) };
    }
}
