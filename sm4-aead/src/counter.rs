//! Counter blocks: which bytes of them count.

use crate::block::Block;

/// A way to count.
pub(crate) trait Flavour {
    /// The counter block that is `index` blocks after `first`.
    fn at(first: &Block, index: u128) -> Block;

    /// Writes the counter blocks from `first` on.
    fn fill(first: &Block, blocks: &mut [Block]);
}

/// All 16 bytes, big-endian.
#[derive(Clone)]
pub(crate) enum Be128 {}

/// The last four bytes, big-endian, as in GCM: never carries beyond.
#[derive(Clone)]
pub(crate) enum Be32 {}

/// The first four bytes, little-endian, as in GCM-SIV: never carries beyond.
#[derive(Clone)]
pub(crate) enum Le32 {}

impl Flavour for Be128 {
    #[inline(always)]
    fn at(first: &Block, index: u128) -> Block {
        u128::from_be_bytes(first.0)
            .wrapping_add(index)
            .to_be_bytes()
            .into()
    }

    #[inline(always)]
    fn fill(first: &Block, blocks: &mut [Block]) {
        for (i, block) in (0..).zip(blocks) {
            *block = Self::at(first, i);
        }
    }
}

#[inline(always)]
fn add32(counter: u64, index: u64) -> u64 {
    const LOW: u64 = 0xffff_ffff;
    (counter & !LOW) | (counter.wrapping_add(index) & LOW)
}

#[inline(always)]
fn halves(block: &Block) -> [[u8; 8]; 2] {
    let mut halves = [[0; 8]; 2];
    halves.as_flattened_mut().copy_from_slice(block);
    halves
}

#[inline(always)]
fn join(halves: [[u8; 8]; 2]) -> Block {
    let mut block = Block::default();
    block.copy_from_slice(halves.as_flattened());
    block
}

impl Flavour for Be32 {
    #[inline(always)]
    fn at(first: &Block, index: u128) -> Block {
        let mut block = [*first];
        #[allow(clippy::cast_possible_truncation, reason = "counts modulo 2^32")]
        let index = index as u64;
        let [high, low] = halves(&block[0]).map(u64::from_be_bytes);
        block[0] = join([high, add32(low, index)].map(u64::to_be_bytes));
        block[0]
    }

    #[inline(always)]
    fn fill(first: &Block, blocks: &mut [Block]) {
        let [high, low] = halves(first).map(u64::from_be_bytes);
        for (i, block) in (0..).zip(blocks) {
            *block = join([high, add32(low, i)].map(u64::to_be_bytes));
        }
    }
}

impl Flavour for Le32 {
    #[inline(always)]
    fn at(first: &Block, index: u128) -> Block {
        #[allow(clippy::cast_possible_truncation, reason = "counts modulo 2^32")]
        let index = index as u64;
        let [low, high] = halves(first).map(u64::from_le_bytes);
        join([add32(low, index), high].map(u64::to_le_bytes))
    }

    #[inline(always)]
    fn fill(first: &Block, blocks: &mut [Block]) {
        let [low, high] = halves(first).map(u64::from_le_bytes);
        for (i, block) in (0..).zip(blocks) {
            *block = join([add32(low, i), high].map(u64::to_le_bytes));
        }
    }
}
