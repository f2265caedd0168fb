//! HCTR (GB/T 17964-2021; Wang, Feng and Wu, 2005): a wide block of any length from 16 bytes on, in
//! which every bit of the ciphertext depends on every bit of the plaintext.
//!
//! ```text
//! P = P_1 || R          Z1 = P_1 + H(R || T)          Z2 = E(Z1)
//! S = Z1 + Z2           R' = R + E(S + 1) || E(S + 2) || …
//! C = C_1 || R'         C_1 = Z2 + H(R' || T)
//! ```
//!
//! `H` is GHASH of NIST SP 800-38D: the padded message and its length in bits (128 bits of them).

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockCipherDecrypt, BlockCipherEncrypt, InOutBuf, InvalidLength, Key, KeyInit,
    KeySizeUser, consts::U32,
};
use ghash::{GHash, universal_hash::UniversalHash};
use sm4::{Masking, Sm4};

use crate::{
    batch::{self, Mode},
    block::{Block, Quad, sum},
    data_unit::DataUnit,
    doubling::{halves, join},
};

/// HCTR: 32-byte key (the block cipher's, then the hash's), 16-byte tweak, messages of at least 16
/// bytes.
///
/// **Unauthenticated**, but a changed ciphertext decrypts to something random from beginning to
/// end. The same tweak and message give the same ciphertext.
///
/// ```
/// use sm4_modes::{DataUnit, Sm4Hctr, cipher::KeyInit};
///
/// let hctr = Sm4Hctr::new(b"16 bytes block k16 bytes hash key"[..32].try_into()?);
/// let mut data = *b"a record of fixed length";
/// hctr.encrypt(&[0; 16], &mut data)?;
/// hctr.decrypt(&[0; 16], &mut data)?;
/// assert_eq!(data, *b"a record of fixed length");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4Hctr = Hctr;

/// HCTR mode: [`Sm4Hctr`].
///
/// `C` is [`Sm4`] or a reference to it.
pub struct Hctr<C: Borrow<Sm4> = Sm4> {
    cipher: C,
    hash: GHash,
}

/// The masks of HCTR's key stream: `S + i`, from `next` on.
struct Counter {
    sum: [u64; 2],
    next: u64,
}

impl Mode for Counter {
    const MASKING: Masking = Masking::KeyStream;

    #[inline(always)]
    fn masks(&mut self, _input: &[Block], count: usize, masks: &mut [Quad]) {
        let [high, low] = self.sum;
        let masks = &mut masks.as_flattened_mut()[..count];
        for (i, mask) in (0..).zip(masks) {
            *mask = join([high, low ^ self.next.wrapping_add(i)].map(u64::to_be_bytes));
        }
        self.next = self.next.wrapping_add(count as u64);
    }
}

impl<C: Borrow<Sm4>> Hctr<C> {
    /// From the cipher of the first key and the bytes of the second.
    #[must_use]
    pub fn from_cipher(cipher: C, hash_key: &[u8; 16]) -> Self {
        Self {
            cipher,
            hash: GHash::new(hash_key.into()),
        }
    }

    /// `H(rest || tweak)`
    fn hash(&self, rest: &[u8], tweak: &[u8; 16]) -> Block {
        let mut hash = self.hash.clone();
        let (blocks, end) = Block::slice_as_chunks(rest);
        hash.update(blocks);
        let mut last = [0; 32];
        last[..end.len()].copy_from_slice(end);
        last[end.len()..end.len() + 16].copy_from_slice(tweak);
        hash.update_padded(&last[..end.len() + 16]);
        let bits = 8 * (rest.len() as u128 + 16);
        hash.update(&[bits.to_be_bytes().into()]);
        hash.finalize()
    }

    /// Both directions: they differ in the block in the middle only.
    fn run(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
        middle: impl FnOnce(&Sm4, &mut Block),
    ) -> Result<(), InvalidLength> {
        if data.len() < 16 {
            return Err(InvalidLength);
        }
        let cipher = self.cipher.borrow();
        let (mut first, mut rest) = data.split_at(16);
        let mut block = Block::default();
        block.copy_from_slice(first.get_in());
        let before = sum(&block, &self.hash(rest.get_in(), tweak));
        let mut after = before;
        middle(cipher, &mut after);
        let mut counter = Counter {
            sum: halves(&sum(&before, &after)).map(u64::from_be_bytes),
            next: 1,
        };
        let (blocks, end) = rest.reborrow().into_chunks();
        if !blocks.is_empty() || !end.is_empty() {
            batch::encrypt(cipher, &mut counter, blocks, end);
        }
        let hash = self.hash(rest.get_out(), tweak);
        first.get_out().copy_from_slice(&sum(&after, &hash));
        Ok(())
    }
}

impl<C: Borrow<Sm4>> DataUnit for Hctr<C> {
    fn encrypt_inout(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        self.run(tweak, data, |cipher, block| cipher.encrypt_block(block))
    }

    fn decrypt_inout(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        self.run(tweak, data, |cipher, block| cipher.decrypt_block(block))
    }
}

impl KeySizeUser for Hctr {
    type KeySize = U32;
}

impl KeyInit for Hctr {
    fn new(key: &Key<Self>) -> Self {
        let (block_key, hash_key) = key.split_ref::<cipher::consts::U16>();
        Self::from_cipher(Sm4::new(block_key), hash_key.as_ref())
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Hctr<C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Hctr")
    }
}

#[cfg(feature = "zeroize")]
impl<C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Hctr<C> {}

impl<C: Borrow<Sm4>> fmt::Debug for Hctr<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4Hctr").finish_non_exhaustive()
    }
}
