//! Blocks of 16 bytes, sums of many of them, and buffers for them.

use cipher::{InOutBuf, array::Array, consts::U4};

/// 16 bytes.
pub type Block = cipher::Block<sm4::Sm4>;

/// Four blocks, 64 bytes: what loops work on, so that the compiler makes vectors of it.
pub type Quad = [Block; 4];

/// A buffer in which no vector lies in two cache lines.
#[derive(Debug)]
#[repr(align(64))]
pub struct Aligned<T>(pub T);

/// So many blocks don't pay for a buffer of the widest kernel's size, which takes as long to clear
/// as a block to encrypt.
pub const FEW: usize = 16;

/// Up to 16 bytes in a block, with zeros behind them.
#[inline(always)]
pub fn padded(bytes: &[u8]) -> Block {
    let mut block = Block::default();
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// The sum of two blocks.
#[inline(always)]
#[must_use]
pub fn sum(a: &Block, b: &Block) -> Block {
    (u128::from_ne_bytes(a.0) ^ u128::from_ne_bytes(b.0))
        .to_ne_bytes()
        .into()
}

/// Adds the masks to the blocks, of which there are equally many.
#[inline(always)]
pub fn xor(blocks: InOutBuf<'_, '_, Block>, masks: &[Block]) {
    let (quads, rest) = blocks.into_chunks::<U4>();
    let (mask_quads, mask_rest) = Array::<Block, U4>::slice_as_chunks(masks);
    for (mut quad, mask) in quads.into_iter().zip(mask_quads) {
        quad.xor_in2out(mask);
    }
    for (mut block, mask) in rest.into_iter().zip(mask_rest) {
        block.xor_in2out(mask);
    }
}

/// A quad as words. Loops over words become vectors with every instruction set; with bytes and 256
/// bits the compiler takes the quad apart.
#[inline(always)]
fn words(quad: &Quad) -> [u64; 8] {
    let mut words = [0; 8];
    let (bytes, _) = Block::slice_as_flattened(quad).as_chunks();
    for (word, bytes) in words.iter_mut().zip(bytes) {
        *word = u64::from_ne_bytes(*bytes);
    }
    words
}

/// Undoes [`words`].
#[inline(always)]
fn store(words: [u64; 8], quad: &mut Quad) {
    let (bytes, _) = Block::slice_as_flattened_mut(quad).as_chunks_mut();
    for (bytes, word) in bytes.iter_mut().zip(words) {
        *bytes = word.to_ne_bytes();
    }
}

/// The sum. All is read before anything is written, so that it does not matter whether a quad
/// overlaps with where the sum goes.
#[inline(always)]
fn xor_words(mut a: [u64; 8], b: [u64; 8]) -> [u64; 8] {
    for (a, b) in a.iter_mut().zip(b) {
        *a ^= b;
    }
    a
}

/// Writes the sums of blocks and other blocks, of which there are equally many.
#[inline(always)]
pub fn xor_to(sums: &mut [Block], blocks: &[Block], others: &[Block]) {
    let (sum_quads, sum_rest) = sums.as_chunks_mut();
    let (quads, rest) = blocks.as_chunks();
    let (other_quads, other_rest) = others.as_chunks();
    for ((sum, quad), other) in sum_quads.iter_mut().zip(quads).zip(other_quads) {
        store(xor_words(words(quad), words(other)), sum);
    }
    for ((sum, block), other) in sum_rest.iter_mut().zip(rest).zip(other_rest) {
        *sum = self::sum(block, other);
    }
}

/// Writes the sums of blocks, each with the same other block.
#[inline(always)]
pub fn xor_each(sums: &mut [Block], blocks: &[Block], other: &Block) {
    let (sum_runs, sum_rest) = sums.as_chunks_mut::<16>();
    let (runs, rest) = blocks.as_chunks::<16>();
    let others = words(&[*other; 4]);
    for (sum_run, run) in sum_runs.iter_mut().zip(runs) {
        // Of a fixed length, or the compiler makes vectors across the quads: by gathering.
        let (sum_quads, _) = sum_run.as_chunks_mut();
        let (quads, _) = run.as_chunks();
        for i in 0..4 {
            store(xor_words(words(&quads[i]), others), &mut sum_quads[i]);
        }
    }
    for (sum, block) in sum_rest.iter_mut().zip(rest) {
        *sum = self::sum(block, other);
    }
}

/// The sum of all blocks.
#[inline(always)]
pub fn xor_all(blocks: &[Block]) -> Block {
    let (quads, rest) = blocks.as_chunks();
    let mut sums = [0; 8];
    for quad in quads {
        sums = xor_words(sums, words(quad));
    }
    let mut quad = Quad::default();
    store(sums, &mut quad);
    let mut sum = Block::default();
    for block in quad.iter().chain(rest) {
        sum = self::sum(&sum, block);
    }
    sum
}
