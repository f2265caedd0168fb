//! POLYVAL by the crate `polyval`: constant time on every CPU, and with the carry-less
//! multiplication of those that this crate has no kernel for.

use polyval::{Polyval, universal_hash::UniversalHash};
use sm4_modes::shared::Block;

use super::Order;

#[derive(Clone)]
pub(super) struct Key(Polyval);

/// Blocks that `polyval` takes at once.
const BATCH: usize = 4;

impl Key {
    pub(super) fn new(h: &Block) -> Self {
        Self(Polyval::new(h))
    }

    pub(super) fn absorb(
        &self,
        state: u128,
        data: &[u8],
        order: Order,
        last: Option<u128>,
    ) -> u128 {
        let mut hash = self.0.clone();
        // The state is added to the first block.
        let mut state = Some(state);
        let mut add = |block: u128| (block ^ state.take().unwrap_or(0)).to_le_bytes().into();
        for bytes in data.chunks(16 * BATCH) {
            let mut blocks = [Block::default(); BATCH];
            let count = bytes.len().div_ceil(16);
            Block::slice_as_flattened_mut(&mut blocks)[..bytes.len()].copy_from_slice(bytes);
            for block in &mut blocks[..count] {
                if order == Order::Reversed {
                    block.reverse();
                }
                *block = add(u128::from_le_bytes(block.0));
            }
            hash.update(&blocks[..count]);
        }
        if let Some(last) = last {
            hash.update(&[add(last)]);
        }
        match state {
            // There was nothing to be added to.
            Some(state) => state,
            None => u128::from_le_bytes(hash.finalize().0),
        }
    }
}
