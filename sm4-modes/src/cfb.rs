//! CFB mode with a feedback of 128 bits (NIST SP 800-38A 6.3, GB/T 17964).

mod buffered;

pub use buffered::{Buffered, Direction};

use cipher::{
    BlockCipherEncBackend, BlockModeDecClosure, BlockModeEncClosure, InOut, InOutBuf, consts::U16,
};
use sm4::{Masking, Sm4};

use crate::{
    batch::{self, Mode},
    block::{Block, Quad},
    chained::{Chained, Decrypt, Encrypt, Serial, block_chain, lend_parallel, lend_serial},
};

/// CFB encryption of whole blocks, one after the other: 16-byte key, 16-byte IV. For data of any
/// length see [`Sm4CfbBufEnc`].
///
/// **Unauthenticated.** The IV must not be used twice with a key, and be unpredictable.
///
/// ```
/// use sm4_modes::{
///     Sm4CfbDec, Sm4CfbEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
/// };
///
/// let (key, iv) = ([1; 16].into(), [2; 16].into());
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4CfbEnc::new(&key, &iv).encrypt_blocks(&mut blocks);
/// Sm4CfbDec::new(&key, &iv).decrypt_blocks(&mut blocks);
/// assert_eq!(blocks[9], [3; 16]);
/// ```
pub type Sm4CfbEnc = Chained<CfbEnc>;

/// CFB decryption of whole blocks, of many at once: 16-byte key, 16-byte IV. For data of any length
/// see [`Sm4CfbBufDec`].
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4CfbDec, cipher::{BlockModeDecrypt, KeyIvInit}};
///
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4CfbDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_blocks(&mut blocks);
/// ```
pub type Sm4CfbDec = Chained<CfbDec>;

/// CFB encryption of a message that comes in pieces of any length: 16-byte key, 16-byte IV.
///
/// One block after the other; for many messages at once see
/// [`cfb_encrypt_messages`](crate::cfb_encrypt_messages).
///
/// **Unauthenticated.** The IV must not be used twice with a key, and be unpredictable.
///
/// ```
/// use sm4_modes::{Sm4CfbBufDec, Sm4CfbBufEnc, cipher::KeyIvInit};
///
/// let (key, iv) = (b"a 16-byte secret".into(), b"never used twice".into());
/// let mut data = *b"a message in two pieces";
/// let mut cfb = Sm4CfbBufEnc::new(key, iv);
/// cfb.encrypt(&mut data[..9]);
/// cfb.encrypt(&mut data[9..]);
/// Sm4CfbBufDec::new(key, iv).decrypt(&mut data);
/// assert_eq!(data, *b"a message in two pieces");
/// ```
pub type Sm4CfbBufEnc = Buffered<CfbEnc>;

/// CFB decryption of a message that comes in pieces of any length, of many blocks at once: 16-byte
/// key, 16-byte IV.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4CfbBufDec, cipher::KeyIvInit};
///
/// let mut plaintext = [0; 20];
/// Sm4CfbBufDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_b2b(&[3; 20], &mut plaintext)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CfbBufDec = Buffered<CfbDec>;

block_chain! {
    /// The chaining value of CFB encryption: the last ciphertext block.
    CfbEnc = "Sm4CfbEnc";

    /// The chaining value of CFB decryption: the last ciphertext block.
    CfbDec = "Sm4CfbDec";
}

/// `C_i = P_i + E(C_{i-1})`
impl Serial for CfbEnc {
    #[inline(always)]
    fn block<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        mut block: InOut<'_, '_, Block>,
    ) {
        backend.encrypt_block((&mut self.0).into());
        block.xor_in2out(&self.0);
        self.0 = *block.get_out();
    }
}

impl Encrypt for CfbEnc {
    #[inline]
    fn encrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        cipher.bulk().cfb_encrypt_blocks(&mut self.0, blocks);
    }

    #[inline]
    fn encrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeEncClosure<BlockSize = U16>) {
        lend_serial(cipher, self, f);
    }
}

/// `P_i = C_i + E(C_{i-1})`
impl Mode for CfbDec {
    const MASKING: Masking = Masking::KeyStream;

    #[inline(always)]
    fn masks(&mut self, input: &[Block], count: usize, masks: &mut [Quad]) {
        let masks = masks.as_flattened_mut();
        masks[0] = self.0;
        masks[1..count].copy_from_slice(&input[..count - 1]);
        if let Some(last) = input.last() {
            self.0 = *last;
        }
    }
}

impl Decrypt for CfbDec {
    #[inline]
    fn decrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        batch::encrypt(cipher, self, blocks, batch::no_end());
    }

    #[inline]
    fn decrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeDecClosure<BlockSize = U16>) {
        lend_parallel::<batch::Encryption, _>(cipher, self, f);
    }
}
