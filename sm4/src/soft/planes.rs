//! Bytes as eight planes of bits.

use core::mem::MaybeUninit;

use crate::{
    domain::{
        Domain,
        map::{A, B, C},
    },
    matrix::Matrix,
    span::Span,
    vector::{Serial, Vector},
};

use super::{
    inversion::{Products, invert},
    maps,
    plane::Plane,
    transpose,
};

/// The S-box's field as a tower: GF(2) ⊂ GF(4) ⊂ GF(16) ⊂ GF(256). Bit `k` is the form number `k`
/// that the [inversion](super::inversion) starts from.
///
/// These are the powers of `z`, as [`Domain::new`] wants them.
pub(super) const TOWER: Domain = Domain::new([92, 190, 10, 64, 17, 31, 63, 89]);

/// As many bytes as a plane has lanes: bit `i` of all of them is plane `i`.
#[derive(Clone, Copy)]
pub(super) struct Planes<P>(pub(super) [P; 8]);

impl<P: Plane> Planes<P> {
    /// The image under a matrix, row by row.
    #[inline(always)]
    fn image(self, matrix: Matrix) -> Self {
        let mut planes = self.0;
        let mut row = 0;
        while row < 8 {
            let mut column = matrix.0[row].trailing_zeros() as usize;
            planes[row] = self.0[column];
            column += 1;
            while column < 8 {
                if (matrix.0[row] >> column) & 1 == 1 {
                    planes[row] = planes[row].xor(self.0[column]);
                }
                column += 1;
            }
            row += 1;
        }
        Self(planes)
    }
}

impl<P: Plane> Vector for Planes<P> {
    const DOMAIN: Domain = TOWER;
    const ADDS_THREE: bool = false;
    const CHEAP_MAPS: bool = false;
    const ADDS_MASKS: bool = false;
    const COUNTS: bool = false;
    const WORDS: usize = P::LANES / 4;
    const LEAST: usize = 8;
    type Inverse = Products<P>;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        Self(P::splat(word))
    }

    #[inline(always)]
    unsafe fn splat_bytes(bytes: &[u32; 4]) -> [Self; 4] {
        let [k0, k1, k2, k3] = P::splat_bytes(bytes);
        [Self(k0), Self(k1), Self(k2), Self(k3)]
    }

    #[inline(always)]
    unsafe fn load_words(span: Span) -> [Self; 4] {
        // SAFETY: the same condition
        unsafe { transpose::load_words(span) }
    }

    #[inline(always)]
    unsafe fn store_words(words: [Self; 4], span: Span) {
        // SAFETY: the same condition
        unsafe { transpose::store_words(words, span) };
    }

    #[inline(always)]
    unsafe fn load_bytes(span: Span) -> [[Self; 4]; 4] {
        let mut planes = MaybeUninit::uninit();
        // SAFETY: the same condition
        let planes = unsafe { transpose::load_bytes(span, &mut planes) };
        let mut bytes = [[Self([P::ZERO; 8]); 4]; 4];
        let mut n = 0;
        while n < 16 {
            bytes[n / 4][n % 4].0 = planes[n];
            n += 1;
        }
        bytes
    }

    #[inline(always)]
    unsafe fn store_bytes(bytes: [[Self; 4]; 4], span: Span) {
        let mut planes = [[P::ZERO; 8]; 16];
        let mut n = 0;
        while n < 16 {
            planes[n] = bytes[3 - n / 4][n % 4].0;
            n += 1;
        }
        // SAFETY: the same condition
        unsafe { transpose::store_bytes_reversed(&mut planes, span) };
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        let mut planes = self.0;
        let mut i = 0;
        while i < 8 {
            planes[i] = planes[i].xor(other.0[i]);
            i += 1;
        }
        Self(planes)
    }

    #[inline(always)]
    fn invert(self) -> Products<P> {
        invert(self.0)
    }

    /// The compiler merges what several maps of an inverse have in common.
    #[inline(always)]
    fn map<const MAP: usize>(inverse: Products<P>) -> Self {
        match MAP {
            A => Self(maps::a_and_c(inverse).0),
            C => Self(maps::a_and_c(inverse).1),
            B => Self::map::<A>(inverse).xor(Self::map::<C>(inverse)),
            _ => Self(maps::identity(inverse)).linear::<MAP>(),
        }
    }

    #[inline(always)]
    fn linear<const MAP: usize>(self) -> Self {
        self.image(TOWER.maps[MAP])
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        let mut planes = self.0;
        let mut i = 0;
        while i < 8 {
            planes[i] = planes[i].rotate::<BY>();
            i += 1;
        }
        Self(planes)
    }
}

impl<P: Plane> Serial for Planes<P> {
    #[inline(always)]
    unsafe fn load_block(block: *const u8) -> [Self; 4] {
        // SAFETY: the same condition
        let [w0, w1, w2, w3] = unsafe { block.cast::<[[u8; 4]; 4]>().read() };
        [
            Self(P::splat(u32::from_le_bytes(w0))),
            Self(P::splat(u32::from_le_bytes(w1))),
            Self(P::splat(u32::from_le_bytes(w2))),
            Self(P::splat(u32::from_le_bytes(w3))),
        ]
    }

    #[inline(always)]
    unsafe fn store_block([w0, w1, w2, w3]: [Self; 4], block: *mut u8) {
        let block = block.cast::<[[u8; 4]; 4]>();
        let words = [w0.first(), w1.first(), w2.first(), w3.first()];
        // SAFETY: the same condition
        unsafe { block.write(words.map(u32::to_le_bytes)) };
    }

    #[inline(always)]
    fn first(self) -> u32 {
        P::first(self.0)
    }

    #[inline(always)]
    fn first_spread(self) -> [u32; 4] {
        let [b0, b1, b2, b3] = self.first().to_le_bytes();
        [
            u32::from_le_bytes([b0; 4]),
            u32::from_le_bytes([b1; 4]),
            u32::from_le_bytes([b2; 4]),
            u32::from_le_bytes([b3; 4]),
        ]
    }
}
