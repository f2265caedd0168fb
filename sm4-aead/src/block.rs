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

/// Adds blocks to blocks, of which there are equally many.
#[inline(always)]
pub(crate) fn xor_blocks(blocks: &mut [Block], others: &[Block]) {
    let bytes = Block::slice_as_flattened_mut(blocks);
    for (byte, other) in bytes.iter_mut().zip(Block::slice_as_flattened(others)) {
        *byte ^= other;
    }
}

/// The sum of all blocks.
#[inline(always)]
pub(crate) fn xor_all(blocks: &[Block]) -> Block {
    // Four sums side by side, for the compiler to make a vector of
    let (quads, rest) = blocks.as_chunks::<4>();
    let mut sums = [[0; 16]; 4];
    for quad in quads {
        for (sum, block) in sums.iter_mut().zip(quad) {
            for (byte, other) in sum.iter_mut().zip(block) {
                *byte ^= other;
            }
        }
    }
    let mut sum = Block::default();
    for block in sums
        .iter()
        .map(|sum| Block::from(*sum))
        .chain(rest.iter().copied())
    {
        sum = xor(&sum, &block);
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
