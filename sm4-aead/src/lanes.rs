//! Several chains side by side: what is serial in each of them runs in parallel for all.

use aead::{
    array::Array,
    consts::{U16, U48},
    inout::InOutBuf,
};
use sm4::{
    Bulk, Sm4,
    cipher::{BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser},
};
use sm4_modes::shared::{Block, FEW, Subkeys, padded, sum};

use crate::{batch::batches, many::GROUP};

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

impl<'d> Lane<'d> {
    /// The chain of CMAC over data (of at least one byte, unless it begins with the state 0), up to
    /// the MAC.
    #[inline]
    pub(crate) fn cmac(subkeys: &Subkeys, state: Block, data: &'d [u8]) -> Self {
        let (blocks, last) = data.split_at(data.len().saturating_sub(1) / 16 * 16);
        Self {
            state,
            data: [blocks, &[]],
            last: Some(subkeys.last(last)),
            ..Self::default()
        }
    }

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

impl Lane<'_> {
    /// The rest of the chain.
    #[inline(always)]
    fn finish(&mut self, cipher: Bulk<'_>, state: &mut Block) {
        for block in &mut self.first {
            cipher.cbc_mac_blocks(state, block.take().as_slice());
        }
        for data in &mut self.data {
            let (blocks, end) = Block::slice_as_chunks(core::mem::take(data));
            cipher.cbc_mac_blocks(state, blocks);
            if !end.is_empty() {
                cipher.cbc_mac_blocks(state, &[padded(end)]);
            }
        }
        cipher.cbc_mac_blocks(state, self.last.take().as_slice());
    }
}

/// As many lanes as there are ever at once: three for each of a group of messages.
const MOST: usize = 3 * GROUP;
type Most = Array<Block, U48>;

/// Runs the chains to their ends.
pub(crate) fn run(cipher: &Sm4, lanes: &mut [Lane<'_>]) {
    debug_assert!(lanes.len() <= MOST);
    let cipher = cipher.bulk();
    cipher.encrypt_with_backend(Run { cipher, lanes });
}

struct Run<'a, 'd> {
    cipher: Bulk<'a>,
    lanes: &'a mut [Lane<'d>],
}

impl BlockSizeUser for Run<'_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Run<'_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        batches!(self.lanes.len() <= FEW, Most => batch);
        self.run(backend, batch);
    }
}

impl Run<'_, '_> {
    #[inline(always)]
    fn run<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B, batch: &mut [Block]) {
        let mut whose = [0_u8; MOST];
        let mut count;
        loop {
            count = 0;
            for (i, lane) in (0..).zip(self.lanes.iter_mut()) {
                if let Some(block) = lane.next() {
                    batch[count] = sum(&lane.state, &block);
                    whose[count] = i;
                    count += 1;
                }
            }
            if count <= 1 {
                break;
            }
            backend.encrypt_tail_blocks(InOutBuf::from(&mut batch[..count]));
            for (block, &i) in batch[..count].iter().zip(&whose) {
                self.lanes[usize::from(i)].state = *block;
            }
        }
        // At most one is left, and its next block is in the batch already.
        if count == 1 {
            let lane = &mut self.lanes[usize::from(whose[0])];
            let mut state = Block::default();
            self.cipher.cbc_mac_blocks(&mut state, &batch[..1]);
            lane.finish(self.cipher, &mut state);
            lane.state = state;
        }
    }
}
