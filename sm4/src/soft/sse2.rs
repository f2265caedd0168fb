//! Vectors of 128 bits as planes: SSE2 is a part of x86-64, and of most 32-bit targets.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use cipher::consts::U128;

use crate::span::Span;

use super::plane::{Bits, Plane};

pub(super) type Wide = __m128i;

/// [`Plane::LANES`] of [`Wide`].
pub(super) type WideBlocks = U128;

/// An expression of intrinsics.
macro_rules! sse2 {
    ($expression:expr) => {{
        // SAFETY: this module is only compiled for targets all of whose CPUs have SSE2
        unsafe { $expression }
    }};
}

impl Bits for __m128i {
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        sse2!(_mm_xor_si128(self, other))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        sse2!(_mm_and_si128(self, other))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        sse2!(_mm_or_si128(self, other))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        sse2!(_mm_andnot_si128(other, self))
    }
}

impl Plane for __m128i {
    const LANES: usize = 128;

    // SAFETY: an array of zero bytes is a vector
    const ZERO: Self = unsafe { core::mem::transmute([0_u8; 16]) };

    #[inline(always)]
    fn splat(word: u32) -> [Self; 8] {
        masks(sse2!({
            let word = _mm_cvtsi32_si128(word.cast_signed());
            let twice = _mm_unpacklo_epi8(word, word);
            _mm_unpacklo_epi16(twice, twice)
        }))
    }

    #[inline(always)]
    fn splat_bytes(bytes: &[u32; 4]) -> [[Self; 8]; 4] {
        let masks = masks(sse2!(_mm_loadu_si128(bytes.as_ptr().cast())));
        let mut planes = [masks; 4];
        let mut i = 0;
        while i < 8 {
            planes[0][i] = sse2!(_mm_shuffle_epi32::<0x00>(masks[i]));
            planes[1][i] = sse2!(_mm_shuffle_epi32::<0x55>(masks[i]));
            planes[2][i] = sse2!(_mm_shuffle_epi32::<0xaa>(masks[i]));
            planes[3][i] = sse2!(_mm_shuffle_epi32::<0xff>(masks[i]));
            i += 1;
        }
        planes
    }

    #[inline(always)]
    fn first(planes: [Self; 8]) -> u32 {
        sse2!({
            let first = _mm_set1_epi32(1);
            let mut bytes = Self::ZERO;
            let mut i = 8;
            while i > 0 {
                i -= 1;
                bytes = _mm_add_epi32(bytes, bytes);
                bytes = _mm_or_si128(bytes, _mm_and_si128(planes[i], first));
            }
            let pairs = _mm_packs_epi32(bytes, bytes);
            _mm_cvtsi128_si32(_mm_packus_epi16(pairs, pairs)).cast_unsigned()
        })
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        sse2!(match BY {
            1 => _mm_shuffle_epi32::<0b00_11_10_01>(self),
            2 => _mm_shuffle_epi32::<0b01_00_11_10>(self),
            3 => _mm_shuffle_epi32::<0b10_01_00_11>(self),
            _ => self,
        })
    }

    #[inline(always)]
    unsafe fn load(bytes: *const u8) -> Self {
        // SAFETY: the same condition, and there is SSE2
        unsafe { _mm_loadu_si128(bytes.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, bytes: *mut u8) {
        // SAFETY: the same condition, and there is SSE2
        unsafe { _mm_storeu_si128(bytes.cast(), self) };
    }

    #[inline(always)]
    unsafe fn load_words(span: Span, k: usize) -> [Self; 4] {
        // SAFETY: block `k` out of eight
        transpose_words(unsafe {
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
        let [b0, b1, b2, b3] = transpose_words(words);
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
        sse2!({
            // bytes 0123 0123 0123 0123 -> 0011 2233 0011 2233 -> 0000 1111 2222 3333
            let high = _mm_shuffle_epi32::<0b11_10_11_10>(self);
            let pairs = _mm_unpacklo_epi8(self, high);
            let high = _mm_shuffle_epi32::<0b11_10_11_10>(pairs);
            _mm_unpacklo_epi8(pairs, high)
        })
    }

    #[inline(always)]
    fn scatter_quarters(self) -> Self {
        // A transposition of a square undoes itself.
        self.gather_quarters()
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: i32, const MASK: u8>(x: &mut Self, y: &mut Self) {
        sse2!({
            let mask = _mm_set1_epi8(MASK.cast_signed());
            let difference = _mm_and_si128(_mm_xor_si128(_mm_srli_epi64::<SHIFT>(*x), *y), mask);
            *x = _mm_xor_si128(*x, _mm_slli_epi64::<SHIFT>(difference));
            *y = _mm_xor_si128(*y, difference);
        });
    }

    #[inline(always)]
    fn transpose_bytes(rows: &mut [[Self; 8]], i: usize, swap: usize) {
        let mut square = [Self::ZERO; 16];
        let mut k = 0;
        while k < 16 {
            square[k] = rows[k ^ swap][i];
            k += 1;
        }
        let square = interleave(interleave(interleave(interleave(square))));
        let mut k = 0;
        while k < 16 {
            rows[k][i] = square[k];
            k += 1;
        }
    }
}

/// Bit `i` of a byte all over its 32-bit lane. Every lane holds its byte four times.
#[inline(always)]
fn masks(bytes: __m128i) -> [__m128i; 8] {
    sse2!([
        _mm_srai_epi32::<31>(_mm_slli_epi32::<7>(bytes)),
        _mm_srai_epi32::<31>(_mm_slli_epi32::<6>(bytes)),
        _mm_srai_epi32::<31>(_mm_slli_epi32::<5>(bytes)),
        _mm_srai_epi32::<31>(_mm_slli_epi32::<4>(bytes)),
        _mm_srai_epi32::<31>(_mm_slli_epi32::<3>(bytes)),
        _mm_srai_epi32::<31>(_mm_slli_epi32::<2>(bytes)),
        _mm_srai_epi32::<31>(_mm_slli_epi32::<1>(bytes)),
        _mm_srai_epi32::<31>(bytes),
    ])
}

/// Transposes a square of 32-bit words.
#[inline(always)]
fn transpose_words([r0, r1, r2, r3]: [__m128i; 4]) -> [__m128i; 4] {
    sse2!({
        let (low01, high01) = (_mm_unpacklo_epi32(r0, r1), _mm_unpackhi_epi32(r0, r1));
        let (low23, high23) = (_mm_unpacklo_epi32(r2, r3), _mm_unpackhi_epi32(r2, r3));
        [
            _mm_unpacklo_epi64(low01, low23),
            _mm_unpackhi_epi64(low01, low23),
            _mm_unpacklo_epi64(high01, high23),
            _mm_unpackhi_epi64(high01, high23),
        ]
    })
}

/// Interleaves the bytes of rows `k` and `k + 8`: done four times, that transposes.
#[inline(always)]
fn interleave(from: [__m128i; 16]) -> [__m128i; 16] {
    let mut to = from;
    let mut k = 0;
    while k < 8 {
        to[2 * k] = sse2!(_mm_unpacklo_epi8(from[k], from[k + 8]));
        to[2 * k + 1] = sse2!(_mm_unpackhi_epi8(from[k], from[k + 8]));
        k += 1;
    }
    to
}
