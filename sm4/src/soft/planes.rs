//! Bytes as eight planes of bits.

use crate::{
    domain::{
        Domain,
        map::{A, B, C},
    },
    matrix::Matrix,
    vector::{Serial, Vector},
};

use super::{
    inversion::{Products, invert},
    maps,
    plane::Plane,
};

/// As many bytes as a plane has lanes: bit `i` of all of them is in plane `i`.
#[derive(Clone, Copy)]
pub(super) struct Planes<P>([P; 8]);

/// The S-box's field as a tower of quadratic extensions: GF(2) < GF(4) < GF(16) < GF(256).
pub(super) const TOWER: Domain = Domain::new([92, 190, 10, 64, 17, 31, 63, 89]);

impl<P: Plane> Planes<P> {
    /// The image of the bytes under a matrix, row by row.
    #[inline(always)]
    fn image(self, matrix: Matrix) -> Self {
        let mut planes = self.0;
        let mut row = 0;
        while row < 8 {
            let mut column = matrix.0[row].trailing_zeros() as usize;
            planes[row] = self.0[column];
            column += 1;
            while column < 8 {
                if matrix.0[row] >> column & 1 == 1 {
                    planes[row] = planes[row].xor(self.0[column]);
                }
                column += 1;
            }
            row += 1;
        }
        Self(planes)
    }

    /// Eight blocks' bytes (byte `n` of block `k` is byte `n` of plane `k`) to bits and back: bit
    /// `i` of byte `n` of block `k` is bit `k` of byte `n` of plane `i`.
    #[inline(always)]
    fn transpose_bits(mut self) -> Self {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = &mut self.0;
        P::swap_bits::<1, 0x55>(p0, p1);
        P::swap_bits::<1, 0x55>(p2, p3);
        P::swap_bits::<1, 0x55>(p4, p5);
        P::swap_bits::<1, 0x55>(p6, p7);
        P::swap_bits::<2, 0x33>(p0, p2);
        P::swap_bits::<2, 0x33>(p1, p3);
        P::swap_bits::<2, 0x33>(p4, p6);
        P::swap_bits::<2, 0x33>(p5, p7);
        P::swap_bits::<4, 0x0f>(p0, p4);
        P::swap_bits::<4, 0x0f>(p1, p5);
        P::swap_bits::<4, 0x0f>(p2, p6);
        P::swap_bits::<4, 0x0f>(p3, p7);
        self
    }
}

impl<P: Plane> Vector for Planes<P> {
    const DOMAIN: Domain = TOWER;
    const ADDS_THREE: bool = false;
    const WORDS: usize = P::LANES / 4;
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
    unsafe fn load_words(blocks: *const u8) -> [Self; 4] {
        let zero = Self(P::splat(0));
        let mut words = [zero; 4];
        let mut k = 0;
        while k < 8 {
            // SAFETY: the caller vouches for `P::LANES / 4` blocks
            let [w0, w1, w2, w3] = unsafe { P::load_words(blocks.add(16 * k)) };
            words[0].0[k] = w0.gather_quarters();
            words[1].0[k] = w1.gather_quarters();
            words[2].0[k] = w2.gather_quarters();
            words[3].0[k] = w3.gather_quarters();
            k += 1;
        }
        [
            words[0].transpose_bits(),
            words[1].transpose_bits(),
            words[2].transpose_bits(),
            words[3].transpose_bits(),
        ]
    }

    #[inline(always)]
    unsafe fn store_words([w0, w1, w2, w3]: [Self; 4], blocks: *mut u8) {
        let (w0, w1) = (w0.transpose_bits().0, w1.transpose_bits().0);
        let (w2, w3) = (w2.transpose_bits().0, w3.transpose_bits().0);
        let mut k = 0;
        while k < 8 {
            let words = [
                w0[k].scatter_quarters(),
                w1[k].scatter_quarters(),
                w2[k].scatter_quarters(),
                w3[k].scatter_quarters(),
            ];
            // SAFETY: the caller vouches for `P::LANES / 4` blocks
            unsafe { P::store_words(words, blocks.add(16 * k)) };
            k += 1;
        }
    }

