//! SIV (RFC 5297) over SM4.

mod many;

use core::fmt;

use aead::{
    Key, KeyInit, KeySizeUser, TagPosition,
    array::{ArraySize, typenum::NonZero},
    consts::{U16, U32},
    inout::InOutBuf,
};
use sm4::{Sm4, cipher::BlockCipherEncrypt};
use sm4_modes::{
    counter::Be128,
    shared::{Block, Cmac, MacChain, Subkeys, Wiped, double, padded, run_chains, sum},
};

use crate::{
    Error, Message,
    ctr::{KeyStream, NoMac, Text},
    fixed::{Allows, Fixed},
    many::GROUP,
    mode::Mode,
    open,
};

/// SM4-SIV with nonces of `N` bytes and tags of 16 bytes, which stand before the ciphertext.
///
/// The key has 32 bytes: 16 for the MAC, 16 for the encryption. The nonce has 16 bytes unless you
/// say otherwise. There is no limit for a message but that of memory.
///
/// If a nonce is used twice, all that is lost is that equal messages with equal associated data are
/// seen to be equal. For messages without a nonce and with any number of associated strings see
/// [`Siv::seal_strings`].
///
/// **No standard has SIV with SM4**: this is RFC 5297 with SM4 in the place of AES-128. It
/// interoperates with libgcrypt.
///
/// After a bad tag the output holds zeros, in place and from buffer to buffer. The time does not
/// depend on the key or the data, only on lengths.
///
/// ```
/// use sm4_aead::{Sm4Siv, aead::{Aead, Payload}};
///
/// let siv = Sm4Siv::new(b"two secrets, each of 16 bytes ..".into());
/// let nonce = b"once for one key".into();
/// let sealed = siv.encrypt(nonce, Payload { msg: b"message", aad: b"header" })?;
/// assert_eq!(siv.decrypt(nonce, Payload { msg: &sealed, aad: b"header" })?, b"message");
/// # Ok::<(), sm4_aead::aead::Error>(())
/// ```
pub type Sm4Siv<N = U16> = Fixed<Siv, N, U16>;

impl Sm4Siv {
    /// Sets up a key for 16-byte nonces.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }
}

impl<N: ArraySize + NonZero> Allows<N, U16> for Siv {
    const TAG_POSITION: TagPosition = TagPosition::Prefix;
}

/// SM4-SIV with nonces (of 1 byte and more) as slices, or with any number of associated strings: see
/// [`Sm4Siv`] and [`AnySize`](crate::AnySize).
#[derive(Clone)]
pub struct Siv {
    mac: Sm4,
    subkeys: Subkeys,
    /// CMAC of a block of zeros.
    zero: Wiped<Block>,
    encryption: Sm4,
}

/// RFC 5297, section 7: with the plaintext there are at most 127 strings.
const MAX_STRINGS: usize = 126;

/// Associated strings that are worked on side by side with the plaintext.
const STRINGS: usize = 8;

impl Siv {
    /// The same with ciphers that have been set up already, e.g. for a certain backend.
    #[must_use]
    pub fn from_ciphers(mac: Sm4, encryption: Sm4) -> Self {
        let subkeys = Subkeys::new(&mac);
        let mut zero = subkeys.last(&[0; 16]);
        mac.encrypt_block(&mut zero);
        Self {
            mac,
            subkeys,
            zero: Wiped(zero),
            encryption,
        }
    }

    /// Adds the MAC of the next string.
    fn add(&self, before: &Block, string: &MacChain<'_>) -> Block {
        sum(&double::<Cmac>(before), &string.state)
    }

