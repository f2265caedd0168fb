//! AES-NI and VAES: `AESENCLAST` contains an inversion in the field of AES.
//!
//! `AESENCLAST(x, k)` is `ShiftRows(SubBytes(x)) + k`. A byte shuffle undoes `ShiftRows`, with
//! `k = 63` (hex) in all bytes the affine step of `SubBytes` becomes linear, and what is left of it
//! is taken back by the maps, which look up each half of a byte in a table of 16 bytes that sits in
//! a register.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::{
    domain::AES_FIELD,
    lanes::{
        Lanes,
        bytes::Inversion,
        halves::{self, Halves},
    },
    matrix::Matrix,
};

/// Inversion by AES-NI: 128 bits at a time.
#[derive(Clone, Copy)]
pub(crate) struct AesNi;

/// Inversion by VAES: a whole register at a time.
#[derive(Clone, Copy)]
pub(crate) struct Vaes;

/// The linear part of `SubBytes` (FIPS 197, 5.1.1): output bit `i` is the sum of bits `i`, `i + 4`,
/// `i + 5`, `i + 6` and `i + 7`.
const SUB_BYTES: Matrix = Matrix([0xf1, 0xe3, 0xc7, 0x8f, 0x1f, 0x3e, 0x7c, 0xf8]);

/// Brings every byte back to where it was before `ShiftRows`.
const UNDO_SHIFT_ROWS: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

impl<R: Lanes, I: SubBytes<R>> Inversion<R> for I {
    type Inverse = Halves<R>;

    #[inline(always)]
    fn invert(bytes: R) -> Halves<R> {
        Halves::of(I::sub_bytes_shift_rows(bytes).shuffle(const { &UNDO_SHIFT_ROWS }))
    }

    #[inline(always)]
    fn map<const MAP: usize>(inverse: Halves<R>) -> R {
        let (low, high) = const { &halves::tables(AES_FIELD.maps[MAP].after(SUB_BYTES.inverse())) };
        inverse.look_up(low, high)
    }

    #[inline(always)]
    fn linear<const MAP: usize>(bytes: R) -> R {
        let (low, high) = const { &halves::tables(AES_FIELD.maps[MAP]) };
        Halves::of(bytes).look_up(low, high)
    }
}

/// A way to run `AESENCLAST` on a register.
pub(crate) trait SubBytes<R>: Copy {
    /// `ShiftRows(SubBytes(bytes))` in every lane, without the constant of `SubBytes`.
    fn sub_bytes_shift_rows(bytes: R) -> R;
}

impl SubBytes<__m128i> for AesNi {
    #[inline(always)]
    fn sub_bytes_shift_rows(bytes: __m128i) -> __m128i {
        // SAFETY: used in the backends with AES-NI only, so the value proves the CPU has it
        unsafe { _mm_aesenclast_si128(bytes, _mm_set1_epi8(0x63)) }
    }
}

impl SubBytes<__m256i> for AesNi {
    #[inline(always)]
    fn sub_bytes_shift_rows(bytes: __m256i) -> __m256i {
        // SAFETY: used in the backends with AES-NI and AVX2 only, so the value proves the CPU has
        // them
        unsafe {
            let low = Self::sub_bytes_shift_rows(_mm256_castsi256_si128(bytes));
            let high = Self::sub_bytes_shift_rows(_mm256_extracti128_si256::<1>(bytes));
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
        }
    }
}

impl SubBytes<__m256i> for Vaes {
    #[inline(always)]
    fn sub_bytes_shift_rows(bytes: __m256i) -> __m256i {
        // SAFETY: used in the backend with VAES only, so the value proves the CPU has it
        unsafe { _mm256_aesenclast_epi128(bytes, _mm256_set1_epi8(0x63)) }
    }
}
