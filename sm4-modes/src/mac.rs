//! MACs that are a CBC chain: CMAC (NIST SP 800-38B, RFC 4493, GB/T 15852.1) and CBC-MAC
//! (GB/T 15852.1-2020 MAC algorithm 1).
//!
//! A key ([`Sm4CmacKey`], [`Sm4CbcMacKey`]) computes the tag of a message that is there as a whole, by
//! [`MacKey::mac`]; a [`Streaming`] MAC has the traits of `digest` and takes it in pieces.

mod cbc_mac;
pub(crate) mod chain;
mod cmac;
mod streaming;
pub(crate) mod subkeys;

pub use cbc_mac::{CbcMacKey, Method1, Method2, Method3, Padding, Sm4CbcMac, Sm4CbcMacKey};
pub use cmac::{CmacKey, Sm4Cmac, Sm4CmacKey};
pub use streaming::{StreamKey, Streaming};

use chain::MacInput;
use subkeys::Subkeys;

use cipher::InvalidLength;
use ctutils::CtEq;
use digest::MacError;
use sm4::Sm4;

use crate::{block::Block, lanes::Lane};

/// The shortest tag that is made or accepted, in bytes. With less than 8, limit the failed attempts.
pub const MIN_TAG: usize = 4;

mod keyed {
    use super::{MacInput, Sm4};

    /// What the MACs differ in. It is right for every message, so that no harm is done by whoever
    /// calls it by way of [`MacKey`](super::MacKey).
    pub trait Keyed {
        /// The cipher of the chain.
        fn cipher(&self) -> &Sm4;

        /// What goes into the chain.
        fn input<'m>(&self, message: &'m [u8]) -> MacInput<'m>;
    }
}
use keyed::Keyed;

/// A key for a MAC: one of those of this crate.
pub trait MacKey: Keyed {
    /// The tag of a message: 16 bytes.
    #[must_use]
    fn mac(&self, message: &[u8]) -> [u8; 16] {
        let mut state = Block::default();
        let mut input = self.input(message);
        input.finish(self.cipher().bulk(), &mut state);
        state.into()
    }

    /// Writes the beginning of a message's tag, as many bytes as `tag` has.
    ///
    /// # Errors
    /// If these are less than 4 or more than 16. Nothing is written then.
    fn mac_truncated(&self, message: &[u8], tag: &mut [u8]) -> Result<(), InvalidLength> {
        if !(MIN_TAG..=16).contains(&tag.len()) {
            return Err(InvalidLength);
        }
        let len = tag.len();
        tag.copy_from_slice(&self.mac(message)[..len]);
        Ok(())
    }

    /// Compares a tag, which may be truncated, in constant time.
    ///
    /// # Errors
    /// If it is not the message's, or has less than 4 or more than 16 bytes.
    fn verify(&self, message: &[u8], tag: &[u8]) -> Result<(), MacError> {
        if !(MIN_TAG..=16).contains(&tag.len()) {
            return Err(MacError);
        }
        let expected = self.mac(message);
        if expected[..tag.len()].ct_eq(tag).to_bool() {
            Ok(())
        } else {
            Err(MacError)
        }
    }
}
