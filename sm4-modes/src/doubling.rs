//! Multiplication by powers of x in GF(2^128), in the three orders of bits that modes use.
//!
//! ```text
//!                 bytes           x^0 is            times x
//! Ieee            little-endian   the lowest bit    shift left, 87 (hex) for what falls out
//! Gb (and GHASH)  big-endian      the highest bit   shift right, e1 at the top for what falls out
//! Cmac (and OCB)  big-endian      the lowest bit    shift left, 87 for what falls out
//! ```
//!
//! What falls out of a shift by j < 57 bits, times the polynomial, still fits into 64 bits: so
//! that every power of up to 32 follows from the same block by the same few shifts, none of
//! which waits for another block's, and the compiler computes many at once.

use crate::block::Block;

/// How many powers are computed from one block.
const RUN: usize = 32;

/// A way to read 16 bytes as an element of GF(2^128).
pub trait Field {
    /// The block as two integers, in the order of the bytes.
    fn load(block: &Block) -> [u64; 2];

    /// Undoes [`load`](Self::load).
    fn store(element: [u64; 2]) -> Block;

    /// The product with `x^j`, `j <= 32`.
    fn times_x_to(element: [u64; 2], j: u64) -> [u64; 2];
}

/// The field of XTS in IEEE 1619.
#[derive(Clone, Copy, Debug)]
pub enum Ieee {}

/// The field of XTS in GB/T 17964-2021.
#[derive(Clone, Copy, Debug)]
pub enum Gb {}

/// The field of CMAC (NIST SP 800-38B).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Cmac {}

impl Field for Ieee {
    #[inline(always)]
    fn load(block: &Block) -> [u64; 2] {
        halves(block).map(u64::from_le_bytes)
    }

    #[inline(always)]
    fn store(element: [u64; 2]) -> Block {
        join(element.map(u64::to_le_bytes))
    }

    #[inline(always)]
    fn times_x_to([low, high]: [u64; 2], j: u64) -> [u64; 2] {
        let [high, low] = shift_left([high, low], j);
        [low, high]
    }
}

impl Field for Cmac {
    #[inline(always)]
    fn load(block: &Block) -> [u64; 2] {
        halves(block).map(u64::from_be_bytes)
    }

    #[inline(always)]
    fn store(element: [u64; 2]) -> Block {
        join(element.map(u64::to_be_bytes))
    }

    #[inline(always)]
    fn times_x_to(element: [u64; 2], j: u64) -> [u64; 2] {
        shift_left(element, j)
    }
}

impl Field for Gb {
    #[inline(always)]
    fn load(block: &Block) -> [u64; 2] {
        halves(block).map(u64::from_be_bytes)
    }

    #[inline(always)]
    fn store(element: [u64; 2]) -> Block {
        join(element.map(u64::to_be_bytes))
    }

    #[inline(always)]
    fn times_x_to([first, second]: [u64; 2], j: u64) -> [u64; 2] {
        // two shifts instead of one by 64 - j, which would be too far for j = 0
        let fallen = (second << 1) << (63 - j);
        [
            (first >> j) ^ fallen ^ (fallen >> 1) ^ (fallen >> 2) ^ (fallen >> 7),
            (second >> j) | (first << 1) << (63 - j),
        ]
    }
}

/// The product with `x^j` where x^0 is the lowest bit of the second integer.
#[inline(always)]
fn shift_left([high, low]: [u64; 2], j: u64) -> [u64; 2] {
    let fallen = (high >> 1) >> (63 - j);
    [
        (high << j) | (low >> 1) >> (63 - j),
        (low << j) ^ fallen ^ (fallen << 1) ^ (fallen << 2) ^ (fallen << 7),
    ]
}

/// The product with x.
#[doc(hidden)]
#[must_use]
#[inline(always)]
pub fn double<F: Field>(block: &Block) -> Block {
    F::store(F::times_x_to(F::load(block), 1))
}

/// Fills the blocks with the products of `first` with 1, x, x^2, …; returns the one that would
/// follow.
#[doc(hidden)]
#[inline(always)]
pub fn powers<F: Field>(first: &Block, blocks: &mut [Block]) -> Block {
    let mut element = F::load(first);
    let (runs, rest) = blocks.as_chunks_mut::<RUN>();
    for run in runs {
        fill::<F>(element, run);
        element = F::times_x_to(element, RUN as u64);
    }
    fill::<F>(element, rest);
    F::store(F::times_x_to(element, rest.len() as u64))
}

#[inline(always)]
fn fill<F: Field>(element: [u64; 2], blocks: &mut [Block]) {
    for (j, block) in (0..).zip(blocks) {
        *block = F::store(F::times_x_to(element, j));
    }
}

#[inline(always)]
pub(crate) fn halves(block: &Block) -> [[u8; 8]; 2] {
    let mut halves = [[0; 8]; 2];
    halves.as_flattened_mut().copy_from_slice(block);
    halves
}

#[inline(always)]
pub(crate) fn join(halves: [[u8; 8]; 2]) -> Block {
    let mut block = Block::default();
    block.copy_from_slice(halves.as_flattened());
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One doubling after the other, bit by bit, as the standards describe it.
    fn plain(block: &Block, bit: impl Fn(usize) -> (usize, usize), feedback: &[usize]) -> Block {
        let coefficient = |i: usize| {
            let (byte, position) = bit(i);
            (block[byte] >> position) & 1
        };
        let mut product = Block::default();
        for i in 0..128 {
            let mut value = if i > 0 { coefficient(i - 1) } else { 0 };
            if feedback.contains(&i) {
                value ^= coefficient(127);
            }
            let (byte, position) = bit(i);
            product[byte] |= value << position;
        }
        product
    }

    fn check<F: Field>(bit: impl Fn(usize) -> (usize, usize)) {
        let mut block = Block::default();
        for (i, byte) in (1_u8..).zip(&mut block) {
            *byte = i.wrapping_mul(151) ^ 0x80;
        }
        // Interpreted, all of them take half an hour.
        for count in (0..130).step_by(if cfg!(miri) { 65 } else { 1 }) {
            let mut blocks = [Block::default(); 130];
            let last = powers::<F>(&block, &mut blocks[..count]);
            let mut expected = block;
            for product in &blocks[..count] {
                assert_eq!(*product, expected);
                assert_eq!(double::<F>(product), plain(product, &bit, &[0, 1, 2, 7]));
                expected = plain(&expected, &bit, &[0, 1, 2, 7]);
            }
            assert_eq!(last, expected);
        }
    }

    #[test]
    fn powers_are_repeated_doublings() {
        check::<Ieee>(|i| (i / 8, i % 8));
        check::<Gb>(|i| (i / 8, 7 - i % 8));
        check::<Cmac>(|i| (15 - i / 8, i % 8));
    }
}
