//! Counter blocks: what the flavours of CTR mode differ in.
//!
//! In every flavour one half of the block counts (as a 64-bit integer) and the other one stays as
//! it is, so that many blocks are a loop of independent additions; only a 128-bit counter may also
//! carry, which is rare enough to be done one by one.

use core::hint::black_box;

use sm4::{CounterBlocks, CountingByte};

use crate::{
    block::{Block, Quad},
    doubling::{halves, join},
};

/// Which bytes of the counter block count, and in which order.
pub trait Flavour: Counting + Sized {
    /// The name, as it is appended to `Sm4Ctr`.
    const NAME: &'static str;

    /// The number of blocks of key stream that there are for one IV.
    ///
    /// For the 128-bit counter this is one block less than there are counter values.
    const BLOCKS: u128;

    /// The counter block that is `index` blocks after `first`.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "counts modulo 2^32")]
    fn at(first: &cipher::Block<sm4::Sm4>, index: u128) -> cipher::Block<sm4::Sm4> {
        count::<Self>(first, index as u64)
    }

    /// The counter blocks `first`, `first + 1`, …, for the cipher to make them itself.
    #[inline(always)]
    #[must_use]
    fn counter_blocks(first: &cipher::Block<sm4::Sm4>) -> CounterBlocks {
        let counting = if Self::BIG_ENDIAN {
            CountingByte::Last
        } else {
            CountingByte::First
        };
        CounterBlocks::new(first, &Self::at(first, 256), counting)
    }

    /// Writes the counter blocks `first`, `first + 1`, …, without a branch on any of them: in some
    /// authenticated modes the counter is a secret.
    #[inline(always)]
    fn fill(first: &cipher::Block<sm4::Sm4>, blocks: &mut [cipher::Block<sm4::Sm4>]) {
        for (i, block) in (0..).zip(blocks) {
            *block = count::<Self>(first, i);
        }
    }
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

mod counting {
    /// The number in a half of the block: in its last bytes if it is big-endian, else in its first.
    pub trait Counting {
        /// The order of the bytes.
        const BIG_ENDIAN: bool;

        /// The bits of the half that count. If these are all, they carry into the other half.
        const BITS: u32;
    }
}

use counting::Counting;

impl Counting for Be128 {
    const BIG_ENDIAN: bool = true;
    const BITS: u32 = 64;
}

impl Counting for Be32 {
    const BIG_ENDIAN: bool = true;
    const BITS: u32 = 32;
}

impl Counting for Le32 {
    const BIG_ENDIAN: bool = false;
    const BITS: u32 = 32;
}

/// The half that counts.
const fn half<F: Counting>() -> usize {
    if F::BIG_ENDIAN { 1 } else { 0 }
}

#[inline(always)]
fn load<F: Counting>(half: [u8; 8]) -> u64 {
    if F::BIG_ENDIAN {
        u64::from_be_bytes(half)
    } else {
        u64::from_le_bytes(half)
    }
}

#[inline(always)]
fn store<F: Counting>(half: u64) -> [u8; 8] {
    if F::BIG_ENDIAN {
        half.to_be_bytes()
    } else {
        half.to_le_bytes()
    }
}

/// The half `n` blocks further on: adds to the bits that count and leaves the others alone.
#[inline(always)]
fn add<F: Counting>(half: u64, n: u64) -> u64 {
    let counting = u64::MAX >> (64 - F::BITS);
    (half & !counting) | (half.wrapping_add(n) & counting)
}

/// Whether it carries into the other half within `blocks` blocks.
#[inline(always)]
fn carries<F: Counting>(half: u64, blocks: u64) -> bool {
    F::BITS == 64 && half.checked_add(blocks).is_none()
}

/// The block in which a half has counted on.
#[inline(always)]
fn count<F: Counting>(first: &Block, n: u64) -> Block {
    let mut halves = halves(first);
    let half = &mut halves[half::<F>()];
    *half = store::<F>(add::<F>(load::<F>(*half), n));
    join(halves)
}

impl Flavour for Be128 {
    const NAME: &'static str = "";
    const BLOCKS: u128 = u128::MAX;

    #[inline(always)]
    fn at(first: &Block, index: u128) -> Block {
        let counter = u128::from_be_bytes(first.0).wrapping_add(index);
        counter.to_be_bytes().into()
    }

    #[inline(always)]
    fn fill(first: &Block, blocks: &mut [Block]) {
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
}

impl Flavour for Le32 {
    const NAME: &'static str = "32LE";
    const BLOCKS: u128 = 1 << 32;
}

/// Writes at least `blocks` counter blocks, from `first` on.
#[inline(always)]
pub(crate) fn counters<F: Flavour>(first: &Block, blocks: usize, masks: &mut [Quad]) {
    let masks = &mut masks[..blocks.div_ceil(4)];
    let first_halves = halves(first);
    let number = load::<F>(first_halves[half::<F>()]);
    if carries::<F>(number, 4 * masks.len() as u64) {
        for (i, mask) in (0..).zip(masks.as_flattened_mut()) {
            *mask = F::at(first, i);
        }
    } else if let [quad] = masks {
        fill_quad::<F>(first, quad);
    } else {
        for (i, mask) in (0..).zip(masks.as_flattened_mut()) {
            let mut halves = first_halves;
            halves[half::<F>()] = store::<F>(add::<F>(number, i));
            *mask = join(halves);
        }
    }
}

/// Writes four counter blocks, without a carry.
///
/// They have to be written as vectors: a kernel for few blocks loads 16 bytes at a time, and waits
/// long for what was stored in two halves. So all halves are computed alike, and the compiler must
/// not know that some of them don't change.
#[inline(always)]
fn fill_quad<F: Counting>(first: &Block, quad: &mut Quad) {
    let steps: &[u64; 8] = if F::BIG_ENDIAN {
        &[0, 0, 0, 1, 0, 2, 0, 3]
    } else {
        &[0, 0, 1, 0, 2, 0, 3, 0]
    };
    let steps = black_box(steps);
    let first = halves(first);
    let mut bytes = [[0; 8]; 8];
    for i in 0..8 {
        bytes[i] = store::<F>(add::<F>(load::<F>(first[i % 2]), steps[i]));
    }
    Block::slice_as_flattened_mut(quad).copy_from_slice(bytes.as_flattened());
}
