//! SM4 as GB/T 32907-2016 has it: a slow, plain model that shares nothing with the crate.

use core::array;

/// Inversion in GF(2)\[z\]/(z⁸+z⁷+z⁶+z⁵+z⁴+z²+1) between two affine maps.
fn s_box(x: u8) -> u8 {
    fn multiply(mut x: u8, mut y: u8) -> u8 {
        let mut product = 0;
        while y != 0 {
            if y & 1 == 1 {
                product ^= x;
            }
            x = (x << 1) ^ if x & 0x80 == 0 { 0 } else { 0xf5 };
            y >>= 1;
        }
        product
    }
    // Row `i` of the matrix is a7 (hex), rotated by `i`.
    fn affine(x: u8) -> u8 {
        (0..8).fold(0xd3, |y, i| {
            let odd = (x & 0xa7_u8.rotate_left(i)).count_ones() % 2 == 1;
            y ^ u8::from(odd) << i
        })
    }
    let x = affine(x);
    affine((0..254).fold(1, |power, _| multiply(power, x)))
}

/// An expanded key.
pub struct Model {
    s_box: [u8; 256],
    round_keys: [u32; 32],
}

fn words(block: [u8; 16]) -> [u32; 4] {
    [0, 4, 8, 12].map(|i| u32::from_be_bytes([block[i], block[i + 1], block[i + 2], block[i + 3]]))
}

fn t(s_box: &[u8; 256], x: u32, rotations: &[u32]) -> u32 {
    let tau = u32::from_be_bytes(x.to_be_bytes().map(|byte| s_box[usize::from(byte)]));
    rotations.iter().fold(tau, |y, &by| y ^ tau.rotate_left(by))
}

impl Model {
    pub fn new(key: [u8; 16]) -> Self {
        let s_box = array::from_fn(|x| s_box(x.to_le_bytes()[0]));
        let fk = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];
        let mut k: [u32; 4] = array::from_fn(|i| words(key)[i] ^ fk[i]);
        let round_keys = array::from_fn(|i| {
            let ck = u32::from_be_bytes(array::from_fn(|j| ((4 * i + j) * 7).to_le_bytes()[0]));
            let new = k[0] ^ t(&s_box, k[1] ^ k[2] ^ k[3] ^ ck, &[13, 23]);
            k = [k[1], k[2], k[3], new];
            new
        });
        Self { s_box, round_keys }
    }

    fn crypt(&self, block: [u8; 16], keys: impl Iterator<Item = u32>) -> [u8; 16] {
        let mut x = words(block);
        for key in keys {
            let new = x[0] ^ t(&self.s_box, x[1] ^ x[2] ^ x[3] ^ key, &[2, 10, 18, 24]);
            x = [x[1], x[2], x[3], new];
        }
        x.reverse();
        let mut block = [0; 16];
        block
            .chunks_exact_mut(4)
            .zip(x)
            .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_be_bytes()));
        block
    }

    pub fn encrypt(&self, block: [u8; 16]) -> [u8; 16] {
        self.crypt(block, self.round_keys.into_iter())
    }

    pub fn decrypt(&self, block: [u8; 16]) -> [u8; 16] {
        self.crypt(block, self.round_keys.into_iter().rev())
    }
}

/// Bytes that look random, the same every time (SplitMix64).
pub fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = Vec::with_capacity(len + 8);
    while bytes.len() < len {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bytes.extend((z ^ z >> 31).to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}
