//! GMAC (NIST SP 800-38D): GCM without a message, as a MAC with a nonce.

use core::fmt;

use aead::{Key, KeyInit, KeySizeUser, consts::U16};
use sm4_modes::shared::{Block, sum};

use crate::{Error, Gcm, erased::Erased, hash::Hash, incremental::opaque_debug, open};

/// SM4-GMAC.
///
/// The key has 16 bytes, the nonce any number but 0 (12 is best), the tag 16 (12 to 16; 4 and 8 with
/// the feature `hazmat`), the data at most 2^61 − 1.
///
/// **Never use a nonce twice with the same key**: whoever sees two such tags can forge others. The
/// time does not depend on the key or the data, only on lengths.
///
/// ```
/// use sm4_aead::Sm4Gmac;
///
/// let gmac = Sm4Gmac::new(b"a 16-byte secret".into());
/// let mut tag = [0; 16];
/// let mut mac = gmac.start(b"once per key")?;
/// mac.update(b"in ");
/// mac.update(b"pieces");
/// mac.finish(&mut tag)?;
/// gmac.verify(b"once per key", b"in pieces", &tag)?;
/// # Ok::<(), sm4_aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Gmac(Gcm);

impl Sm4Gmac {
    /// Sets up a key.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }

    /// Begins a MAC of data that comes in pieces.
    ///
    /// # Errors
    /// [`Error::NonceLength`] if the nonce is empty.
    pub fn start(&self, nonce: &[u8]) -> Result<GmacInProgress<'_>, Error> {
        let (hash, mask) = self.0.start_mac(nonce)?;
        Ok(GmacInProgress(Erased::new(InProgress {
            hash,
            mask,
            len: 0,
        })))
    }

    /// Writes the tag, whose length is that of `tag`.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::TagLength`] or [`Error::MessageLength`] if the standard does
    /// not allow one of the lengths.
    pub fn mac(&self, nonce: &[u8], data: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let mut mac = self.start(nonce)?;
        mac.update(data);
        mac.finish(tag)
    }

    /// Checks a tag, in constant time.
    ///
    /// # Errors
    /// As for [`mac`](Self::mac), or [`Error::Authentication`] if it is wrong.
    pub fn verify(&self, nonce: &[u8], data: &[u8], tag: &[u8]) -> Result<(), Error> {
        let mut mac = self.start(nonce)?;
        mac.update(data);
        mac.verify(tag)
    }
}

/// GCM with all its data associated.
impl From<Gcm> for Sm4Gmac {
    fn from(gcm: Gcm) -> Self {
        Self(gcm)
    }
}

impl KeySizeUser for Sm4Gmac {
    type KeySize = U16;
}

impl KeyInit for Sm4Gmac {
    fn new(key: &Key<Self>) -> Self {
        Self(KeyInit::new(key))
    }
}

impl fmt::Debug for Sm4Gmac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sm4Gmac").field(&self.0).finish()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Sm4Gmac {}

/// A MAC in progress: see [`Sm4Gmac::start`].
#[derive(Clone)]
pub struct GmacInProgress<'k>(Erased<InProgress<'k>>);

#[derive(Clone)]
struct InProgress<'k> {
    hash: Hash<'k>,
    mask: Block,
    len: u64,
}

impl GmacInProgress<'_> {
    /// Takes the next piece, of any length.
    pub fn update(&mut self, data: &[u8]) {
        self.0.hash.update(data);
        self.0.len = self.0.len.saturating_add(data.len() as u64);
    }

    fn tag(mut self, tag_len: usize) -> Result<Block, Error> {
        crate::gcm::check(1, self.0.len, 0, tag_len)?;
        let InProgress { hash, mask, len } = &mut *self.0;
        Ok(sum(&hash.finish(*len, 0), mask))
    }

    /// Writes the tag, whose length is that of `tag`.
    ///
    /// # Errors
    /// [`Error::TagLength`] or [`Error::MessageLength`] if the standard does not allow the length of
    /// the tag or of all pieces together.
    pub fn finish(self, tag: &mut [u8]) -> Result<(), Error> {
        let full = self.tag(tag.len())?;
        tag.copy_from_slice(&full[..tag.len()]);
        Ok(())
    }

    /// Checks a tag, in constant time.
    ///
    /// # Errors
    /// As for [`finish`](Self::finish), or [`Error::Authentication`] if it is wrong.
    pub fn verify(self, tag: &[u8]) -> Result<(), Error> {
        let expected = self.tag(tag.len())?;
        open::accept(&expected, tag, &mut [])
    }
}

opaque_debug!(GmacInProgress);
