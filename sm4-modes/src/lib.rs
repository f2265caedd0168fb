//! Modes of operation and MACs of the block cipher SM4 (GB/T 32907-2016): everything but
//! authenticated encryption, at the speed of the widest kernels that the CPU has.
//!
//! # Warning: none of these modes detects changes
//!
//! **All modes of this crate are unauthenticated.** Whoever can change the ciphertext changes the
//! plaintext, often exactly as they like, and decryption notices nothing. Use an AEAD (crate
//! `sm4-aead`: GCM, CCM, …) unless a format or a standard prescribes a mode from here; if it does,
//! compute a MAC over IV and ciphertext (with another key), and verify it before you decrypt.
//!
//! # Which mode
//!
//! * **Nobody prescribes one**: none of these; take `sm4-aead`.
//! * **A format prescribes one**: that one, with the IV as the table says. Most often it is CBC with
//!   PKCS#7: [`Sm4CbcEnc`], [`Sm4CbcDec`], [`padding::Pkcs7`].
//! * **A disk**: [`Sm4XtsIeee`] or [`Sm4XtsGb`], whichever the other side has; they are not the same.
//!   [`encrypt_sectors`](Xts::encrypt_sectors) takes many sectors in one call.
//! * **Parts of a file are read and written**: [`Sm4Ctr`] and its
//!   [`seek`](cipher::StreamCipherSeek), if no place is ever written twice with the same key and IV;
//!   otherwise XTS.
//! * **Nothing has to be secret, only genuine**: [`Sm4CmacKey`], or [`Sm4Cmac`] for pieces.
//! * **Thousands of short messages**: [`cbc_encrypt_messages`], [`mac_messages`].
//!
//! | mode | standard | use it for | don't use it for | IV | encryption / decryption of many blocks at once |
//! | --- | --- | --- | --- | --- | --- |
//! | [`Sm4Ctr`] | NIST SP 800-38A, GB/T 17964 | streams with seeking: files, databases | data under a (key, IV) used before | a range of counters never used before with the key | yes / yes |
//! | [`Sm4Ctr32Be`] | the CTR of GCM (NIST SP 800-38D) | building GCM-like modes | more than 64 GiB | as above; only bytes 12 to 15 count | yes / yes |
//! | [`Sm4Ctr32Le`] | the CTR of GCM-SIV (RFC 8452) | building SIV-like modes | more than 64 GiB | as above; only bytes 0 to 3 count | yes / yes |
//! | [`Sm4XtsIeee`] | IEEE 1619, NIST SP 800-38E | disks: Linux, Botan, libgcrypt | messages; more than 2^20 blocks a unit | the sector number, never two meanings | yes / yes |
//! | [`Sm4XtsGb`] | GB/T 17964-2021 | disks: OpenSSL's default, GmSSL, Tongsuo | as above | as above | yes / yes |
//! | [`Sm4CbcEnc`], [`Sm4CbcDec`] | NIST SP 800-38A, GB/T 17964 | old formats, Java, databases | answers that tell whether the padding was right | unpredictable: random | no ([many messages](cbc_encrypt_messages): yes) / yes |
//! | [`Sm4CbcCs1`], [`Sm4CbcCs2`], [`Sm4CbcCs3`] | NIST SP 800-38A addendum | formats without room for padding (Kerberos: CS3) | less than 16 bytes | unpredictable: random | no / yes |
//! | [`Sm4CfbEnc`], [`Sm4CfbDec`] and [`Sm4CfbBufEnc`], [`Sm4CfbBufDec`] | NIST SP 800-38A, GB/T 17964 | old formats | new ones | never used before with the key, unpredictable | no ([many messages](cfb_encrypt_messages): yes) / yes |
//! | [`Sm4Cfb8Enc`], [`Sm4Cfb8Dec`] | NIST SP 800-38A | links that lose bytes | anything else: 16 times the work | as for CFB | no / yes |
//! | [`Sm4Ofb`] | NIST SP 800-38A, GB/T 17964 | old formats | new ones: CTR is faster | never used before with the key | no / no |
//! | [`Sm4EcbEnc`], [`Sm4EcbDec`] | NIST SP 800-38A, GB/T 17964 | single random blocks, building blocks | **messages**: equal blocks show | none | yes / yes |
//! | [`Sm4BcEnc`], [`Sm4BcDec`] | GB/T 17964-2021 | where the standard's BC is prescribed | new formats | unpredictable: random | no / yes |
//! | [`Sm4OfbnlfEnc`], [`Sm4OfbnlfDec`] | GB/T 17964-2021 | where OFBNLF is prescribed | new formats: a key schedule for every block | never used before with the key | no / no |
//! | [`Sm4Hctr`] | GB/T 17964-2021 | disks, fields that keep their length | one-pass processing | a tweak, may repeat (then only equality shows) | yes / yes |
//!
//! | MAC | standard | use it for | don't use it for |
//! | --- | --- | --- | --- |
//! | [`Sm4Cmac`], [`Sm4CmacKey`] | NIST SP 800-38B, RFC 4493, GB/T 15852.1 | messages of any length | – |
//! | [`Sm4CbcMac`], [`Sm4CbcMacKey`] | GB/T 15852.1-2020 (ISO/IEC 9797-1 MAC algorithm 1) | messages of **one fixed length**; bank formats | messages of several lengths: forgeries are easy |
//!
//! # Whose speed is whose
//!
//! Where a mode can work on many blocks at once, it does: CTR, XTS, decryption in CBC, CFB and BC,
//! ECB. Encryption in CBC, CFB and BC, OFB and the MACs are bound by the time which one block takes
//! after the other. All of these but BC keep their state in registers from one block to the next
//! (see [`Bulk::cbc_encrypt_blocks`](sm4::Bulk::cbc_encrypt_blocks)), which the types of the crates
//! `cbc`, `cfb-mode`, `ofb` and `cmac` cannot. If there are many messages,
//! [`cbc_encrypt_messages`], [`cfb_encrypt_messages`] and [`mac_messages`] work on all of them at
//! once, several times as fast.
//! The [generic crates](generic) of RustCrypto can be used with [`Sm4`] as well.
//!
//! # Keys, IVs and traits
//!
//! All modes have the traits of the crate [`cipher`] (the MACs those of [`digest`]): there is `new`
//! from key and IV ([`KeyIvInit`](cipher::KeyIvInit)) or key alone ([`KeyInit`](cipher::KeyInit); XTS, whose keys
//! may be bad, has [`TryKeyInit`](cipher::common::TryKeyInit) instead, with a `new` that returns a
//! `Result`),
//! and `new_from_slices` / `new_from_slice`, which refuse every wrong length. If a key is used for
//! many messages, set it up once and lend it:
//!
//! ```
//! use sm4_modes::{Ctr, Sm4, cipher::{InnerIvInit, KeyInit, StreamCipher}, counter::Be128};
//!
//! let key = Sm4::new(b"a 16-byte secret".into());
//! for (number, message) in [*b"first ", *b"second"].iter_mut().enumerate() {
//!     let iv = ((number as u128) << 64).to_be_bytes();
//!     Ctr::<Be128, _>::inner_iv_init(&key, &iv.into()).apply_keystream(message);
//! }
//! ```
//!
//! Modes for whole blocks have [`BlockModeEncrypt`](cipher::BlockModeEncrypt) and
//! [`BlockModeDecrypt`](cipher::BlockModeDecrypt), with padding: use [`padding::Pkcs7`], whose
//! removal is constant in time. Modes that take a whole message have [`DataUnit`].
//!
//! # Constant time
//!
//! The time depends on the number and length of the messages only, never on key, plaintext, IV,
//! ciphertext or tag – with one exception: whether the low half of a 128-bit counter overflows
//! within a batch of CTR mode.
//!
//! # Features
//!
//! * `alloc` (on by default): padded messages as `Vec<u8>` (`encrypt_padded_vec`, `decrypt_padded_vec`)
//! * `zeroize` (on by default): keys, chaining values and key stream are overwritten when an object is
//!   dropped
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../README.md")]
struct Readme;

