//! CBC mode (NIST SP 800-38A 6.2, GB/T 17964).

use cipher::{
    BlockCipherEncBackend, BlockModeDecClosure, BlockModeEncClosure, InOut, InOutBuf, consts::U16,
};
use sm4::{Masking, Sm4};

use crate::{
    batch::{self, Mode},
    block::{Block, Quad, sum},
    chained::{Chained, Decrypt, Encrypt, Serial, block_chain, lend_parallel, lend_serial},
};

/// CBC encryption: 16-byte key, 16-byte IV, whole blocks.
///
/// One block after the other; for many messages at once see
/// [`cbc_encrypt_messages`](crate::cbc_encrypt_messages).
///
/// **Unauthenticated.** The IV must be unpredictable: new random bytes for every message.
///
/// With PKCS#7, as other libraries do it by default (for Java, `SM4/CBC/PKCS5Padding`):
///
/// ```
/// use sm4_modes::{
///     Sm4CbcDec, Sm4CbcEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
///     padding::Pkcs7,
/// };
///
/// let (key, iv) = (b"0123456789ABCDEF".into(), b"0123456789ABCDEF".into());
/// let mut buffer = [0; 32];
/// let sealed = Sm4CbcEnc::new(key, iv).encrypt_padded_b2b::<Pkcs7>(b"Hello World", &mut buffer)?;
/// assert_eq!(sealed.len(), 16);
/// let mut buffer = sealed.to_vec();
/// let opened = Sm4CbcDec::new(key, iv).decrypt_padded::<Pkcs7>(&mut buffer)?;
/// assert_eq!(opened, b"Hello World");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CbcEnc = Chained<CbcEnc>;

/// CBC decryption, of many blocks at once: 16-byte key, 16-byte IV, whole blocks.
///
/// The next call goes on where the last one ended. `decrypt_padded` gives one and the same error
/// for a length that is not a multiple of 16 (nothing is written then), for none, and for every
/// wrong padding (the buffer then holds what was decrypted).
///
/// **Unauthenticated.** An attacker who learns whether the padding was right can decrypt messages:
/// verify a MAC first.
///
/// ```
/// use sm4_modes::{
///     Sm4CbcDec, Sm4CbcEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
/// };
///
/// let (key, iv) = ([1; 16].into(), [2; 16].into());
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4CbcEnc::new(&key, &iv).encrypt_blocks(&mut blocks);
/// let mut cbc = Sm4CbcDec::new(&key, &iv);
/// cbc.decrypt_blocks(&mut blocks[..4]);
/// cbc.decrypt_blocks(&mut blocks[4..]);
/// assert_eq!(blocks[9], [3; 16]);
/// ```
pub type Sm4CbcDec = Chained<CbcDec>;

block_chain! {
    /// The chaining value of CBC encryption: the last ciphertext block.
    CbcEnc = "Sm4CbcEnc";

    /// The chaining value of CBC decryption: the last ciphertext block.
    CbcDec = "Sm4CbcDec";
}

/// `C_i = E(P_i + C_{i-1})`
impl Serial for CbcEnc {
    #[inline(always)]
    fn block<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        mut block: InOut<'_, '_, Block>,
    ) {
        self.0 = sum(&self.0, block.get_in());
        backend.encrypt_block((&mut self.0).into());
        *block.get_out() = self.0;
    }
}

impl Encrypt for CbcEnc {
    #[inline]
    fn encrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        cipher.bulk().cbc_encrypt_blocks(&mut self.0, blocks);
    }

    #[inline]
    fn encrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeEncClosure<BlockSize = U16>) {
        lend_serial(cipher, self, f);
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
        lend_parallel::<batch::Decryption, _>(cipher, self, f);
    }
}
