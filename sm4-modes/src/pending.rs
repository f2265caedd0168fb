//! Data that comes in pieces, cut into blocks.

use core::fmt;

use crate::{block::Block, wipe::Wipe};

/// The beginning of a block whose end has not come yet.
#[derive(Clone, Default)]
pub struct Pending {
    bytes: Block,
    len: usize,
}

impl Pending {
    /// Cuts data into the block that was pending, if it is complete now, and whole blocks. What is
    /// left behind is pending then: less than a block, or with `HOLD` up to a block, so that the
    /// last block never comes out.
    #[inline(always)]
    pub fn split<'d, const HOLD: bool>(&mut self, data: &'d [u8]) -> (Option<Block>, &'d [Block]) {
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
        (complete, Block::slice_as_chunks(whole).0)
    }

    /// Takes the pending bytes: a block filled up with zeros, and how many there are.
    pub fn take(&mut self) -> (Block, usize) {
        let len = core::mem::take(&mut self.len);
        self.bytes[len..].fill(0);
        (self.bytes, len)
    }

    /// Whether no byte is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Wipe for Pending {
    #[inline]
    fn wipe(&mut self) {
        self.bytes.wipe();
    }
}

impl fmt::Debug for Pending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").finish_non_exhaustive()
    }
}
