//! Every operation of the crates, as functions on bytes that one can go through.

extern crate alloc;

use alloc::{boxed::Box, vec, vec::Vec};

use sm4::{Backend, Sm4};
use sm4_aead::{AnySize, Ccm, Eax, Error, Gcm, GcmSiv, Ocb3, Siv};
use sm4_modes::{
    CbcMacKey, CmacKey, DataUnit, MacKey, Message, Sm4BcDec, Sm4BcEnc, Sm4CbcCs1, Sm4CbcCs2,
    Sm4CbcCs3, Sm4CbcDec, Sm4CbcEnc, Sm4Cfb8Dec, Sm4Cfb8Enc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec,
    Sm4CfbEnc, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le, Sm4EcbDec, Sm4EcbEnc, Sm4Hctr, Sm4Ofb, Sm4OfbnlfDec,
    Sm4OfbnlfEnc, Sm4XtsGb, Sm4XtsIeee, cbc_encrypt_messages, cfb_encrypt_messages,
    cipher::{
        Block, BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, StreamCipher,
        common::InnerInit,
    },
    mac::{Method1, Method2, Method3},
    mac_messages,
};

/// 32 bytes of key material: modes with one key take the first half.
pub type KeyBytes = [u8; 32];

/// Encrypts or decrypts a message: with a backend, a key, and an IV or tweak.
pub type Crypt = fn(Backend, &KeyBytes, &[u8; 16], InOutBuf<'_, '_, u8>);

/// A mode that encrypts.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// Its name.
    pub name: &'static str,
    /// The length of a message, in bytes, is a multiple of this …
    pub multiple: usize,
    /// … and not less than this.
    pub least: usize,
    /// Encryption.
    pub encrypt: Crypt,
    /// Decryption.
    pub decrypt: Crypt,
}

impl Mode {
    /// Whether messages may have as many bytes.
    #[must_use]
    pub fn takes(&self, len: usize) -> bool {
        len >= self.least && len.is_multiple_of(self.multiple)
    }
}

/// A cipher from one half of the key material.
///
/// # Panics
/// If the backend is not available.
#[must_use]
pub fn cipher(backend: Backend, key: &KeyBytes, half: usize) -> Sm4 {
    let (halves, _) = key.as_chunks::<16>();
    match Sm4::with_backend((&halves[half]).into(), backend) {
        Ok(cipher) => cipher,
        Err(error) => panic!("{error}"),
    }
}

fn blocks<'i, 'o>(data: InOutBuf<'i, 'o, u8>) -> InOutBuf<'i, 'o, Block<Sm4>> {
    let (blocks, end) = data.into_chunks();
    assert!(end.is_empty());
    blocks
}

macro_rules! crypt {
    (|$backend:ident, $key:ident, $iv:ident, $data:ident| $body:expr) => {{
        fn crypt($backend: Backend, $key: &KeyBytes, $iv: &[u8; 16], $data: InOutBuf<'_, '_, u8>) {
            $body;
        }
        crypt
    }};
}

