//! Vectors of 128 bits as planes, for WebAssembly modules that have them.

use core::arch::wasm32::*;

use cipher::consts::U128;

use crate::{lanes::transpose, span::Span};

use super::plane::{Bits, Plane};

pub(super) type Wide = v128;

/// [`Plane::LANES`] of [`Wide`].
pub(super) type WideBlocks = U128;

impl Bits for v128 {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        v128_xor(self, other)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        v128_and(self, other)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        v128_or(self, other)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        v128_andnot(self, other)
    }
}

impl Plane for v128 {
    const LANES: usize = 128;
    const STORED: bool = true;

    const ZERO: Self = u64x2(0, 0);

    #[inline(always)]
    fn splat(word: u32) -> [Self; 8] {
        let word = u32x4_splat(word);
        masks(i8x16_shuffle::<
            0,
            0,
            0,
            0,
            1,
            1,
            1,
            1,
            2,
            2,
            2,
            2,
            3,
            3,
            3,
            3,
        >(word, word))
    }

    #[inline(always)]
    fn splat_bytes(bytes: &[u32; 4]) -> [[Self; 8]; 4] {
        // SAFETY: four words are 16 bytes; the load has no alignment
        let masks = masks(unsafe { v128_load(bytes.as_ptr().cast()) });
        let mut planes = [masks; 4];
        let mut i = 0;
        while i < 8 {
            let mask = masks[i];
            planes[0][i] = u32x4_shuffle::<0, 0, 0, 0>(mask, mask);
            planes[1][i] = u32x4_shuffle::<1, 1, 1, 1>(mask, mask);
            planes[2][i] = u32x4_shuffle::<2, 2, 2, 2>(mask, mask);
            planes[3][i] = u32x4_shuffle::<3, 3, 3, 3>(mask, mask);
            i += 1;
        }
        planes
    }

    #[inline(always)]
    fn first(planes: [Self; 8]) -> u32 {
        let first = u32x4_splat(1);
        let mut bytes = Self::ZERO;
        let mut i = 8;
        while i > 0 {
            i -= 1;
            bytes = v128_or(u32x4_shl(bytes, 1), v128_and(planes[i], first));
        }
        u32x4_extract_lane::<0>(bytes.gather_quarters())
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        match BY {
            1 => u32x4_shuffle::<1, 2, 3, 0>(self, self),
            2 => u32x4_shuffle::<2, 3, 0, 1>(self, self),
            3 => u32x4_shuffle::<3, 0, 1, 2>(self, self),
            _ => self,
        }
    }

    #[inline(always)]
    unsafe fn load(bytes: *const u8) -> Self {
        // SAFETY: the same condition; the load has no alignment
        unsafe { v128_load(bytes.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, bytes: *mut u8) {
        // SAFETY: the same condition; the store has no alignment
        unsafe { v128_store(bytes.cast(), self) };
    }

    #[inline(always)]
    unsafe fn load_words(span: Span, k: usize) -> [Self; 4] {
        // SAFETY: block `k` out of eight
        transpose::words(unsafe {
            [
                Self::load(span.input(0, 128).add(16 * k)),
                Self::load(span.input(128, 128).add(16 * k)),
                Self::load(span.input(256, 128).add(16 * k)),
                Self::load(span.input(384, 128).add(16 * k)),
            ]
        })
    }

    #[inline(always)]
    unsafe fn store_words(words: [Self; 4], span: Span, k: usize) {
        let [b0, b1, b2, b3] = transpose::words(words);
        // SAFETY: block `k` out of eight
        unsafe {
            b0.store(span.output(0, 128).add(16 * k));
            b1.store(span.output(128, 128).add(16 * k));
            b2.store(span.output(256, 128).add(16 * k));
            b3.store(span.output(384, 128).add(16 * k));
        }
    }

    #[inline(always)]
    fn gather_quarters(self) -> Self {
        i8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(self, self)
    }

    #[inline(always)]
    fn scatter_quarters(self) -> Self {
        // A transposition of a square undoes itself.
        self.gather_quarters()
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: i32, const MASK: u8>(x: &mut Self, y: &mut Self) {
        let shift = SHIFT.cast_unsigned();
        let difference = v128_and(v128_xor(u64x2_shr(*x, shift), *y), u8x16_splat(MASK));
        *x = v128_xor(*x, u64x2_shl(difference, shift));
        *y = v128_xor(*y, difference);
    }

    #[inline(always)]
    fn transpose_bytes(rows: &mut [[Self; 8]], i: usize, swap: usize) {
        let row = |k: usize| rows[k ^ swap][i];
        let square = transpose::bytes([
            [row(0), row(1), row(2), row(3)],
            [row(4), row(5), row(6), row(7)],
            [row(8), row(9), row(10), row(11)],
            [row(12), row(13), row(14), row(15)],
        ]);
        let mut k = 0;
        while k < 16 {
            rows[k][i] = square[k / 4][k % 4];
            k += 1;
        }
    }
}

/// Bit `i` of a byte all over its 32-bit lane. Every lane holds its byte four times.
#[inline(always)]
fn masks(bytes: v128) -> [v128; 8] {
    [
        i32x4_shr(i32x4_shl(bytes, 7), 31),
        i32x4_shr(i32x4_shl(bytes, 6), 31),
        i32x4_shr(i32x4_shl(bytes, 5), 31),
        i32x4_shr(i32x4_shl(bytes, 4), 31),
        i32x4_shr(i32x4_shl(bytes, 3), 31),
        i32x4_shr(i32x4_shl(bytes, 2), 31),
        i32x4_shr(i32x4_shl(bytes, 1), 31),
        i32x4_shr(bytes, 31),
    ]
}
