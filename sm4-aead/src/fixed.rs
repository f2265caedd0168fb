//! The interface for sizes known at compile time: the traits of the crate `aead`.

use core::{fmt, marker::PhantomData, ops::Deref};

use aead::{
    AeadCore, AeadInOut, Key, KeyInit, KeySizeUser, Nonce, Tag, TagPosition, array::ArraySize,
    inout::InOutBuf,
};

use crate::AnySize;

/// Says that the mode's standard allows nonces of `N` bytes with tags of `T` bytes.
pub trait Allows<N: ArraySize, T: ArraySize>: AnySize {
    /// Where the tag of a sealed message is.
    const TAG_POSITION: TagPosition = TagPosition::Postfix;
}

/// The mode `A` with nonces of `N` bytes and tags of `T` bytes, for the traits of the crate
/// [`aead`]. Use it by the names that have no parameter for the mode, e.g.
/// [`Sm4Gcm`](crate::Sm4Gcm).
///
/// It dereferences to the mode itself, whose methods take nonces and tags as slices (see
/// [`AnySize`]).
#[derive(Clone)]
pub struct Fixed<A, N, T> {
    mode: A,
    sizes: PhantomData<fn() -> (N, T)>,
}

impl<A, N, T> Deref for Fixed<A, N, T> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.mode
    }
}

impl<A, N, T> From<A> for Fixed<A, N, T> {
    fn from(mode: A) -> Self {
        Self {
            mode,
            sizes: PhantomData,
        }
    }
}

impl<A: KeySizeUser, N, T> KeySizeUser for Fixed<A, N, T> {
    type KeySize = A::KeySize;
}

impl<A: KeyInit, N, T> KeyInit for Fixed<A, N, T> {
    fn new(key: &Key<Self>) -> Self {
        A::new(key).into()
    }
}

impl<A, N, T> AeadCore for Fixed<A, N, T>
where
    A: Allows<N, T>,
    N: ArraySize,
    T: ArraySize,
{
    type NonceSize = N;
    type TagSize = T;
    const TAG_POSITION: TagPosition = A::TAG_POSITION;
}

impl<A, N, T> AeadInOut for Fixed<A, N, T>
where
    A: Allows<N, T>,
    N: ArraySize,
    T: ArraySize,
{
    fn encrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<Tag<Self>, aead::Error> {
        let mut tag = Tag::<Self>::default();
        self.mode
            .seal_inout(nonce, associated_data, buffer, &mut tag)?;
        Ok(tag)
    }

    fn decrypt_inout_detached(
        &self,
        nonce: &Nonce<Self>,
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &Tag<Self>,
    ) -> Result<(), aead::Error> {
        Ok(self.mode.open_inout(nonce, associated_data, buffer, tag)?)
    }
}

impl<A: fmt::Debug, N, T> fmt::Debug for Fixed<A, N, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.mode.fmt(f)
    }
}

#[cfg(feature = "zeroize")]
impl<A: zeroize::ZeroizeOnDrop, N, T> zeroize::ZeroizeOnDrop for Fixed<A, N, T> {}
