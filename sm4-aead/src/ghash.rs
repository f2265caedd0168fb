//! GHASH (SP 800-38D, section 6.4): a polynomial over GF(2^128) in the key H.

use polyval::{Polyval, hazmat::FieldElement, universal_hash::UniversalHash};

use aead::consts::U16;
use sm4::cipher::BlockCipherEncBackend;

use crate::{
    block::{Block, Pending},
    ctr::Mac,
};

/// The key H, ready for use.
#[derive(Clone)]
pub(crate) struct GhashKey(Polyval);

impl GhashKey {
    pub(crate) fn new(h: &Block) -> Self {
        // GHASH is POLYVAL with all bytes of all blocks in reverse order and H multiplied by x
        // (RFC 8452, appendix A).
        let h = FieldElement::from(h.0).reverse().mulx();
        Self(Polyval::new(&h.into()))
    }
}

/// A hash in progress.
#[derive(Clone)]
pub(crate) struct Ghash {
    state: Polyval,
    pending: Pending,
}

impl Ghash {
    #[inline]
    pub(crate) fn new(key: &GhashKey) -> Self {
        Self {
            state: key.0.clone(),
            pending: Pending::default(),
        }
    }

    fn block(&mut self, block: &Block) {
        let mut block = *block;
        block.reverse();
        self.state.update(&[block]);
    }

    fn blocks(&mut self, blocks: &[Block]) {
        for block in blocks {
            self.block(block);
        }
    }

    /// Takes data of any length.
    pub(crate) fn update(&mut self, data: &[u8]) {
        let (block, data) = self.pending.complete(data);
        if let Some(block) = block {
            self.block(&block);
        }
        let (blocks, tail) = Block::slice_as_chunks(data);
        self.blocks(blocks);
        if !tail.is_empty() {
            self.pending.keep(tail);
        }
    }

    /// Fills the last block up with zeros.
    pub(crate) fn pad(&mut self) {
        if let Some((block, _)) = self.pending.take() {
            self.block(&block);
        }
    }

    /// Pads, takes the two lengths in bytes as 64-bit numbers of bits, and returns the hash.
    pub(crate) fn finish(mut self, associated_data: u64, message: u64) -> Block {
        self.pad();
        let mut lengths = Block::default();
        lengths[..8].copy_from_slice(&(associated_data << 3).to_be_bytes());
        lengths[8..].copy_from_slice(&(message << 3).to_be_bytes());
        self.block(&lengths);
        let mut hash = self.state.finalize();
        hash.reverse();
        hash
    }
}

impl Mac for Ghash {
    #[inline(always)]
    fn update<B: BlockCipherEncBackend<BlockSize = U16>>(&mut self, _: &B, data: &[u8]) {
        self.update(data);
    }
}
