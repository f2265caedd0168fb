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

/// 64 bytes: what loops work on, so that the compiler makes vectors of them.
type Quad = [Block; 4];

/// The sum of two quads. Both are read before anything is written, so that it does not matter
/// whether they overlap with where the sum goes.
#[inline(always)]
fn xor_quad(a: &Quad, b: &Quad) -> Quad {
    let mut sum = *a;
    for (sum, block) in sum.iter_mut().zip(b) {
        for (byte, other) in sum.iter_mut().zip(block) {
            *byte ^= other;
        }
    }
    sum
}

/// Writes the sums of blocks and other blocks, of which there are equally many.
#[inline(always)]
pub(crate) fn xor_to(sums: &mut [Block], blocks: &[Block], others: &[Block]) {
    let (sum_quads, sum_rest) = sums.as_chunks_mut();
    let (quads, rest) = blocks.as_chunks();
    let (other_quads, other_rest) = others.as_chunks();
    for ((sum, quad), other) in sum_quads.iter_mut().zip(quads).zip(other_quads) {
        *sum = xor_quad(quad, other);
    }
    for ((sum, block), other) in sum_rest.iter_mut().zip(rest).zip(other_rest) {
        *sum = xor(block, other);
    }
}

/// Writes the sums of blocks, each with the same other block.
#[inline(always)]
pub(crate) fn xor_each(sums: &mut [Block], blocks: &[Block], other: &Block) {
    let (sum_quads, sum_rest) = sums.as_chunks_mut();
    let (quads, rest) = blocks.as_chunks();
    for (sum, quad) in sum_quads.iter_mut().zip(quads) {
        *sum = xor_quad(quad, &[*other; 4]);
    }
    for (sum, block) in sum_rest.iter_mut().zip(rest) {
        *sum = xor(block, other);
    }
}

/// The sum of all blocks.
#[inline(always)]
pub(crate) fn xor_all(blocks: &[Block]) -> Block {
    let (quads, rest) = blocks.as_chunks();
    let mut sums = Quad::default();
    for quad in quads {
        sums = xor_quad(&sums, quad);
    }
    let mut sum = Block::default();
    for block in sums.iter().chain(rest) {
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
