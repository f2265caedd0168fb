//! GHASH (SP 800-38D, section 6.4) of data that comes in pieces.

use aead::consts::U16;
use sm4::cipher::BlockCipherEncBackend;

use crate::{
    block::{Block, Pending},
    ctr::Mac,
    polyval::{HashKey, Order},
};

/// A hash in progress.
#[derive(Clone)]
pub(crate) struct Ghash<'k> {
    key: &'k HashKey,
    state: u128,
    pending: Pending,
}

impl<'k> Ghash<'k> {
    #[inline]
    pub(crate) fn new(key: &'k HashKey) -> Self {
        Self {
            key,
            state: 0,
            pending: Pending::default(),
        }
    }

    #[inline]
    fn absorb(&mut self, data: &[u8]) {
        self.state = self.key.absorb(self.state, data, Order::Reversed, None);
    }

    /// Takes data and fills it up with zeros to whole blocks.
    #[inline]
    pub(crate) fn padded(&mut self, data: &[u8]) {
        self.absorb(data);
    }

    /// Takes data of any length.
    #[inline]
    pub(crate) fn update(&mut self, data: &[u8]) {
        let (block, data) = self.pending.complete(data);
        if let Some(block) = block {
            self.absorb(&block);
        }
        let (blocks, tail) = data.split_at(data.len() - data.len() % 16);
        if !blocks.is_empty() {
            self.absorb(blocks);
        }
        if !tail.is_empty() {
            self.pending.keep(tail);
        }
    }

    /// Takes the end of the data and the two lengths in bytes, as 64-bit numbers of bits, and returns
    /// the hash.
    #[inline]
    pub(crate) fn finish_with(self, data: &[u8], associated_data: u64, message: u64) -> Block {
        debug_assert!(self.pending.is_empty());
        let lengths = u128::from(associated_data << 3) << 64 | u128::from(message << 3);
        let hash = self
            .key
            .absorb(self.state, data, Order::Reversed, Some(lengths));
        hash.to_be_bytes().into()
    }

    /// The same without more data.
    #[inline]
    pub(crate) fn finish(mut self, associated_data: u64, message: u64) -> Block {
        let (block, len) = self.pending.take();
        self.finish_with(&block[..len], associated_data, message)
    }
}

impl Mac for Ghash<'_> {
    #[inline(always)]
    fn update<B: BlockCipherEncBackend<BlockSize = U16>>(&mut self, _: &B, data: &[u8]) {
        self.update(data);
    }
}
