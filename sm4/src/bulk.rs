//! The same key for callers that work on large batches.

use cipher::{
    Block, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure, BlockCipherEncrypt,
    BlockSizeUser, InOutBuf, consts::U16,
};

use crate::{
    Sm4,
    engine::{Decrypt, EitherDirection, Encrypt, Feed, Widest},
    feedback::{Cbc, CbcMac, Cfb, Feedback, Ofb},
    masking::BulkClosure,
};

/// A key of [`Sm4`] with the widest kernels: see [`Sm4::bulk`].
///
/// Its `ParBlocksSize` is that of the widest kernel the backend has, and `encrypt_tail_blocks` and
/// `decrypt_tail_blocks` do any number of blocks, what is left over by the narrowest kernel that fits. Callers
/// should always hand over what is left in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Bulk<'a>(pub(crate) &'a Sm4);

impl BlockSizeUser for Bulk<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncrypt for Bulk<'_> {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.0.call(Encrypt::<_, Widest>::new(f));
    }
}

impl BlockCipherDecrypt for Bulk<'_> {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.0.call(Decrypt::<_, Widest>::new(f));
    }
}

/// Masks, the building blocks of parallel modes. `+` is XOR here and below.
impl Bulk<'_> {
    /// Calls the closure with the backend of the key, which adds masks to the blocks while it encrypts
    /// or decrypts them.
    #[inline]
    pub fn run(&self, closure: impl BulkClosure) {
        self.0.call(EitherDirection::new(closure));
    }
}

/// Feedback, the building blocks of serial modes: every block waits for the one before it, and what
/// counts is the latency of the rounds. The state (16 bytes) stays in registers from one block to
/// the next, which is faster than encrypting block by block. Constant time, as all of this crate.
///
/// ```
/// use sm4::{Sm4, cipher::{BlockCipherEncrypt, KeyInit}};
///
/// let sm4 = Sm4::new(&[0x42; 16].into());
/// let (iv, mut blocks) = ([1; 16].into(), [[2; 16].into(), [3; 16].into()]);
/// let mut state = iv;
/// sm4.bulk().cbc_encrypt_blocks(&mut state, (&mut blocks[..]).into());
/// assert_eq!(state, blocks[1]);
///
/// let mut expected = [1 ^ 2; 16].into();
/// sm4.encrypt_block(&mut expected);
/// assert_eq!(blocks[0], expected);
/// ```
impl Bulk<'_> {
    /// CBC-MAC: `state = E(state + block)` for each block.
    #[inline]
    pub fn cbc_mac_blocks(&self, state: &mut Block<Self>, blocks: &[Block<Self>]) {
        if blocks.is_empty() {
            // The state would go through the domain and back for nothing.
            return;
        }
        self.feed(Feed::<CbcMac>::input(&self.0.keys, &mut state.0, blocks));
    }

    /// Encryption in CBC mode: `state = E(state + block)` for each block, and the new state
    /// replaces it.
    #[inline]
    pub fn cbc_encrypt_blocks(
        &self,
        state: &mut Block<Self>,
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) {
        self.feed(Feed::<Cbc>::inout(&self.0.keys, &mut state.0, blocks));
    }

    /// Encryption in CFB mode: `state = E(state) + block` for each block, and the new state
    /// replaces it.
    #[inline]
    pub fn cfb_encrypt_blocks(
        &self,
        state: &mut Block<Self>,
        blocks: InOutBuf<'_, '_, Block<Self>>,
    ) {
        self.feed(Feed::<Cfb>::inout(&self.0.keys, &mut state.0, blocks));
    }

    /// OFB mode: `state = E(state)` for each block, and the new state is added to it.
    #[inline]
    pub fn ofb_blocks(&self, state: &mut Block<Self>, blocks: InOutBuf<'_, '_, Block<Self>>) {
        self.feed(Feed::<Ofb>::inout(&self.0.keys, &mut state.0, blocks));
    }

    #[inline]
    fn feed<F: Feedback>(&self, feed: Feed<'_, F>) {
        // SAFETY: a key's backend is available
        unsafe { self.0.backend.visit(feed) };
    }
}
