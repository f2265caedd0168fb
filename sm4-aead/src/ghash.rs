//! GHASH by itself (NIST SP 800-38D, section 6.4).

use sm4::Backend;

use crate::polyval::{HashKey, Order};

/// GHASH by itself, to measure it. No part of the interface: it may change at any time.
///
/// ```
/// use sm4_aead::{Ghash, sm4::Backend};
///
/// let ghash = Ghash::new(&[0; 16], Backend::available().next().expect("one at least"));
/// assert_eq!(ghash.hash(b"anything times zero"), [0; 16]);
/// ```
#[derive(Clone)]
pub struct Ghash(HashKey);

impl Ghash {
    /// A key H of 16 bytes. The kernel is no wider than that of the cipher's backend.
    #[must_use]
    pub fn new(h: &[u8; 16], backend: Backend) -> Self {
        Self(HashKey::ghash(&(*h).into(), backend))
    }

    /// The hash of data, filled up with zeros to whole blocks.
    #[must_use]
    pub fn hash(&self, data: &[u8]) -> [u8; 16] {
        self.0.absorb(0, data, Order::Reversed, None).to_be_bytes()
    }
}

impl core::fmt::Debug for Ghash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Ghash").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hex_literal::hex;

    /// Test case 2 of McGrew and Viega's specification of GCM: its ciphertext and the lengths.
    #[test]
    fn known_answer() {
        let h = hex!("66e94bd4ef8a2c3b884cfa59ca342b2e");
        let data = hex!("0388dace60b6a392f328c2b971b2fe78 00000000000000000000000000000080");
        for backend in Backend::available() {
            let hash = Ghash::new(&h, backend).hash(&data);
            assert_eq!(hash, hex!("f38cbb1ad69223dcc3457ae5b6b0f885"), "{backend}");
        }
    }
}
