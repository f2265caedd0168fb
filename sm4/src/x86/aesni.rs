//! AES-NI and VAES: `AESENCLAST(x, k)` is `ShiftRows(SubBytes(x)) + k`, so that with `k = 63` (hex)
//! in all bytes nothing is left of the constant of `SubBytes`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::lanes::aes::{AesInstructions, SUB_BYTES_CONSTANT};

/// AES-NI: 128 bits at a time.
#[derive(Clone, Copy)]
pub(crate) struct AesNi;

/// VAES: a whole register at a time.
#[derive(Clone, Copy)]
pub(crate) struct Vaes;

impl AesInstructions<__m128i> for AesNi {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    fn sub_bytes_shift_rows(register: __m128i) -> __m128i {
        // SAFETY: used in the backends with AES-NI only, so the value proves the CPU has it
        unsafe { _mm_aesenclast_si128(register, _mm_set1_epi8(SUB_BYTES_CONSTANT.cast_signed())) }
    }
}

impl AesInstructions<__m256i> for AesNi {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    fn sub_bytes_shift_rows(register: __m256i) -> __m256i {
        // SAFETY: used in the backends with AES-NI and AVX2 only, so the value proves the CPU has
        // them
        unsafe {
            let low = Self::sub_bytes_shift_rows(_mm256_castsi256_si128(register));
            let high = Self::sub_bytes_shift_rows(_mm256_extracti128_si256::<1>(register));
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
        }
    }
}

impl AesInstructions<__m256i> for Vaes {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    fn sub_bytes_shift_rows(register: __m256i) -> __m256i {
        // SAFETY: used in the backends with VAES only, so the value proves the CPU has it
        unsafe {
            _mm256_aesenclast_epi128(register, _mm256_set1_epi8(SUB_BYTES_CONSTANT.cast_signed()))
        }
    }
}
