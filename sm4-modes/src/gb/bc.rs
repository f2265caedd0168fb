//! BC, block chaining (GB/T 17964-2021): like CBC, but with the sum of all ciphertext blocks.
//!
//! ```text
//! F_1 = IV     C_i = E(P_i + F_i)     F_{i+1} = F_i + C_i
//! ```

use cipher::{
    BlockCipherEncBackend, BlockModeDecClosure, BlockModeEncClosure, InOut, InOutBuf, consts::U16,
};
use sm4::{Masking, Sm4};

use crate::{
    batch::{self, Mode},
    block::{Block, Quad, sum},
    chained::{
        Chained, Decrypt, Encrypt, Serial, block_chain, lend_parallel, lend_serial, run_serially,
    },
};

/// BC encryption of whole blocks, one after the other: 16-byte key, 16-byte IV.
///
/// **Unauthenticated.** The IV must be unpredictable: new random bytes for every message.
///
/// ```
/// use sm4_modes::{
///     Sm4BcDec, Sm4BcEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
/// };
///
/// let (key, iv) = ([1; 16].into(), [2; 16].into());
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4BcEnc::new(&key, &iv).encrypt_blocks(&mut blocks);
/// Sm4BcDec::new(&key, &iv).decrypt_blocks(&mut blocks);
/// assert_eq!(blocks[9], [3; 16]);
/// ```
pub type Sm4BcEnc = Chained<BcEnc>;

/// BC decryption of whole blocks, of many at once: 16-byte key, 16-byte IV.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4BcDec, cipher::{BlockModeDecrypt, KeyIvInit}};
///
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4BcDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_blocks(&mut blocks);
/// ```
pub type Sm4BcDec = Chained<BcDec>;

block_chain! {
    /// The feedback of BC encryption: the sum of IV and ciphertext.
    BcEnc = "Sm4BcEnc";

    /// The feedback of BC decryption: the sum of IV and ciphertext.
    BcDec = "Sm4BcDec";
}

impl Serial for BcEnc {
    #[inline(always)]
    fn block<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        mut block: InOut<'_, '_, Block>,
    ) {
        let mut ciphertext = sum(block.get_in(), &self.0);
        backend.encrypt_block((&mut ciphertext).into());
        self.0 = sum(&self.0, &ciphertext);
        *block.get_out() = ciphertext;
    }
}

impl Encrypt for BcEnc {
    #[inline]
    fn encrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        run_serially(cipher, self, blocks);
    }

    #[inline]
    fn encrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeEncClosure<BlockSize = U16>) {
        lend_serial(cipher, self, f);
    }
}

/// `P_i = D(C_i) + F_i`
impl Mode for BcDec {
    const MASKING: Masking = Masking::Output;

    #[inline(always)]
    fn masks(&mut self, input: &[Block], _count: usize, masks: &mut [Quad]) {
        for (mask, block) in masks.as_flattened_mut().iter_mut().zip(input) {
            *mask = self.0;
            self.0 = sum(&self.0, block);
        }
    }
}

impl Decrypt for BcDec {
    #[inline]
    fn decrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        batch::decrypt(cipher, self, blocks);
    }

    #[inline]
    fn decrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeDecClosure<BlockSize = U16>) {
        lend_parallel::<batch::Decryption, _>(cipher, self, f);
    }
}
