//! The chain of CBC-MAC: each block is added to the state, and the state encrypted. What CCM, EAX
//! and SIV authenticate with; all their speed is that of this chain.

use aead::consts::U16;
use sm4::cipher::BlockCipherEncBackend;

use crate::block::{Block, Pending, xor};

/// A chain in progress. With `HOLD` the last block is held back, because it is treated differently.
#[derive(Clone)]
pub(crate) struct Chain<const HOLD: bool> {
    state: Block,
    pending: Pending,
}

impl<const HOLD: bool> Chain<HOLD> {
    #[inline(always)]
    pub(crate) fn new(state: Block) -> Self {
        Self {
            state,
            pending: Pending::default(),
        }
    }

    /// Takes data of any length.
    #[inline(always)]
    pub(crate) fn update<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        data: &[u8],
    ) {
        let (complete, whole) = self.pending.split::<HOLD>(data);
        let mut state = self.state;
        for block in complete.iter().chain(Block::slice_as_chunks(whole).0) {
            state = xor(&state, block);
            backend.encrypt_block((&mut state).into());
        }
        self.state = state;
    }

    /// Fills the last block up with zeros.
    #[inline(always)]
    pub(crate) fn pad<B: BlockCipherEncBackend<BlockSize = U16>>(&mut self, backend: &B) {
        let (block, len) = self.pending.take();
        if len > 0 {
            self.state = xor(&self.state, &block);
            backend.encrypt_block((&mut self.state).into());
        }
    }

    /// The state, and the block that is pending with its length.
    #[inline(always)]
    pub(crate) fn end(mut self) -> (Block, Block, usize) {
        let (block, len) = self.pending.take();
        (self.state, block, len)
    }
}
