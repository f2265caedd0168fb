//! The generic mode crates of RustCrypto with [`Sm4`](crate::Sm4): an example for each.
//!
//! They give the same results as the modes of this crate, so that either side can be replaced by
//! the other. Where this crate has a mode of its own, it is faster, or does not panic, or both.
//!
//! # `ctr`
//!
//! ```
//! use sm4_modes::{Sm4, Sm4Ctr, cipher::{KeyIvInit, StreamCipher}};
//!
//! let (mut generic, mut own) = (*b"the same bytes", *b"the same bytes");
//! ctr::Ctr128BE::<Sm4>::new(&[1; 16].into(), &[2; 16].into()).apply_keystream(&mut generic);
//! Sm4Ctr::new(&[1; 16].into(), &[2; 16].into()).apply_keystream(&mut own);
//! assert_eq!(generic, own);
//! ```
//!
//! # `cbc`
//!
//! ```
//! use sm4_modes::{Sm4, Sm4CbcDec, cipher::{BlockModeDecrypt, KeyIvInit}};
//!
//! let (mut generic, mut own) = ([[3; 16].into(); 5], [[3; 16].into(); 5]);
//! cbc::Decryptor::<Sm4>::new(&[1; 16].into(), &[2; 16].into()).decrypt_blocks(&mut generic);
//! Sm4CbcDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_blocks(&mut own);
//! assert_eq!(generic, own);
//! ```
//!
//! # `cfb-mode`
//!
//! ```
//! use sm4_modes::{Sm4, Sm4CfbBufEnc, cipher::KeyIvInit};
//!
//! let (mut generic, mut own) = (*b"the same bytes", *b"the same bytes");
//! cfb_mode::Encryptor::<Sm4>::new(&[1; 16].into(), &[2; 16].into()).encrypt(&mut generic);
//! Sm4CfbBufEnc::new(&[1; 16].into(), &[2; 16].into()).encrypt(&mut own);
//! assert_eq!(generic, own);
//! ```
//!
//! # `cfb8`
//!
//! ```
//! use sm4_modes::{Sm4, Sm4Cfb8Enc, cipher::KeyIvInit};
//!
//! let (mut generic, mut own) = (*b"the same bytes", *b"the same bytes");
//! cfb8::Encryptor::<Sm4>::new(&[1; 16].into(), &[2; 16].into()).encrypt(&mut generic);
//! Sm4Cfb8Enc::new(&[1; 16].into(), &[2; 16].into()).encrypt(&mut own);
//! assert_eq!(generic, own);
//! ```
//!
//! # `ofb`
//!
//! ```
//! use sm4_modes::{Sm4, Sm4Ofb, cipher::{KeyIvInit, StreamCipher}};
//!
//! let (mut generic, mut own) = ([3; 50], [3; 50]);
//! ofb::Ofb::<Sm4>::new(&[1; 16].into(), &[2; 16].into()).apply_keystream(&mut generic);
//! Sm4Ofb::new(&[1; 16].into(), &[2; 16].into()).apply_keystream(&mut own);
//! assert_eq!(generic, own);
//! ```
//!
//! # `xts-mode`
//!
//! ```
//! use sm4_modes::{DataUnit, Sm4, Sm4XtsIeee, cipher::{KeyInit, common::TryKeyInit}};
//!
//! let (mut generic, mut own) = ([3; 40], [3; 40]);
//! xts_mode::Xts128::new(Sm4::new(&[1; 16].into()), Sm4::new(&[2; 16].into()))
//!     .encrypt_sector(&mut generic, [4; 16].into());
//! let mut key = [1; 32];
//! key[16..].fill(2);
//! Sm4XtsIeee::new(&key.into())?.encrypt(&[4; 16], &mut own)?;
//! assert_eq!(generic, own);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # `cts`
//!
//! ```
//! use cts::Encrypt;
//! use sm4_modes::{DataUnit, Sm4, Sm4CbcCs3, cipher::{KeyInit, KeyIvInit}};
//!
//! let (mut generic, mut own) = ([3; 40], [3; 40]);
//! cts::CbcCs3::<Sm4>::new(&[1; 16].into(), &[2; 16].into()).encrypt(&mut generic).unwrap();
//! Sm4CbcCs3::new(&[1; 16].into()).encrypt(&[2; 16], &mut own)?;
//! assert_eq!(generic, own);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # `cmac`
//!
//! ```
//! use sm4_modes::{Sm4CmacKey, MacKey, Sm4, cipher::KeyInit, digest::Mac};
//!
//! let generic = cmac::Cmac::<Sm4>::new(&[1; 16].into()).chain_update("message").finalize();
//! let own = Sm4CmacKey::new(&[1; 16].into()).mac(b"message");
//! assert_eq!(generic.into_bytes(), own);
//! ```
