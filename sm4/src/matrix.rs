//! Linear maps over GF(2) on bytes: 8×8 bit matrices, evaluated at compile time.

/// An 8×8 bit matrix: row `i` holds the input bits that are summed into output bit `i`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Matrix(pub(crate) [u8; 8]);

impl Matrix {
    pub(crate) const IDENTITY: Self = Self([1, 2, 4, 8, 16, 32, 64, 128]);

    /// The matrix whose column `i` is `columns[i]`, the image of bit `i`.
    pub(crate) const fn from_columns(columns: [u8; 8]) -> Self {
        Self(columns).transpose()
    }

    /// `x << n`: bits shifted beyond bit 7 are dropped.
    pub(crate) const fn shl(n: usize) -> Self {
        let mut columns = [0; 8];
        let mut i = 0;
        while i + n < 8 {
            columns[i] = 1 << (i + n);
            i += 1;
        }
        Self::from_columns(columns)
    }

    /// `x >> n`.
    pub(crate) const fn shr(n: usize) -> Self {
        Self::shl(n).transpose()
    }

    pub(crate) const fn transpose(self) -> Self {
        let mut rows = [0; 8];
        let mut i = 0;
        while i < 64 {
            rows[i % 8] |= ((self.0[i / 8] >> (i % 8)) & 1) << (i / 8);
            i += 1;
        }
        Self(rows)
    }

    /// The image of the byte `x`.
    pub(crate) const fn apply(self, x: u8) -> u8 {
        let mut y = 0;
        let mut i = 0;
        while i < 8 {
            y |= (((self.0[i] & x).count_ones() & 1) as u8) << i;
            i += 1;
        }
        y
    }

    /// The map `x -> self(first(x))`.
    pub(crate) const fn after(self, first: Self) -> Self {
        let mut columns = [0; 8];
        let mut i = 0;
        while i < 8 {
            columns[i] = self.apply(first.apply(1 << i));
            i += 1;
        }
        Self::from_columns(columns)
    }

    /// The map `x -> self(x) + other(x)`.
    pub(crate) const fn plus(self, other: Self) -> Self {
        let mut rows = self.0;
        let mut i = 0;
        while i < 8 {
            rows[i] ^= other.0[i];
            i += 1;
        }
        Self(rows)
    }

    /// The inverse map. Fails to compile (panics) where there is none.
    pub(crate) const fn inverse(self) -> Self {
        let mut columns = [0; 8];
        let mut x = 255_u8;
        while x != 0 {
            let y = self.apply(x);
            assert!(y != 0, "singular matrix");
            if y.is_power_of_two() {
                columns[y.trailing_zeros() as usize] = x;
            }
            x -= 1;
        }
        Self::from_columns(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::Matrix;

    #[test]
    fn shifts_are_shifts() {
        for n in 0..8 {
            for x in 0..=255_u8 {
                assert_eq!(Matrix::shl(n).apply(x), x << n);
                assert_eq!(Matrix::shr(n).apply(x), x >> n);
            }
        }
    }

    #[test]
    fn inverse_undoes() {
        let m = crate::domain::A;
        assert_eq!(m.after(m.inverse()), Matrix::IDENTITY);
        for x in 0..=255 {
            assert_eq!(m.inverse().apply(m.apply(x)), x);
        }
    }
}
