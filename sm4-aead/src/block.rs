//! Blocks of 16 bytes, and data that comes in pieces of other sizes.

use aead::{array::Array, consts::U16};

/// 16 bytes.
pub(crate) type Block = Array<u8, U16>;

/// The beginning of a block whose end has not come yet.
#[derive(Clone, Default)]
pub(crate) struct Pending {
    bytes: Block,
    len: usize,
}

impl Pending {
    /// Completes the pending block if there is one. Returns it, if it is complete now, and the data
    /// that was not needed for it.
    pub(crate) fn complete<'d>(&mut self, data: &'d [u8]) -> (Option<Block>, &'d [u8]) {
        if self.len == 0 {
            return (None, data);
        }
        let (head, rest) = data.split_at(data.len().min(16 - self.len));
        self.bytes[self.len..][..head.len()].copy_from_slice(head);
        self.len += head.len();
        if self.len < 16 {
            return (None, rest);
        }
        self.len = 0;
        (Some(self.bytes), rest)
    }

    /// Keeps what is left behind the last whole block. Nothing may be pending.
    pub(crate) fn keep(&mut self, tail: &[u8]) {
        debug_assert!(self.len == 0 && tail.len() < 16);
        self.bytes[..tail.len()].copy_from_slice(tail);
        self.len = tail.len();
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
