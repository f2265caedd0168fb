//! Authenticated encryption with associated data (AEAD) over the block cipher SM4.
//!
//! | type | standard | nonce | limits | a nonce used twice |
//! | --- | --- | --- | --- | --- |
//! | [`Sm4Gcm`] | SP 800-38D, RFC 8998 | 12 bytes (or any other number but 0) | message 2^36 − 32 bytes; 2^32 messages with random nonces | lets others forge messages |
//!
//! There are two interfaces. The `Sm4…` types implement the traits of the crate [`aead`] with sizes
//! known at compile time. Each dereferences to a type that takes nonces and tags as slices of any
//! size that the standard allows: see [`AnySize`].
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub use aead;
pub use sm4;

mod any_size;
mod block;
mod ccm;
mod chain;
mod cmac;
mod ctr;
mod eax;
mod error;
mod fixed;
mod gcm;
mod gcm_siv;
mod gmac;
mod hash;
mod incremental;
mod key_wrap;
mod lanes;
mod many;
mod mode;
mod ocb3;
mod open;
mod polyval;
mod siv;

#[cfg(all(doctest, feature = "alloc"))]
#[doc = include_str!("../../README.md")]
struct Readme;

pub use any_size::AnySize;
pub use ccm::{Ccm, CcmNonce, CcmState, CcmTag, Sm4Ccm};
pub use eax::{Eax, EaxState, EaxTag, Sm4Eax};
pub use error::Error;
pub use fixed::{Allows, Fixed};
pub use gcm::{Gcm, GcmState, GcmTag, Sm4Gcm};
pub use gcm_siv::{GcmSiv, Sm4GcmSiv};
pub use gmac::{GmacInProgress, Sm4Gmac};
#[cfg(feature = "alloc")]
pub use incremental::Buffered;
pub use incremental::{Decryptor, Encryptor, State, Unverified, Verified};
pub use key_wrap::{Sm4Kw, Sm4Kwp};
pub use many::Message;
pub use ocb3::{Ocb3, OcbNonce, OcbOpenState, OcbSealState, OcbTag, Sm4Ocb3};
pub use siv::{Siv, Sm4Siv};
