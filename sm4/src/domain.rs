//! The affine domain: SM4 with nothing left of its S-box but a field inversion.
//!
//! The S-box of GB/T 32907-2016 is `S(x) = A·inv(A·x + d) + d` with a circulant bit matrix `A`,
//! `d = d3` (hex) and `inv` the inversion in GF(2)\[z\]/(z⁸+z⁷+z⁶+z⁵+z⁴+z²+1). An instruction set
//! inverts in a field of its own; an isomorphism `φ` leads there, and with `M1 = φ·A`,
//! `M2 = A·φ⁻¹` the S-box is `S(x) = M2·inv(M1·x + φ·d) + d`.
//!
//! All state bytes are kept as `x' = M1·x`. Then the only non-linear step of a round is
//! `i = inv(t')`, and everything behind it, up to the next round's `t'`, is linear. The linear
//! transformation `L(y) = y + (y <<< 2) + (y <<< 10) + (y <<< 18) + (y <<< 24)` in bytes
//! (`y_j` big-endian, `j` modulo 4) is
//!
//! ```text
//! L(y)_j = P·y_j + Q·y_{j+1} + Q·y_{j+2} + (P+Q)·y_{j+3}     P = 1 + SHL2, Q = SHL2 + SHR6
//! ```
//!
//! so a round needs the images of one inversion under `a = M1·P·M2`, `b = M1·Q·M2` and
//! `c = a + b`, and no bit of a word is ever shifted or rotated:
//!
//! ```text
//! x0_j += a·i_j + b·i_{j+1} + b·i_{j+2} + c·i_{j+3}
//! ```
//!
//! **Constants.** `φ·d` goes into the round keys. The other one, `M1·L(d)`, which every new word
//! should gain, is left out altogether: words 4–7, 12–15, … then differ from the true ones by that
//! constant and the others do not, because the difference cancels when a word passes it on. An
//! input of a round contains three words, so [`Domain::drift`] says in which rounds the constant
//! has to go into the round key. The pattern is symmetric, hence decryption is encryption with the
//! round keys reversed here as well, and after 32 rounds nothing is left to correct.

use crate::matrix::Matrix;

/// `A` of the S-box.
pub(crate) const A: Matrix = Matrix([0xa7, 0x4f, 0x9e, 0x3d, 0x7a, 0xf4, 0xe9, 0xd3]);

/// `d` of the S-box.
const D: u8 = 0xd3;

/// The linear maps an implementation needs, each the index of its matrix in [`Domain::maps`].
pub(crate) mod map {
    /// From the inverse of a byte to what it adds to the byte at its own place.
    pub(crate) const A: usize = 0;
    /// … to the bytes one and two places before it.
    pub(crate) const B: usize = 1;
    /// … to the byte three places before it.
    pub(crate) const C: usize = 2;
    /// The same for the key schedule's `L'`: own place, one, two and three before.
    pub(crate) const KEY: [usize; 4] = [3, 4, 5, 6];
    /// Into the domain.
    pub(crate) const ENTER: usize = 7;
    /// Out of it.
    pub(crate) const LEAVE: usize = 8;
}

/// All constants of SM4 over one field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Domain {
    /// The matrices, see [`map`].
    pub(crate) maps: [Matrix; 9],
    /// `φ·d`, a part of every round key.
    input: u8,
    /// `M1·L(d)`, see [`Domain::drift`].
    round: u8,
    /// The same for the key schedule.
    key: u8,
}

impl Domain {
    /// The domain in which the image of `z` under the isomorphism is a root of the S-box's
    /// polynomial; `powers` are the root's powers 0..=7.
    pub(crate) const fn new(powers: [u8; 8]) -> Self {
        let phi = Matrix::from_columns(powers);
        let m1 = phi.after(A);
        let m2 = A.after(phi.inverse());

        let p = Matrix::IDENTITY.plus(Matrix::shl(2));
        let q = Matrix::shl(2).plus(Matrix::shr(6));

        // L'(y)_j = y_j + SHL5·y_{j+1} + (SHR3 + SHL7)·y_{j+2} + SHR1·y_{j+3}
        let l_key = [
            Matrix::IDENTITY,
            Matrix::shl(5),
            Matrix::shr(3).plus(Matrix::shl(7)),
            Matrix::shr(1),
        ];

        let d = u32::from_be_bytes([D; 4]);
        let l_of_d =
            d ^ d.rotate_left(2) ^ d.rotate_left(10) ^ d.rotate_left(18) ^ d.rotate_left(24);
        let l_key_of_d = d ^ d.rotate_left(13) ^ d.rotate_left(23);

        Self {
            maps: [
                m1.after(p).after(m2),
                m1.after(q).after(m2),
                m1.after(p.plus(q)).after(m2),
                m1.after(l_key[0]).after(m2),
                m1.after(l_key[1]).after(m2),
                m1.after(l_key[2]).after(m2),
                m1.after(l_key[3]).after(m2),
                m1,
                m1.inverse(),
            ],
            input: phi.apply(D),
            // All four bytes of a word of equal bytes stay equal under rotations.
            round: m1.apply(l_of_d.to_be_bytes()[0]),
            key: m1.apply(l_key_of_d.to_be_bytes()[0]),
        }
    }

