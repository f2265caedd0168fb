//! CBC-MAC, with the padding methods of GB/T 15852.1-2020 (ISO/IEC 9797-1).

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, InvalidLength,
    common::{InnerInit, InnerUser},
};
use sm4::Sm4;

use super::{Last, MacKey, Streaming, chain, streaming::StreamKey};
use crate::block::{Block, padded};

/// CBC-MAC of a message in pieces, with the traits of `digest` and [`Method1`] or [`Method2`]:
/// 16-byte key, 16-byte tag.
///
/// **Only for messages of one length**: from the tags of some, those of longer ones follow. Use
/// [`Sm4Cmac`](crate::Sm4Cmac) otherwise.
///
/// ```
/// use sm4_modes::{Sm4CbcMac, cipher::KeyInit, digest::Mac, mac::Method2};
///
/// let mac = Sm4CbcMac::<Method2>::new(b"a 16-byte secret".into()).chain_update("message");
/// assert_eq!(mac.finalize().into_bytes().len(), 16);
/// ```
pub type Sm4CbcMac<P> = Streaming<Sm4CbcMacKey<P>>;

/// How a message becomes whole blocks.
pub trait Padding {
    /// The name of the MAC.
    const NAME: &'static str;

    /// What goes before a message of `len` bytes.
    #[doc(hidden)]
    fn first(len: usize) -> Option<Block>;

    /// What becomes of the last 0 to 16 bytes, of which `block` is filled with zeros.
    #[doc(hidden)]
    fn last(block: Block, len: usize) -> Last;
}

/// Padding method 1: zeros, as few as needed; the empty message is a block of zeros.
#[derive(Clone, Copy, Debug)]
pub enum Method1 {}

/// Padding method 2: a one bit, then zeros, as few as needed.
#[derive(Clone, Copy, Debug)]
pub enum Method2 {}

/// Padding method 3: a block with the length in bits, then the message with method 1.
#[derive(Clone, Copy, Debug)]
pub enum Method3 {}

impl Padding for Method1 {
    const NAME: &'static str = "Sm4CbcMac1";

    #[inline]
    fn first(_len: usize) -> Option<Block> {
        None
    }

    #[inline]
    fn last(block: Block, _len: usize) -> Last {
        Last::one(block)
    }
}

impl Padding for Method2 {
    const NAME: &'static str = "Sm4CbcMac2";

    #[inline]
    fn first(_len: usize) -> Option<Block> {
        None
    }

    #[inline]
    fn last(mut block: Block, len: usize) -> Last {
        if let Some(byte) = block.get_mut(len) {
            *byte = 0x80;
            Last::one(block)
        } else {
            let mut padding = Block::default();
            padding[0] = 0x80;
            Last::two(block, padding)
        }
    }
}

impl Padding for Method3 {
    const NAME: &'static str = "Sm4CbcMac3";

    #[inline]
    fn first(len: usize) -> Option<Block> {
        Some((8 * len as u128).to_be_bytes().into())
    }

    #[inline]
    fn last(block: Block, len: usize) -> Last {
        Method1::last(block, len)
    }
}

/// A key for CBC-MAC (16 bytes) with the padding `P`: [`Method1`], [`Method2`] or [`Method3`].
///
/// **Only for messages of one length** (with [`Method3`], which begins with the length, also for
/// others).
///
/// ```
/// use sm4_modes::{MacKey, Sm4CbcMacKey, cipher::KeyInit, mac::Method3};
///
/// let key = Sm4CbcMacKey::<Method3>::new(b"a 16-byte secret".into());
/// let mut tag = [0; 8];
/// key.mac_truncated(b"message", &mut tag)?;
/// key.verify(b"message", &tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CbcMacKey<P> = CbcMacKey<P, Sm4>;

/// A key for CBC-MAC: [`Sm4CbcMacKey`], or with a reference to [`Sm4`] for `C`.
#[derive(Clone)]
pub struct CbcMacKey<P, C: Borrow<Sm4>> {
    cipher: C,
    padding: PhantomData<P>,
}

impl<P: Padding, C: Borrow<Sm4>> CbcMacKey<P, C> {
    /// The tag of a message that consists of whole blocks, without any padding.
    ///
    /// # Errors
    /// If it does not, or is empty.
    pub fn mac_unpadded(&self, message: &[u8]) -> Result<[u8; 16], InvalidLength> {
        let (blocks, end) = Block::slice_as_chunks(message);
        if blocks.is_empty() || !end.is_empty() {
            return Err(InvalidLength);
        }
        let mut state = Block::default();
        chain(self.cipher.borrow(), &mut state, blocks, &[]);
        Ok(state.into())
    }
}

impl<P: Padding, C: Borrow<Sm4>> MacKey for CbcMacKey<P, C> {
    #[inline]
    fn cipher(&self) -> &Sm4 {
        self.cipher.borrow()
    }

    #[inline]
    fn first(&self, len: usize) -> Option<Block> {
        P::first(len)
    }

    #[inline]
    fn last(&self, end: &[u8]) -> Last {
        P::last(padded(end), end.len())
    }
}

impl<C: Borrow<Sm4>> StreamKey for CbcMacKey<Method1, C> {}
impl<C: Borrow<Sm4>> StreamKey for CbcMacKey<Method2, C> {}

impl<P, C: Borrow<Sm4>> InnerUser for CbcMacKey<P, C> {
    type Inner = C;
}

impl<P, C: Borrow<Sm4>> InnerInit for CbcMacKey<P, C> {
    fn inner_init(cipher: C) -> Self {
        Self {
            cipher,
            padding: PhantomData,
        }
    }
}

impl<P: Padding, C: Borrow<Sm4>> AlgorithmName for CbcMacKey<P, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(P::NAME)
    }
}

impl<P: Padding, C: Borrow<Sm4>> fmt::Debug for CbcMacKey<P, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(P::NAME).finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<P, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for CbcMacKey<P, C> {}
