//! The one loop of all modes that work on many blocks at once.
//!
//! Every such mode is the cipher between two sums, and what is added is known before the cipher is
//! called: a counter block, a tweak, the ciphertext block before. These *masks* are written for a
//! whole batch, so that the code that makes them and the sums are loops over neighbouring bytes,
//! compiled with the target features of the cipher's backend.

use core::marker::PhantomData;

use cipher::{BlockSizeUser, InOutBuf, ParBlocks, consts::U16, typenum::Unsigned};
use sm4::{BulkBackend, BulkClosure, Masking, Sm4};

use crate::block::{Aligned, Block, FEW, Quad};

/// A mode of operation, as the loop sees it.
pub(crate) trait Mode {
    const MASKING: Masking;

    /// Writes the masks of the next `count` blocks to the beginning of `masks`; what it writes
    /// beyond them does not matter. `input` has `count` blocks, or one less if the last block is
    /// incomplete.
    fn masks(&mut self, input: &[Block], count: usize, masks: &mut [Quad]);

    /// Encrypts blocks without masks in memory, if mode and backend can do it for so many; returns
    /// whether that was done.
    #[inline(always)]
    fn without_masks<B: BulkBackend>(
        &mut self,
        _backend: &B,
        _blocks: InOutBuf<'_, '_, Block>,
    ) -> bool {
        false
    }
}

/// One direction of the cipher.
pub(crate) trait Direction {
    /// Encrypts or decrypts any number of blocks.
    fn blocks<B: BulkBackend>(backend: &B, blocks: InOutBuf<'_, '_, Block>);

    /// The same with masks.
    fn masked<B: BulkBackend>(
        backend: &B,
        masking: Masking,
        masks: &mut [Block],
        blocks: InOutBuf<'_, '_, Block>,
    );
}

#[derive(Debug)]
pub(crate) enum Encryption {}

#[derive(Debug)]
pub(crate) enum Decryption {}

impl Direction for Encryption {
    #[inline(always)]
    fn blocks<B: BulkBackend>(backend: &B, blocks: InOutBuf<'_, '_, Block>) {
        backend.encrypt_tail_blocks(blocks);
    }

    #[inline(always)]
    fn masked<B: BulkBackend>(
        backend: &B,
        masking: Masking,
        masks: &mut [Block],
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        backend.encrypt_masked(masking, masks, blocks);
    }
}

impl Direction for Decryption {
    #[inline(always)]
    fn blocks<B: BulkBackend>(backend: &B, blocks: InOutBuf<'_, '_, Block>) {
        backend.decrypt_tail_blocks(blocks);
    }

    #[inline(always)]
    fn masked<B: BulkBackend>(
        backend: &B,
        masking: Masking,
        masks: &mut [Block],
        blocks: InOutBuf<'_, '_, Block>,
    ) {
        backend.decrypt_masked(masking, masks, blocks);
    }
}

/// The closure that takes a mode and its data to the cipher's backend.
struct Run<'a, 'i, 'o, M, D> {
    mode: &'a mut M,
    blocks: InOutBuf<'i, 'o, Block>,
    end: InOutBuf<'i, 'o, u8>,
    key_stream: &'a mut Block,
    direction: PhantomData<D>,
}

/// Encrypts or decrypts blocks and an incomplete last one (with a key stream); returns the key
/// stream of the latter.
#[inline(always)]
pub(crate) fn crypt<D: Direction, M: Mode>(
    cipher: &Sm4,
    mode: &mut M,
    blocks: InOutBuf<'_, '_, Block>,
    end: InOutBuf<'_, '_, u8>,
) -> Block {
    let mut key_stream = Block::default();
    cipher.bulk().run(Run {
        mode,
        blocks,
        end,
        key_stream: &mut key_stream,
        direction: PhantomData::<D>,
    });
    key_stream
}

/// Encrypts blocks and an incomplete last one: see [`crypt`].
#[inline(always)]
pub(crate) fn encrypt<M: Mode>(
    cipher: &Sm4,
    mode: &mut M,
    blocks: InOutBuf<'_, '_, Block>,
    end: InOutBuf<'_, '_, u8>,
) -> Block {
    crypt::<Encryption, M>(cipher, mode, blocks, end)
}

/// Decrypts blocks.
#[inline(always)]
pub(crate) fn decrypt<M: Mode>(cipher: &Sm4, mode: &mut M, blocks: InOutBuf<'_, '_, Block>) {
    crypt::<Decryption, M>(cipher, mode, blocks, no_end());
}

/// For data that consists of whole blocks.
#[inline(always)]
pub(crate) fn no_end<'a>() -> InOutBuf<'a, 'a, u8> {
    let end: &mut [u8] = &mut [];
    end.into()
}

impl<M, D> BlockSizeUser for Run<'_, '_, '_, M, D> {
    type BlockSize = U16;
}

impl<M: Mode, D: Direction> BulkClosure for Run<'_, '_, '_, M, D> {
    #[inline(always)]
    fn call<B: BulkBackend>(self, backend: &B) {
        *self.key_stream = run::<D, B, M>(backend, self.mode, self.blocks, self.end);
    }
}

