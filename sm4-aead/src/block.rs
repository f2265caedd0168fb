//! Blocks of 16 bytes, and data that comes in pieces of other sizes.

use aead::{array::Array, consts::U16};

/// 16 bytes.
pub(crate) type Block = Array<u8, U16>;

/// XOR.
#[inline(always)]
pub(crate) fn xor(a: &Block, b: &Block) -> Block {
    let sum = u128::from_ne_bytes(a.0) ^ u128::from_ne_bytes(b.0);
    sum.to_ne_bytes().into()
}

/// 64 bytes: what loops work on.
type Quad = [Block; 4];

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
pub(crate) fn xor_to(sums: &mut [Block], blocks: &[Block], others: &[Block]) {
    let (sum_quads, sum_rest) = sums.as_chunks_mut();
    let (quads, rest) = blocks.as_chunks();
    let (other_quads, other_rest) = others.as_chunks();
    for ((sum, quad), other) in sum_quads.iter_mut().zip(quads).zip(other_quads) {
        store(xor_words(words(quad), words(other)), sum);
    }
    for ((sum, block), other) in sum_rest.iter_mut().zip(rest).zip(other_rest) {
        *sum = xor(block, other);
    }
}

/// Writes the sums of blocks, each with the same other block.
#[inline(always)]
pub(crate) fn xor_each(sums: &mut [Block], blocks: &[Block], other: &Block) {
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
        *sum = xor(block, other);
    }
}

/// The sum of all blocks.
#[inline(always)]
pub(crate) fn xor_all(blocks: &[Block]) -> Block {
    let (quads, rest) = blocks.as_chunks();
    let mut sums = [0; 8];
    for quad in quads {
        sums = xor_words(sums, words(quad));
    }
    let mut quad = Quad::default();
    store(sums, &mut quad);
    let mut sum = Block::default();
    for block in quad.iter().chain(rest) {
        sum = xor(&sum, block);
    }
    sum
}

/// The product with x in the field of CMAC and OCB (SP 800-38B, section 5.3), without a branch.
#[inline(always)]
pub(crate) fn double(block: &Block) -> Block {
    let value = u128::from_be_bytes(block.0);
    let carry = (value >> 127) * 0x87;
    (value << 1 ^ carry).to_be_bytes().into()
}

/// Up to 16 bytes in a block, with zeros behind them.
#[inline(always)]
pub(crate) fn padded(bytes: &[u8]) -> Block {
    let mut block = Block::default();
    block[..bytes.len()].copy_from_slice(bytes);
    block
}

/// The beginning of a block whose end has not come yet.
#[derive(Clone, Default)]
pub(crate) struct Pending {
    bytes: Block,
    len: usize,
}

impl Pending {
    /// Cuts data into the block that was pending, if it is complete now, and whole blocks. What is
    /// left behind is pending then: less than a block, or with `HOLD` up to a block, so that the
    /// last block never comes out.
    #[inline(always)]
    pub(crate) fn split<'d, const HOLD: bool>(
        &mut self,
        data: &'d [u8],
    ) -> (Option<Block>, &'d [u8]) {
        let hold = usize::from(HOLD);
        if self.len + data.len() < 16 + hold {
            self.bytes[self.len..][..data.len()].copy_from_slice(data);
            self.len += data.len();
            return (None, &[]);
        }
        let mut complete = None;
        let mut data = data;
        if self.len > 0 {
            let (head, rest) = data.split_at(16 - self.len);
            self.bytes[self.len..].copy_from_slice(head);
            complete = Some(self.bytes);
            data = rest;
        }
        let (whole, tail) = data.split_at((data.len() - hold) / 16 * 16);
        self.bytes[..tail.len()].copy_from_slice(tail);
        self.len = tail.len();
        (complete, whole)
    }

    /// Takes the pending bytes: a block filled up with zeros, and how many there are.
    pub(crate) fn take(&mut self) -> (Block, usize) {
        let len = core::mem::take(&mut self.len);
        self.bytes[len..].fill(0);
        (self.bytes, len)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// A block that is wiped when it is dropped.
#[derive(Clone)]
pub(crate) struct Secret(pub(crate) Block);

#[cfg(feature = "zeroize")]
impl Drop for Secret {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(self.0.as_mut_slice());
    }
}