    /// S2V: the MAC of a vector of strings, the last of which is the plaintext.
    fn s2v<'s>(&self, strings: impl Iterator<Item = &'s [u8]>, plaintext: &[u8]) -> Block {
        let (blocks, end) = split(plaintext);
        let mut chains = [MacChain::default(); STRINGS];
        chains[0].input.data[0] = blocks;
        let mut state = None;
        let mut sum = self.zero.0;
        let mut count = 1;
        let mut run = |chains: &mut [MacChain<'_>]| {
            run_chains(&self.mac, chains);
            let (first, strings) = chains.split_at(usize::from(state.is_none()));
            if let [first] = first {
                state = Some(first.state);
            }
            for string in strings {
                sum = self.add(&sum, string);
            }
        };
        for string in strings {
            chains[count] = MacChain {
                state: Block::default(),
                input: self.subkeys.input(string),
            };
            count += 1;
            if count == STRINGS {
                run(&mut chains);
                count = 0;
            }
        }
        run(&mut chains[..count]);

        let (tail, len) = tail(&sum, end);
        let mut last = [MacChain {
            state: state.unwrap_or_default(),
            input: self.subkeys.input(&tail[..len]),
        }];
        run_chains(&self.mac, &mut last);
        last[0].state
    }

    fn key_stream(tag: &Block) -> KeyStream<Be128> {
        let mut counter = *tag;
        counter[8] &= 0x7f;
        counter[12] &= 0x7f;
        KeyStream::new(counter)
    }

    /// Encrypts or decrypts.
    fn crypt(&self, tag: &Block, data: InOutBuf<'_, '_, u8>) {
        Self::key_stream(tag).apply(self.encryption.bulk(), data, Text::Input, &mut NoMac);
    }

    fn seal_vector<'d>(
        &self,
        strings: impl Iterator<Item = &'d [u8]>,
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Block {
        let tag = self.s2v(strings, buffer.get_in());
        self.crypt(&tag, buffer);
        tag
    }

    /// Decrypts with the given tag, and returns the one that is expected.
    fn open_vector<'d>(
        &self,
        strings: impl Iterator<Item = &'d [u8]>,
        mut buffer: InOutBuf<'_, '_, u8>,
        tag: &Block,
    ) -> Block {
        self.crypt(tag, buffer.reborrow());
        self.s2v(strings, buffer.get_out())
    }

    /// Encrypts with a vector of up to 126 associated strings, and returns the tag. No string is
    /// something else than one empty string. A nonce, if there is one, is the last string.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if there are more than 126 strings.
    pub fn seal_strings(
        &self,
        strings: &[&[u8]],
        buffer: InOutBuf<'_, '_, u8>,
    ) -> Result<[u8; 16], Error> {
        if strings.len() > MAX_STRINGS {
            return Err(Error::MessageLength);
        }
        Ok(self.seal_vector(strings.iter().copied(), buffer).0)
    }

    /// Decrypts with a vector of associated strings, and checks the tag.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if there are more than 126 strings, [`Error::Authentication`] if the
    /// tag is wrong; the output holds zeros then.
    pub fn open_strings(
        &self,
        strings: &[&[u8]],
        mut buffer: InOutBuf<'_, '_, u8>,
        tag: &[u8; 16],
    ) -> Result<(), Error> {
        if strings.len() > MAX_STRINGS {
            return Err(Error::MessageLength);
        }
        let strings = strings.iter().copied();
        let expected = self.open_vector(strings, buffer.reborrow(), &Block::from(*tag));
        open::accept(&expected, tag, buffer.get_out())
    }
}

/// Cuts the plaintext into the blocks that don't depend on the other strings, and at least the last
/// 16 bytes (if there are so many).
fn split(plaintext: &[u8]) -> (&[u8], &[u8]) {
    plaintext.split_at(plaintext.len().saturating_sub(16) / 16 * 16)
}

/// Adds the sum of the other strings to the last 16 bytes, or if there are fewer, doubled to these
/// padded. Returns what is left of the plaintext then, and its length.
fn tail(sum: &Block, end: &[u8]) -> ([u8; 31], usize) {
    let mut tail = [0; 31];
    tail[..end.len()].copy_from_slice(end);
    let (at, mask) = if end.len() < 16 {
        tail[end.len()] = 0x80;
        (0, double::<Cmac>(sum))
    } else {
        (end.len() - 16, *sum)
    };
    for (byte, mask) in tail[at..].iter_mut().zip(&mask) {
        *byte ^= mask;
    }
    (tail, at + 16)
}

/// The two strings are the associated data and the nonce, in this order (RFC 5297, section 3).
impl Mode for Siv {
    fn check(&self, nonce: usize, _: u64, _: u64, tag: usize) -> Result<(), Error> {
        if nonce == 0 {
            Err(Error::NonceLength)
        } else if tag != 16 {
            Err(Error::TagLength)
        } else {
            Ok(())
        }
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, _: usize) -> Block {
        self.seal_vector([aad, nonce].into_iter(), buffer)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Block {
        self.open_vector([aad, nonce].into_iter(), buffer, &padded(tag))
    }

    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        let tags = self.s2v_group(group);
        self.apply(group, |i, _| tags[i]);
        tags
    }

    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.apply(group, |_, message| padded(message.tag));
        self.s2v_group(group)
    }
}

impl KeySizeUser for Siv {
    type KeySize = U32;
}

impl KeyInit for Siv {
    fn new(key: &Key<Self>) -> Self {
        let (mac, encryption) = key.split_ref::<U16>();
        Self::from_ciphers(Sm4::new(mac), Sm4::new(encryption))
    }
}

impl fmt::Debug for Siv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Siv")
            .field("mac", &self.mac)
            .field("encryption", &self.encryption)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Siv {}
