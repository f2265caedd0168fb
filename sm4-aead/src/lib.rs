//! Authenticated encryption with associated data (AEAD) over the block cipher SM4.
//!
//! | type | standard | nonce in bytes | limits | a nonce used twice with a key | interoperates with |
//! | --- | --- | --- | --- | --- | --- |
//! | [`Sm4Gcm`] | NIST SP 800-38D, RFC 8998 | 12, or 1 and more | message 2^36 − 32 bytes; 2^32 messages with random nonces | others can forge messages; shows their XOR | TLS 1.3, OpenSSL, GmSSL, Botan, libgcrypt, Linux |
//! | [`Sm4Ccm`] | NIST SP 800-38C, RFC 8998 | 12, or 7 to 13 | message below 2^(8·(15 − nonce)) bytes; 2^61 blocks | shows the XOR of messages | TLS 1.3, OpenSSL, GmSSL, Botan, libgcrypt, Linux |
//! | [`Sm4Eax`] | Bellare, Rogaway, Wagner 2004 | 16, or any | 2^48 messages with random nonces | shows the XOR of messages | Botan, libgcrypt, Bouncy Castle |
//! | [`Sm4Ocb3`] | RFC 7253 | 12, or 1 to 15 | 2^48 blocks for a key | others can forge messages; shows equal blocks | Botan, libgcrypt |
//! | [`Sm4GcmSiv`] | **none with SM4**; RFC 8452 is for AES | 12 | message 2^36 bytes | shows that messages are equal | libgcrypt |
//! | [`Sm4Siv`] | **none with SM4**; RFC 5297 is for AES | 16, or 1 and more, or none | 126 associated strings | shows that messages are equal | libgcrypt, Botan |
//! | [`Sm4Kw`], [`Sm4Kwp`] | **none with SM4**; NIST SP 800-38F is for AES | none | key 2^57 − 8 and 2^32 − 1 bytes | – | libgcrypt |
//! | [`Sm4Gmac`] | NIST SP 800-38D | 12, or 1 and more | data 2^61 − 1 bytes | others can forge tags | as GCM |
//!
//! After a bad tag the output of every mode holds zeros, in place and from buffer to buffer. Errors
//! that come from lengths are found before anything is written. No time depends on a
//! key or on data, only on lengths (and that of OCB3 on the nonce, which is public).
//!
//! # Interfaces
//!
//! * The types above implement the traits of the crate [`aead`] with sizes known at compile time, and
//!   so they work with whatever takes such types, e.g. the crate `aead-stream`.
//! * Each dereferences to a type that takes nonces and tags as slices, of any size that the standard
//!   allows, and buffers in place or from one to the other: see [`AnySize`].
//! * [`AnySize::seal_many`] and [`AnySize::open_many`] work on many messages at once. Short messages
//!   (records, rows) are several times faster this way.
//! * Messages that come in pieces: see [`Encryptor`] and [`Decryptor`], which are made by
//!   [`Gcm::encryptor`] and so on, and `Buffered`.
//!
//! # Nonces
//!
//! * **A counter** is best: it never repeats. Keep it where it survives a crash, and give each writer
//!   a range or a key of its own.
//! * **Random** nonces of 12 bytes are good for 2^32 messages with one key (the odds that any two are
//!   equal are 2^-33 then). With 16 bytes (EAX, GCM from slices) it is 2^48.
//! * **None, or not sure**: [`Sm4Siv`] and [`Sm4GcmSiv`] lose only that equal messages are seen to be
//!   equal.
//!
//! With the feature `getrandom`:
//!
#![cfg_attr(feature = "getrandom", doc = "```")]
#![cfg_attr(not(feature = "getrandom"), doc = "```ignore")]
//! use sm4_aead::{Sm4Gcm, aead::{Aead, Error, Generate, Key, Nonce}};
//!
//! let gcm = Sm4Gcm::new(&Key::<Sm4Gcm>::generate());
//! let nonce = Nonce::<Sm4Gcm>::generate();
//! let sealed = gcm.encrypt(&nonce, &b"message"[..])?;
//! assert_eq!(gcm.decrypt(&nonce, &sealed[..])?, b"message");
//! # Ok::<(), Error>(())
//! ```
//!
//! # Streams
//!
//! Long data, as a file or a connection, is cut into segments, each a message of its own, whose nonces
//! say which one it is and whether it is the last. Then nothing is ever given out before its tag was
//! checked, and none can be left out, repeated or moved. The crate `aead-stream` does that with every
//! type of this crate:
//!
//! ```
//! use aead_stream::{DecryptorBE32, EncryptorBE32};
//! use sm4_aead::{Sm4Gcm, aead::KeyInit};
//!
//! let key = b"a 16-byte secret".into();
//! let nonce = b"7 bytes".into(); // the other 5 are the number and the end
//! let mut encryptor = EncryptorBE32::<Sm4Gcm>::new(key, nonce);
//! let first = encryptor.encrypt_next(&b"first segment"[..]).map_err(|_| "too long")?;
//! let last = encryptor.encrypt_last(&b"and the last"[..]).map_err(|_| "too long")?;
//!
//! let mut decryptor = DecryptorBE32::<Sm4Gcm>::new(key, nonce);
//! assert_eq!(decryptor.decrypt_next(&first[..]).map_err(|_| "changed")?, b"first segment");
//! assert_eq!(decryptor.decrypt_last(&last[..]).map_err(|_| "changed")?, b"and the last");
//! # Ok::<(), &str>(())
//! ```
//!
//! [`Encryptor`] and [`Decryptor`] are for something else: *one* message with *one* tag, of which not
//! all is in memory. What comes out before the end is [`Unverified`].
//!
//! # Records
//!
//! Many short messages, such as records of a protocol or rows of a table, go into one call. Each has
//! its own nonce, its own tag and its own result:
//!
//! ```
//! use sm4_aead::{AnySize, Message, Sm4Gcm};
//!
//! let gcm = Sm4Gcm::new(b"a 16-byte secret".into());
//! let mut rows = [[7; 50]; 100];
//! let mut tags = [[0; 16]; 100];
//! let nonces: Vec<[u8; 12]> = (0..100_u128)
//!     .map(|number| *number.to_be_bytes().last_chunk().expect("16 is more than 12"))
//!     .collect();
//! let mut messages: Vec<_> = rows
//!     .iter_mut()
//!     .zip(&mut tags)
//!     .zip(&nonces)
//!     .map(|((row, tag), nonce)| Message::new(nonce, b"table", row, tag))
//!     .collect();
//! gcm.seal_many(&mut messages)?;
//!
//! messages[42].tag[0] ^= 1;
//! assert!(gcm.open_many(&mut messages).is_err());
//! let refused: Vec<_> = (0..100).filter(|&row| messages[row].result.is_err()).collect();
//! assert_eq!(refused, [42]);
//! assert_eq!(messages[41].buffer, [7; 50]);
//! # Ok::<(), sm4_aead::Error>(())
//! ```
//!
//! # Features
//!
//! * `alloc` (on by default): `aead::Aead` and `Buffered`
//! * `zeroize` (on by default): keys, and messages in pieces, are wiped when they are dropped
//! * `getrandom`: random keys and nonces by `aead::Generate`
//! * `hazmat`: tags of 4 and 8 bytes for GCM
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;

