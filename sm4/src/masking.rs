//! Blocks with something added to them before or after the cipher, which is what most modes are.
//!
//! The widest kernels of most backends do it while the blocks are in registers anyway; else it is a
//! pass over them before and after.

use cipher::{
    Block, BlockCipherDecBackend, BlockCipherEncBackend, BlockSizeUser, InOutBuf,
    array::Array,
    consts::{U4, U16},
};

use crate::{CounterBlocks, Sm4};

/// Where masks are added; `+` is XOR.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masking {
    /// `output = input + cipher(mask)`: a key stream.
    KeyStream,
    /// `output = cipher(input) + mask`: as in the decryption of CBC.
    Output,
    /// `output = cipher(input + mask) + mask`: as in XTS and OCB.
    Both,
}

/// A backend of [`Bulk`](crate::Bulk): those of the `cipher` crate for both directions, and masks.
pub trait BulkBackend:
    BlockCipherEncBackend<BlockSize = U16> + BlockCipherDecBackend<BlockSize = U16>
{
    /// Encrypts blocks with masks, of which there are equally many. It is fastest for
    /// `ParBlocksSize` of them, or half as many. What the masks are afterwards is not defined.
    ///
    /// # Panics
    /// If there are not as many masks as blocks.
    #[inline(always)]
    fn encrypt_masked(
        &self,
        masking: Masking,
        masks: &mut [Block<Sm4>],
        blocks: InOutBuf<'_, '_, Block<Sm4>>,
    ) {
        masked(masking, masks, blocks, |blocks| {
            self.encrypt_tail_blocks(blocks);
        });
    }

    /// Adds the key stream of CTR mode to blocks: `output = input + cipher(counter block)`. That is
    /// faster than to write the counter blocks and to add [masks](Masking::KeyStream), but works only
    /// for `ParBlocksSize` blocks, or half as many, and not with every backend: returns whether it was
    /// done. If not, nothing has happened.
    #[inline(always)]
    #[must_use]
    fn add_key_stream(
        &self,
        _counters: &CounterBlocks,
        _blocks: InOutBuf<'_, '_, Block<Sm4>>,
    ) -> bool {
        false
    }

    /// Decrypts blocks with masks: see [`encrypt_masked`](Self::encrypt_masked).
    ///
    /// # Panics
    /// If there are not as many masks as blocks.
    #[inline(always)]
    fn decrypt_masked(
        &self,
        masking: Masking,
        masks: &mut [Block<Sm4>],
        blocks: InOutBuf<'_, '_, Block<Sm4>>,
    ) {
        masked(masking, masks, blocks, |blocks| {
            self.decrypt_tail_blocks(blocks);
        });
    }
}

/// Something to be done with a [`BulkBackend`]: what `BlockCipherEncClosure` is for the backends of
/// the `cipher` crate. Where [`call`](Self::call) is `#[inline(always)]`, it is compiled with the
/// target features of each backend.
pub trait BulkClosure: BlockSizeUser<BlockSize = U16> {
    /// Is called with the backend of the key.
    fn call<B: BulkBackend>(self, backend: &B);
}

/// One pass for each sum and one for the cipher.
#[inline(always)]
pub(crate) fn masked(
    masking: Masking,
    masks: &mut [Block<Sm4>],
    mut blocks: InOutBuf<'_, '_, Block<Sm4>>,
    cipher: impl FnOnce(InOutBuf<'_, '_, Block<Sm4>>),
) {
    assert_eq!(masks.len(), blocks.len());
    match masking {
        Masking::KeyStream => {
            cipher((&mut *masks).into());
            xor(blocks, masks);
        }
        Masking::Output => {
            cipher(blocks.reborrow());
            xor(blocks.get_out().into(), masks);
        }
        Masking::Both => {
            xor(blocks.reborrow(), masks);
            cipher(blocks.get_out().into());
            xor(blocks.get_out().into(), masks);
        }
    }
}

/// Adds the masks to the blocks, of which there are equally many.
#[doc(hidden)]
#[inline(always)]
pub fn xor(blocks: InOutBuf<'_, '_, Block<Sm4>>, masks: &[Block<Sm4>]) {
    // Four at a time, so that the compiler makes vectors of it
    let (quads, rest) = blocks.into_chunks::<U4>();
    let (mask_quads, mask_rest) = Array::<Block<Sm4>, U4>::slice_as_chunks(masks);
    for (mut quad, mask) in quads.into_iter().zip(mask_quads) {
        quad.xor_in2out(mask);
    }
    for (mut block, mask) in rest.into_iter().zip(mask_rest) {
        block.xor_in2out(mask);
    }
}
