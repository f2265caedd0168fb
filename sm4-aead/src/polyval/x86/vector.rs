//! XMM, YMM and ZMM registers as vectors of polynomials.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::super::wide::Vector;

/// The methods that differ by the names of the instructions only.
macro_rules! common {
    (
        $register:ident, $load:ident, $store:ident, $zero:ident, $xor:ident, $shuffle:ident,
        $multiply:ident, $raise:ident, $lower:ident, $swap:ident
    ) => {
        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: the caller vouches for the CPU
            unsafe { $zero() }
        }

        #[inline(always)]
        unsafe fn load(from: *const u8) -> Self {
            // SAFETY: the caller vouches for the CPU and the pointer
            unsafe { $load(from.cast()) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut u8) {
            // SAFETY: the caller vouches for the CPU and the pointer
            unsafe { $store(to.cast(), self) }
        }

        #[inline(always)]
        unsafe fn xor(self, other: Self) -> Self {
            // SAFETY: the caller vouches for the CPU
            unsafe { $xor(self, other) }
        }

        #[inline(always)]
        unsafe fn reverse(self) -> Self {
            const INDICES: u128 = 0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f;
            // SAFETY: the caller vouches for the CPU
            unsafe { $shuffle(self, Self::splat(INDICES)) }
        }

        #[inline(always)]
        unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self {
            // SAFETY: the caller vouches for the CPU
            unsafe { $multiply::<HALVES>(self, other) }
        }

        #[inline(always)]
        unsafe fn raise(self) -> Self {
            // SAFETY: the caller vouches for the CPU
            unsafe { $raise::<8>(self) }
        }

        #[inline(always)]
        unsafe fn lower(self) -> Self {
            // SAFETY: the caller vouches for the CPU
            unsafe { $lower::<8>(self) }
        }

        #[inline(always)]
        unsafe fn swap(self) -> Self {
            // SAFETY: the caller vouches for the CPU
            unsafe { $swap::<0x4e>(self) }
        }
    };
}

/// Reads fewer bytes than a vector has, by way of a buffer.
#[inline(always)]
unsafe fn load_by_buffer<V: Vector, const N: usize>(from: *const u8, len: usize) -> V {
    debug_assert!(len < N && N == 16 * V::BLOCKS);
    let mut buffer = [0_u8; N];
    // SAFETY: the caller vouches for the CPU and `len` bytes, which fit into the buffer
    unsafe {
        buffer.as_mut_ptr().copy_from_nonoverlapping(from, len);
        V::load(buffer.as_ptr())
    }
}

impl Vector for __m128i {
    const BLOCKS: usize = 1;
    const POWERS: usize = 8;

    common!(
        __m128i,
        _mm_loadu_si128,
        _mm_storeu_si128,
        _mm_setzero_si128,
        _mm_xor_si128,
        _mm_shuffle_epi8,
        _mm_clmulepi64_si128,
        _mm_bslli_si128,
        _mm_bsrli_si128,
        _mm_shuffle_epi32
    );

    #[inline(always)]
    unsafe fn first(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { Self::load(polynomial.to_le_bytes().as_ptr()) }
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
    unsafe fn load_part(from: *const u8, len: usize) -> Self {
        // SAFETY: the caller vouches for the CPU and the pointer
        unsafe { load_by_buffer::<_, 16>(from, len) }
    }

    #[inline(always)]
    unsafe fn sum(self) -> u128 {
        let mut bytes = [0; 16];
        // SAFETY: the caller vouches for the CPU
        unsafe { self.store(bytes.as_mut_ptr()) };
        u128::from_le_bytes(bytes)
    }
}

impl Vector for __m256i {
    const BLOCKS: usize = 2;
    const POWERS: usize = 16;

    common!(
        __m256i,
        _mm256_loadu_si256,
        _mm256_storeu_si256,
        _mm256_setzero_si256,
        _mm256_xor_si256,
        _mm256_shuffle_epi8,
        _mm256_clmulepi64_epi128,
        _mm256_bslli_epi128,
        _mm256_bsrli_epi128,
        _mm256_shuffle_epi32
    );

    #[inline(always)]
    unsafe fn first(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { _mm256_zextsi128_si256(__m128i::first(polynomial)) }
    }

    #[inline(always)]
    unsafe fn splat(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { _mm256_broadcastsi128_si256(__m128i::first(polynomial)) }
    }

    #[inline(always)]
    unsafe fn select<const BITS: u8>(self, other: Self) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            match BITS & 0b11 {
                0b00 => self,
                0b01 => _mm256_blend_epi32::<0x0f>(self, other),
                0b10 => _mm256_blend_epi32::<0xf0>(self, other),
                _ => other,
            }
        }
    }

    #[inline(always)]
    unsafe fn load_part(from: *const u8, len: usize) -> Self {
        // SAFETY: the caller vouches for the CPU and the pointer
        unsafe { load_by_buffer::<_, 32>(from, len) }
    }

    #[inline(always)]
    unsafe fn sum(self) -> u128 {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            let (low, high) = (
                _mm256_castsi256_si128(self),
                _mm256_extracti128_si256::<1>(self),
            );
            low.xor(high).sum()
        }
    }
}

impl Vector for __m512i {
    const BLOCKS: usize = 4;
    const POWERS: usize = 32;

    common!(
        __m512i,
        _mm512_loadu_si512,
        _mm512_storeu_si512,
        _mm512_setzero_si512,
        _mm512_xor_si512,
        _mm512_shuffle_epi8,
        _mm512_clmulepi64_epi128,
        _mm512_bslli_epi128,
        _mm512_bsrli_epi128,
        _mm512_shuffle_epi32
    );

    #[inline(always)]
    unsafe fn first(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { _mm512_zextsi128_si512(__m128i::first(polynomial)) }
    }

    #[inline(always)]
    unsafe fn splat(polynomial: u128) -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe { _mm512_broadcast_i32x4(__m128i::first(polynomial)) }
    }

    #[inline(always)]
    unsafe fn select<const BITS: u8>(self, other: Self) -> Self {
        // Two bits for each of them
        let mask = 0b0000_0011 * (BITS & 1)
            + 0b0000_1100 * (BITS >> 1 & 1)
            + 0b0011_0000 * (BITS >> 2 & 1)
            + 0b1100_0000 * (BITS >> 3 & 1);
        // SAFETY: the caller vouches for the CPU
        unsafe { _mm512_mask_blend_epi64(mask, self, other) }
    }

    #[inline(always)]
    unsafe fn load_part(from: *const u8, len: usize) -> Self {
        debug_assert!(len < 64);
        // SAFETY: the caller vouches for the CPU and for `len` bytes; the mask leaves the others out
        unsafe { _mm512_maskz_loadu_epi8((1 << len) - 1, from.cast()) }
    }

    #[inline(always)]
    unsafe fn sum(self) -> u128 {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            let (low, high) = (
                _mm512_castsi512_si256(self),
                _mm512_extracti64x4_epi64::<1>(self),
            );
            low.xor(high).sum()
        }
    }
}