pub use aead;
pub use sm4;

mod any_size;
mod batch;
mod ccm;
mod chain;
mod ctr;
mod eax;
mod erased;
mod error;
mod fixed;
mod gcm;
mod gcm_siv;
mod ghash;
mod gmac;
mod hash;
mod incremental;
mod key_wrap;
mod many;
mod mode;
mod ocb3;
mod open;
mod polyval;
mod siv;

pub use any_size::AnySize;
pub use ccm::{Ccm, CcmNonce, CcmState, CcmTag, Sm4Ccm};
pub use eax::{Eax, EaxState, EaxTag, Sm4Eax};
pub use error::Error;
pub use fixed::{Allows, Fixed};
pub use gcm::{Gcm, GcmState, GcmTag, Sm4Gcm};
pub use gcm_siv::{GcmSiv, Sm4GcmSiv};
#[doc(hidden)]
pub use ghash::Ghash;
pub use gmac::{GmacInProgress, Sm4Gmac};
#[cfg(feature = "alloc")]
pub use incremental::Buffered;
pub use incremental::{Decryptor, Encryptor, State, Unverified, Verified};
pub use key_wrap::{Sm4Kw, Sm4Kwp};
pub use many::Message;
pub use ocb3::{Ocb3, OcbNonce, OcbOpenState, OcbSealState, OcbTag, Sm4Ocb3};
pub use siv::{Siv, Sm4Siv};