    #[inline(always)]
    unsafe fn load_bytes(blocks: *const u8) -> [[Self; 4]; 4] {
        let zero = P::splat(0)[0];
        let mut bytes = [[Self([zero; 8]); 4]; 4];
        let flat = bytes.as_flattened_mut();
        let mut piece = 0;
        while piece < 16 {
            let mut planes = [[zero; 16]; 8];
            let mut group = 0;
            while group < P::BYTES {
                let mut eight = Self([zero; 8]);
                let mut k = 0;
                while k < 8 {
                    // SAFETY: the caller vouches for `P::LANES` blocks
                    eight.0[k] = unsafe { P::load(blocks.add(16 * (8 * group + k) + piece)) };
                    k += 1;
                }
                eight = eight.transpose_bits();
                let mut i = 0;
                while i < 8 {
                    planes[i][group] = eight.0[i];
                    i += 1;
                }
                group += 1;
            }
            let mut i = 0;
            while i < 8 {
                P::transpose_bytes(&mut planes[i]);
                let mut n = 0;
                while n < P::BYTES {
                    flat[piece + n].0[i] = planes[i][n];
                    n += 1;
                }
                i += 1;
            }
            piece += P::BYTES;
        }
        bytes
    }

    #[inline(always)]
    unsafe fn store_bytes(bytes: [[Self; 4]; 4], blocks: *mut u8) {
        let zero = P::splat(0)[0];
        let flat = bytes.as_flattened();
        let mut piece = 0;
        while piece < 16 {
            let mut planes = [[zero; 16]; 8];
            let mut i = 0;
            while i < 8 {
                let mut n = 0;
                while n < P::BYTES {
                    planes[i][n] = flat[piece + n].0[i];
                    n += 1;
                }
                P::transpose_bytes(&mut planes[i]);
                i += 1;
            }
            let mut group = 0;
            while group < P::BYTES {
                let mut eight = Self([zero; 8]);
                let mut i = 0;
                while i < 8 {
                    eight.0[i] = planes[i][group];
                    i += 1;
                }
                eight = eight.transpose_bits();
                let mut k = 0;
                while k < 8 {
                    // SAFETY: the caller vouches for `P::LANES` blocks
                    unsafe { eight.0[k].store(blocks.add(16 * (8 * group + k) + piece)) };
                    k += 1;
                }
                group += 1;
            }
            piece += P::BYTES;
        }
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

    /// The compiler merges what the maps of an inverse have in common.
    #[inline(always)]
    fn map<const MAP: usize>(inverse: Products<P>) -> Self {
        match MAP {
            A => Self(maps::a_and_c(inverse).0),
            C => Self(maps::a_and_c(inverse).1),
            B => Self::map::<A>(inverse).xor(Self::map::<C>(inverse)),
            _ => Self(maps::identity(inverse)).image(TOWER.maps[MAP]),
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
        let mut words = [Self(P::splat(0)); 4];
        let mut i = 0;
        while i < 4 {
            // SAFETY: the caller vouches for 16 bytes
            words[i] = Self(P::splat(unsafe { u32::load(block.add(4 * i)) }));
            i += 1;
        }
        words
    }

    #[inline(always)]
    unsafe fn store_block(words: [Self; 4], block: *mut u8) {
        let mut i = 0;
        while i < 4 {
            // SAFETY: the caller vouches for 16 bytes
            unsafe { words[i].first().store(block.add(4 * i)) };
            i += 1;
        }
    }

    #[inline(always)]
    fn first(self) -> u32 {
        P::first(self.0)
    }

    #[inline(always)]
    fn first_spread(self) -> [u32; 4] {
        let [b0, b1, b2, b3] = self.first().to_le_bytes();
        [
            u32::from_ne_bytes([b0; 4]),
            u32::from_ne_bytes([b1; 4]),
            u32::from_ne_bytes([b2; 4]),
            u32::from_ne_bytes([b3; 4]),
        ]
    }
}
