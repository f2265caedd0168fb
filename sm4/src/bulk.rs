//! The same key for callers that work on large batches.

use cipher::{
    BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure, BlockCipherEncrypt,
    BlockSizeUser, consts::U16,
};

use crate::{
    Sm4,
    engine::{Call, Decrypt, Encrypt, Widest},
};

/// A key of [`Sm4`] with the widest kernels: see [`Sm4::bulk`].
///
/// Its `ParBlocksSize` is that of the widest kernel the backend has, and `encrypt_tail_blocks` and
/// `decrypt_tail_blocks` do any smaller number of blocks by the narrowest kernel that fits. Callers
/// should always hand over what is left in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Bulk<'a>(pub(crate) &'a Sm4);

impl BlockSizeUser for Bulk<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncrypt for Bulk<'_> {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        // SAFETY: a key's backend is available
        unsafe {
            self.0
                .backend
                .visit(Encrypt::<_, Widest>(Call::new(&self.0.keys, f)));
        }
    }
}

impl BlockCipherDecrypt for Bulk<'_> {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        // SAFETY: a key's backend is available
        unsafe {
            self.0
                .backend
                .visit(Decrypt::<_, Widest>(Call::new(&self.0.keys, f)));
        }
    }
}
