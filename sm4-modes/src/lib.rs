//! SM4 modes.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use cipher;
pub use sm4::{self, Sm4};

mod batch;
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
pub mod mac;
pub mod messages;
pub mod ofb;
pub mod padding;
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
pub use mac::{CbcMacKey, CmacKey, MacKey, Sm4CbcMac, Sm4Cmac};
pub use messages::{Message, cbc_encrypt_messages, cfb_encrypt_messages, mac_messages};
pub use ofb::Sm4Ofb;
pub use xts::{Sm4XtsGb, Sm4XtsIeee, Xts};
