//! Vectors of 128 bits as planes: every x86-64 CPU has SSE2, and every x86 CPU that such a target
//! says so of.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use super::plane::Plane;

/// The safe form of an expression of intrinsics.
macro_rules! sse2 {
    ($expression:expr) => {{
        // SAFETY: this module is compiled only where every CPU of the target has SSE2
        unsafe { $expression }
    }};
}

impl Plane for __m128i {
    const LANES: usize = 128;

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        sse2!({ _mm_xor_si128(self, other) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        sse2!({ _mm_and_si128(self, other) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        sse2!({ _mm_or_si128(self, other) })
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        sse2!({ _mm_andnot_si128(other, self) })
    }

    #[inline(always)]
    fn swap_bits<const SHIFT: u32, const MASK: u8>(x: &mut Self, y: &mut Self) {
        sse2!({
            let count = _mm_cvtsi32_si128(SHIFT.cast_signed());
            let mask = _mm_set1_epi8(MASK.cast_signed());
            let difference = _mm_and_si128(_mm_xor_si128(_mm_srl_epi64(*x, count), *y), mask);
            *x = _mm_xor_si128(*x, _mm_sll_epi64(difference, count));
            *y = _mm_xor_si128(*y, difference);
        })
    }

    #[inline(always)]
    fn splat(word: u32) -> [Self; 8] {
        sse2!({
            let word = _mm_cvtsi32_si128(word.cast_signed());
            let pairs = _mm_unpacklo_epi8(word, word);
            masks(_mm_unpacklo_epi16(pairs, pairs))
        })
    }

    #[inline(always)]
    fn splat_bytes(bytes: &[u32; 4]) -> [[Self; 8]; 4] {
        sse2!({
            // SAFETY: 16 bytes are readable
            let masks = masks(_mm_loadu_si128(bytes.as_ptr().cast()));
            let mut planes = [masks; 4];
            let mut i = 0;
            while i < 8 {
                planes[0][i] = _mm_shuffle_epi32::<0x00>(masks[i]);
                planes[1][i] = _mm_shuffle_epi32::<0x55>(masks[i]);
                planes[2][i] = _mm_shuffle_epi32::<0xaa>(masks[i]);
                planes[3][i] = _mm_shuffle_epi32::<0xff>(masks[i]);
                i += 1;
            }
            planes
        })
    }

    #[inline(always)]
    fn first(planes: [Self; 8]) -> u32 {
        sse2!({
            let mut bytes = _mm_setzero_si128();
            let ones = _mm_set1_epi32(1);
            let mut i = 8;
            while i > 0 {
                i -= 1;
                bytes = _mm_or_si128(_mm_add_epi32(bytes, bytes), _mm_and_si128(planes[i], ones));
            }
            let pairs = _mm_packs_epi32(bytes, bytes);
            _mm_cvtsi128_si32(_mm_packus_epi16(pairs, pairs)).cast_unsigned()
        })
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        sse2!({
            match BY {
                1 => _mm_shuffle_epi32::<0b00_11_10_01>(self),
                2 => _mm_shuffle_epi32::<0b01_00_11_10>(self),
                3 => _mm_shuffle_epi32::<0b10_01_00_11>(self),
                _ => self,
            }
        })
    }

    #[inline(always)]
    unsafe fn load(bytes: *const u8) -> Self {
        // SAFETY: the same condition
        unsafe { _mm_loadu_si128(bytes.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, bytes: *mut u8) {
        // SAFETY: the same condition
        unsafe { _mm_storeu_si128(bytes.cast(), self) };
    }

    #[inline(always)]
    unsafe fn load_words(blocks: *const u8) -> [Self; 4] {
        // SAFETY: the same condition
        let blocks = unsafe {
            [
                Self::load(blocks),
                Self::load(blocks.add(128)),
                Self::load(blocks.add(256)),
                Self::load(blocks.add(384)),
            ]
        };
        transpose_words(blocks)
    }

    #[inline(always)]
    unsafe fn store_words(words: [Self; 4], blocks: *mut u8) {
        let [b0, b1, b2, b3] = transpose_words(words);
        // SAFETY: the same condition
        unsafe {
            b0.store(blocks);
            b1.store(blocks.add(128));
            b2.store(blocks.add(256));
            b3.store(blocks.add(384));
        }
    }

    #[inline(always)]
    fn gather_quarters(self) -> Self {
        sse2!({
            // words abcd -> acac…bdbd… -> abcdabcd…
            let pairs = _mm_unpacklo_epi8(self, _mm_shuffle_epi32::<0b11_10_11_10>(self));
            _mm_unpacklo_epi8(pairs, _mm_shuffle_epi32::<0b11_10_11_10>(pairs))
        })
    }

    #[inline(always)]
    fn scatter_quarters(self) -> Self {
        // A 4 by 4 transposition undoes itself.
        self.gather_quarters()
    }

    #[inline(always)]
    fn transpose_bytes(planes: &mut [Self; 16]) {
        sse2!({
            // Interleaving planes `i` and `i + 8`, four times.
            let mut times = 0;
            while times < 4 {
                let from = *planes;
                let mut i = 0;
                while i < 8 {
                    planes[2 * i] = _mm_unpacklo_epi8(from[i], from[i + 8]);
                    planes[2 * i + 1] = _mm_unpackhi_epi8(from[i], from[i + 8]);
                    i += 1;
                }
                times += 1;
            }
        })
    }
}

/// Bit `i` of each 32-bit lane's byte, which the lane holds four times, all over the lane.
#[inline(always)]
fn masks(bytes: __m128i) -> [__m128i; 8] {
    sse2!({
        [
            _mm_srai_epi32::<31>(_mm_slli_epi32::<7>(bytes)),
            _mm_srai_epi32::<31>(_mm_slli_epi32::<6>(bytes)),
            _mm_srai_epi32::<31>(_mm_slli_epi32::<5>(bytes)),
            _mm_srai_epi32::<31>(_mm_slli_epi32::<4>(bytes)),
            _mm_srai_epi32::<31>(_mm_slli_epi32::<3>(bytes)),
            _mm_srai_epi32::<31>(_mm_slli_epi32::<2>(bytes)),
            _mm_srai_epi32::<31>(_mm_slli_epi32::<1>(bytes)),
            _mm_srai_epi32::<31>(bytes),
        ]
    })
}

/// Four by four.
#[inline(always)]
fn transpose_words([b0, b1, b2, b3]: [__m128i; 4]) -> [__m128i; 4] {
    sse2!({
        let (low01, high01) = (_mm_unpacklo_epi32(b0, b1), _mm_unpackhi_epi32(b0, b1));
        let (low23, high23) = (_mm_unpacklo_epi32(b2, b3), _mm_unpackhi_epi32(b2, b3));
        [
            _mm_unpacklo_epi64(low01, low23),
            _mm_unpackhi_epi64(low01, low23),
            _mm_unpacklo_epi64(high01, high23),
            _mm_unpackhi_epi64(high01, high23),
        ]
    })
}
