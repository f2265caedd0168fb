//! AES-NI: `AESENCLAST(x, k)` is `ShiftRows(SubBytes(x)) + k`, so that with `k = 63` (hex) in all
//! bytes nothing is left of the constant of `SubBytes`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::lanes::aes::{AesRegister, SUB_BYTES_CONSTANT};

impl AesRegister for __m128i {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    fn sub_bytes_shift_rows(self) -> Self {
        // SAFETY: used in the backends with AES-NI only, so the value proves the CPU has it
        unsafe { _mm_aesenclast_si128(self, _mm_set1_epi8(SUB_BYTES_CONSTANT.cast_signed())) }
    }
}

impl AesRegister for __m256i {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    fn sub_bytes_shift_rows(self) -> Self {
        // SAFETY: used in the backends with AES-NI and AVX2 only, so the value proves the CPU has
        // them
        unsafe {
            let low = _mm256_castsi256_si128(self).sub_bytes_shift_rows();
            let high = _mm256_extracti128_si256::<1>(self).sub_bytes_shift_rows();
            _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
        }
    }
}
