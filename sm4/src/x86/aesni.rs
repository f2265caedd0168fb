//! AES-NI and VAES: `AESENCLAST(x, k)` is `ShiftRows(SubBytes(x)) + k`, so that with `k = 63` (hex)
//! in all bytes nothing is left of the constant of `SubBytes`.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::register::{Xmm, Ymm};
use crate::lanes::aes::{AesInstructions, SUB_BYTES_CONSTANT};

/// AES-NI: 128 bits at a time.
#[derive(Clone, Copy)]
pub(crate) struct AesNi;

/// VAES: a whole register at a time.
#[derive(Clone, Copy)]
pub(crate) struct Vaes;

impl AesInstructions<Xmm> for AesNi {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    unsafe fn sub_bytes_shift_rows(register: Xmm) -> Xmm {
        // SAFETY: the same condition
        unsafe {
            let constant = _mm_set1_epi8(SUB_BYTES_CONSTANT.cast_signed());
            Xmm(_mm_aesenclast_si128(register.0, constant))
        }
    }
}

impl AesInstructions<Ymm> for AesNi {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    unsafe fn sub_bytes_shift_rows(register: Ymm) -> Ymm {
        // SAFETY: the same condition, and a register of two lanes proves that the CPU has AVX2
        unsafe {
            let (low, high) = (
                Xmm(_mm256_castsi256_si128(register.0)),
                Xmm(_mm256_extracti128_si256::<1>(register.0)),
            );
            let (low, high) = (
                Self::sub_bytes_shift_rows(low).0,
                Self::sub_bytes_shift_rows(high).0,
            );
            Ymm(_mm256_inserti128_si256::<1>(
                _mm256_castsi128_si256(low),
                high,
            ))
        }
    }
}

impl AesInstructions<Ymm> for Vaes {
    const CONSTANT: u8 = 0;

    #[inline(always)]
    unsafe fn sub_bytes_shift_rows(register: Ymm) -> Ymm {
        // SAFETY: the same condition
        unsafe {
            let constant = _mm256_set1_epi8(SUB_BYTES_CONSTANT.cast_signed());
            Ymm(_mm256_aesenclast_epi128(register.0, constant))
        }
    }
}
