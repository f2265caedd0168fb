//! Bytes as eight planes of bits.

use crate::{
    domain::{AES_FIELD, Domain},
    matrix::Matrix,
    vector::{Serial, Vector},
};

/// 64 bytes: bit `i` of byte `n` is bit `n` of plane `i`. As 16 words: byte `j` of word `w` is byte
/// `16 * j + w`.
#[derive(Clone, Copy)]
pub(crate) struct Planes([u64; 8]);

impl Planes {
    fn from_bytes(bytes: [u8; 64]) -> Self {
        let mut planes = [0; 8];
        for (n, byte) in bytes.into_iter().enumerate() {
            for (i, plane) in planes.iter_mut().enumerate() {
                *plane |= u64::from(byte >> i & 1) << n;
            }
        }
        Self(planes)
    }

    fn into_bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (n, byte) in bytes.iter_mut().enumerate() {
            for (i, plane) in self.0.into_iter().enumerate() {
                *byte |= ((plane >> n & 1) as u8) << i;
            }
        }
        bytes
    }

    fn image(self, matrix: Matrix) -> Self {
        let mut planes = [0; 8];
        for (plane, row) in planes.iter_mut().zip(matrix.0) {
            for i in 0..8 {
                if row >> i & 1 == 1 {
                    *plane ^= self.0[i];
                }
            }
        }
        Self(planes)
    }

    fn multiply(self, other: Self) -> Self {
        let mut product = [0; 15];
        for i in 0..8 {
            for j in 0..8 {
                product[i + j] ^= self.0[i] & other.0[j];
            }
        }
        for i in (8..15).rev() {
            let high = product[i];
            for by in [8, 7, 5, 4] {
                product[i - by] ^= high;
            }
        }
        let mut planes = [0; 8];
        planes.copy_from_slice(&product[..8]);
        Self(planes)
    }
}

impl Vector for Planes {
    const DOMAIN: Domain = AES_FIELD;
    const ADDS_THREE: bool = false;
    const WORDS: usize = 16;
    type Inverse = Self;

    unsafe fn splat(word: u32) -> Self {
        let mut bytes = [0; 64];
        for (j, byte) in word.to_le_bytes().into_iter().enumerate() {
            bytes[16 * j..][..16].fill(byte);
        }
        Self::from_bytes(bytes)
    }

    unsafe fn load_words(blocks: *const u8) -> [Self; 4] {
        // SAFETY: the caller vouches for 16 blocks
        let blocks = unsafe { blocks.cast::<[[[u8; 4]; 4]; 16]>().read_unaligned() };
        [0, 1, 2, 3].map(|i| {
            let mut bytes = [0; 64];
            for (w, block) in blocks.iter().enumerate() {
                for j in 0..4 {
                    bytes[16 * j + w] = block[i][j];
                }
            }
            Self::from_bytes(bytes)
        })
    }

    unsafe fn store_words(words: [Self; 4], blocks: *mut u8) {
        let mut out = [[[0_u8; 4]; 4]; 16];
        for (i, word) in words.into_iter().enumerate() {
            let bytes = word.into_bytes();
            for (w, block) in out.iter_mut().enumerate() {
                for j in 0..4 {
                    block[i][j] = bytes[16 * j + w];
                }
            }
        }
        // SAFETY: the caller vouches for 16 blocks
        unsafe { blocks.cast::<[[[u8; 4]; 4]; 16]>().write_unaligned(out) };
    }

    unsafe fn load_bytes(blocks: *const u8) -> [[Self; 4]; 4] {
        // SAFETY: the caller vouches for 64 blocks
        let blocks = unsafe { blocks.cast::<[[[u8; 4]; 4]; 64]>().read_unaligned() };
        [0, 1, 2, 3].map(|i| {
            [0, 1, 2, 3].map(|j| {
                let mut bytes = [0; 64];
                for (byte, block) in bytes.iter_mut().zip(&blocks) {
                    *byte = block[i][j];
                }
                Self::from_bytes(bytes)
            })
        })
    }

    unsafe fn store_bytes(bytes: [[Self; 4]; 4], blocks: *mut u8) {
        let mut out = [[[0_u8; 4]; 4]; 64];
        for i in 0..4 {
            for j in 0..4 {
                for (block, byte) in out.iter_mut().zip(bytes[i][j].into_bytes()) {
                    block[i][j] = byte;
                }
            }
        }
        // SAFETY: the caller vouches for 64 blocks
        unsafe { blocks.cast::<[[[u8; 4]; 4]; 64]>().write_unaligned(out) };
    }

    fn xor(self, other: Self) -> Self {
        let mut planes = self.0;
        for i in 0..8 {
            planes[i] ^= other.0[i];
        }
        Self(planes)
    }

    fn invert(self) -> Self {
        // x^254
        let square = |x: Self| x.multiply(x);
        let x2 = square(self);
        let x3 = x2.multiply(self);
        let x12 = square(square(x3));
        let x15 = x12.multiply(x3);
        let x240 = square(square(square(square(x15))));
        x240.multiply(x12).multiply(x2)
    }

    fn map<const MAP: usize>(inverse: Self) -> Self {
        inverse.image(Self::DOMAIN.maps[MAP])
    }

    fn linear<const MAP: usize>(self) -> Self {
        self.image(Self::DOMAIN.maps[MAP])
    }

    fn rotate<const BY: usize>(self) -> Self {
        Self(self.0.map(|plane| plane.rotate_right(16 * BY as u32)))
    }
}

impl Serial for Planes {
    unsafe fn load_block(block: *const u8) -> [Self; 4] {
        let mut blocks = [0; 256];
        // SAFETY: the caller vouches for 16 bytes, the buffer has 256
        unsafe {
            blocks.as_mut_ptr().copy_from_nonoverlapping(block, 16);
            Self::load_words(blocks.as_ptr())
        }
    }

    unsafe fn store_block(words: [Self; 4], block: *mut u8) {
        let mut blocks = [0; 256];
        // SAFETY: the caller vouches for 16 bytes, the buffer has 256
        unsafe {
            Self::store_words(words, blocks.as_mut_ptr());
            block.copy_from_nonoverlapping(blocks.as_ptr(), 16);
        }
    }

    fn first(self) -> u32 {
        let bytes = self.into_bytes();
        u32::from_le_bytes([bytes[0], bytes[16], bytes[32], bytes[48]])
    }

    fn first_spread(self) -> [u32; 4] {
        self.first().to_le_bytes().map(crate::domain::splat)
    }
}