/// A mode by its name, its type or its types for encryption and decryption, and the interface.
macro_rules! mode {
    ($name:literal, $enc:ty, $dec:ty, blocks) => {
        Mode {
            name: $name,
            multiple: 16,
            least: 0,
            encrypt: crypt!(|backend, key, iv, data| {
                <$enc>::inner_iv_init(cipher(backend, key, 0), iv.into())
                    .encrypt_blocks_inout(blocks(data))
            }),
            decrypt: crypt!(|backend, key, iv, data| {
                <$dec>::inner_iv_init(cipher(backend, key, 0), iv.into())
                    .decrypt_blocks_inout(blocks(data))
            }),
        }
    };
    ($name:literal, $enc:ty, $dec:ty, bytes) => {
        Mode {
            name: $name,
            multiple: 1,
            least: 0,
            encrypt: crypt!(|backend, key, iv, data| {
                <$enc>::inner_iv_init(cipher(backend, key, 0), iv.into()).encrypt_inout(data)
            }),
            decrypt: crypt!(|backend, key, iv, data| {
                <$dec>::inner_iv_init(cipher(backend, key, 0), iv.into()).decrypt_inout(data)
            }),
        }
    };
    ($name:literal, $make:expr, stream) => {
        Mode {
            name: $name,
            multiple: 1,
            least: 0,
            encrypt: crypt!(|backend, key, iv, data| {
                $make(cipher(backend, key, 0), iv.into()).apply_keystream_inout(data)
            }),
            decrypt: crypt!(|backend, key, iv, data| {
                $make(cipher(backend, key, 0), iv.into()).apply_keystream_inout(data)
            }),
        }
    };
    ($name:literal, $make:expr, sectors of $size:literal) => {
        Mode {
            name: $name,
            multiple: $size,
            least: 0,
            encrypt: crypt!(|backend, key, iv, data| {
                let done = $make(backend, key).encrypt_sectors_inout(data, $size, first(iv));
                assert!(done.is_ok())
            }),
            decrypt: crypt!(|backend, key, iv, data| {
                let done = $make(backend, key).decrypt_sectors_inout(data, $size, first(iv));
                assert!(done.is_ok())
            }),
        }
    };
    ($name:literal, $encrypt:expr, $decrypt:expr, messages of $multiple:literal) => {
        Mode {
            name: $name,
            multiple: $multiple,
            least: 0,
            encrypt: crypt!(|backend, key, iv, data| {
                let parts = parts(data.into_out_with_copied_in(), $multiple);
                let message = |data| Message { iv: *iv, data };
                let mut messages: Vec<_> = parts.into_iter().map(message).collect();
                $encrypt(&cipher(backend, key, 0), &mut messages)
            }),
            decrypt: crypt!(|backend, key, iv, data| {
                for part in parts(data.into_out_with_copied_in(), $multiple) {
                    $decrypt(cipher(backend, key, 0), iv.into(), part);
                }
            }),
        }
    };
    ($name:literal, $make:expr, unit) => {
        Mode {
            name: $name,
            multiple: 1,
            least: 16,
            encrypt: crypt!(|backend, key, iv, data| {
                let done = $make(backend, key).encrypt_inout(iv, data);
                assert!(done.is_ok())
            }),
            decrypt: crypt!(|backend, key, iv, data| {
                let done = $make(backend, key).decrypt_inout(iv, data);
                assert!(done.is_ok())
            }),
        }
    };
}

