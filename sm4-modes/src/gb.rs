//! The modes that only GB/T 17964-2021 has: BC, OFBNLF and HCTR.

mod bc;
mod hctr;
mod ofbnlf;

pub use bc::{BcDec, BcEnc, Sm4BcDec, Sm4BcEnc};
pub use hctr::{Hctr, Sm4Hctr};
pub use ofbnlf::{OfbnlfDec, OfbnlfEnc, Sm4OfbnlfDec, Sm4OfbnlfEnc};
