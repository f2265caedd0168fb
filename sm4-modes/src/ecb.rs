//! ECB mode (NIST SP 800-38A 6.1, GB/T 17964): every block by itself.

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend,
    BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, ParBlocks, ParBlocksSizeUser,
    common::{InnerInit, InnerUser},
    consts::U16,
};
use sm4::Sm4;

/// ECB encryption of whole blocks, of many at once: 16-byte key.
///
/// **Unauthenticated, and not even secret**: equal blocks of plaintext are equal blocks of
/// ciphertext.
///
/// ```
/// use sm4_modes::{
///     Sm4EcbDec, Sm4EcbEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyInit},
/// };
///
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4EcbEnc::new(&[1; 16].into()).encrypt_blocks(&mut blocks);
/// assert_eq!(blocks[0], blocks[1]);
/// Sm4EcbDec::new(&[1; 16].into()).decrypt_blocks(&mut blocks);
/// assert_eq!(blocks[9], [3; 16]);
/// ```
pub type Sm4EcbEnc = Ecb<Encrypt>;

/// ECB decryption of whole blocks, of many at once: 16-byte key.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4EcbDec, cipher::{BlockModeDecrypt, KeyInit}};
///
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4EcbDec::new(&[1; 16].into()).decrypt_blocks(&mut blocks);
/// ```
pub type Sm4EcbDec = Ecb<Decrypt>;

/// The direction of [`Sm4EcbEnc`].
#[derive(Clone, Copy, Debug)]
pub enum Encrypt {}

/// The direction of [`Sm4EcbDec`].
#[derive(Clone, Copy, Debug)]
pub enum Decrypt {}

/// ECB mode: [`Sm4EcbEnc`] and [`Sm4EcbDec`].
///
/// `C` is [`Sm4`] or a reference to it, if the key is used elsewhere, too.
#[derive(Clone)]
pub struct Ecb<D, C: Borrow<Sm4> = Sm4> {
    cipher: C,
    direction: core::marker::PhantomData<D>,
}

impl<D, C: Borrow<Sm4>> BlockSizeUser for Ecb<D, C> {
    type BlockSize = U16;
}

impl<C: Borrow<Sm4>> BlockModeEncrypt for Ecb<Encrypt, C> {
    #[inline]
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        self.cipher.borrow().bulk().encrypt_with_backend(Lend(f));
    }
}

impl<C: Borrow<Sm4>> BlockModeDecrypt for Ecb<Decrypt, C> {
    #[inline]
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        self.cipher.borrow().bulk().decrypt_with_backend(Lend(f));
    }
}

impl<D, C: Borrow<Sm4>> InnerUser for Ecb<D, C> {
    type Inner = C;
}

impl<D, C: Borrow<Sm4>> InnerInit for Ecb<D, C> {
    #[inline]
    fn inner_init(cipher: C) -> Self {
        Self {
            cipher,
            direction: core::marker::PhantomData,
        }
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Ecb<Encrypt, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4EcbEnc")
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Ecb<Decrypt, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4EcbDec")
    }
}

impl<D, C: Borrow<Sm4>> fmt::Debug for Ecb<D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ecb").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<D, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Ecb<D, C> {}

/// Gives a closure the cipher's backend as the mode's.
struct Lend<F>(F);

impl<F> BlockSizeUser for Lend<F> {
    type BlockSize = U16;
}

impl<F: BlockModeEncClosure<BlockSize = U16>> BlockCipherEncClosure for Lend<F> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.0.call(&mut Backend(backend));
    }
}

impl<F: BlockModeDecClosure<BlockSize = U16>> BlockCipherDecClosure for Lend<F> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        self.0.call(&mut Backend(backend));
    }
}

struct Backend<'a, B>(&'a B);

impl<B: BlockSizeUser> BlockSizeUser for Backend<'_, B> {
    type BlockSize = B::BlockSize;
}

impl<B: ParBlocksSizeUser> ParBlocksSizeUser for Backend<'_, B> {
    type ParBlocksSize = B::ParBlocksSize;
}

impl<B: BlockCipherEncBackend> BlockModeEncBackend for Backend<'_, B> {
    #[inline(always)]
    fn encrypt_block(&mut self, block: InOut<'_, '_, cipher::Block<Self>>) {
        self.0.encrypt_block(block);
    }

    #[inline(always)]
    fn encrypt_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.encrypt_par_blocks(blocks);
    }

    #[inline(always)]
    fn encrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, cipher::Block<Self>>) {
        self.0.encrypt_tail_blocks(blocks);
    }
}

impl<B: BlockCipherDecBackend> BlockModeDecBackend for Backend<'_, B> {
    #[inline(always)]
    fn decrypt_block(&mut self, block: InOut<'_, '_, cipher::Block<Self>>) {
        self.0.decrypt_block(block);
    }

    #[inline(always)]
    fn decrypt_par_blocks(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
        self.0.decrypt_par_blocks(blocks);
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, cipher::Block<Self>>) {
        self.0.decrypt_tail_blocks(blocks);
    }
}
