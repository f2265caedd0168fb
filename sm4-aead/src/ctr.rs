//! Counter mode, with a MAC over one of the two texts in the same pass: the loop of all modes here
//! that count.

use core::marker::PhantomData;

use aead::{consts::U16, inout::InOutBuf};
use sm4::{
    Bulk, BulkBackend, BulkClosure, Masking,
    cipher::{BlockCipherEncrypt, BlockSizeUser, ParBlocks, array::Array},
};
use sm4_modes::{
    counter::Flavour,
    shared::{self, Block, FEW},
};

use crate::batch::batches;

/// Which text the MAC is made over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Text {
    /// What goes in.
    Input,
    /// What comes out.
    Output,
}

/// A MAC that takes its data along with the encryption. Those that are made of the block cipher
/// find it in `cipher`.
pub(crate) trait Mac {
    /// A block to be encrypted together with the first blocks of the key stream, which costs
    /// nothing. It comes back with [`begin`](Self::begin), before any data.
    #[inline(always)]
    fn companion(&mut self) -> Option<Block> {
        None
    }

    /// Takes the encrypted companion.
    #[inline(always)]
    fn begin(&mut self, _cipher: Bulk<'_>, _companion: &Block) {}

    /// Takes data of any length.
    fn update(&mut self, cipher: Bulk<'_>, data: &[u8]);
}

/// No MAC.
pub(crate) struct NoMac;

impl Mac for NoMac {
    #[inline(always)]
    fn update(&mut self, _: Bulk<'_>, _: &[u8]) {}
}

/// The encrypted counter blocks, taken in pieces of any length.
#[derive(Clone)]
pub(crate) struct KeyStream<F> {
    next: Block,
    flavour: PhantomData<F>,
    /// The block before the key stream proper, which masks the tag.
    mask: Mask,
    /// The last block, of which some bytes may be left.
    block: Block,
    /// How many bytes of the block have been used; 0 if it is used up.
    used: usize,
}

#[derive(Clone, Copy)]
enum Mask {
    None,
    /// It is the next block.
    Next,
    /// It is left out for now; its counter block.
    LeftOut(Block),
    Known(Block),
}

impl<F: Flavour> KeyStream<F> {
    /// The stream begins with the encrypted counter block.
    #[inline]
    pub(crate) fn new(first: Block) -> Self {
        Self {
            next: first,
            flavour: PhantomData,
            mask: Mask::None,
            block: Block::default(),
            used: 0,
        }
    }

    /// The encrypted counter block is a mask for the tag; the stream begins with the next.
    #[inline]
    pub(crate) fn with_mask(first: Block) -> Self {
        let mut stream = Self::new(first);
        stream.mask = Mask::Next;
        stream
    }

    /// Encrypts or decrypts the next piece.
    #[inline]
    pub(crate) fn apply(
        &mut self,
        cipher: Bulk<'_>,
        data: InOutBuf<'_, '_, u8>,
        text: Text,
        mac: &mut impl Mac,
    ) {
        cipher.run(Apply {
            cipher,
            stream: self,
            data,
            text,
            mac,
        });
    }

    /// Whether the next block of it is the mask.
    #[inline(always)]
    fn wants_mask(&self) -> bool {
        matches!(self.mask, Mask::Next)
    }

    /// Goes on behind the mask, which is encrypted later.
    #[inline(always)]
    fn leave_out_mask(&mut self) {
        if let Mask::Next = self.mask {
            let mut counter = Block::default();
            self.fill(core::slice::from_mut(&mut counter));
            self.mask = Mask::LeftOut(counter);
        }
    }

    /// How many blocks are to be encrypted for so many bytes.
    #[inline(always)]
    pub(crate) fn blocks_for(&self, len: usize) -> usize {
        usize::from(self.wants_mask()) + len.div_ceil(16)
    }

    /// The counter block of the mask that has been left out.
    #[inline(always)]
    fn left_out_mask(&self) -> Option<Block> {
        match self.mask {
            Mask::LeftOut(counter) => Some(counter),
            _ => None,
        }
    }

    /// Writes the next counter blocks.
    #[inline(always)]
    pub(crate) fn fill(&mut self, blocks: &mut [Block]) {
        F::fill(&self.next, blocks);
        self.next = F::at(&self.next, blocks.len() as u128);
    }

    /// Takes the mask from the encrypted blocks if it is among them.
    #[inline(always)]
    fn take_mask<'b>(&mut self, blocks: &'b [Block]) -> &'b [Block] {
        match (&self.mask, blocks) {
            (Mask::Next, [mask, blocks @ ..]) => {
                self.mask = Mask::Known(*mask);
                blocks
            }
            _ => blocks,
        }
    }

    /// Takes the mask from the encrypted blocks and applies the others to the beginning of the data.
    /// Returns how many bytes that are.
    #[inline(always)]
    pub(crate) fn xor(&mut self, blocks: &[Block], data: &mut [u8]) -> usize {
        let blocks = self.take_mask(blocks);
        let len = data.len().min(16 * blocks.len());
        let key_stream = &Array::slice_as_flattened(blocks)[..len];
        apply_key_stream((&mut data[..len]).into(), key_stream);
        len
    }

    /// The mask for the tag.
    #[inline]
    pub(crate) fn mask(&mut self, cipher: Bulk<'_>) -> Block {
        self.leave_out_mask();
        if let Mask::LeftOut(mut mask) = self.mask {
            cipher.encrypt_block(&mut mask);
            self.mask = Mask::Known(mask);
        }
        self.known_mask()
    }

    /// The mask for the tag, if blocks have been encrypted.
    #[inline]
    pub(crate) fn known_mask(&self) -> Block {
        match self.mask {
            Mask::Known(mask) => mask,
            Mask::None | Mask::Next | Mask::LeftOut(_) => Block::default(),
        }
    }
}

/// The pass over the next piece of the message.
struct Apply<'a, 'i, 'o, F, M> {
    cipher: Bulk<'a>,
    stream: &'a mut KeyStream<F>,
    data: InOutBuf<'i, 'o, u8>,
    text: Text,
    mac: &'a mut M,
}

