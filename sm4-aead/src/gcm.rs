//! GCM: Galois/Counter Mode (NIST SP 800-38D; for TLS 1.3 with SM4, RFC 8998).

mod many;
mod pieces;

pub use pieces::GcmState;

use aead::{
    Key, KeyInit,
    array::ArraySize,
    consts::{U12, U13, U14, U15, U16},
    inout::InOutBuf,
};
use sm4::{Sm4, cipher::BlockCipherEncrypt};
use sm4_modes::{
    counter::Be32,
    shared::{Block, sum},
};

use crate::{
    Error, Message,
    ctr::{KeyStream, Text},
    fixed::{Allows, Fixed},
    hash::Hash,
    many::GROUP,
    mode::{Mode, keyed_mode},
    polyval::{HashKey, Order},
};

/// SM4-GCM with nonces of `N` bytes and tags of `T` bytes.
///
/// The key has 16 bytes, the nonce 12 unless you say otherwise, the tag 16 (12 to 16; 4 and 8 with
/// the feature `hazmat`). A message has at most 2^36 − 32 bytes, its associated data at most
/// 2^61 − 1.
///
/// **Never use a nonce twice with the same key**: whoever sees two such messages can forge others
/// and learns the XOR of the two. With random nonces, stay below 2^32 messages for a key.
///
/// After a bad tag the output holds zeros, in place and from buffer to buffer. The time does not
/// depend on the key or the data, only on lengths.
///
/// ```
/// use sm4_aead::{Sm4Gcm, aead::{Aead, Payload}};
///
/// let gcm = Sm4Gcm::new(b"a 16-byte secret".into());
/// let nonce = b"once per key".into();
/// let sealed = gcm.encrypt(nonce, Payload { msg: b"message", aad: b"header" })?;
/// assert_eq!(sealed.len(), b"message".len() + 16);
/// assert_eq!(gcm.decrypt(nonce, Payload { msg: &sealed, aad: b"header" })?, b"message");
/// assert!(gcm.decrypt(nonce, Payload { msg: &sealed, aad: b"another" }).is_err());
/// # Ok::<(), sm4_aead::aead::Error>(())
/// ```
pub type Sm4Gcm<N = U12, T = U16> = Fixed<Gcm, N, T>;

impl Sm4Gcm {
    /// Sets up a key for 12-byte nonces and 16-byte tags.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }
}

impl<N: ArraySize + aead::array::typenum::NonZero, T: ArraySize> Allows<N, T> for Gcm where T: GcmTag
{}

/// The tag sizes of GCM: 12 to 16 bytes, and 4 and 8 with the feature `hazmat`.
pub trait GcmTag: ArraySize {}

impl GcmTag for U12 {}
impl GcmTag for U13 {}
impl GcmTag for U14 {}
impl GcmTag for U15 {}
impl GcmTag for U16 {}
#[cfg(feature = "hazmat")]
impl GcmTag for aead::consts::U4 {}
#[cfg(feature = "hazmat")]
impl GcmTag for aead::consts::U8 {}

/// SM4-GCM with nonces (of 1 byte and more) and tags as slices: see [`Sm4Gcm`] and
/// [`AnySize`](crate::AnySize).
///
/// A key takes some 600 bytes more than that of the cipher, for powers of the hash key.
#[derive(Clone)]
pub struct Gcm {
    cipher: Sm4,
    hash_key: HashKey,
}

keyed_mode!(Gcm, from_parts);

/// The longest message: 2^32 − 2 blocks.
const MAX_MESSAGE: u64 = (1 << 36) - 32;
/// The longest associated data: 2^64 − 1 bits.
const MAX_ASSOCIATED_DATA: u64 = (1 << 61) - 1;

pub(crate) fn check(
    nonce: usize,
    associated_data: u64,
    message: u64,
    tag: usize,
) -> Result<(), Error> {
    if nonce == 0 || nonce as u64 > MAX_ASSOCIATED_DATA {
        return Err(Error::NonceLength);
    }
    match tag {
        12..=16 => {}
        4 | 8 if cfg!(feature = "hazmat") => {}
        _ => return Err(Error::TagLength),
    }
    if associated_data > MAX_ASSOCIATED_DATA || message > MAX_MESSAGE {
        return Err(Error::MessageLength);
    }
    Ok(())
}

impl Gcm {
    /// From H, the encrypted block of zeros.
    fn from_parts(cipher: Sm4, h: Block) -> Self {
        Self {
            hash_key: HashKey::ghash(&h, cipher.backend()),
            cipher,
        }
    }

    /// J0: the counter block that masks the tag.
    fn first_counter(&self, nonce: &[u8]) -> Block {
        if let Ok(nonce) = <[u8; 12]>::try_from(nonce) {
            let mut block = Block::default();
            block[..12].copy_from_slice(&nonce);
            block[15] = 1;
            return block;
        }
        Hash::new(&self.hash_key, Order::Reversed).finish_with(nonce, 0, nonce.len() as u64)
    }

    /// The hash of data and the mask of the tag, for GMAC.
    pub(crate) fn start_mac(&self, nonce: &[u8]) -> Result<(Hash<'_>, Block), Error> {
        check(nonce.len(), 0, 0, 16)?;
        let mut mask = self.first_counter(nonce);
        self.cipher.encrypt_block(&mut mask);
        Ok((Hash::new(&self.hash_key, Order::Reversed), mask))
    }

    /// The hash of the associated data.
    fn hash(&self, associated_data: &[u8]) -> Hash<'_> {
        let mut hash = Hash::new(&self.hash_key, Order::Reversed);
        hash.update_padded(associated_data);
        hash
    }

    /// Encrypts or decrypts, and returns the tag in full length.
    fn crypt(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        ciphertext: Text,
    ) -> Block {
        let mut stream = KeyStream::<Be32>::with_mask(self.first_counter(nonce));
        let aad_len = associated_data.len() as u64;
        let hash = self.hash(associated_data);
        let hash = hash.finish_along(aad_len, &mut stream, &self.cipher, data, ciphertext);
        let mask = stream.mask(self.cipher.bulk());
        sum(&hash, &mask)
    }
}

impl Mode for Gcm {
    fn check(&self, nonce: usize, aad: u64, message: u64, tag: usize) -> Result<(), Error> {
        check(nonce, aad, message, tag)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, _: usize) -> Block {
        self.crypt(nonce, aad, buffer, Text::Output)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, _: &[u8]) -> Block {
        self.crypt(nonce, aad, buffer, Text::Input)
    }

    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, Text::Output)
    }

    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, Text::Input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let check_sizes = |aad, message| check(12, aad, message, 16);
        assert_eq!(check_sizes((1 << 61) - 1, (1 << 36) - 32), Ok(()));
        assert_eq!(check_sizes(0, (1 << 36) - 31), Err(Error::MessageLength));
        assert_eq!(check_sizes(1 << 61, 0), Err(Error::MessageLength));
    }
}
