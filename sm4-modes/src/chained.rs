//! Modes that work on whole blocks and carry something from one block to the next: what they have
//! in common, as objects with the traits of `cipher`.

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockModeDecBackend,
    BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend, BlockModeEncClosure,
    BlockModeEncrypt, BlockSizeUser, InOut, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState,
    ParBlocksSizeUser, SetIvState,
    array::{Array, ArraySize},
    common::InnerUser,
    consts::{U1, U16},
    inout::NotEqualError,
};
use sm4::Sm4;

use crate::batch::{self, Block, Decryption, Encryption, Mode, Pass};

/// The chaining value of a mode and what happens to it.
pub trait Chain {
    /// The mode's name.
    const NAME: &'static str;

    /// The state at the beginning of a message.
    fn start(iv: Block) -> Self;

    /// The IV that a message would have to begin with to go on from here.
    fn iv(&self) -> Block;

    /// Forgets the state.
    #[cfg(feature = "zeroize")]
    fn wipe(&mut self);
}

/// A mode that encrypts.
pub trait Encrypt: Chain {
    /// Encrypts blocks.
    fn encrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>);

    /// Lends the mode's backend.
    fn encrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeEncClosure<BlockSize = U16>);
}

/// A mode that decrypts.
pub trait Decrypt: Chain {
    /// Decrypts blocks.
    fn decrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>);

    /// Lends the mode's backend.
    fn decrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeDecClosure<BlockSize = U16>);
}

/// A mode of operation on whole blocks: `M` says which one and in which direction.
///
/// `C` is [`Sm4`] or a reference to it, if the key is used for many messages.
pub struct Chained<M: Chain, C: Borrow<Sm4> = Sm4> {
    cipher: C,
    mode: M,
}

impl<M: Chain, C: Borrow<Sm4>> BlockSizeUser for Chained<M, C> {
    type BlockSize = U16;
}

impl<M: Encrypt, C: Borrow<Sm4>> BlockModeEncrypt for Chained<M, C> {
    #[inline]
    fn encrypt_with_backend(&mut self, f: impl BlockModeEncClosure<BlockSize = U16>) {
        self.mode.encrypt_with(self.cipher.borrow(), f);
    }

    #[inline]
    fn encrypt_blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.mode.encrypt(self.cipher.borrow(), blocks);
    }

    #[inline]
    fn encrypt_blocks(&mut self, blocks: &mut [Block]) {
        self.encrypt_blocks_inout(blocks.into());
    }

    #[inline]
    fn encrypt_blocks_b2b(
        &mut self,
        in_blocks: &[Block],
        out_blocks: &mut [Block],
    ) -> Result<(), NotEqualError> {
        self.encrypt_blocks_inout(InOutBuf::new(in_blocks, out_blocks)?);
        Ok(())
    }
}

impl<M: Decrypt, C: Borrow<Sm4>> BlockModeDecrypt for Chained<M, C> {
    #[inline]
    fn decrypt_with_backend(&mut self, f: impl BlockModeDecClosure<BlockSize = U16>) {
        self.mode.decrypt_with(self.cipher.borrow(), f);
    }

    #[inline]
    fn decrypt_blocks_inout(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.mode.decrypt(self.cipher.borrow(), blocks);
    }

    #[inline]
    fn decrypt_blocks(&mut self, blocks: &mut [Block]) {
        self.decrypt_blocks_inout(blocks.into());
    }

    #[inline]
    fn decrypt_blocks_b2b(
        &mut self,
        in_blocks: &[Block],
        out_blocks: &mut [Block],
    ) -> Result<(), NotEqualError> {
        self.decrypt_blocks_inout(InOutBuf::new(in_blocks, out_blocks)?);
        Ok(())
    }
}

impl<M: Chain, C: Borrow<Sm4>> InnerUser for Chained<M, C> {
    type Inner = C;
}

impl<M: Chain, C: Borrow<Sm4>> IvSizeUser for Chained<M, C> {
    type IvSize = U16;
}

impl<M: Chain, C: Borrow<Sm4>> InnerIvInit for Chained<M, C> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self {
            cipher,
            mode: M::start(*iv),
        }
    }
}

impl<M: Chain, C: Borrow<Sm4>> IvState for Chained<M, C> {
    #[inline]
    fn iv_state(&self) -> Iv<Self> {
        self.mode.iv()
    }
}

impl<M: Chain, C: Borrow<Sm4>> SetIvState for Chained<M, C> {
    #[inline]
    fn set_iv(&mut self, iv: &Iv<Self>) {
        self.mode = M::start(*iv);
    }
}

impl<M: Chain, C: Borrow<Sm4>> AlgorithmName for Chained<M, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(M::NAME)
    }
}

impl<M: Chain, C: Borrow<Sm4>> fmt::Debug for Chained<M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(M::NAME).finish_non_exhaustive()
    }
}

impl<M: Chain, C: Borrow<Sm4>> Drop for Chained<M, C> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        self.mode.wipe();
    }
}