impl<F, M> BlockSizeUser for Apply<'_, '_, '_, F, M> {
    type BlockSize = U16;
}

impl<F: Flavour, M: Mac> BulkClosure for Apply<'_, '_, '_, F, M> {
    #[inline(always)]
    fn call<B: BulkBackend>(self, backend: &B) {
        batches!(self.data.len() < 16 * FEW, ParBlocks<B> => batch);
        self.run(backend, batch);
    }
}

impl<F: Flavour, M: Mac> Apply<'_, '_, '_, F, M> {
    #[inline(always)]
    fn run<B: BulkBackend>(self, backend: &B, batch: &mut [Block]) {
        let Self {
            cipher,
            stream,
            mut data,
            text,
            mac,
        } = self;

        if stream.used > 0 {
            let left = data.len().min(16 - stream.used);
            let (piece, rest) = data.split_at(left);
            xor(
                cipher,
                piece,
                &stream.block[stream.used..][..left],
                text,
                mac,
            );
            stream.used = (stream.used + left) % 16;
            data = rest;
        }

        let mut companion = mac.companion();
        loop {
            if 16 * batch.len() <= data.len() && companion.is_none() {
                // A full batch of nothing but key stream: the cipher adds it.
                stream.leave_out_mask();
                let (mut piece, rest) = data.split_at(16 * batch.len());
                if text == Text::Input {
                    mac.update(cipher, piece.get_in());
                }
                let (mut blocks, _) = piece.reborrow().into_chunks();
                let counters = F::counter_blocks(&stream.next);
                if backend.add_key_stream(&counters, blocks.reborrow()) {
                    stream.next = F::at(&stream.next, batch.len() as u128);
                } else {
                    stream.fill(batch);
                    backend.encrypt_masked(Masking::KeyStream, batch, blocks);
                }
                if text == Text::Output {
                    mac.update(cipher, piece.get_out());
                }
                data = rest;
                continue;
            }

            // What is left, and beside it what else there is to encrypt
            let left_out = stream.left_out_mask();
            let companions = usize::from(companion.is_some());
            let room = batch.len() - companions - usize::from(left_out.is_some());
            let count = stream.blocks_for(data.len()).min(room);
            if count + companions == 0 {
                return;
            }
            stream.fill(&mut batch[..count]);
            let mut all = count;
            for block in companion.iter().chain(&left_out) {
                batch[all] = *block;
                all += 1;
            }
            backend.encrypt_tail_blocks(InOutBuf::from(&mut batch[..all]));
            if companion.take().is_some() {
                mac.begin(cipher, &batch[count]);
            }
            if left_out.is_some() {
                stream.mask = Mask::Known(batch[all - 1]);
            }

            let blocks = stream.take_mask(&batch[..count]);
            let len = data.len().min(16 * blocks.len());
            let (piece, rest) = data.split_at(len);
            xor(
                cipher,
                piece,
                &Array::slice_as_flattened(blocks)[..len],
                text,
                mac,
            );
            if len % 16 > 0 {
                stream.block = blocks[len / 16];
                stream.used = len % 16;
            }
            data = rest;
        }
    }
}

#[inline(always)]
fn xor(
    cipher: Bulk<'_>,
    mut data: InOutBuf<'_, '_, u8>,
    key_stream: &[u8],
    text: Text,
    mac: &mut impl Mac,
) {
    if text == Text::Input {
        mac.update(cipher, data.get_in());
    }
    apply_key_stream(data.reborrow(), key_stream);
    if text == Text::Output {
        mac.update(cipher, data.get_out());
    }
}

/// XOR, also of an incomplete last block.
#[inline(always)]
fn apply_key_stream(data: InOutBuf<'_, '_, u8>, key_stream: &[u8]) {
    let (blocks, mut end) = data.into_chunks();
    let (key_blocks, key_end) = Block::slice_as_chunks(key_stream);
    shared::xor(blocks, key_blocks);
    end.xor_in2out(key_end);
}
