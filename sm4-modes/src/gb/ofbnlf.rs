//! OFBNLF, output feedback with a non-linear function (GB/T 17964-2021): every block has a key of
//! its own.
//!
//! ```text
//! K_0 = IV     K_i = E(K, K_{i-1})     C_i = E(K_i, P_i)
//! ```

use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecBackend, BlockModeDecClosure,
    BlockModeEncBackend, BlockModeEncClosure, BlockSizeUser, InOut, InOutBuf, ParBlocksSizeUser,
    consts::{U1, U16},
};
use sm4::Sm4;

use crate::{
    block::Block,
    chained::{Chained, Decrypt, Encrypt, block_chain},
};

/// OFBNLF encryption of whole blocks, one after the other, each with a key schedule: 16-byte key,
/// 16-byte IV.
///
/// **Unauthenticated.** The IV must not be used twice with a key.
///
/// ```
/// use sm4_modes::{
///     Sm4OfbnlfDec, Sm4OfbnlfEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
/// };
///
/// let (key, iv) = ([1; 16].into(), [2; 16].into());
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4OfbnlfEnc::new(&key, &iv).encrypt_blocks(&mut blocks);
/// Sm4OfbnlfDec::new(&key, &iv).decrypt_blocks(&mut blocks);
/// assert_eq!(blocks[9], [3; 16]);
/// ```
pub type Sm4OfbnlfEnc = Chained<OfbnlfEnc>;

/// OFBNLF decryption of whole blocks, one after the other, each with a key schedule: 16-byte key,
/// 16-byte IV.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4OfbnlfDec, cipher::{BlockModeDecrypt, KeyIvInit}};
///
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4OfbnlfDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_blocks(&mut blocks);
/// ```
pub type Sm4OfbnlfDec = Chained<OfbnlfDec>;

block_chain! {
    /// The last block's key.
    OfbnlfEnc = "Sm4OfbnlfEnc";

    /// The last block's key.
    OfbnlfDec = "Sm4OfbnlfDec";
}

impl Encrypt for OfbnlfEnc {
    fn encrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        for block in blocks {
            next_key(cipher, &mut self.0).encrypt_block_inout(block);
        }
    }

    fn encrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeEncClosure<BlockSize = U16>) {
        f.call(&mut Backend(cipher, &mut self.0));
    }
}

impl Decrypt for OfbnlfDec {
    fn decrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        for block in blocks {
            next_key(cipher, &mut self.0).decrypt_block_inout(block);
        }
    }

    fn decrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeDecClosure<BlockSize = U16>) {
        f.call(&mut Backend(cipher, &mut self.0));
    }
}

/// The cipher for the next block, on the backend of the first.
fn next_key(cipher: &Sm4, key: &mut Block) -> Sm4 {
    cipher.encrypt_block(key);
    match Sm4::with_backend(key, cipher.backend()) {
        Ok(next) => next,
        Err(_) => unreachable!("a key's backend is available"),
    }
}

/// The cipher of the key and the last block's key.
struct Backend<'a>(&'a Sm4, &'a mut Block);

impl BlockSizeUser for Backend<'_> {
    type BlockSize = U16;
}

impl ParBlocksSizeUser for Backend<'_> {
    type ParBlocksSize = U1;
}

impl BlockModeEncBackend for Backend<'_> {
    fn encrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        next_key(self.0, self.1).encrypt_block_inout(block);
    }
}

impl BlockModeDecBackend for Backend<'_> {
    fn decrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        next_key(self.0, self.1).decrypt_block_inout(block);
    }
}
