//! GFNI: `GF2P8AFFINEINVQB` inverts in the field of AES and maps the inverse in one instruction.

#[cfg(target_arch = "x86")]
use core::arch::x86::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

use crate::{
    domain::{AES_FIELD, Domain},
    lanes::{Lanes, bytes::Inversion},
    matrix::Matrix,
    x86::register::{Xmm, Ymm, Zmm},
};

/// Inversion by GFNI. Since the instruction inverts anew for every map, the "inverse" is still the
/// byte itself.
#[derive(Clone, Copy)]
pub(crate) struct Gfni;

/// A matrix as the instructions take it: the row of output bit 0 in the highest byte, in every
/// 64-bit lane.
const fn lanes(matrix: Matrix) -> [u8; 16] {
    let mut bytes = [0; 16];
    let mut i = 0;
    while i < 16 {
        bytes[i] = matrix.0[7 - i % 8];
        i += 1;
    }
    bytes
}

macro_rules! gfni {
    ($register:ident, $affine:ident, $affine_of_inverse:ident) => {
        impl Inversion<$register> for Gfni {
            const DOMAIN: Domain = AES_FIELD;

            const CHEAP_MAPS: bool = true;

            type Inverse = $register;

            #[inline(always)]
            unsafe fn invert(bytes: $register) -> $register {
                bytes
            }

            #[inline(always)]
            unsafe fn map<const MAP: usize>(inverse: $register) -> $register {
                // SAFETY: the same condition
                unsafe {
                    let matrix = $register::lanes(const { &lanes(AES_FIELD.maps[MAP]) });
                    $register($affine_of_inverse::<0>(inverse.0, matrix.0))
                }
            }

            #[inline(always)]
            unsafe fn linear<const MAP: usize>(bytes: $register) -> $register {
                // SAFETY: the same condition
                unsafe {
                    let matrix = $register::lanes(const { &lanes(AES_FIELD.maps[MAP]) });
                    $register($affine::<0>(bytes.0, matrix.0))
                }
            }
        }
    };
}

gfni!(
    Xmm,
    _mm_gf2p8affine_epi64_epi8,
    _mm_gf2p8affineinv_epi64_epi8
);
gfni!(
    Ymm,
    _mm256_gf2p8affine_epi64_epi8,
    _mm256_gf2p8affineinv_epi64_epi8
);
gfni!(
    Zmm,
    _mm512_gf2p8affine_epi64_epi8,
    _mm512_gf2p8affineinv_epi64_epi8
);
