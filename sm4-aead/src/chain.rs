//! The chain of CBC-MAC: each block is added to the state, and the state encrypted. What CCM, EAX
//! and SIV authenticate with; all their speed is that of this chain.

use aead::consts::U16;
use sm4::cipher::BlockCipherEncBackend;
use sm4_modes::shared::{Block, Pending, sum};

/// `X = E(X + block)` for all blocks.
#[inline(always)]
fn absorb<'b, B: BlockCipherEncBackend<BlockSize = U16>>(
    backend: &B,
    chain: &mut Block,
    blocks: impl Iterator<Item = &'b Block>,
) {
    // A copy, which stays in a register
    let mut state = *chain;
    for block in blocks {
        state = sum(&state, block);
        backend.encrypt_block((&mut state).into());
    }
    *chain = state;
}

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
        absorb(backend, &mut self.state, complete.iter().chain(whole));
    }

    /// Fills the last block up with zeros.
    #[inline(always)]
    pub(crate) fn pad<B: BlockCipherEncBackend<BlockSize = U16>>(&mut self, backend: &B) {
        let (block, len) = self.pending.take();
        if len > 0 {
            absorb(backend, &mut self.state, [block].iter());
        }
    }

    /// The state, and the block that is pending with its length.
    #[inline(always)]
    pub(crate) fn end(&mut self) -> (Block, Block, usize) {
        let (block, len) = self.pending.take();
        (self.state, block, len)
    }
}
