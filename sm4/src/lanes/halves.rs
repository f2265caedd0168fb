//! Linear maps of bytes by looking up each half of a byte in a table that fills one lane.

use super::Lanes;
use crate::{domain::splat, matrix::Matrix};

/// The low and the high halves of bytes, each as a byte 0–15.
#[derive(Clone, Copy)]
pub(crate) struct Halves<R>(R, R);

impl<R: Lanes> Halves<R> {
    #[inline(always)]
    pub(crate) fn of(bytes: R) -> Self {
        let low = bytes.mask(splat(0x0f));
        Self(low, bytes.xor(low).shift_right_4())
    }

    /// The sum of the two halves' images.
    #[inline(always)]
    pub(crate) fn look_up(self, low: &'static [u8; 16], high: &'static [u8; 16]) -> R {
        self.0.look_up(low).xor(self.1.look_up(high))
    }
}

/// The images of 0, 1, … 15 and of 0, 16, … 240.
pub(crate) const fn tables(matrix: Matrix) -> ([u8; 16], [u8; 16]) {
    affine_tables(matrix, 0)
}

/// The same for a map that also adds a constant.
pub(crate) const fn affine_tables(matrix: Matrix, constant: u8) -> ([u8; 16], [u8; 16]) {
    let mut tables = ([0; 16], [0; 16]);
    let mut i = 0_u8;
    while i < 16 {
        tables.0[i as usize] = matrix.apply(i) ^ constant;
        tables.1[i as usize] = matrix.apply(i << 4);
        i += 1;
    }
    tables
}
