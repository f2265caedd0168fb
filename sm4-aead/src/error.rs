//! What can go wrong.

use core::fmt;

/// Why a message could not be sealed or opened.
///
/// Only [`Authentication`](Self::Authentication) depends on the contents of a message. All other
/// errors follow from lengths alone and are found before the first byte of output is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The standard does not allow a nonce of this length.
    NonceLength,
    /// The standard does not allow a tag of this length.
    TagLength,
    /// The message or the associated data is longer than the standard allows, or the output is
    /// not as long as the input.
    MessageLength,
    /// The tag is not that of this key, nonce, associated data and ciphertext.
    Authentication,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NonceLength => "nonce length not allowed",
            Self::TagLength => "tag length not allowed",
            Self::MessageLength => "message length not allowed",
            Self::Authentication => "authentication failed",
        })
    }
}

impl core::error::Error for Error {}

impl From<Error> for aead::Error {
    fn from(_: Error) -> Self {
        Self
    }
}
