//! The subkeys of CMAC (NIST SP 800-38B, section 6.1).

use core::fmt;

use cipher::BlockCipherEncrypt;
use sm4::Sm4;

use super::MacInput;
use crate::{
    block::{Block, padded, sum},
    doubling::{self, Cmac},
    wipe::{Wipe, Wiped},
};

/// What is added to the last block of a message: K1 if it is complete, K2 if it is padded.
#[derive(Clone)]
pub struct Subkeys {
    k1: Wiped<Block>,
    k2: Wiped<Block>,
}

impl Subkeys {
    /// The subkeys of a key.
    #[must_use]
    pub fn new(cipher: &Sm4) -> Self {
        let mut l = Block::default();
        cipher.encrypt_block(&mut l);
        let k1 = doubling::double::<Cmac>(&l);
        let k2 = doubling::double::<Cmac>(&k1);
        l.wipe();
        Self {
            k1: Wiped(k1),
            k2: Wiped(k2),
        }
    }

    /// What CMAC makes of a message.
    #[inline(always)]
    #[must_use]
    pub fn input<'m>(&self, message: &'m [u8]) -> MacInput<'m> {
        let (head, end) = message.split_at(message.len().saturating_sub(1) / 16 * 16);
        MacInput::new(head, Some(self.last(end)))
    }

    /// The last block of a message, of 0 to 16 bytes, as it goes into the chain.
    #[inline(always)]
    #[must_use]
    pub fn last(&self, end: &[u8]) -> Block {
        let mut block = padded(end);
        if end.len() == 16 {
            return sum(&block, &self.k1.0);
        }
        block[end.len()] = 0x80;
        sum(&block, &self.k2.0)
    }
}

impl fmt::Debug for Subkeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subkeys").finish_non_exhaustive()
    }
}
