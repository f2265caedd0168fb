//! OFB mode (NIST SP 800-38A 6.4, GB/T 17964).

/// OFB mode: a key stream of which every block is the encryption of the one before. 16-byte key,
/// 16-byte IV, data of any length.
///
/// This is the type of the `ofb` crate, which is as fast as one block after the other can be.
///
/// **Unauthenticated.** The IV must not be used twice with a key.
///
/// ```
/// use sm4_modes::{Sm4Ofb, cipher::{KeyIvInit, StreamCipher}};
///
/// let (key, iv) = (b"a 16-byte secret".into(), b"never used twice".into());
/// let mut data = *b"message";
/// Sm4Ofb::new(key, iv).apply_keystream(&mut data);
/// Sm4Ofb::new(key, iv).apply_keystream(&mut data);
/// assert_eq!(data, *b"message");
/// ```
pub type Sm4Ofb = ::ofb::Ofb<sm4::Sm4>;
