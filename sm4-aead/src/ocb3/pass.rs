//! The passes of OCB3 over many blocks at a time.

use aead::{consts::U16, inout::InOutBuf};
use sm4::{
    BulkBackend, BulkClosure, Masking,
    cipher::{BlockCipherEncBackend, BlockCipherEncClosure, BlockSizeUser, ParBlocks},
};
use sm4_modes::shared::{Block, FEW, sum, xor_all};

use super::{
    offsets::{Offsets, Table},
    padded_10,
};
use crate::batch::batches;

/// HASH (RFC 7253, section 4.1), together with the nonce block.
pub(super) struct Hash<'a> {
    pub(super) table: &'a Table,
    pub(super) data: &'a [u8],
    /// Is encrypted.
    pub(super) nonce: Option<&'a mut Block>,
    /// The sum to begin with, and in the end.
    pub(super) hash: &'a mut Block,
}

impl BlockSizeUser for Hash<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Hash<'_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        batches!(self.data.len() < 16 * FEW, ParBlocks<B> => batch);
        self.run(backend, batch);
    }
}

impl Hash<'_> {
    #[inline(always)]
    fn run<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B, batch: &mut [Block]) {
        let mut offsets = Offsets::new(Block::default());
        let (mut blocks, end) = Block::slice_as_chunks(self.data);
        let mut end = (!end.is_empty()).then_some(end);
        let mut nonce = self.nonce;
        let mut nonces = 0;
        if let Some(nonce) = &nonce {
            batch[0] = **nonce;
            nonces = 1;
        }
        loop {
            let count = blocks.len().min(batch.len() - nonces);
            let (now, later) = blocks.split_at(count);
            offsets.add(self.table, now, &mut batch[nonces..][..count]);
            blocks = later;
            let mut count = nonces + count;
            if blocks.is_empty()
                && count < batch.len()
                && let Some(end) = end.take()
            {
                let offset = sum(&offsets.current(self.table), &self.table.l_star);
                batch[count] = sum(&offset, &padded_10(end));
                count += 1;
            }
            if count == 0 {
                return;
            }
            backend.encrypt_tail_blocks(InOutBuf::from(&mut batch[..count]));
            if let Some(nonce) = nonce.take() {
                *nonce = batch[0];
            }
            *self.hash = sum(self.hash, &xor_all(&batch[nonces..count]));
            nonces = 0;
        }
    }
}

/// Encryption.
pub(super) struct Seal<'a, 'i, 'o> {
    pub(super) table: &'a Table,
    pub(super) offsets: &'a mut Offsets,
    pub(super) checksum: &'a mut Block,
    pub(super) blocks: InOutBuf<'i, 'o, Block>,
    /// If this is the end of the message: the incomplete last block, and the place for the tag
    /// without the associated data.
    pub(super) end: Option<(InOutBuf<'i, 'o, u8>, &'a mut Block)>,
}

impl BlockSizeUser for Seal<'_, '_, '_> {
    type BlockSize = U16;
}

impl BulkClosure for Seal<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BulkBackend>(self, backend: &B) {
        batches!(self.blocks.len() + 2 <= FEW, ParBlocks<B> => batch);
        self.run(backend, batch);
    }
}

impl Seal<'_, '_, '_> {
    #[inline(always)]
    fn run<B: BulkBackend>(self, backend: &B, batch: &mut [Block]) {
        let Self {
            table,
            offsets,
            checksum,
            mut blocks,
            mut end,
        } = self;
        loop {
            let whole = blocks.len().min(batch.len());
            let (mut now, later) = blocks.split_at(whole);
            blocks = later;
            if whole == batch.len() {
                offsets.fill(table, batch);
                *checksum = sum(checksum, &xor_all(now.get_in()));
                backend.encrypt_masked(Masking::Both, batch, now);
                continue;
            }
            let mut after = offsets.clone();
            after.add(table, now.get_in(), &mut batch[..whole]);
            *checksum = sum(checksum, &xor_all(now.get_in()));

            // The last blocks go along if there is room for both of them.
            let mut count = whole;
            let mut last = None;
            if blocks.is_empty()
                && whole + 2 <= batch.len()
                && let Some((end, tag)) = end.take()
            {
                let mut offset = after.current(table);
                if !end.is_empty() {
                    offset = sum(&offset, &table.l_star);
                    batch[count] = offset;
                    count += 1;
                    *checksum = sum(checksum, &padded_10(end.get_in()));
                }
                batch[count] = sum(checksum, &sum(&offset, &table.l_dollar));
                count += 1;
                last = Some((end, tag));
            }
            if count == 0 {
                return;
            }
            backend.encrypt_tail_blocks(InOutBuf::from(&mut batch[..count]));
            offsets.add(table, &batch[..whole], now.get_out());
            if let Some((mut end, tag)) = last {
                let len = end.len();
                end.xor_in2out(&batch[whole][..len]);
                *tag = batch[count - 1];
            }
        }
    }
}

/// Decryption of whole blocks.
pub(super) struct Open<'a, 'i, 'o> {
    pub(super) table: &'a Table,
    pub(super) offsets: &'a mut Offsets,
    pub(super) checksum: &'a mut Block,
    pub(super) blocks: InOutBuf<'i, 'o, Block>,
}

impl BlockSizeUser for Open<'_, '_, '_> {
    type BlockSize = U16;
}

impl BulkClosure for Open<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BulkBackend>(self, backend: &B) {
        batches!(self.blocks.len() <= FEW, ParBlocks<B> => batch);
        self.run(backend, batch);
    }
}

impl Open<'_, '_, '_> {
    #[inline(always)]
    fn run<B: BulkBackend>(self, backend: &B, batch: &mut [Block]) {
        let Self {
            table,
            offsets,
            checksum,
            mut blocks,
        } = self;
        while !blocks.is_empty() {
            let count = blocks.len().min(batch.len());
            let (mut now, later) = blocks.split_at(count);
            blocks = later;
            if count == batch.len() {
                offsets.fill(table, batch);
                backend.decrypt_masked(Masking::Both, batch, now.reborrow());
                *checksum = sum(checksum, &xor_all(now.get_out()));
                continue;
            }
            let batch = &mut batch[..count];
            offsets.clone().add(table, now.get_in(), batch);
            backend.decrypt_tail_blocks(InOutBuf::from(&mut *batch));
            offsets.add(table, batch, now.get_out());
            *checksum = sum(checksum, &xor_all(now.get_out()));
        }
    }
}