/// Runs a mode over all blocks and an incomplete last one, and returns the latter's key stream (if
/// there is an incomplete block; this is for modes with a key stream only).
#[inline(always)]
pub(crate) fn run<D: Direction, B: BulkBackend, M: Mode>(
    backend: &B,
    mode: &mut M,
    blocks: InOutBuf<'_, '_, Block>,
    end: InOutBuf<'_, '_, u8>,
) -> Block {
    if blocks.len() + usize::from(!end.is_empty()) <= FEW {
        let mut masks = Aligned([Quad::default(); FEW / 4]);
        return step::<D, B, M>(backend, mode, blocks, end, &mut masks.0);
    }
    const { assert!(B::ParBlocksSize::USIZE.is_multiple_of(4)) };
    let mut masks = Aligned(ParBlocks::<B>::default());
    let (masks, _) = masks.0.as_chunks_mut();
    let mut rest = blocks;
    while rest.len() >= B::ParBlocksSize::USIZE {
        let (batch, after) = rest.split_at(B::ParBlocksSize::USIZE);
        step::<D, B, M>(backend, mode, batch, no_end(), masks);
        rest = after;
    }
    step::<D, B, M>(backend, mode, rest, end, masks)
}

/// One batch.
#[inline(always)]
fn step<D: Direction, B: BulkBackend, M: Mode>(
    backend: &B,
    mode: &mut M,
    mut blocks: InOutBuf<'_, '_, Block>,
    mut end: InOutBuf<'_, '_, u8>,
    masks: &mut [Quad],
) -> Block {
    let full = blocks.len();
    let count = full + usize::from(!end.is_empty());
    if count == 0 {
        return Block::default();
    }
    if full > FEW && count == full && mode.without_masks(backend, blocks.reborrow()) {
        return Block::default();
    }
    mode.masks(blocks.get_in(), count, masks);
    let masks = &mut masks.as_flattened_mut()[..count];
    if count == full {
        D::masked(backend, M::MASKING, masks, blocks);
        return Block::default();
    }
    debug_assert!(M::MASKING == Masking::KeyStream);
    D::blocks(backend, (&mut *masks).into());
    sm4::xor(blocks, &masks[..full]);
    let key_stream = masks[full];
    let len = end.len();
    end.xor_in2out(&key_stream[..len]);
    key_stream
}

#[cfg(test)]
mod tests {
    use cipher::{
        BlockCipherDecBackend, BlockCipherEncBackend, InOut, ParBlocksSizeUser,
        array::ArraySize,
        consts::{U4, U8, U64, U128},
    };

    use super::*;

    /// A "cipher" with batches of any width, which adds its key to every byte.
    struct Adding<W>(u8, PhantomData<W>);

    impl<W> BlockSizeUser for Adding<W> {
        type BlockSize = U16;
    }

    impl<W: ArraySize> ParBlocksSizeUser for Adding<W> {
        type ParBlocksSize = W;
    }

    impl<W: ArraySize> BlockCipherEncBackend for Adding<W> {
        fn encrypt_block(&self, mut block: InOut<'_, '_, Block>) {
            let sum = block.get_in().map(|byte| byte.wrapping_add(self.0));
            *block.get_out() = sum;
        }

        fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
            for block in blocks {
                self.encrypt_block(block);
            }
        }
    }

    impl<W: ArraySize> BlockCipherDecBackend for Adding<W> {
        fn decrypt_block(&self, mut block: InOut<'_, '_, Block>) {
            let sum = block.get_in().map(|byte| byte.wrapping_sub(self.0));
            *block.get_out() = sum;
        }

        fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block>) {
            for block in blocks {
                self.decrypt_block(block);
            }
        }
    }

    impl<W: ArraySize> BulkBackend for Adding<W> {}

    /// Block number `n` has the mask `n`.
    struct Numbers<const MASKING: u8>(u8);

    impl<const MASKING: u8> Mode for Numbers<MASKING> {
        const MASKING: Masking = match MASKING {
            0 => Masking::KeyStream,
            1 => Masking::Output,
            _ => Masking::Both,
        };

        fn masks(&mut self, input: &[Block], count: usize, masks: &mut [Quad]) {
            assert!(input.len() == count || input.len() + 1 == count);
            for mask in &mut masks.as_flattened_mut()[..count] {
                *mask = [self.0; 16].into();
                self.0 = self.0.wrapping_add(1);
            }
        }
    }

    fn check<W: ArraySize, const MASKING: u8>(expected: impl Fn(u8, u8) -> u8) {
        let backend = Adding::<W>(0x5b, PhantomData);
        let mut input = [0; 16 * 300];
        for (i, byte) in input.iter_mut().enumerate() {
            *byte = (i * 7 % 251).to_le_bytes()[0];
        }
        for count in 0..300 {
            let mut output = [0; 16 * 300];
            let end = if MASKING == 0 { count % 16 } else { 0 };
            let len = 16 * count + end;
            let data = InOutBuf::new(&input[..len], &mut output[..len]).expect("equal lengths");
            let (blocks, end) = data.into_chunks();
            let mut mode = Numbers::<MASKING>(0);
            run::<Encryption, _, _>(&backend, &mut mode, blocks, end);
            for (i, (input, output)) in input.iter().zip(&output).enumerate() {
                let number = (i / 16).to_le_bytes()[0];
                let expected = if i < len { expected(*input, number) } else { 0 };
                assert_eq!(*output, expected, "byte {i} of {count} blocks");
            }
        }
    }

    fn check_all<W: ArraySize>() {
        check::<W, 0>(|input, mask| input ^ mask.wrapping_add(0x5b));
        check::<W, 1>(|input, mask| input.wrapping_add(0x5b) ^ mask);
        check::<W, 2>(|input, mask| (input ^ mask).wrapping_add(0x5b) ^ mask);
    }

    #[test]
    fn batches_of_any_width() {
        check_all::<U4>();
        check_all::<U8>();
        check_all::<U16>();
        check_all::<U64>();
        check_all::<U128>();
    }
}
