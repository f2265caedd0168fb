//! CCM: Counter with CBC-MAC (NIST SP 800-38C, RFC 3610; for TLS 1.3 with SM4, RFC 8998).

mod many;
mod pieces;

pub use pieces::CcmState;

use aead::{
    Key, KeyInit,
    array::ArraySize,
    consts::{U4, U6, U7, U8, U9, U10, U11, U12, U13, U14, U16},
    inout::InOutBuf,
};
use sm4::{Bulk, Sm4, cipher::BlockCipherEncrypt};
use sm4_modes::{
    counter::Be128,
    shared::{Block, padded, sum},
};

use crate::{
    Error, Message,
    chain::Chain,
    ctr::{KeyStream, Mac, Text},
    fixed::{Allows, Fixed},
    many::GROUP,
    mode::{Mode, keyed_mode},
};

/// SM4-CCM with tags of `M` bytes and nonces of `N` bytes.
///
/// The key has 16 bytes, the tag 16 unless you say otherwise (4 to 16, even), the nonce 12 (7 to
/// 13). A message has less than 2^(8·(15 − N)) bytes: with 12-byte nonces less than 16 MiB, with 13
/// less than 64 KiB. The associated data has less than 2^64.
///
/// **Never use a nonce twice with the same key**: whoever sees two such messages learns their XOR.
/// SP 800-38C limits a key to 2^61 calls of the block cipher, which are not counted.
///
/// After a bad tag the output holds zeros, in place and from buffer to buffer. The time does not
/// depend on the key or the data, only on lengths.
///
/// ```
/// use sm4_aead::{Sm4Ccm, aead::{Aead, Payload}};
///
/// let ccm = Sm4Ccm::new(b"a 16-byte secret".into());
/// let nonce = b"once per key".into();
/// let sealed = ccm.encrypt(nonce, Payload { msg: b"message", aad: b"header" })?;
/// assert_eq!(ccm.decrypt(nonce, Payload { msg: &sealed, aad: b"header" })?, b"message");
/// # Ok::<(), sm4_aead::aead::Error>(())
/// ```
pub type Sm4Ccm<M = U16, N = U12> = Fixed<Ccm, N, M>;

impl Sm4Ccm {
    /// Sets up a key for 16-byte tags and 12-byte nonces.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }
}

impl<N: CcmNonce, T: CcmTag> Allows<N, T> for Ccm {}

/// The tag sizes of CCM: 4, 6, 8, 10, 12, 14 and 16 bytes.
pub trait CcmTag: ArraySize {}

/// The nonce sizes of CCM: 7 to 13 bytes.
pub trait CcmNonce: ArraySize {}

macro_rules! sizes {
    ($what:ident: $($size:ty),*) => {
        $(impl $what for $size {})*
    };
}
sizes!(CcmTag: U4, U6, U8, U10, U12, U14, U16);
sizes!(CcmNonce: U7, U8, U9, U10, U11, U12, U13);

/// SM4-CCM with nonces (7 to 13 bytes) and tags (4 to 16 bytes, even) as slices: see [`Sm4Ccm`] and
/// [`AnySize`](crate::AnySize).
#[derive(Clone)]
pub struct Ccm {
    cipher: Sm4,
}

keyed_mode!(Ccm);

fn check(nonce: usize, message: u64, tag: usize) -> Result<(), Error> {
    if !(7..=13).contains(&nonce) {
        return Err(Error::NonceLength);
    }
    if !(4..=16).contains(&tag) || !tag.is_multiple_of(2) {
        return Err(Error::TagLength);
    }
    // The message's length fits into the bytes that the nonce leaves.
    let bits = 8 * (15 - nonce);
    if bits < 64 && message >> bits != 0 {
        return Err(Error::MessageLength);
    }
    Ok(())
}

/// Everything about a message but its bytes.
#[derive(Clone, Copy)]
pub(crate) struct Header<'a> {
    nonce: &'a [u8],
    associated_data: &'a [u8],
    message_len: u64,
    tag_len: usize,
}

impl<'a> Header<'a> {
    fn new(nonce: &'a [u8], associated_data: &'a [u8], message_len: u64, tag_len: usize) -> Self {
        Self {
            nonce,
            associated_data,
            message_len,
            tag_len,
        }
    }

    /// A flags byte, the nonce, and a number in the bytes that are left.
    fn block(&self, flags: usize, number: u64) -> Block {
        let mut block = Block::from(u128::from(number).to_be_bytes());
        #[allow(clippy::cast_possible_truncation, reason = "less than 128")]
        let flags = flags as u8;
        block[0] = flags | (14 - self.nonce.len()).to_le_bytes()[0];
        block[1..][..self.nonce.len()].copy_from_slice(self.nonce);
        block
    }

