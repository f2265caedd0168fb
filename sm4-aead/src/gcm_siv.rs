//! GCM-SIV (RFC 8452) over SM4.

use aead::{
    Key, KeyInit,
    consts::{U12, U16},
    inout::InOutBuf,
};
use sm4::{Sm4, UnavailableBackend, cipher::BlockCipherEncrypt};
use sm4_modes::{
    counter::Le32,
    shared::{Block, Wiped, padded, sum},
};

use crate::{
    Error, Message,
    ctr::{KeyStream, NoMac, Text},
    fixed::{Allows, Fixed},
    hash::Hash,
    many::GROUP,
    mode::{Mode, keyed_mode},
    polyval::{HashKey, Order},
};

/// SM4-GCM-SIV.
///
/// The key and the tag have 16 bytes, the nonce 12. A message and its associated data have at most
/// 2^36 bytes each.
///
/// If a nonce is used twice, all that is lost is that equal messages with equal associated data are
/// seen to be equal; RFC 8452, section 9, gives the limits.
///
/// **No standard has GCM-SIV with SM4**: this is RFC 8452 with SM4 in all places of AES-128, the
/// derivation of keys included. It interoperates with libgcrypt.
///
/// After a bad tag the output holds zeros, in place and from buffer to buffer. The time does not
/// depend on the key or the data, only on lengths.
///
/// ```
/// use sm4_aead::{Sm4GcmSiv, aead::{Aead, Payload}};
///
/// let gcm_siv = Sm4GcmSiv::new(b"a 16-byte secret".into());
/// let nonce = b"once per key".into();
/// let sealed = gcm_siv.encrypt(nonce, Payload { msg: b"message", aad: b"header" })?;
/// assert_eq!(gcm_siv.decrypt(nonce, Payload { msg: &sealed, aad: b"header" })?, b"message");
/// # Ok::<(), sm4_aead::aead::Error>(())
/// ```
pub type Sm4GcmSiv = Fixed<GcmSiv, U12, U16>;

impl Sm4GcmSiv {
    /// Sets up a key.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }
}

impl Allows<U12, U16> for GcmSiv {}

/// SM4-GCM-SIV with nonces (12 bytes) and tags (16 bytes) as slices: see [`Sm4GcmSiv`] and
/// [`AnySize`](crate::AnySize).
#[derive(Clone)]
pub struct GcmSiv {
    cipher: Sm4,
}

keyed_mode!(GcmSiv);

/// The longest message, and the longest associated data.
const MAX: u64 = 1 << 36;

fn check(nonce: usize, associated_data: u64, message: u64, tag: usize) -> Result<(), Error> {
    if nonce != 12 {
        Err(Error::NonceLength)
    } else if tag != 16 {
        Err(Error::TagLength)
    } else if associated_data > MAX || message > MAX {
        Err(Error::MessageLength)
    } else {
        Ok(())
    }
}

/// The keys for one nonce.
struct NonceKeys {
    /// Filled up with zeros.
    nonce: Block,
    authentication: HashKey,
    encryption: Sm4,
}

impl NonceKeys {
    fn hash(&self, associated_data: &[u8]) -> Hash<'_> {
        let mut hash = Hash::new(&self.authentication, Order::Straight);
        hash.update_padded(associated_data);
        hash
    }

    /// The tag for the hash of all data.
    fn tag(&self, hash: &Block) -> Block {
        let mut tag = sum(hash, &self.nonce);
        tag[15] &= 0x7f;
        self.encryption.encrypt_block(&mut tag);
        tag
    }

    fn seal(&self, aad: &[u8], buffer: InOutBuf<'_, '_, u8>) -> Block {
        let (aad_len, len) = (aad.len() as u64, buffer.len() as u64);
        let hash = self.hash(aad).finish_with(buffer.get_in(), aad_len, len);
        let tag = self.tag(&hash);
        key_stream(&tag).apply(self.encryption.bulk(), buffer, Text::Input, &mut NoMac);
        tag
    }

    fn open(&self, aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Block {
        let hash = self.hash(aad).finish_along(
            aad.len() as u64,
            &mut key_stream(&padded(tag)),
            &self.encryption,
            buffer,
            Text::Output,
        );
        self.tag(&hash)
    }
}

