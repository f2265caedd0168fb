//! The one loop of all modes that work on many blocks at once.
//!
//! Every such mode is the cipher between two sums, and what is added is known before the cipher is
//! called: a counter block, a tweak, the ciphertext block before. These *masks* are written for a
//! whole batch, so that the code that makes them and the sums are loops over neighbouring bytes,
//! compiled with the target features of the cipher's backend.

use cipher::{
    BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut, InOutBuf,
    array::{Array, ArraySize},
    consts::U16,
    typenum::Unsigned,
};
use sm4::Sm4;

use crate::block::{Aligned, Block, FEW, Quad, xor};

/// What masks are for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Masking {
    /// `output = input + cipher(mask)`
    KeyStream,
    /// `output = cipher(input) + mask`
    Output,
    /// `output = cipher(input + mask) + mask`
    Both,
}

/// A mode of operation, as the loop sees it.
pub(crate) trait Mode {
    const MASKING: Masking;

    /// Writes the masks of the next `count` blocks to the beginning of `masks`; what it writes
    /// beyond them does not matter. `input` has `count` blocks, or one less if the last block is
    /// incomplete.
    fn masks(&mut self, input: &[Block], count: usize, masks: &mut [Quad]);
}

/// One direction of a cipher.
pub(crate) trait Pass {
    /// Blocks that make a full batch.
    type Width: ArraySize;

    fn batch(&self, blocks: InOut<'_, '_, Array<Block, Self::Width>>);
    fn tail(&self, blocks: InOutBuf<'_, '_, Block>);
}

pub(crate) struct Encryption<'a, B>(pub(crate) &'a B);
pub(crate) struct Decryption<'a, B>(pub(crate) &'a B);

impl<B: BlockCipherEncBackend<BlockSize = U16>> Pass for Encryption<'_, B> {
    type Width = B::ParBlocksSize;

    #[inline(always)]
    fn batch(&self, blocks: InOut<'_, '_, Array<Block, Self::Width>>) {
        self.0.encrypt_par_blocks(blocks);
    }

    #[inline(always)]
    fn tail(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.encrypt_tail_blocks(blocks);
    }
}

impl<B: BlockCipherDecBackend<BlockSize = U16>> Pass for Decryption<'_, B> {
    type Width = B::ParBlocksSize;

    #[inline(always)]
    fn batch(&self, blocks: InOut<'_, '_, Array<Block, Self::Width>>) {
        self.0.decrypt_par_blocks(blocks);
    }

    #[inline(always)]
    fn tail(&self, blocks: InOutBuf<'_, '_, Block>) {
        self.0.decrypt_tail_blocks(blocks);
    }
}

/// The closure that takes a mode and its data to the cipher's backend.
pub(crate) struct Run<'a, 'i, 'o, M> {
    mode: &'a mut M,
    blocks: InOutBuf<'i, 'o, Block>,
    end: InOutBuf<'i, 'o, u8>,
    key_stream: &'a mut Block,
}

/// Encrypts blocks and an incomplete last one (with a key stream); returns the key stream of the
/// latter.
#[inline(always)]
pub(crate) fn encrypt<M: Mode>(
    cipher: &Sm4,
    mode: &mut M,
    blocks: InOutBuf<'_, '_, Block>,
    end: InOutBuf<'_, '_, u8>,
) -> Block {
    let mut key_stream = Block::default();
    cipher.bulk().encrypt_with_backend(Run {
        mode,
        blocks,
        end,
        key_stream: &mut key_stream,
    });
    key_stream
}

/// Decrypts blocks.
#[inline(always)]
pub(crate) fn decrypt<M: Mode>(cipher: &Sm4, mode: &mut M, blocks: InOutBuf<'_, '_, Block>) {
    cipher.bulk().decrypt_with_backend(Run {
        mode,
        blocks,
        end: no_end(),
        key_stream: &mut Block::default(),
    });
}

/// For data that consists of whole blocks.
#[inline(always)]
pub(crate) fn no_end<'a>() -> InOutBuf<'a, 'a, u8> {
    let end: &mut [u8] = &mut [];
    end.into()
}

