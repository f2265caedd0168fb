//! SM4 modes.
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use cipher;
pub use sm4::{self, Sm4};

mod batch;
pub mod cbc;
pub mod cfb;
mod chained;
pub mod counter;
pub mod ctr;
pub mod ecb;
pub mod ofb;
pub mod padding;

pub use cbc::{Sm4CbcDec, Sm4CbcEnc};
pub use cfb::{Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec, Sm4CfbEnc};
pub use chained::Chained;
pub use ctr::{Ctr, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le};
pub use ecb::{Sm4EcbDec, Sm4EcbEnc};
pub use ofb::Sm4Ofb;