/// Messages of different lengths, some of none: one lane after the other ends.
fn parts(data: &mut [u8], multiple: usize) -> Vec<&mut [u8]> {
    let mut parts = Vec::new();
    let mut rest = data;
    for share in [5, 3, 2, 4] {
        let (part, after) = rest.split_at_mut(rest.len() / multiple / share * multiple);
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

fn cbc_encrypt(cipher: &Sm4, messages: &mut [Message<'_>]) {
    assert!(cbc_encrypt_messages(cipher, messages).is_ok());
}

fn cbc_decrypt(cipher: Sm4, iv: &Block<Sm4>, data: &mut [u8]) {
    Sm4CbcDec::inner_iv_init(cipher, iv).decrypt_blocks_inout(blocks(data.into()));
}

fn cfb_decrypt(cipher: Sm4, iv: &Block<Sm4>, data: &mut [u8]) {
    Sm4CfbBufDec::inner_iv_init(cipher, iv).decrypt(data);
}

/// The number of the first sector, of which there are more.
fn first(iv: &[u8; 16]) -> u128 {
    u128::from_le_bytes(*iv) >> 1
}

fn cts<M: InnerInit<Inner = Sm4>>(backend: Backend, key: &KeyBytes) -> M {
    M::inner_init(cipher(backend, key, 0))
}

fn ofb(cipher: Sm4, iv: &Block<Sm4>) -> Sm4Ofb {
    Sm4Ofb::inner_iv_init(cipher, iv)
}

fn xts_ieee(backend: Backend, key: &KeyBytes) -> Sm4XtsIeee {
    Sm4XtsIeee::from_ciphers(cipher(backend, key, 0), cipher(backend, key, 1))
}

fn xts_gb(backend: Backend, key: &KeyBytes) -> Sm4XtsGb {
    Sm4XtsGb::from_ciphers(cipher(backend, key, 0), cipher(backend, key, 1))
}

fn hctr(backend: Backend, key: &KeyBytes) -> Sm4Hctr {
    let (halves, _) = key.as_chunks::<16>();
    Sm4Hctr::from_cipher(cipher(backend, key, 0), &halves[1])
}

/// The modes of `sm4-modes` that encrypt.
pub const MODES: &[Mode] = &[
    Mode {
        name: "ECB",
        multiple: 16,
        least: 0,
        encrypt: crypt!(|backend, key, _iv, data| {
            Sm4EcbEnc::inner_init(cipher(backend, key, 0)).encrypt_blocks_inout(blocks(data));
        }),
        decrypt: crypt!(|backend, key, _iv, data| {
            Sm4EcbDec::inner_init(cipher(backend, key, 0)).decrypt_blocks_inout(blocks(data));
        }),
    },
    mode!("CBC", Sm4CbcEnc, Sm4CbcDec, blocks),
    mode!("CFB", Sm4CfbEnc, Sm4CfbDec, blocks),
    mode!("CFB, buffered", Sm4CfbBufEnc, Sm4CfbBufDec, bytes),
    mode!("CFB-8", Sm4Cfb8Enc, Sm4Cfb8Dec, bytes),
    mode!("OFB", ofb, stream),
    mode!("CTR", Sm4Ctr::inner_iv_init, stream),
    mode!("CTR-32-BE", Sm4Ctr32Be::inner_iv_init, stream),
    mode!("CTR-32-LE", Sm4Ctr32Le::inner_iv_init, stream),
    mode!("BC", Sm4BcEnc, Sm4BcDec, blocks),
    mode!("OFBNLF", Sm4OfbnlfEnc, Sm4OfbnlfDec, blocks),
    mode!("CBC-CS1", cts::<Sm4CbcCs1>, unit),
    mode!("CBC-CS2", cts::<Sm4CbcCs2>, unit),
    mode!("CBC-CS3", cts::<Sm4CbcCs3>, unit),
    mode!("XTS (IEEE)", xts_ieee, unit),
    mode!("XTS (GB)", xts_gb, unit),
    mode!("HCTR", hctr, unit),
    mode!("XTS (IEEE) sectors", xts_ieee, sectors of 16),
    mode!("XTS (GB) sectors", xts_gb, sectors of 48),
    mode!("CBC messages", cbc_encrypt, cbc_decrypt, messages of 16),
    mode!("CFB messages", cfb_encrypt_messages, cfb_decrypt, messages of 1),
];

/// A MAC: with a backend and a key.
#[derive(Clone, Copy, Debug)]
pub struct Mac {
    /// Its name.
    pub name: &'static str,
    /// The tag of a message.
    pub tag: fn(Backend, &KeyBytes, &[u8]) -> [u8; 16],
    /// Whether a tag is the message's.
    pub verify: fn(Backend, &KeyBytes, &[u8], &[u8]) -> bool,
}

macro_rules! mac {
    ($name:literal, $key:ty) => {
        mac!($name, $key, |backend, key, message| {
            <$key>::inner_init(cipher(backend, key, 0)).mac(message)
        })
    };
    ($name:literal, $key:ty, $tag:expr) => {
        Mac {
            name: $name,
            tag: $tag,
            verify: |backend, key, message, tag| {
                <$key>::inner_init(cipher(backend, key, 0))
                    .verify(message, tag)
                    .is_ok()
            },
        }
    };
}

/// Of several messages, of which this is one.
fn mac_of_several<K: MacKey + InnerInit<Inner = Sm4>>(
    backend: Backend,
    key: &KeyBytes,
    message: &[u8],
) -> [u8; 16] {
    let key = K::inner_init(cipher(backend, key, 0));
    let messages = [
        &message[message.len() / 2..],
        message,
        &[],
        &message[..message.len() / 3],
    ];
    let mut tags = [[0; 16]; 4];
    assert!(mac_messages(&key, &messages, &mut tags).is_ok());
    tags[1]
}

/// The MACs of `sm4-modes`.
pub const MACS: &[Mac] = &[
    mac!("CMAC", CmacKey<Sm4>),
    mac!("CBC-MAC, padding method 1", CbcMacKey<Method1, Sm4>),
    mac!("CBC-MAC, padding method 2", CbcMacKey<Method2, Sm4>),
    mac!("CBC-MAC, padding method 3", CbcMacKey<Method3, Sm4>),
    mac!(
        "CMAC of messages",
        CmacKey<Sm4>,
        mac_of_several::<CmacKey<Sm4>>
    ),
];

/// A key of an AEAD, and a way to go through a message.
pub trait Way {
    /// Encrypts a message and makes its tag.
    ///
    /// # Errors
    /// As the key.
    fn seal(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// Decrypts a message if its tag is right.
    ///
    /// # Errors
    /// As the key.
    fn open(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error>;

    /// The key itself.
    fn key(&self) -> &dyn AnySize;
}

/// A message at once.
struct Whole<K>(K);

impl<K: AnySize> Way for Whole<K> {
    fn seal(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.0.seal_inout(nonce, associated_data, data, tag)
    }

    fn open(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        self.0.open_inout(nonce, associated_data, data, tag)
    }

    fn key(&self) -> &dyn AnySize {
        &self.0
    }
}

/// A message among others.
struct Several<K>(K);

/// How many tags are checked then.
const SEVERAL: usize = 4;

impl<K: AnySize> Several<K> {
    /// What comes of the message itself.
    fn with_others(
        message: sm4_aead::Message<'_>,
        crypt: impl FnOnce(&mut [sm4_aead::Message<'_>]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (nonce, associated_data) = (message.nonce, message.associated_data);
        let mut data = [37, 0, 200].map(|len| vec![0; len]);
        let mut tags = [[0; 16]; SEVERAL - 1];
        let mut messages: Vec<_> = (data.iter_mut().zip(&mut tags))
            .map(|(data, tag)| sm4_aead::Message::new(nonce, associated_data, data, tag))
            .collect();
        messages.insert(1, message);
        // The first error may be another's.
        let _ = crypt(&mut messages);
        messages[1].result
    }
}

impl<K: AnySize> Way for Several<K> {
    fn seal(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let data = data.into_out_with_copied_in();
        let message = sm4_aead::Message::new(nonce, associated_data, data, tag);
        Self::with_others(message, |messages| self.0.seal_many(messages))
    }

    fn open(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let (data, tag) = (data.into_out_with_copied_in(), &mut tag.to_vec());
        let message = sm4_aead::Message::new(nonce, associated_data, data, tag);
        Self::with_others(message, |messages| self.0.open_many(messages))
    }

    fn key(&self) -> &dyn AnySize {
        &self.0
    }
}

/// A message in pieces.
struct InPieces<K>(K);

const ANY: [usize; 5] = [1, 21, 0, 64, 300];
/// For OCB3, in which only the last piece may end within a block.
const BLOCKS: [usize; 5] = [16, 32, 0, 64, 304];

fn pieces<'i, 'o>(data: InOutBuf<'i, 'o, u8>, lens: [usize; 5]) -> Vec<InOutBuf<'i, 'o, u8>> {
    let mut pieces = Vec::new();
    let mut rest = data;
    for len in lens {
        let len = rest.len().min(len);
        let (piece, after) = rest.split_at(len);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

macro_rules! in_pieces {
    ($mode:ident, $lens:expr $(, $len:ident)?) => {
        impl Way for InPieces<$mode> {
            fn seal(
                &self,
                nonce: &[u8],
                associated_data: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &mut [u8],
            ) -> Result<(), Error> {
                $(let $len = data.len() as u64;)?
                let mut encryptor =
                    self.0.encryptor(nonce, associated_data, $($len,)? tag.len())?;
                for piece in pieces(data, $lens) {
                    encryptor.update(piece)?;
                }
                encryptor.finish(tag)
            }

            fn open(
                &self,
                nonce: &[u8],
                associated_data: &[u8],
                data: InOutBuf<'_, '_, u8>,
                tag: &[u8],
            ) -> Result<(), Error> {
                $(let $len = data.len() as u64;)?
                let mut decryptor =
                    self.0.decryptor(nonce, associated_data, $($len,)? tag.len())?;
                let mut unverified = Vec::new();
                for piece in pieces(data, $lens) {
                    unverified.push(decryptor.update(piece)?);
                }
                let verified = decryptor.finish(tag)?;
                for piece in unverified {
                    let _plaintext = piece.release(&verified);
                }
                Ok(())
            }

            fn key(&self) -> &dyn AnySize {
                &self.0
            }
        }
    };
}
in_pieces!(Gcm, ANY);
in_pieces!(Ccm, ANY, len);
in_pieces!(Eax, ANY);
in_pieces!(Ocb3, BLOCKS);

/// An AEAD and a way to go through messages.
#[derive(Clone, Copy, Debug)]
pub struct Aead {
    /// Its name.
    pub name: &'static str,
    /// Lengths of nonces to try, in bytes, the usual one first.
    pub nonces: &'static [usize],
    /// How many tags are checked to open a message.
    pub checks: usize,
    /// Sets up a key.
    pub make: fn(Backend, &KeyBytes) -> Box<dyn Way>,
}

macro_rules! aead {
    ($name:literal, $nonces:expr, $way:ident, $checks:expr, $make:expr) => {
        Aead {
            name: $name,
            nonces: &$nonces,
            checks: $checks,
            make: |backend, key| Box::new($way($make(backend, key))),
        }
    };
    ($name:literal, $nonces:expr, $mode:ident) => {
        aead!($name, $nonces, Whole, 1, |backend, key| {
            $mode::from_cipher(cipher(backend, key, 0))
        })
    };
    ($name:literal, $nonces:expr, $mode:ident, messages) => {
        aead!($name, $nonces, Several, SEVERAL, |backend, key| {
            $mode::from_cipher(cipher(backend, key, 0))
        })
    };
    ($name:literal, $nonces:expr, $mode:ident, pieces) => {
        aead!($name, $nonces, InPieces, 1, |backend, key| {
            $mode::from_cipher(cipher(backend, key, 0))
        })
    };
}

fn siv(backend: Backend, key: &KeyBytes) -> Siv {
    Siv::from_ciphers(cipher(backend, key, 0), cipher(backend, key, 1))
}

/// The AEADs of `sm4-aead`, in all the ways they have.
pub const AEADS: &[Aead] = &[
    aead!("GCM", [12, 16, 1], Gcm),
    aead!("CCM", [12, 7, 13], Ccm),
    aead!("EAX", [16, 12, 0], Eax),
    aead!("OCB3", [12, 15, 1], Ocb3),
    aead!("GCM-SIV", [12], GcmSiv),
    aead!("SIV", [16, 12], Whole, 1, siv),
    aead!("GCM messages", [12, 16, 1], Gcm, messages),
    aead!("CCM messages", [12, 7, 13], Ccm, messages),
    aead!("EAX messages", [16, 12, 0], Eax, messages),
    aead!("OCB3 messages", [12, 15, 1], Ocb3, messages),
    aead!("GCM-SIV messages", [12], GcmSiv, messages),
    aead!("SIV messages", [16, 12], Several, SEVERAL, siv),
    aead!("GCM in pieces", [12, 16, 1], Gcm, pieces),
    aead!("CCM in pieces", [12, 7, 13], Ccm, pieces),
    aead!("EAX in pieces", [16, 12, 0], Eax, pieces),
    aead!("OCB3 in pieces", [12, 15, 1], Ocb3, pieces),
];