impl<M> BlockSizeUser for Run<'_, '_, '_, M> {
    type BlockSize = U16;
}

impl<M: Mode> BlockCipherEncClosure for Run<'_, '_, '_, M> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        *self.key_stream = run(&Encryption(backend), self.mode, self.blocks, self.end);
    }
}

impl<M: Mode> BlockCipherDecClosure for Run<'_, '_, '_, M> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        run(&Decryption(backend), self.mode, self.blocks, self.end);
    }
}

/// Runs the cipher over blocks: full batches, and what is left in one piece.
#[inline(always)]
pub(crate) fn cipher<P: Pass>(pass: &P, blocks: InOutBuf<'_, '_, Block>) {
    let (batches, tail) = blocks.into_chunks();
    for batch in batches {
        pass.batch(batch);
    }
    if !tail.is_empty() {
        pass.tail(tail);
    }
}

/// Runs a mode over all blocks and an incomplete last one, and returns the latter's key stream (if
/// there is an incomplete block; this is for modes with a key stream only).
#[inline(always)]
pub(crate) fn run<P: Pass, M: Mode>(
    pass: &P,
    mode: &mut M,
    blocks: InOutBuf<'_, '_, Block>,
    end: InOutBuf<'_, '_, u8>,
) -> Block {
    if blocks.len() + usize::from(!end.is_empty()) <= FEW {
        let mut masks = Aligned([Quad::default(); FEW / 4]);
        return step(pass, mode, blocks, end, &mut masks.0);
    }
    const { assert!(P::Width::USIZE.is_multiple_of(4)) };
    let mut masks = Aligned(Array::<Block, P::Width>::default());
    let (masks, _) = masks.0.as_chunks_mut();
    let mut rest = blocks;
    while rest.len() >= P::Width::USIZE {
        let (batch, after) = rest.split_at(P::Width::USIZE);
        step(pass, mode, batch, no_end(), masks);
        rest = after;
    }
    step(pass, mode, rest, end, masks)
}

/// One batch.
#[inline(always)]
fn step<P: Pass, M: Mode>(
    pass: &P,
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
    mode.masks(blocks.get_in(), count, masks);
    let masks = &mut masks.as_flattened_mut()[..count];
    match M::MASKING {
        Masking::KeyStream => {
            cipher(pass, (&mut *masks).into());
            xor(blocks, &masks[..full]);
            if count > full {
                let key_stream = masks[full];
                let len = end.len();
                end.xor_in2out(&key_stream[..len]);
                return key_stream;
            }
        }
        Masking::Output => {
            cipher(pass, blocks.reborrow());
            xor(blocks.get_out().into(), masks);
        }
        Masking::Both => {
            xor(blocks.reborrow(), masks);
            cipher(pass, blocks.get_out().into());
            xor(blocks.get_out().into(), masks);
        }
    }
    Block::default()
}

#[cfg(test)]
mod tests {
    use cipher::{
        ParBlocksSizeUser,
        consts::{U4, U8, U64, U128},
    };

    use super::*;

    /// A "cipher" with batches of any width, which adds its key to every byte.
    struct Adding<W>(u8, core::marker::PhantomData<W>);

    impl<W> BlockSizeUser for Adding<W> {
        type BlockSize = U16;
    }

    impl<W: ArraySize> ParBlocksSizeUser for Adding<W> {
        type ParBlocksSize = W;
    }

    impl<W: ArraySize> BlockCipherEncBackend for Adding<W> {
        fn encrypt_block(&self, mut block: InOut<'_, '_, Block>) {
            let mut bytes = *block.get_in();
            for byte in &mut bytes {
                *byte = byte.wrapping_add(self.0);
            }
            *block.get_out() = bytes;
        }
    }

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
        let backend = Adding::<W>(0x5b, core::marker::PhantomData);
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
            run(
                &Encryption(&backend),
                &mut Numbers::<MASKING>(0),
                blocks,
                end,
            );
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