    /// Whether the constant left out of the new words is missing from the input of this round:
    /// of words `round + 1 ..= round + 3` an odd number lies in 4–7, 12–15, …
    const fn drift(round: usize) -> bool {
        ((round + 1) / 4 + (round + 2) / 4 + round.div_ceil(4)) % 2 == 1
    }

    /// `CK` of the key schedule as it is added there: in the domain, with the constants of the
    /// S-box's input. Bytes in the standard's (memory) order.
    pub(crate) const fn schedule_constant(&self, round: usize) -> [u8; 4] {
        let mut bytes = fixed_parameter(round);
        let mut j = 0;
        while j < 4 {
            bytes[j] = self.maps[map::ENTER].apply(bytes[j]) ^ self.input;
            if Self::drift(round) {
                bytes[j] ^= self.key;
            }
            j += 1;
        }
        bytes
    }

    /// What turns the word that the schedule has made in this round into the round key: every
    /// byte gains it.
    pub(crate) const fn round_key_constant(&self, round: usize) -> u8 {
        let mut byte = self.input;
        if (round / 4).is_multiple_of(2) {
            byte ^= self.key;
        }
        if Self::drift(round) {
            byte ^= self.round;
        }
        byte
    }
}

/// Whether these are the same domain, or none.
pub(crate) const fn same(one: Option<Domain>, other: Option<Domain>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => {
            let mut same = one.input == other.input;
            let mut i = 0;
            while i < 8 {
                // All other matrices follow from this one.
                same &= one.maps[map::ENTER].0[i] == other.maps[map::ENTER].0[i];
                i += 1;
            }
            same
        }
        _ => false,
    }
}

/// The bytes of `CK` for this round of the key schedule (GB/T 32907-2016, 7.3).
pub(crate) const fn fixed_parameter(round: usize) -> [u8; 4] {
    let mut bytes = [0; 4];
    let mut j = 0;
    while j < 4 {
        bytes[j] = ((4 * round + j) * 7).to_le_bytes()[0];
        j += 1;
    }
    bytes
}

/// The field of AES, GF(2)\[z\]/(z⁸+z⁴+z³+z+1): GFNI and the AES instructions invert in it.
pub(crate) const AES_FIELD: Domain = {
    /// A root of the S-box's polynomial in this field: one of eight that would do.
    const ROOT: u8 = 0x23;
    let mut powers = [1; 8];
    let mut i = 1;
    while i < 8 {
        powers[i] = multiply(powers[i - 1], ROOT);
        i += 1;
    }
    Domain::new(powers)
};

/// Product in the field of AES.
pub(crate) const fn multiply(x: u8, y: u8) -> u8 {
    multiply_modulo(x, y, 0x1b)
}

/// Product modulo a polynomial, of which `z⁸` goes without saying.
const fn multiply_modulo(mut x: u8, y: u8, polynomial: u8) -> u8 {
    let mut product = 0;
    let mut bit = 0;
    while bit < 8 {
        if (y >> bit) & 1 == 1 {
            product ^= x;
        }
        x = (x << 1) ^ (polynomial * (x >> 7));
        bit += 1;
    }
    product
}

/// The byte in all four places of a word.
pub(crate) const fn splat(byte: u8) -> u32 {
    u32::from_ne_bytes([byte; 4])
}

/// The S-box by its definition: slow, for tests.
#[cfg(test)]
pub(crate) fn sbox(x: u8) -> u8 {
    let x = A.apply(x) ^ D;
    // x^254, by square and multiply, in the S-box's own field
    let mut inverse = 1;
    for bit in (0..8).rev() {
        inverse = multiply_modulo(inverse, inverse, 0xf5);
        if 254 >> bit & 1 == 1 {
            inverse = multiply_modulo(inverse, x, 0xf5);
        }
    }
    A.apply(inverse) ^ D
}
