//! Chains of CBC-MAC, and what goes into them.

use core::mem;

use sm4::{Bulk, Sm4};

use crate::{
    block::{Block, padded, sum},
    lanes::{self, Lane},
};

/// Blocks of different origin, one after the other: what CMAC, CBC-MAC and the MACs of some
/// authenticated modes make of a message.
#[derive(Clone, Copy, Default, Debug)]
pub struct MacInput<'d> {
    /// Blocks before the data.
    pub first: [Option<Block>; 2],
    /// Whole blocks, taken from the data when it is their turn.
    blocks: &'d [Block],
    /// Data, each filled up with zeros to whole blocks.
    pub data: [&'d [u8]; 2],
    /// A block behind the data.
    pub last: Option<Block>,
}

impl<'d> MacInput<'d> {
    /// Data, and a block behind them.
    #[inline(always)]
    #[must_use]
    pub fn new(data: &'d [u8], last: Option<Block>) -> Self {
        Self {
            data: [data, &[]],
            last,
            ..Self::default()
        }
    }

    fn is_empty(&self) -> bool {
        let Self {
            first: [first, second],
            blocks,
            data: [data, more],
            last,
        } = self;
        let blocks = blocks.len() + data.len() + more.len();
        blocks == 0 && first.is_none() && second.is_none() && last.is_none()
    }

    /// The next block, if it is none of those in the middle of the data.
    #[inline(always)]
    fn next(&mut self) -> Option<Block> {
        for block in &mut self.first {
            if block.is_some() {
                return block.take();
            }
        }
        for data in &mut self.data {
            if data.is_empty() {
                continue;
            }
            let (blocks, end) = Block::slice_as_chunks(mem::take(data));
            let Some((block, rest)) = blocks.split_first() else {
                return Some(padded(end));
            };
            (self.blocks, *data) = (rest, end);
            return Some(*block);
        }
        self.last.take()
    }
}

/// `X_i = E(X_{i-1} + block i)`
impl Lane for MacInput<'_> {
    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        if let Some((block, rest)) = self.blocks.split_first() {
            self.blocks = rest;
            *state = sum(state, block);
            return true;
        }
        let Some(block) = self.next() else {
            return false;
        };
        *state = sum(state, &block);
        true
    }

    #[inline(always)]
    fn finish(&mut self, cipher: Bulk<'_>, state: &mut Block) {
        cipher.cbc_mac_blocks(state, mem::take(&mut self.blocks));
        for block in &mut self.first {
            cipher.cbc_mac_blocks(state, block.take().as_slice());
        }
        for data in &mut self.data {
            let (blocks, end) = Block::slice_as_chunks(mem::take(data));
            cipher.cbc_mac_blocks(state, blocks);
            if !end.is_empty() {
                cipher.cbc_mac_blocks(state, &[padded(end)]);
            }
        }
        cipher.cbc_mac_blocks(state, self.last.take().as_slice());
    }
}

/// A chain: what is to go into it, and its state, to begin with and in the end.
#[derive(Clone, Copy, Default, Debug)]
pub struct MacChain<'d> {
    /// The state.
    pub state: Block,
    /// What is to go into it.
    pub input: MacInput<'d>,
}

/// Runs all chains to their ends, side by side.
pub fn run_chains(cipher: &Sm4, chains: &mut [MacChain<'_>]) {
    let has_input = |chain: &&mut MacChain<'_>| !chain.input.is_empty();
    let count = chains.iter_mut().filter(has_input).count();
    let chains =
        (chains.iter_mut().filter(has_input)).map(|chain| (&mut chain.input, &mut chain.state));
    lanes::run(cipher, count, chains);
}
