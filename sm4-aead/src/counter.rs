//! Counter blocks: where in the block the counter is.

use crate::block::Block;

/// A counter block that is ready to be encrypted.
pub(crate) trait Counter {
    /// Writes this counter block and those that follow it, and advances past them.
    fn fill(&mut self, blocks: &mut [Block]);
}

/// Big-endian in the last four bytes, as in GCM: never carries beyond.
#[derive(Clone)]
pub(crate) struct Be32 {
    prefix: [u32; 3],
    counter: u32,
}

impl Be32 {
    pub(crate) fn new(block: &Block) -> Self {
        let word = |i: usize| [block[i], block[i + 1], block[i + 2], block[i + 3]];
        Self {
            prefix: [
                u32::from_ne_bytes(word(0)),
                u32::from_ne_bytes(word(4)),
                u32::from_ne_bytes(word(8)),
            ],
            counter: u32::from_be_bytes(word(12)),
        }
    }
}

impl Counter for Be32 {
    #[inline(always)]
    fn fill(&mut self, blocks: &mut [Block]) {
        let mut counter = self.counter;
        for block in blocks {
            block[0..4].copy_from_slice(&self.prefix[0].to_ne_bytes());
            block[4..8].copy_from_slice(&self.prefix[1].to_ne_bytes());
            block[8..12].copy_from_slice(&self.prefix[2].to_ne_bytes());
            block[12..16].copy_from_slice(&counter.to_be_bytes());
            counter = counter.wrapping_add(1);
        }
        self.counter = counter;
    }
}