    /// Counter block 0, which masks the tag.
    pub(crate) fn counter(&self) -> Block {
        self.block(0, 0)
    }

    /// B0, the first block of the MAC.
    pub(crate) fn first(&self) -> Block {
        let has_associated_data = usize::from(!self.associated_data.is_empty());
        let flags = (has_associated_data << 6) | (((self.tag_len - 2) / 2) << 3);
        self.block(flags, self.message_len)
    }

    /// The length of the associated data, as it stands before them: a block of which only so many
    /// bytes are used.
    pub(crate) fn associated_data_len(&self) -> (Block, usize) {
        let len = self.associated_data.len() as u64;
        let bytes = len.to_be_bytes();
        match len {
            0 => (Block::default(), 0),
            1..0xff00 => (padded(&bytes[6..]), 2),
            0xff00..=0xffff_ffff => {
                let mut block = padded(&[0xff, 0xfe]);
                block[2..6].copy_from_slice(&bytes[4..]);
                (block, 6)
            }
            _ => {
                let mut block = padded(&[0xff, 0xff]);
                block[2..10].copy_from_slice(&bytes);
                (block, 10)
            }
        }
    }
}

/// The MAC over header and plaintext.
#[derive(Clone)]
pub(crate) struct CbcMac<'a> {
    header: Option<Header<'a>>,
    chain: Chain<false>,
}

impl<'a> CbcMac<'a> {
    fn new(header: Header<'a>) -> Self {
        Self {
            header: Some(header),
            chain: Chain::new(Block::default()),
        }
    }

    /// The same after the header has been taken.
    fn without_header(self) -> CbcMac<'static> {
        CbcMac {
            header: None,
            chain: self.chain,
        }
    }

    fn finish(&mut self, cipher: &Sm4) -> Block {
        let (state, block, len) = self.chain.end();
        let mut state = sum(&state, &block);
        if len > 0 {
            cipher.encrypt_block(&mut state);
        }
        state
    }
}

impl Mac for CbcMac<'_> {
    #[inline(always)]
    fn companion(&mut self) -> Option<Block> {
        self.header.as_ref().map(Header::first)
    }

    #[inline(always)]
    fn begin(&mut self, cipher: Bulk<'_>, first: &Block) {
        if let Some(header) = self.header.take() {
            self.chain = Chain::new(*first);
            let (block, len) = header.associated_data_len();
            self.chain.update(cipher, &block[..len]);
            self.chain.update(cipher, header.associated_data);
            self.chain.pad(cipher);
        }
    }

    #[inline(always)]
    fn update(&mut self, cipher: Bulk<'_>, data: &[u8]) {
        self.chain.update(cipher, data);
    }
}

impl Ccm {
    /// The same with a cipher that has been set up already, e.g. for a certain backend.
    #[must_use]
    pub fn from_cipher(cipher: Sm4) -> Self {
        Self { cipher }
    }

    /// Encrypts or decrypts, and returns the tag in full length.
    fn crypt(&self, header: Header<'_>, data: InOutBuf<'_, '_, u8>, plaintext: Text) -> Block {
        let mut stream = KeyStream::<Be128>::with_mask(header.counter());
        let mut mac = CbcMac::new(header);
        stream.apply(self.cipher.bulk(), data, plaintext, &mut mac);
        sum(&mac.finish(&self.cipher), &stream.mask(self.cipher.bulk()))
    }
}

impl Mode for Ccm {
    fn check(&self, nonce: usize, _: u64, message: u64, tag: usize) -> Result<(), Error> {
        check(nonce, message, tag)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: usize) -> Block {
        let header = Header::new(nonce, aad, buffer.len() as u64, tag);
        self.crypt(header, buffer, Text::Input)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Block {
        let header = Header::new(nonce, aad, buffer.len() as u64, tag.len());
        self.crypt(header, buffer, Text::Output)
    }

    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, Text::Input)
    }

    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, Text::Output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        for (nonce, max) in [(13, (1 << 16) - 1), (12, (1 << 24) - 1), (8, (1 << 56) - 1)] {
            assert_eq!(check(nonce, max, 16), Ok(()));
            assert_eq!(check(nonce, max + 1, 16), Err(Error::MessageLength));
        }
        assert_eq!(check(7, u64::MAX, 16), Ok(()));
    }
}
