//! OCB3 (RFC 7253).

mod offsets;
mod pass;
mod pieces;

pub use pieces::{OcbOpenState, OcbSealState};

use aead::{
    Key, KeyInit,
    array::ArraySize,
    consts::{U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16},
    inout::InOutBuf,
};
use sm4::{Sm4, cipher::BlockCipherEncrypt};
use sm4_modes::shared::{Block, padded, sum};

use crate::{
    Error, Message,
    erased::Erased,
    fixed::{Allows, Fixed},
    many::GROUP,
    mode::{Mode, keyed_mode},
};
use offsets::{Offsets, Table};

/// SM4-OCB3 with nonces of `N` bytes and tags of `T` bytes.
///
/// The key has 16 bytes, the nonce 12 unless you say otherwise (1 to 15), the tag 16 (8, 12 or 16).
/// Keep a key below 2^48 blocks in all messages together (RFC 7253, section 5.1); that is not
/// checked.
///
/// **Never use a nonce twice with the same key**: whoever sees two such messages learns which blocks
/// are equal and can forge others.
///
/// After a bad tag the output holds zeros, in place and from buffer to buffer. The time does not
/// depend on the key or the data, only on lengths and on the nonce.
///
/// ```
/// use sm4_aead::{Sm4Ocb3, aead::{Aead, Payload}};
///
/// let ocb = Sm4Ocb3::new(b"a 16-byte secret".into());
/// let nonce = b"once per key".into();
/// let sealed = ocb.encrypt(nonce, Payload { msg: b"message", aad: b"header" })?;
/// assert_eq!(ocb.decrypt(nonce, Payload { msg: &sealed, aad: b"header" })?, b"message");
/// # Ok::<(), sm4_aead::aead::Error>(())
/// ```
pub type Sm4Ocb3<N = U12, T = U16> = Fixed<Ocb3, N, T>;

impl Sm4Ocb3 {
    /// Sets up a key for 12-byte nonces and 16-byte tags.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }
}

impl<N: OcbNonce, T: OcbTag> Allows<N, T> for Ocb3 {}

/// The nonce sizes of OCB3: 1 to 15 bytes.
pub trait OcbNonce: ArraySize {}

/// The tag sizes of OCB3: 8, 12 and 16 bytes.
pub trait OcbTag: ArraySize {}

macro_rules! sizes {
    ($what:ident: $($size:ty),*) => {
        $(impl $what for $size {})*
    };
}
sizes!(OcbNonce: U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15);
sizes!(OcbTag: U8, U12, U16);

/// SM4-OCB3 with nonces (1 to 15 bytes) and tags (8, 12 or 16 bytes) as slices: see [`Sm4Ocb3`] and
/// [`AnySize`](crate::AnySize).
///
/// A key takes some 800 bytes more than that of the cipher.
#[derive(Clone)]
pub struct Ocb3 {
    cipher: Sm4,
    table: Erased<Table>,
}

keyed_mode!(Ocb3, from_parts);

fn check(nonce: usize, tag: usize) -> Result<(), Error> {
    if !(1..=15).contains(&nonce) {
        Err(Error::NonceLength)
    } else if !matches!(tag, 8 | 12 | 16) {
        Err(Error::TagLength)
    } else {
        Ok(())
    }
}

/// The nonce in a block, with the tag's length, and the six bits that are cleared in it (RFC 7253,
/// section 4.2).
fn nonce_block(nonce: &[u8], tag_len: usize) -> (Block, u8) {
    let mut block = Block::default();
    block[0] = ((tag_len * 8 % 128) << 1).to_le_bytes()[0];
    block[15 - nonce.len()] |= 1;
    block[16 - nonce.len()..].copy_from_slice(nonce);
    let bottom = block[15] & 0x3f;
    block[15] &= 0xc0;
    (block, bottom)
}

/// Offset_0 from the encrypted nonce block and the six bits that were cleared in it.
fn first_offset(top: &Block, bottom: u8) -> Block {
    let top = u128::from_be_bytes(top.0);
    let stretch = (top ^ top << 8) >> 64;
    (top << bottom | stretch << bottom >> 64)
        .to_be_bytes()
        .into()
}

/// A message in progress.
#[derive(Clone)]
struct Progress {
    offsets: Offsets,
    checksum: Block,
    /// HASH of the associated data.
    hash: Block,
}

impl Progress {
    /// Begins with the encrypted nonce block, and the bits that were cleared in it.
    fn new(top: &Block, bottom: u8, hash: Block) -> Self {
        Self {
            offsets: Offsets::new(first_offset(top, bottom)),
            checksum: Block::default(),
            hash,
        }
    }
}

impl Ocb3 {
    /// From L_*, the encrypted block of zeros.
    fn from_parts(cipher: Sm4, l_star: Block) -> Self {
        Self {
            table: Erased::new(Table::new(l_star)),
            cipher,
        }
    }

    /// Begins a message. The nonce is encrypted along with the associated data.
    fn start(&self, nonce: &[u8], aad: &[u8], tag_len: usize) -> Progress {
        let (mut top, bottom) = nonce_block(nonce, tag_len);
        let hash = self.hash(aad, Some(&mut top));
        Progress::new(&top, bottom, hash)
    }

