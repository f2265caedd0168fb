//! CMAC (NIST SP 800-38B), as EAX and SIV use it.

use sm4::cipher::BlockCipherEncrypt;

use crate::{
    block::{Block, double, padded, xor},
    lanes::Lane,
};

/// The subkeys K1 and K2.
#[derive(Clone)]
pub(crate) struct Subkeys {
    k1: Block,
    k2: Block,
}

impl Subkeys {
    pub(crate) fn new(cipher: &sm4::Sm4) -> Self {
        let mut l = Block::default();
        cipher.encrypt_block(&mut l);
        let k1 = double(&l);
        Self {
            k1,
            k2: double(&k1),
        }
    }

    /// The last block of a message, of 0 to 16 bytes.
    #[inline(always)]
    pub(crate) fn last(&self, bytes: &[u8]) -> Block {
        let mut block = padded(bytes);
        if bytes.len() == 16 {
            return xor(&block, &self.k1);
        }
        block[bytes.len()] = 0x80;
        xor(&block, &self.k2)
    }

    /// The chain over data (of at least one byte, unless it begins with the state 0), up to the MAC.
    #[inline]
    pub(crate) fn lane<'d>(&self, state: Block, data: &'d [u8]) -> Lane<'d> {
        let (blocks, last) = data.split_at(data.len().saturating_sub(1) / 16 * 16);
        Lane {
            state,
            data: [blocks, &[]],
            last: Some(self.last(last)),
            ..Lane::default()
        }
    }
}

#[cfg(feature = "zeroize")]
impl Drop for Subkeys {
    fn drop(&mut self) {
        zeroize::Zeroize::zeroize(self.k1.as_mut_slice());
        zeroize::Zeroize::zeroize(self.k2.as_mut_slice());
    }
}
