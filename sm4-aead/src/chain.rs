//! The chain of CBC-MAC: each block is added to the state, and the state encrypted. What CCM, EAX
//! and SIV authenticate with; all their speed is that of this chain.

use sm4::Bulk;
use sm4_modes::shared::{Block, Pending};

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
    pub(crate) fn update(&mut self, cipher: Bulk<'_>, data: &[u8]) {
        let (complete, whole) = self.pending.split::<HOLD>(data);
        cipher.cbc_mac_blocks(&mut self.state, complete.as_slice());
        cipher.cbc_mac_blocks(&mut self.state, whole);
    }

    /// Fills the last block up with zeros.
    #[inline(always)]
    pub(crate) fn pad(&mut self, cipher: Bulk<'_>) {
        let (block, len) = self.pending.take();
        if len > 0 {
            cipher.cbc_mac_blocks(&mut self.state, &[block]);
        }
    }

    /// The state, and the block that is pending with its length.
    #[inline(always)]
    pub(crate) fn end(&mut self) -> (Block, Block, usize) {
        let (block, len) = self.pending.take();
        (self.state, block, len)
    }
}