fn key_stream(tag: &Block) -> KeyStream<Le32> {
    let mut counter = *tag;
    counter[15] |= 0x80;
    KeyStream::new(counter)
}

impl GcmSiv {
    /// The same with a cipher that has been set up already, e.g. for a certain backend.
    #[must_use]
    pub fn from_cipher(cipher: Sm4) -> Self {
        Self { cipher }
    }

    /// The keys for a nonce, from the encrypted [`key_blocks`].
    fn nonce_keys(&self, nonce: &[u8], blocks: &[Block; 4]) -> NonceKeys {
        let mut keys = Wiped([Block::default(); 2]);
        for (half, block) in Block::slice_as_flattened_mut(&mut keys.0)
            .chunks_exact_mut(8)
            .zip(blocks)
        {
            half.copy_from_slice(&block[..8]);
        }
        let backend = self.cipher.backend();
        let encryption = match Sm4::with_backend(&keys.0[1], backend) {
            Ok(cipher) => cipher,
            Err(UnavailableBackend { .. }) => unreachable!("there is a key for this backend"),
        };
        NonceKeys {
            nonce: padded(nonce),
            authentication: HashKey::polyval(&keys.0[0], backend),
            encryption,
        }
    }

    fn nonce_keys_of_one(&self, nonce: &[u8]) -> NonceKeys {
        let mut blocks = Wiped(key_blocks(nonce));
        self.cipher.bulk().encrypt_blocks(&mut blocks.0);
        self.nonce_keys(nonce, &blocks.0)
    }

    /// Encrypts or decrypts each message that has no error. The blocks for all keys are encrypted at
    /// once.
    fn crypt_group(
        &self,
        group: &mut [Message<'_>],
        crypt: impl Fn(&NonceKeys, &mut Message<'_>) -> Block,
    ) -> [Block; GROUP] {
        let mut blocks = Wiped([[Block::default(); 4]; GROUP]);
        let blocks = &mut blocks.0[..group.len()];
        for (blocks, message) in blocks.iter_mut().zip(&*group) {
            if message.result.is_ok() {
                *blocks = key_blocks(message.nonce);
            }
        }
        self.cipher.bulk().encrypt_blocks(blocks.as_flattened_mut());
        let mut tags = [Block::default(); GROUP];
        for ((message, blocks), tag) in group.iter_mut().zip(&*blocks).zip(&mut tags) {
            if message.result.is_ok() {
                *tag = crypt(&self.nonce_keys(message.nonce, blocks), message);
            }
        }
        tags
    }
}

/// What the keys for a nonce are made of (RFC 8452, section 4): the first halves of these blocks,
/// encrypted.
fn key_blocks(nonce: &[u8]) -> [Block; 4] {
    let mut blocks = [Block::default(); 4];
    for (i, block) in (0..).zip(&mut blocks) {
        block[0] = i;
        block[4..].copy_from_slice(nonce);
    }
    blocks
}

impl Mode for GcmSiv {
    fn check(&self, nonce: usize, aad: u64, message: u64, tag: usize) -> Result<(), Error> {
        check(nonce, aad, message, tag)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, _: usize) -> Block {
        self.nonce_keys_of_one(nonce).seal(aad, buffer)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Block {
        self.nonce_keys_of_one(nonce).open(aad, buffer, tag)
    }

    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, |keys, message| {
            keys.seal(message.associated_data, (&mut *message.buffer).into())
        })
    }

    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, |keys, message| {
            let buffer = (&mut *message.buffer).into();
            keys.open(message.associated_data, buffer, message.tag)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        let check_sizes = |aad, message| check(12, aad, message, 16);
        assert_eq!(check_sizes(1 << 36, 1 << 36), Ok(()));
        assert_eq!(check_sizes(0, (1 << 36) + 1), Err(Error::MessageLength));
        assert_eq!(check_sizes((1 << 36) + 1, 0), Err(Error::MessageLength));
    }
}
