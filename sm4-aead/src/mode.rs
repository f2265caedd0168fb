//! What all modes with one SM4 key have in common.

/// The traits of keys for a mode that has `from_cipher` and a field `cipher`.
macro_rules! keyed_mode {
    ($mode:ident) => {
        impl $mode {
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
            fn new(key: &aead::Key<Self>) -> Self {
                Self::from_cipher(sm4::cipher::KeyInit::new(key))
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
