//! Counter blocks: what the flavours of CTR mode differ in.
//!
//! They are made four at a time, as one addition to all lanes of 64 bytes, which is one instruction
//! (and one shuffle) where the registers are that wide.

use crate::{
    batch::Block,
    doubling::{halves, join},
};

mod sealed {
    pub trait Sealed {}
}

/// Which bytes of the counter block count, and in which order.
pub trait Flavour: sealed::Sealed {
    /// The name, as it is appended to `Sm4Ctr`.
    const NAME: &'static str;

    /// The number of blocks of key stream that there are for one IV.
    ///
    /// For the 128-bit counter this is one block less than there are counter values.
    const BLOCKS: u128;

    /// The counter block that is `index` blocks after `first`.
    fn at(first: &cipher::Block<sm4::Sm4>, index: u128) -> cipher::Block<sm4::Sm4>;

    /// Fills the quads with the counter blocks from `first` on.
    #[doc(hidden)]
    fn fill(first: &cipher::Block<sm4::Sm4>, blocks: &mut [cipher::Block<sm4::Sm4>]);
}

/// All 16 bytes, big-endian (NIST SP 800-38A, GB/T 17964).
#[derive(Clone, Copy, Debug)]
pub enum Be128 {}

/// Bytes 12 to 15, big-endian: as in GCM.
#[derive(Clone, Copy, Debug)]
pub enum Be32 {}

/// Bytes 0 to 3, little-endian: as in GCM-SIV (RFC 8452).
#[derive(Clone, Copy, Debug)]
pub enum Le32 {}

impl sealed::Sealed for Be128 {}
impl sealed::Sealed for Be32 {}
impl sealed::Sealed for Le32 {}

impl Flavour for Be128 {
    const NAME: &'static str = "";
    const BLOCKS: u128 = u128::MAX;

    #[inline(always)]
    fn at(first: &Block, index: u128) -> Block {
        u128::from_be_bytes(first.0)
            .wrapping_add(index)
            .to_be_bytes()
            .into()
    }

    #[inline(always)]
    fn fill(first: &Block, blocks: &mut [Block]) {
        // The carry is computed, not branched on: in EAX the counter is a secret.
        let [high, low] = halves(first).map(u64::from_be_bytes);
        for (i, block) in (0..).zip(blocks) {
            let sum = low.wrapping_add(i);
            let high = high.wrapping_add(u64::from(sum < low));
            *block = join([high, sum].map(u64::to_be_bytes));
        }
    }
}

impl Flavour for Be32 {
    const NAME: &'static str = "32BE";
    const BLOCKS: u128 = 1 << 32;

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "counts modulo 2^32")]
    fn at(first: &Block, index: u128) -> Block {
        let [high, low] = halves(first).map(u64::from_be_bytes);
        join([high, add32(low, index as u64)].map(u64::to_be_bytes))
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
    const NAME: &'static str = "32LE";
    const BLOCKS: u128 = 1 << 32;

    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "counts modulo 2^32")]
    fn at(first: &Block, index: u128) -> Block {
        let [low, high] = halves(first).map(u64::from_le_bytes);
        join([add32(low, index as u64), high].map(u64::to_le_bytes))
    }

    #[inline(always)]
    fn fill(first: &Block, blocks: &mut [Block]) {
        let [low, high] = halves(first).map(u64::from_le_bytes);
        for (i, block) in (0..).zip(blocks) {
            *block = join([add32(low, i), high].map(u64::to_le_bytes));
        }
    }
}

/// Adds to the low 32 bits and leaves the others alone.
#[inline(always)]
fn add32(counter: u64, index: u64) -> u64 {
    const LOW: u64 = 0xffff_ffff;
    (counter & !LOW) | (counter.wrapping_add(index) & LOW)
}
