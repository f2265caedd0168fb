//! CBC-MAC, with the padding methods of GB/T 15852.1-2020 (ISO/IEC 9797-1).

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, InvalidLength,
    common::{InnerInit, InnerUser},
};
use sm4::Sm4;

use super::{Keyed, MacInput, MacKey, Streaming, streaming::StreamKey};
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

mod padded {
    use super::MacInput;

    pub trait Padded {
        /// The message in whole blocks.
        fn input(message: &[u8]) -> MacInput<'_>;
    }
}
use padded::Padded;

/// How a message becomes whole blocks: [`Method1`], [`Method2`] or [`Method3`].
pub trait Padding: Padded {
    /// The name of the MAC.
    const NAME: &'static str;
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

impl Padded for Method1 {
    #[inline]
    fn input(message: &[u8]) -> MacInput<'_> {
        MacInput::new(message, message.is_empty().then(Block::default))
    }
}

impl Padded for Method2 {
    #[inline]
    fn input(message: &[u8]) -> MacInput<'_> {
        let (head, end) = message.split_at(message.len() / 16 * 16);
        let mut last = padded(end);
        last[end.len()] = 0x80;
        MacInput::new(head, Some(last))
    }
}

impl Padded for Method3 {
    #[inline]
    fn input(message: &[u8]) -> MacInput<'_> {
        let len = (8 * message.len() as u128).to_be_bytes();
        let mut input = Method1::input(message);
        input.first[0] = Some(len.into());
        input
    }
}

impl Padding for Method1 {
    const NAME: &'static str = "Sm4CbcMac1";
}

impl Padding for Method2 {
    const NAME: &'static str = "Sm4CbcMac2";
}

impl Padding for Method3 {
    const NAME: &'static str = "Sm4CbcMac3";
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
    /// The tag (16 bytes) of a message that consists of whole blocks, without any padding: safe only if
    /// all messages under the key have one length.
    ///
    /// # Errors
    /// If it does not, or is empty.
    pub fn mac_unpadded(&self, message: &[u8]) -> Result<[u8; 16], InvalidLength> {
        let (blocks, end) = Block::slice_as_chunks(message);
        if blocks.is_empty() || !end.is_empty() {
            return Err(InvalidLength);
        }
        let mut state = Block::default();
        self.cipher().bulk().cbc_mac_blocks(&mut state, blocks);
        Ok(state.into())
    }
}

impl<P: Padding, C: Borrow<Sm4>> Keyed for CbcMacKey<P, C> {
    #[inline]
    fn cipher(&self) -> &Sm4 {
        self.cipher.borrow()
    }

    #[inline]
    fn input<'m>(&self, message: &'m [u8]) -> MacInput<'m> {
        P::input(message)
    }
}

impl<P: Padding, C: Borrow<Sm4>> MacKey for CbcMacKey<P, C> {}

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
