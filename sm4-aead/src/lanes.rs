//! Several chains side by side: what is serial in each of them runs in parallel for all.

use aead::{consts::U16, inout::InOutBuf};
use sm4::{
    Sm4,
    cipher::{BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser},
};

use crate::block::{Block, padded, xor};

/// A chain of CBC-MAC over blocks of different origin, in this order.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lane<'d> {
    /// The state, to begin with and in the end.
    pub(crate) state: Block,
    /// Blocks before the data.
    pub(crate) first: [Option<Block>; 2],
    /// Data, each filled up with zeros to whole blocks.
    pub(crate) data: [&'d [u8]; 2],
    /// A block behind the data.
    pub(crate) last: Option<Block>,
}

impl Lane<'_> {
    #[inline(always)]
    fn next(&mut self) -> Option<Block> {
        for block in &mut self.first {
            if block.is_some() {
                return block.take();
            }
        }
        for data in &mut self.data {
            if let Some((block, rest)) = data.split_first_chunk() {
                *data = rest;
                return Some(Block::from(*block));
            }
            if !data.is_empty() {
                return Some(padded(core::mem::take(data)));
            }
        }
        self.last.take()
    }
}

/// How many lanes run side by side.
pub(crate) const WIDTH: usize = 16;

/// Runs up to [`WIDTH`] chains to their ends.
pub(crate) fn run(cipher: &Sm4, lanes: &mut [Lane<'_>]) {
    debug_assert!(lanes.len() <= WIDTH);
    cipher.bulk().encrypt_with_backend(Run(lanes));
}

struct Run<'a, 'd>(&'a mut [Lane<'d>]);

impl BlockSizeUser for Run<'_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Run<'_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut batch = [Block::default(); WIDTH];
        let mut whose = [0; WIDTH];
        loop {
            let mut count = 0;
            for (i, lane) in self.0.iter_mut().enumerate() {
                if let Some(block) = lane.next() {
                    batch[count] = xor(&lane.state, &block);
                    whose[count] = i;
                    count += 1;
                }
            }
            if count == 0 {
                return;
            }
            backend.encrypt_tail_blocks(InOutBuf::from(&mut batch[..count]));
            for (block, &i) in batch[..count].iter().zip(&whose) {
                self.0[i].state = *block;
            }
        }
    }
}