#[cfg(feature = "zeroize")]
impl<M: Chain, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Chained<M, C> {}

/// A mode whose blocks have to wait for each other.
pub(crate) trait Serial {
    fn block<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        block: InOut<'_, '_, Block>,
    );
}

/// Runs a serial mode over all blocks.
#[inline(always)]
pub(crate) fn run_serially<S: Serial>(cipher: &Sm4, mode: &mut S, blocks: InOutBuf<'_, '_, Block>) {
    lend_serial(cipher, mode, AllBlocks(blocks));
}

/// Gives the closure a backend that runs the serial mode.
#[inline(always)]
pub(crate) fn lend_serial<S: Serial>(
    cipher: &Sm4,
    mode: &mut S,
    f: impl BlockModeEncClosure<BlockSize = U16>,
) {
    cipher.bulk().encrypt_with_backend(Lend(mode, Serially(f)));
}

/// Gives the closure a backend that decrypts by the cipher's encryption.
#[inline(always)]
pub(crate) fn lend_encryption<M: Mode>(
    cipher: &Sm4,
    mode: &mut M,
    f: impl BlockModeDecClosure<BlockSize = U16>,
) {
    cipher.bulk().encrypt_with_backend(Lend(mode, f));
}

/// Gives the closure a backend that decrypts by the cipher's decryption.
#[inline(always)]
pub(crate) fn lend_decryption<M: Mode>(
    cipher: &Sm4,
    mode: &mut M,
    f: impl BlockModeDecClosure<BlockSize = U16>,
) {
    cipher.bulk().decrypt_with_backend(Lend(mode, f));
}

/// All blocks, one by one.
struct AllBlocks<'i, 'o>(InOutBuf<'i, 'o, Block>);

impl BlockSizeUser for AllBlocks<'_, '_> {
    type BlockSize = U16;
}

impl BlockModeEncClosure for AllBlocks<'_, '_> {
    #[inline(always)]
    fn call<B: BlockModeEncBackend<BlockSize = U16>>(self, backend: &mut B) {
        for block in self.0 {
            backend.encrypt_block(block);
        }
    }
}

/// A mode's closure on its way to the cipher's backend.
struct Lend<'a, M, F>(&'a mut M, F);

struct Serially<F>(F);

impl<M, F> BlockSizeUser for Lend<'_, M, F> {
    type BlockSize = U16;
}

impl<M: Serial, F: BlockModeEncClosure<BlockSize = U16>> BlockCipherEncClosure
    for Lend<'_, M, Serially<F>>
{
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.1.0.call(&mut SerialBackend {
            mode: self.0,
            backend,
        });
    }
}

impl<M: Mode, F: BlockModeDecClosure<BlockSize = U16>> BlockCipherEncClosure for Lend<'_, M, F> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        self.1.call(&mut ParallelBackend {
            mode: self.0,
            pass: Encryption(backend),
        });
    }
}

impl<M: Mode, F: BlockModeDecClosure<BlockSize = U16>> BlockCipherDecClosure for Lend<'_, M, F> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        self.1.call(&mut ParallelBackend {
            mode: self.0,
            pass: Decryption(backend),
        });
    }
}

struct SerialBackend<'a, S, B> {
    mode: &'a mut S,
    backend: &'a B,
}

impl<S, B> BlockSizeUser for SerialBackend<'_, S, B> {
    type BlockSize = U16;
}

impl<S, B> ParBlocksSizeUser for SerialBackend<'_, S, B> {
    type ParBlocksSize = U1;
}

impl<S: Serial, B: BlockCipherEncBackend<BlockSize = U16>> BlockModeEncBackend
    for SerialBackend<'_, S, B>
{
    #[inline(always)]
    fn encrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        self.mode.block(self.backend, block);
    }
}

struct ParallelBackend<'a, M, P> {
    mode: &'a mut M,
    pass: P,
}

impl<M, P> BlockSizeUser for ParallelBackend<'_, M, P> {
    type BlockSize = U16;
}

impl<M, P: Pass> ParBlocksSizeUser for ParallelBackend<'_, M, P>
where
    P::Width: ArraySize,
{
    type ParBlocksSize = P::Width;
}

impl<M: Mode, P: Pass> ParallelBackend<'_, M, P> {
    #[inline(always)]
    fn run(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        batch::run(&self.pass, self.mode, blocks, batch::no_end());
    }
}

impl<M: Mode, P: Pass> BlockModeDecBackend for ParallelBackend<'_, M, P> {
    #[inline(always)]
    fn decrypt_block(&mut self, block: InOut<'_, '_, Block>) {
        let (input, output) = (*block.get_in(), block.into_out());
        *output = input;
        self.run(InOutBuf::from_mut(output));
    }

    #[inline(always)]
    fn decrypt_par_blocks(&mut self, blocks: InOut<'_, '_, Array<Block, P::Width>>) {
        self.run(blocks.into_buf());
    }

    #[inline(always)]
    fn decrypt_tail_blocks(&mut self, blocks: InOutBuf<'_, '_, Block>) {
        self.run(blocks);
    }
}
