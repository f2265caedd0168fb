//! Inversion without any instruction made for it: in a field of pairs, by tables of 16 bytes.
//!
//! GF(2⁸) is a plane over the field of half-bytes, GF(16) = GF(2)\[z\]/(z⁴+z+1). With a root `h` of
//! `h² + h + ν` (and `h + 1`, the other root) for a base, the element `i·h + j·(h+1)` has the norm
//! `N = ν·(i+j)² + i·j` and the inverse `(j·h + i·(h+1)) / N`. It is kept as the byte
//! `i || k`, `k = i + j`. With `a = 1/ν`, all divisions are those of half-bytes, and so look-ups:
//!
//! ```text
//! r = 1/(1/i + a/k) + j  = aN / (k + a·i)      s = 1/(1/j + a/k) + i  = aN / (k + a·j)
//! ```
//!
//! and the inverse is a linear function of `1/r` and `1/s`: any map of it is two more look-ups.
//! Zeros need no care: `1/0` is written as 80 (hex), which survives additions of half-bytes, and
//! what is looked up there is 0. If both `1/i` and `a/k` are infinite, they add to 0 and the
//! inverse is infinite again, so that the inverse of 0 comes out as 0.

use super::{
    Lanes,
    bytes::Inversion,
    halves::{self, Halves},
};
use crate::{
    domain::{Domain, splat},
    matrix::Matrix,
};

/// Inversion in the field of pairs.
#[derive(Clone, Copy)]
pub(crate) struct Tower;

/// A polynomial `h² + h + NU` without a root among the half-bytes.
const NU: u8 = 8;

/// What is written for `1/0`.
const INFINITY: u8 = 0x80;

/// Product of half-bytes.
const fn multiply4(mut x: u8, y: u8) -> u8 {
    let mut product = 0;
    let mut bit = 0;
    while bit < 4 {
        if (y >> bit) & 1 == 1 {
            product ^= x;
        }
        x = ((x << 1) & 15) ^ (3 * (x >> 3));
        bit += 1;
    }
    product
}

/// Inverse of a half-byte, `x^14`. Zero stays zero.
const fn invert4(x: u8) -> u8 {
    let x2 = multiply4(x, x);
    let x4 = multiply4(x2, x2);
    multiply4(multiply4(x4, x4), multiply4(x4, x2))
}

/// Product of bytes `i || k`, that is of `i·h + j·(h+1) = k·h + j`.
const fn multiply(x: u8, y: u8) -> u8 {
    let (xk, yk) = (x & 15, y & 15);
    let (xj, yj) = ((x >> 4) ^ xk, (y >> 4) ^ yk);
    let kk = multiply4(xk, yk);
    let k = kk ^ multiply4(xk, yj) ^ multiply4(xj, yk);
    let j = multiply4(xj, yj) ^ multiply4(kk, NU);
    ((k ^ j) << 4) | k
}

/// The domain over this field.
const FIELD: Domain = {
    // `k = 1, j = 0` is `h` itself; one is `k = 0, j = 1`.
    const ONE: u8 = 0x10;
    let mut root = 0_u8;
    // Any root of z⁸+z⁷+z⁶+z⁵+z⁴+z²+1 will do.
    'search: loop {
        root += 1;
        let mut powers = [ONE; 8];
        let mut i = 1;
        while i < 8 {
            powers[i] = multiply(powers[i - 1], root);
            i += 1;
        }
        let high = powers[7] ^ powers[6] ^ powers[5] ^ powers[4];
        if multiply(powers[7], root) ^ high ^ powers[2] ^ powers[0] == 0 {
            break 'search Domain::new(powers);
        }
    }
};

/// `scale / x`.
const fn quotients(scale: u8) -> [u8; 16] {
    let mut table = [INFINITY; 16];
    let mut x = 1_u8;
    while x < 16 {
        table[x as usize] = multiply4(scale, invert4(x));
        x += 1;
    }
    table
}

/// The image under a map of the part of the inverse that `1/r` makes (`.0`), and `1/s` (`.1`).
///
/// `k/aN = (1/r + 1/s)/a`, `j/N = k/aN + 1/s` and `i/N = k/aN + 1/r`. The inverse has these two as
/// its `i` and `j`, and their sum `1/r + 1/s` as its `k`.
const fn inverse_tables(map: Matrix) -> ([u8; 16], [u8; 16]) {
    let mut tables = ([0; 16], [0; 16]);
    let mut x = 1_u8;
    while x < 16 {
        let inverse = invert4(x);
        let over_a = multiply4(NU, inverse);
        tables.0[x as usize] = map.apply((over_a << 4) | inverse);
        tables.1[x as usize] = map.apply(((over_a ^ inverse) << 4) | inverse);
        x += 1;
    }
    tables
}

impl<R: Lanes> Inversion<R> for Tower {
    const DOMAIN: Domain = FIELD;

    /// `r` and `s`.
    type Inverse = (R, R);

    #[inline(always)]
    unsafe fn invert(bytes: R) -> (R, R) {
        let (inverse, a_times_inverse) = const { (&quotients(1), &quotients(invert4(NU))) };
        let k = bytes.mask(splat(0x0f));
        let i = bytes.xor(k).shift_right_4();
        let j = i.xor(k);
        let far = k.look_up(a_times_inverse);
        let r = i.look_up(inverse).xor(far).look_up(inverse).xor(j);
        let s = j.look_up(inverse).xor(far).look_up(inverse).xor(i);
        (r, s)
    }

    #[inline(always)]
    unsafe fn map<const MAP: usize>((r, s): (R, R)) -> R {
        let (of_r, of_s) = const { &inverse_tables(FIELD.maps[MAP]) };
        r.look_up(of_r).xor(s.look_up(of_s))
    }

    #[inline(always)]
    unsafe fn linear<const MAP: usize>(bytes: R) -> R {
        let (low, high) = const { &halves::tables(FIELD.maps[MAP]) };
        Halves::of(bytes).look_up(low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The look-ups on one byte, as the instructions do them.
    fn invert(byte: u8) -> u8 {
        let look_up = |table: [u8; 16], x: u8| if x < 16 { table[x as usize] } else { 0 };
        let (inverse, a_times_inverse) = (quotients(1), quotients(invert4(NU)));
        let (i, k) = (byte >> 4, byte & 15);
        let j = i ^ k;
        let far = look_up(a_times_inverse, k);
        let r = look_up(inverse, look_up(inverse, i) ^ far) ^ j;
        let s = look_up(inverse, look_up(inverse, j) ^ far) ^ i;
        let (of_r, of_s) = inverse_tables(Matrix::IDENTITY);
        look_up(of_r, r) ^ look_up(of_s, s)
    }

    #[test]
    fn inverses() {
        assert_eq!(invert(0), 0);
        for x in 1..=255 {
            assert_eq!(multiply(x, invert(x)), 0x10, "{x:02x}");
        }
    }
}