pub use cipher;
pub use digest;
pub use sm4::{self, Sm4};

mod batch;
mod block;
pub mod cbc;
pub mod cfb;
pub mod cfb8;
mod chained;
pub mod counter;
pub mod ctr;
pub mod cts;
mod data_unit;
pub mod doubling;
pub mod ecb;
pub mod gb;
pub mod generic;
mod lanes;
pub mod mac;
pub mod messages;
pub mod ofb;
pub mod padding;
mod pending;
mod wipe;
pub mod xts;

pub use cbc::{Sm4CbcDec, Sm4CbcEnc};
pub use cfb::{Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec, Sm4CfbEnc};
pub use cfb8::{Sm4Cfb8Dec, Sm4Cfb8Enc};
pub use chained::Chained;
pub use ctr::{Ctr, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le};
pub use cts::{Cts, Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3};
pub use data_unit::DataUnit;
pub use ecb::{Sm4EcbDec, Sm4EcbEnc};
pub use gb::{Sm4BcDec, Sm4BcEnc, Sm4Hctr, Sm4OfbnlfDec, Sm4OfbnlfEnc};
pub use mac::{CbcMacKey, CmacKey, MacKey, Sm4CbcMac, Sm4CbcMacKey, Sm4Cmac, Sm4CmacKey};
pub use messages::{Message, cbc_encrypt_messages, cfb_encrypt_messages, mac_messages};
pub use ofb::{Ofb, Sm4Ofb};
/// What `sm4-aead` is made of as well. No part of the interface: it may change at any time.
#[doc(hidden)]
pub mod shared {
    pub use crate::{
        block::{Aligned, Block, FEW, padded, sum, xor, xor_all, xor_to},
        doubling::{Cmac, double, powers},
        mac::{
            chain::{MacChain, MacInput, run_chains},
            subkeys::Subkeys,
        },
        pending::Pending,
        wipe::{Wipe, Wiped},
    };
}
pub use xts::{Sm4XtsGb, Sm4XtsIeee, Xts};
