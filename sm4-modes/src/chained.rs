//! Modes that work on whole blocks and carry something from one block to the next: what they have
//! in common, as objects with the traits of `cipher`.

mod lend;

pub(crate) use lend::{Serial, lend_parallel, lend_serial, run_serially};

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncClosure, BlockModeEncrypt,
    BlockSizeUser, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, SetIvState, common::InnerUser,
    consts::U16, inout::NotEqualError,
};
use sm4::Sm4;

use crate::block::Block;

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

/// Defines a mode whose state is a block, and begins as the IV.
macro_rules! block_chain {
    ($($(#[$doc:meta])* $mode:ident = $name:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub struct $mode($crate::block::Block);

        impl core::fmt::Debug for $mode {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($mode)).finish_non_exhaustive()
            }
        }

        impl $crate::chained::Chain for $mode {
            const NAME: &'static str = $name;

            #[inline]
            fn start(iv: $crate::block::Block) -> Self {
                Self(iv)
            }

            #[inline]
            fn iv(&self) -> $crate::block::Block {
                self.0
            }

            #[cfg(feature = "zeroize")]
            fn wipe(&mut self) {
                zeroize::Zeroize::zeroize(&mut self.0);
            }
        }
    )*};
}
pub(crate) use block_chain;

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
