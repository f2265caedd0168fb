//! Messages that come in pieces.

use core::fmt;

use aead::inout::InOutBuf;
use sm4_modes::shared::Block;

use crate::{Error, erased::Erased, open};

/// How a mode works on pieces. Implemented by the states of this crate only.
pub trait State: sealed::State {}

impl<S: sealed::State> State for S {}

pub(crate) mod sealed {
    use super::{Block, Error, InOutBuf};

    pub trait State {
        /// Encrypts or decrypts a piece. If there is an error, nothing is written.
        fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error>;

        /// The tag in full length.
        fn tag(&mut self) -> Result<Block, Error>;
    }
}

/// Encryption of a message that comes in pieces.
///
/// ```
/// use sm4_aead::Sm4Gcm;
///
/// let gcm = Sm4Gcm::new(b"a 16-byte secret".into());
/// let mut encryptor = gcm.encryptor(b"once per key", b"header", 16)?;
/// let mut pieces = [*b"a mess", *b"age in", *b"pieces"];
/// for piece in &mut pieces {
///     encryptor.update(piece.as_mut_slice().into())?;
/// }
/// let mut tag = [0; 16];
/// encryptor.finish(&mut tag)?;
/// # Ok::<(), sm4_aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Encryptor<S>(Erased<Started<S>>);

/// A message that has been begun.
#[derive(Clone)]
struct Started<S> {
    state: S,
    tag_len: usize,
}

impl<S: State> Started<S> {
    /// The tag in full length, if it is to have this length.
    fn tag(&mut self, tag_len: usize) -> Result<Block, Error> {
        if tag_len != self.tag_len {
            return Err(Error::TagLength);
        }
        self.state.tag()
    }
}

impl<S: State> Encryptor<S> {
    pub(crate) fn new(state: S, tag_len: usize) -> Self {
        Self(Erased::new(Started { state, tag_len }))
    }

    /// Encrypts the next piece.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if the message becomes longer than the standard allows or (CCM) than
    /// was said, or (OCB) if the last piece was not a multiple of 16 bytes. Nothing is written then.
    pub fn update(&mut self, piece: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.0.state.apply(piece)
    }

    /// Writes the tag.
    ///
    /// # Errors
    /// [`Error::TagLength`] if `tag` is not as long as was said, [`Error::MessageLength`] if the
    /// message is not (CCM).
    pub fn finish(mut self, tag: &mut [u8]) -> Result<(), Error> {
        let full = self.0.tag(tag.len())?;
        tag.copy_from_slice(&full[..tag.len()]);
        Ok(())
    }
}

/// Decryption of a message that comes in pieces. What it gives back is [`Unverified`] until
/// [`finish`](Self::finish) has checked the tag.
///
/// ```
/// use sm4_aead::{AnySize, Sm4Gcm};
///
/// let gcm = Sm4Gcm::new(b"a 16-byte secret".into());
/// let mut message = *b"a message in pieces";
/// let mut tag = [0; 16];
/// gcm.seal_in_place(b"once per key", b"header", &mut message, &mut tag)?;
///
/// let mut decryptor = gcm.decryptor(b"once per key", b"header", 16)?;
/// let (first, second) = message.split_at_mut(10);
/// let first = decryptor.update(first.into())?;
/// let second = decryptor.update(second.into())?;
/// let verified = decryptor.finish(&tag)?;
/// assert_eq!(first.release(&verified), b"a message ");
/// assert_eq!(second.release(&verified), b"in pieces");
/// # Ok::<(), sm4_aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Decryptor<S>(Erased<Started<S>>);

impl<S: State> Decryptor<S> {
    pub(crate) fn new(state: S, tag_len: usize) -> Self {
        Self(Erased::new(Started { state, tag_len }))
    }

    /// Decrypts the next piece.
    ///
    /// # Errors
    /// As for [`Encryptor::update`].
    pub fn update<'o>(&mut self, piece: InOutBuf<'_, 'o, u8>) -> Result<Unverified<'o>, Error> {
        let mut piece = piece;
        self.0.state.apply(piece.reborrow())?;
        Ok(Unverified(piece.into_out()))
    }

    /// Checks the tag.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it is wrong; all pieces must be thrown away then, and are wiped if
    /// they are still [`Unverified`]. [`Error::TagLength`] if `tag` is not as long as was said,
    /// [`Error::MessageLength`] if the message is not (CCM).
    pub fn finish(mut self, tag: &[u8]) -> Result<Verified, Error> {
        open::accept(&self.0.tag(tag.len())?, tag, &mut [])?;
        Ok(Verified(()))
    }
}

/// Decrypted bytes that anyone may have changed. They are wiped when this is dropped.
#[must_use = "what is not released is wiped"]
pub struct Unverified<'o>(&'o mut [u8]);

