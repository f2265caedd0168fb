//! What all modes have in common, and what they differ in.

use aead::inout::InOutBuf;
use sm4_modes::shared::Block;

use crate::{Error, Message, many::GROUP};

/// What the modes differ in; [`AnySize`](crate::AnySize) has what follows from it. The lengths have
/// been checked when anything but [`check`](Self::check) is called.
pub trait Mode {
    /// Whether the mode's standard allows these lengths in bytes.
    fn check(
        &self,
        nonce: usize,
        associated_data: u64,
        message: u64,
        tag: usize,
    ) -> Result<(), Error>;

    /// Encrypts, and returns the tag in full length.
    fn seal(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag_len: usize,
    ) -> Block;

    /// Decrypts what came with a tag, and returns in full length the tag that should have come.
    fn open(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Block;

    /// The same as [`seal`](Self::seal) for up to [`GROUP`] messages, those without an error.
    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP];

    /// The same as [`open`](Self::open) for up to [`GROUP`] messages, those without an error.
    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP];
}

/// What only the modes here have, with nothing in it for others to call.
///
/// ```compile_fail,E0599
/// fn tag(mode: &dyn sm4_aead::AnySize) {
///     let _ = mode.open(b"once per key", b"", (&mut [][..]).into(), &[0; 16]);
/// }
/// ```
pub trait Sealed {}

impl<M: Mode> Sealed for M {}

/// The traits of keys for a mode that has `from_cipher` and a field `cipher`. If all that it derives
/// from its key is an encrypted block of zeros, it has `from_parts` as well, which takes that.
macro_rules! keyed_mode {
    ($mode:ident) => {
        $crate::mode::keyed_mode!(@ $mode,
            key => Self::from_cipher(sm4::cipher::KeyInit::new(key)),
            key, backend => Self::from_cipher(sm4::Sm4::with_backend(key, backend)?)
        );
    };
    ($mode:ident, from_parts) => {
        $crate::mode::keyed_mode!(@ $mode,
            key => {
                let mut zero = sm4_modes::shared::Block::default();
                let cipher = sm4::Sm4::new_and_encrypt(key, &mut zero);
                Self::from_parts(cipher, zero)
            },
            key, backend => {
                let mut zero = sm4_modes::shared::Block::default();
                let cipher = sm4::Sm4::with_backend_and_encrypt(key, backend, &mut zero)?;
                Self::from_parts(cipher, zero)
            }
        );

        impl $mode {
            /// The same with a cipher that has been set up already.
            #[must_use]
            pub fn from_cipher(cipher: sm4::Sm4) -> Self {
                let mut zero = sm4_modes::shared::Block::default();
                sm4::cipher::BlockCipherEncrypt::encrypt_block(&cipher, &mut zero);
                Self::from_parts(cipher, zero)
            }
        }
    };
    (@ $mode:ident,
        $key:ident => $new:expr,
        $backend_key:ident, $backend:ident => $with_backend:expr
    ) => {
        impl $mode {
            /// Sets up a key (16 bytes) for a certain backend of the cipher.
            ///
            /// # Errors
            /// If this CPU or this build does not have the backend.
            pub fn with_backend(
                $backend_key: &aead::Key<Self>,
                $backend: sm4::Backend,
            ) -> Result<Self, sm4::UnavailableBackend> {
                Ok($with_backend)
            }

            /// The cipher.
            #[must_use]
            pub fn cipher(&self) -> &sm4::Sm4 {
                &self.cipher
            }
        }

        impl aead::KeySizeUser for $mode {
            type KeySize = aead::consts::U16;
        }

        impl aead::KeyInit for $mode {
            fn new($key: &aead::Key<Self>) -> Self {
                $new
            }
        }

        impl core::fmt::Debug for $mode {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($mode))
                    .field("cipher", &self.cipher)
                    .finish_non_exhaustive()
            }
        }

        #[cfg(feature = "zeroize")]
        impl zeroize::ZeroizeOnDrop for $mode {}
    };
}
pub(crate) use keyed_mode;
