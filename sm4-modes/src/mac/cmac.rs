//! CMAC.

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName,
    common::{InnerInit, InnerUser},
};
use sm4::Sm4;

use super::{Keyed, MacInput, MacKey, Streaming, Subkeys, streaming::StreamKey};

/// CMAC of a message in pieces, with the traits of `digest`: 16-byte key, 16-byte tag.
///
/// Compare tags by `verify`, `verify_slice` or `verify_truncated_left`, in constant time. For
/// messages that are there as a whole see [`Sm4CmacKey`].
///
/// ```
/// use sm4_modes::{Sm4Cmac, cipher::KeyInit, digest::Mac};
///
/// let mut mac = Sm4Cmac::new(b"a 16-byte secret".into());
/// mac.update(b"two ");
/// mac.update(b"pieces");
/// let tag = mac.finalize().into_bytes();
/// let mac = Sm4Cmac::new(b"a 16-byte secret".into()).chain_update("two pieces");
/// mac.verify(&tag)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4Cmac = Streaming<Sm4CmacKey>;

/// A key for CMAC (16 bytes): the cipher and its two subkeys, computed once. For at most 2^48 messages
/// (SP 800-38B, appendix B); this is not checked.
///
/// For many messages at once see
/// [`mac_messages`](crate::mac_messages).
///
/// ```
/// use sm4_modes::{MacKey, Sm4CmacKey, cipher::KeyInit};
///
/// let key = Sm4CmacKey::new(b"a 16-byte secret".into());
/// let tag = key.mac(b"message");
/// key.verify(b"message", &tag)?;
/// key.verify(b"message", &tag[..8])?;
/// assert!(key.verify(b"another", &tag).is_err());
/// assert!(key.verify(b"message", &tag[..3]).is_err()); // too short
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CmacKey = CmacKey<Sm4>;

/// A key for CMAC: [`Sm4CmacKey`], or with a reference to [`Sm4`] for `C`.
#[derive(Clone)]
pub struct CmacKey<C: Borrow<Sm4>> {
    cipher: C,
    subkeys: Subkeys,
}

impl<C: Borrow<Sm4>> Keyed for CmacKey<C> {
    #[inline]
    fn cipher(&self) -> &Sm4 {
        self.cipher.borrow()
    }

    #[inline]
    fn input<'m>(&self, message: &'m [u8]) -> MacInput<'m> {
        self.subkeys.input(message)
    }
}

impl<C: Borrow<Sm4>> MacKey for CmacKey<C> {}
impl<C: Borrow<Sm4>> StreamKey for CmacKey<C> {}

impl<C: Borrow<Sm4>> InnerUser for CmacKey<C> {
    type Inner = C;
}

impl<C: Borrow<Sm4>> InnerInit for CmacKey<C> {
    fn inner_init(cipher: C) -> Self {
        Self {
            subkeys: Subkeys::new(cipher.borrow()),
            cipher,
        }
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for CmacKey<C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Cmac")
    }
}

impl<C: Borrow<Sm4>> fmt::Debug for CmacKey<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CmacKey").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for CmacKey<C> {}