impl<'o> Unverified<'o> {
    /// The plaintext, after [`Decryptor::finish`] has found that it is authentic. It is up to you to
    /// take the `verified` of the same message.
    #[must_use]
    pub fn release(mut self, verified: &Verified) -> &'o mut [u8] {
        let Verified(()) = verified;
        core::mem::take(&mut self.0)
    }

    /// The plaintext, **which may be forged**. Do nothing with it that cannot be undone if the tag
    /// turns out to be wrong.
    #[must_use]
    pub fn expose_unverified(mut self) -> &'o mut [u8] {
        core::mem::take(&mut self.0)
    }
}

impl Drop for Unverified<'_> {
    fn drop(&mut self) {
        self.0.fill(0);
    }
}

/// The proof that a message is authentic.
#[derive(Debug)]
pub struct Verified(());

/// `Debug` without anything secret.
macro_rules! opaque_debug {
    ($($state:ident),*) => {
        $(impl core::fmt::Debug for $state<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($state)).finish_non_exhaustive()
            }
        })*
    };
}
pub(crate) use opaque_debug;

/// The methods of a mode with `begin` that begin messages in pieces.
macro_rules! in_pieces {
    (
        $mode:ident $(($len:ident))?, $note:literal;
        $seal_by:expr => $seal_state:ident,
        $open_by:expr => $open_state:ident,
    ) => {
        impl $mode {
            /// Begins the encryption of a message that comes in pieces.
            #[doc = $note]
            ///
            /// # Errors
            /// [`Error::NonceLength`], [`Error::TagLength`] or [`Error::MessageLength`] if the
            /// standard does not allow one of the lengths.
            pub fn encryptor(
                &self,
                nonce: &[u8],
                associated_data: &[u8],
                $($len: u64,)?
                tag_len: usize,
            ) -> Result<crate::Encryptor<$seal_state<'_>>, Error> {
                let state = self.begin(nonce, associated_data, $($len,)? tag_len, $seal_by)?;
                Ok(crate::Encryptor::new(state, tag_len))
            }

            /// Begins the decryption of a message that comes in pieces.
            #[doc = $note]
            ///
            /// # Errors
            /// As for [`encryptor`](Self::encryptor).
            pub fn decryptor(
                &self,
                nonce: &[u8],
                associated_data: &[u8],
                $($len: u64,)?
                tag_len: usize,
            ) -> Result<crate::Decryptor<$open_state<'_>>, Error> {
                let state = self.begin(nonce, associated_data, $($len,)? tag_len, $open_by)?;
                Ok(crate::Decryptor::new(state, tag_len))
            }
        }
    };
}
pub(crate) use in_pieces;

opaque_debug!(Unverified);

impl<S> fmt::Debug for Encryptor<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encryptor").finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for Decryptor<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor").finish_non_exhaustive()
    }
}

/// Decryption of a message that comes in pieces, the safe way: the ciphertext is kept until the tag
/// is checked. For every mode.
///
/// ```
/// use sm4_aead::{AnySize, Buffered, Sm4Eax};
///
/// let eax = Sm4Eax::new(b"a 16-byte secret".into());
/// let mut message = *b"a message in pieces";
/// let mut tag = [0; 16];
/// eax.seal_in_place(b"nonce", b"header", &mut message, &mut tag)?;
///
/// let mut buffered = Buffered::new(&*eax, b"nonce", b"header");
/// message.chunks(4).for_each(|piece| buffered.update(piece));
/// assert_eq!(buffered.finish(&tag)?, b"a message in pieces");
/// # Ok::<(), sm4_aead::Error>(())
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Debug)]
pub struct Buffered<'k, A> {
    mode: &'k A,
    nonce: alloc::vec::Vec<u8>,
    associated_data: alloc::vec::Vec<u8>,
    ciphertext: alloc::vec::Vec<u8>,
}

#[cfg(feature = "alloc")]
impl<'k, A: crate::AnySize> Buffered<'k, A> {
    /// Begins a message.
    #[must_use]
    pub fn new(mode: &'k A, nonce: &[u8], associated_data: &[u8]) -> Self {
        Self {
            mode,
            nonce: nonce.into(),
            associated_data: associated_data.into(),
            ciphertext: alloc::vec::Vec::new(),
        }
    }

    /// Keeps the next piece.
    pub fn update(&mut self, piece: &[u8]) {
        self.ciphertext.extend_from_slice(piece);
    }

    /// Checks the tag and decrypts.
    ///
    /// # Errors
    /// See [`AnySize`](crate::AnySize#errors).
    pub fn finish(mut self, tag: &[u8]) -> Result<alloc::vec::Vec<u8>, Error> {
        self.mode.open_in_place(
            &self.nonce,
            &self.associated_data,
            &mut self.ciphertext,
            tag,
        )?;
        Ok(self.ciphertext)
    }
}
