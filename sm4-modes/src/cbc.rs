//! CBC mode (NIST SP 800-38A 6.2, GB/T 17964).

use cipher::{BlockModeDecClosure, InOutBuf, consts::U16};
use sm4::Sm4;

use crate::{
    batch::{self, Block, Masking, Mode, Quad},
    chained::{Chain, Chained, Decrypt, lend_decryption},
};

/// CBC encryption: one block after the other, as fast as one block can be encrypted. This is the
/// type of the `cbc` crate.
///
/// For many messages at once see [`cbc_encrypt_messages`](crate::cbc_encrypt_messages).
pub type Sm4CbcEnc = ::cbc::Encryptor<Sm4>;

/// CBC decryption, of many blocks at once.
pub type Sm4CbcDec = Chained<CbcDec>;

/// The chaining value of CBC decryption: the last ciphertext block.
#[derive(Clone, Copy, Debug)]
pub struct CbcDec(Block);

impl Chain for CbcDec {
    const NAME: &'static str = "Sm4CbcDec";

    #[inline]
    fn start(iv: Block) -> Self {
        Self(iv)
    }

    #[inline]
    fn iv(&self) -> Block {
        self.0
    }

    #[cfg(feature = "zeroize")]
    fn wipe(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

/// `P_i = D(C_i) + C_{i-1}`
impl Mode for CbcDec {
    const MASKING: Masking = Masking::Output;

    #[inline(always)]
    fn masks(&mut self, input: &[Block], _count: usize, masks: &mut [Quad]) {
        let masks = masks.as_flattened_mut();
        if let [before @ .., last] = input {
            masks[0] = self.0;
            masks[1..=before.len()].copy_from_slice(before);
            self.0 = *last;
        }
    }
}

impl Decrypt for CbcDec {
    #[inline]
    fn decrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        batch::decrypt(cipher, self, blocks);
    }

    #[inline]
    fn decrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeDecClosure<BlockSize = U16>) {
        lend_decryption(cipher, self, f);
    }
}
