//! What is compiled into its callers: a loop around the kernel for one block, and all feedback.

pub mod planted;

use sm4::{
    Sm4,
    cipher::{
        Block, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser,
        consts::U16,
    },
};

/// One block after the other, as in CBC encryption.
struct Serial<'a>(&'a mut [Block<Sm4>]);

impl BlockSizeUser for Serial<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Serial<'_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut previous = Block::<Sm4>::default();
        for block in self.0 {
            for (byte, previous) in block.iter_mut().zip(&previous) {
                *byte ^= previous;
            }
            backend.encrypt_block(block.into());
            previous = *block;
        }
    }
}

pub fn serial(sm4: &Sm4, blocks: &mut [Block<Sm4>]) {
    sm4.encrypt_with_backend(Serial(blocks));
}

pub fn feedback(sm4: &Sm4, state: &mut Block<Sm4>, blocks: &mut [Block<Sm4>]) {
    sm4.bulk().cbc_mac_blocks(state, blocks);
    sm4.bulk().cbc_encrypt_blocks(state, (&mut *blocks).into());
    sm4.bulk().cfb_encrypt_blocks(state, (&mut *blocks).into());
    sm4.bulk().ofb_blocks(state, blocks.into());
}