    /// HASH of the associated data. The nonce block, if there is one, is encrypted.
    fn hash(&self, data: &[u8], nonce: Option<&mut Block>) -> Block {
        let mut hash = Block::default();
        self.cipher.bulk().encrypt_with_backend(pass::Hash {
            table: &self.table,
            data,
            nonce,
            hash: &mut hash,
        });
        hash
    }

    /// Encrypts or decrypts each message that has no error. The nonces of all are encrypted at once.
    fn crypt_group(
        &self,
        group: &mut [Message<'_>],
        crypt: impl Fn(&mut Progress, InOutBuf<'_, '_, u8>) -> Block,
    ) -> [Block; GROUP] {
        let mut nonces = [(Block::default(), 0); GROUP];
        let mut tops = [Block::default(); GROUP];
        for ((nonce, top), message) in nonces.iter_mut().zip(&mut tops).zip(&*group) {
            if message.result.is_ok() {
                *nonce = nonce_block(message.nonce, message.tag.len());
                *top = nonce.0;
            }
        }
        self.cipher.bulk().encrypt_blocks(&mut tops[..group.len()]);
        let mut tags = [Block::default(); GROUP];
        for (((message, tag), top), (_, bottom)) in
            group.iter_mut().zip(&mut tags).zip(&tops).zip(nonces)
        {
            if message.result.is_ok() {
                let hash = self.hash(message.associated_data, None);
                let mut progress = Progress::new(top, bottom, hash);
                *tag = crypt(&mut progress, (&mut *message.buffer).into());
            }
        }
        tags
    }

    /// Encrypts whole blocks.
    fn seal_blocks(&self, message: &mut Progress, blocks: InOutBuf<'_, '_, Block>) {
        self.cipher.bulk().run(pass::Seal {
            table: &self.table,
            offsets: &mut message.offsets,
            checksum: &mut message.checksum,
            blocks,
            end: None,
        });
    }

    /// Encrypts whole blocks and an incomplete last one, and returns the tag in full length.
    fn seal_end(
        &self,
        message: &mut Progress,
        blocks: InOutBuf<'_, '_, Block>,
        end: InOutBuf<'_, '_, u8>,
    ) -> Block {
        let mut tag = Block::default();
        self.cipher.bulk().run(pass::Seal {
            table: &self.table,
            offsets: &mut message.offsets,
            checksum: &mut message.checksum,
            blocks,
            end: Some((end, &mut tag)),
        });
        sum(&tag, &message.hash)
    }

    /// Encrypts a message, and returns the tag in full length.
    fn seal_message(&self, message: &mut Progress, buffer: InOutBuf<'_, '_, u8>) -> Block {
        let (blocks, end) = buffer.into_chunks();
        self.seal_end(message, blocks, end)
    }

    /// Decrypts a message, and returns the tag in full length.
    fn open_message(&self, message: &mut Progress, buffer: InOutBuf<'_, '_, u8>) -> Block {
        let (blocks, end) = buffer.into_chunks();
        self.open_blocks(message, blocks);
        self.open_end(message, end)
    }

    /// Decrypts whole blocks.
    fn open_blocks(&self, message: &mut Progress, blocks: InOutBuf<'_, '_, Block>) {
        self.cipher.bulk().run(pass::Open {
            table: &self.table,
            offsets: &mut message.offsets,
            checksum: &mut message.checksum,
            blocks,
        });
    }

    /// Decrypts an incomplete last block, and returns the tag in full length.
    fn open_end(&self, message: &Progress, mut end: InOutBuf<'_, '_, u8>) -> Block {
        let mut checksum = message.checksum;
        let mut offset = message.offsets.current(&self.table);
        if !end.is_empty() {
            offset = sum(&offset, &self.table.l_star);
            let mut pad = offset;
            self.cipher.encrypt_block(&mut pad);
            end.xor_in2out(&pad[..end.len()]);
            checksum = sum(&checksum, &padded_10(end.get_out()));
        }
        let mut tag = sum(&checksum, &sum(&offset, &self.table.l_dollar));
        self.cipher.encrypt_block(&mut tag);
        sum(&tag, &message.hash)
    }
}

/// Less than a block, a one bit and zeros.
#[inline(always)]
fn padded_10(bytes: &[u8]) -> Block {
    let mut block = padded(bytes);
    block[bytes.len()] = 0x80;
    block
}

impl Mode for Ocb3 {
    fn check(&self, nonce: usize, _: u64, _: u64, tag: usize) -> Result<(), Error> {
        check(nonce, tag)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: usize) -> Block {
        self.seal_message(&mut self.start(nonce, aad, tag), buffer)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, tag: &[u8]) -> Block {
        self.open_message(&mut self.start(nonce, aad, tag.len()), buffer)
    }

    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, |progress, buffer| {
            self.seal_message(progress, buffer)
        })
    }

    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, |progress, buffer| {
            self.open_message(progress, buffer)
        })
    }
}
