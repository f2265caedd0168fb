//! MACs that are a CBC chain: CMAC (NIST SP 800-38B, RFC 4493, GB/T 15852.1) and CBC-MAC
//! (GB/T 15852.1-2020 MAC algorithm 1).
//!
//! A key ([`Sm4CmacKey`], [`Sm4CbcMacKey`]) computes the tag of a message that is there as a whole, by
//! [`MacKey::mac`]; a [`Streaming`] MAC has the traits of `digest` and takes it in pieces.

mod cbc_mac;
mod cmac;
mod streaming;
mod subkeys;

pub use cbc_mac::{CbcMacKey, Method1, Method2, Method3, Padding, Sm4CbcMac, Sm4CbcMacKey};
pub use cmac::{CmacKey, Sm4Cmac, Sm4CmacKey};
pub use streaming::{StreamKey, Streaming};
#[doc(hidden)]
pub use subkeys::Subkeys;

use cipher::InvalidLength;
use digest::MacError;
use sm4::Sm4;

use crate::block::Block;

/// The shortest tag that is made or accepted, in bytes.
pub const MIN_TAG: usize = 4;

/// The last blocks of a message, as they go into the chain.
#[derive(Clone, Copy, Default, Debug)]
pub struct Last {
    blocks: [Block; 2],
    count: usize,
}

impl Last {
    fn one(block: Block) -> Self {
        Self {
            blocks: [block, Block::default()],
            count: 1,
        }
    }

    fn two(first: Block, second: Block) -> Self {
        Self {
            blocks: [first, second],
            count: 2,
        }
    }

    pub(crate) fn as_slice(&self) -> &[Block] {
        &self.blocks[..self.count]
    }
}

/// A key for a MAC.
pub trait MacKey {
    /// The cipher of the chain.
    #[doc(hidden)]
    fn cipher(&self) -> &Sm4;

    /// What goes into the chain before a message of `len` bytes.
    #[doc(hidden)]
    fn first(&self, len: usize) -> Option<Block>;

    /// What goes into the chain instead of the end of the message: its last 1 to 16 bytes, or
    /// nothing if it is empty.
    #[doc(hidden)]
    fn last(&self, end: &[u8]) -> Last;

    /// The tag of a message: 16 bytes.
    #[must_use]
    fn mac(&self, message: &[u8]) -> [u8; 16] {
        let (blocks, end) = split(message);
        let mut state = Block::default();
        if let Some(first) = self.first(message.len()) {
            chain(self.cipher(), &mut state, &[first], &[]);
        }
        chain(self.cipher(), &mut state, blocks, self.last(end).as_slice());
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
        let mut difference = 0;
        for (a, b) in self.mac(message).iter().zip(tag) {
            difference |= a ^ b;
        }
        if core::hint::black_box(difference) == 0 {
            Ok(())
        } else {
            Err(MacError)
        }
    }
}

/// Cuts off the last 1 to 16 bytes, if there are any.
pub(crate) fn split(message: &[u8]) -> (&[Block], &[u8]) {
    let end = message.len().saturating_sub(1) / 16 * 16;
    let (head, end) = message.split_at(end);
    (Block::slice_as_chunks(head).0, end)
}

/// The chain over the blocks of a message, then over the last ones.
pub(crate) fn chain(cipher: &Sm4, state: &mut Block, blocks: &[Block], last: &[Block]) {
    cipher.bulk().cbc_mac_blocks(state, blocks);
    cipher.bulk().cbc_mac_blocks(state, last);
}
