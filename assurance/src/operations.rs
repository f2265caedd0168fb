//! Every operation of the crates, as functions on bytes that one can go through.

extern crate alloc;

use alloc::boxed::Box;

use sm4::{Backend, Sm4};
use sm4_aead::{AnySize, Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv};
use sm4_modes::{
    CbcMacKey, CmacKey, DataUnit, MacKey, Sm4BcDec, Sm4BcEnc, Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3,
    Sm4CbcDec, Sm4CbcEnc, Sm4Cfb8Dec, Sm4Cfb8Enc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec, Sm4CfbEnc,
    Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le, Sm4EcbDec, Sm4EcbEnc, Sm4Hctr, Sm4Ofb, Sm4OfbnlfDec,
    Sm4OfbnlfEnc, Sm4XtsGb, Sm4XtsIeee,
    cipher::{
        Block, BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, StreamCipher,
        common::InnerInit,
    },
    mac::{Method1, Method2, Method3},
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
        Mac {
            name: $name,
            tag: |backend, key, message| <$key>::inner_init(cipher(backend, key, 0)).mac(message),
            verify: |backend, key, message, tag| {
                <$key>::inner_init(cipher(backend, key, 0))
                    .verify(message, tag)
                    .is_ok()
            },
        }
    };
}

/// The MACs of `sm4-modes`.
pub const MACS: &[Mac] = &[
    mac!("CMAC", CmacKey<Sm4>),
    mac!("CBC-MAC, padding method 1", CbcMacKey<Method1, Sm4>),
    mac!("CBC-MAC, padding method 2", CbcMacKey<Method2, Sm4>),
    mac!("CBC-MAC, padding method 3", CbcMacKey<Method3, Sm4>),
];

/// An AEAD: with a backend and a key.
#[derive(Clone, Copy, Debug)]
pub struct Aead {
    /// Its name.
    pub name: &'static str,
    /// Lengths of nonces to try, in bytes, the usual one first.
    pub nonces: &'static [usize],
    /// Sets up a key.
    pub make: fn(Backend, &KeyBytes) -> Box<dyn AnySize>,
}

macro_rules! aead {
    ($name:literal, $nonces:expr, $mode:ty) => {
        Aead {
            name: $name,
            nonces: &$nonces,
            make: |backend, key| {
                let (halves, _) = key.as_chunks::<16>();
                match <$mode>::with_backend((&halves[0]).into(), backend) {
                    Ok(mode) => Box::new(mode),
                    Err(error) => panic!("{error}"),
                }
            },
        }
    };
}

/// The AEADs of `sm4-aead`.
pub const AEADS: &[Aead] = &[
    aead!("GCM", [12, 16, 1], Gcm),
    aead!("CCM", [12, 7, 13], Ccm),
    aead!("EAX", [16, 12, 0], Eax),
    aead!("OCB3", [12, 15, 1], Ocb3),
    aead!("GCM-SIV", [12], GcmSiv),
    Aead {
        name: "SIV",
        nonces: &[16, 12],
        make: |backend, key| {
            Box::new(Siv::from_ciphers(
                cipher(backend, key, 0),
                cipher(backend, key, 1),
            ))
        },
    },
];
