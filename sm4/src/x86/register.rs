//! The instructions of XMM, YMM and ZMM registers that have nothing to do with the S-box.

use core::arch::asm;
#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::lanes::Lanes;

/// Gives one width a register and its instructions.
///
/// A register is proof that the CPU has the instructions of its width: only the `unsafe` functions
/// of [`Lanes`] make one of nothing.
macro_rules! register {
    (
        $(#[$doc:meta])* $register:ident($inner:ident), $bytes:literal,
        $load:ident, $store:ident, $splat:ident, |$lane:ident| $lanes:expr,
        $xor:ident, $and:ident, $shift:ident, $shuffle:ident,
        $lo8:ident, $hi8:ident, $lo32:ident, $hi32:ident,
        $add8:ident, |$left:ident, $right:ident| $greater:expr, |$from:ident| $lowest:expr
        $(, $($more:tt)+)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(crate) struct $register(pub(super) $inner);

        impl Lanes for $register {
            const BYTES: usize = $bytes;

            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: the same conditions; the load has no alignment
                Self(unsafe { $load(from.cast()) })
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: the same conditions; the store has no alignment
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn splat(word: u32) -> Self {
                // SAFETY: the CPU has the instructions
                Self(unsafe { $splat(word.cast_signed()) })
            }

            #[inline(always)]
            unsafe fn lanes(bytes: &[u8; 16]) -> Self {
                // SAFETY: the CPU has the instructions; a reference to 16 bytes is readable
                Self(unsafe {
                    let $lane = _mm_loadu_si128(bytes.as_ptr().cast());
                    $lanes
                })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: the values prove the CPU has the instructions
                Self(unsafe { $xor(self.0, other.0) })
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: the values prove the CPU has the instructions
                Self(unsafe { $and(self.0, other.0) })
            }

            #[inline(always)]
            fn add8(self, other: Self) -> Self {
                // SAFETY: the values prove the CPU has the instructions
                Self(unsafe { $add8(self.0, other.0) })
            }

            #[inline(always)]
            fn greater8(self, other: Self) -> Self {
                let ($left, $right) = (self.0, other.0);
                // SAFETY: the values prove the CPU has the instructions
                Self(unsafe { $greater })
            }

            #[inline(always)]
            fn shift_right_4(self) -> Self {
                // SAFETY: the value proves the CPU has the instructions
                Self(unsafe { $shift::<4>(self.0) })
            }

            #[inline(always)]
            fn shuffle(self, pattern: &'static [u8; 16]) -> Self {
                // Where it knows the pattern, the compiler may replace the instruction by two.
                // SAFETY: the value proves the CPU has the instructions
                Self(unsafe { $shuffle(self.0, Self::lanes(pattern).settle().0) })
            }

            #[inline(always)]
            fn look_up(self, table: &'static [u8; 16]) -> Self {
                // SAFETY: the value proves the CPU has the instructions
                Self(unsafe { $shuffle(Self::lanes(table).0, self.0) })
            }

            #[inline(always)]
            fn zip8(self, other: Self) -> (Self, Self) {
                // SAFETY: the values prove the CPU has the instructions
                unsafe { (Self($lo8(self.0, other.0)), Self($hi8(self.0, other.0))) }
            }

            #[inline(always)]
            fn zip32(self, other: Self) -> (Self, Self) {
                // SAFETY: the values prove the CPU has the instructions
                unsafe { (Self($lo32(self.0, other.0)), Self($hi32(self.0, other.0))) }
            }

            $($($more)+)?

            #[inline(always)]
            fn first(self) -> u32 {
                let $from = self.0;
                // SAFETY: the value proves the CPU has the instructions
                unsafe { _mm_cvtsi128_si32($lowest).cast_unsigned() }
            }

            #[inline(always)]
            unsafe fn store_lane(self, to: *mut u8) {
                let $from = self.0;
                // SAFETY: the same condition; the store has no alignment
                unsafe { _mm_storeu_si128(to.cast(), $lowest) }
            }
        }
    };
}

register! {
    /// A register of one lane.
    Xmm(__m128i), 16,
    _mm_loadu_si128, _mm_storeu_si128, _mm_set1_epi32, |lane| lane,
    _mm_xor_si128, _mm_and_si128, _mm_srli_epi32, _mm_shuffle_epi8,
    _mm_unpacklo_epi8, _mm_unpackhi_epi8, _mm_unpacklo_epi32, _mm_unpackhi_epi32,
    _mm_add_epi8, |left, right| _mm_cmpgt_epi8(left, right), |register| register,
    #[inline(always)]
    fn settle(mut self) -> Self {
        // SAFETY: no instruction is executed
        unsafe {
            asm!(
                "/* {0} */",
                inout(xmm_reg) self.0,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        self
    }
}

register! {
    /// A register of two lanes.
    Ymm(__m256i), 32,
    _mm256_loadu_si256, _mm256_storeu_si256,
    _mm256_set1_epi32, |lane| _mm256_broadcastsi128_si256(lane),
    _mm256_xor_si256, _mm256_and_si256, _mm256_srli_epi32, _mm256_shuffle_epi8,
    _mm256_unpacklo_epi8, _mm256_unpackhi_epi8, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32,
    _mm256_add_epi8, |left, right| _mm256_cmpgt_epi8(left, right),
    |register| _mm256_castsi256_si128(register)
}

register! {
    /// A register of four lanes.
    Zmm(__m512i), 64,
    _mm512_loadu_si512, _mm512_storeu_si512,
    _mm512_set1_epi32, |lane| _mm512_broadcast_i32x4(lane),
    _mm512_xor_si512, _mm512_and_si512, _mm512_srli_epi32, _mm512_shuffle_epi8,
    _mm512_unpacklo_epi8, _mm512_unpackhi_epi8, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32,
    _mm512_add_epi8, |left, right| _mm512_movm_epi8(_mm512_cmpgt_epi8_mask(left, right)),
    |register| _mm512_castsi512_si128(register),
    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        // SAFETY: the values prove the CPU has the instruction
        Self(unsafe { _mm512_ternarylogic_epi32::<0x96>(self.0, second.0, third.0) })
    }
}
