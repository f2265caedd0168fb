//! XTS mode, in the form of IEEE 1619 and in that of GB/T 17964-2021.
//!
//! ```text
//! T_0 = E(tweak key, tweak)       T_i = T_{i-1} · x       C_i = E(data key, P_i + T_i) + T_i
//! ```
//!
//! The two standards differ in the product with x only: see [`Field`]. The first block
//! is the same in both.

mod sectors;

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, BlockCipherEncrypt, InOutBuf, InvalidLength, Key, KeyInit, KeySizeUser,
    common::{InvalidKey, TryKeyInit},
    consts::U32,
};
use sm4::{Masking, Sm4};

use crate::{
    batch::{self, Decryption, Encryption, Mode},
    block::{Block, Quad},
    data_unit::DataUnit,
    doubling::{self, Field, Gb, Ieee},
};

/// XTS of IEEE 1619 (and NIST SP 800-38E), with SM4 in the place of AES: 32-byte key (data key,
/// then tweak key), 16-byte tweak, data units of at least 16 bytes.
///
/// This is the XTS of Linux, libgcrypt, Botan and DPDK, and of OpenSSL with `xts_standard:IEEE`.
/// From the second block on it differs from [`Sm4XtsGb`].
///
/// **Unauthenticated.** For sectors only: the same sector number and content give the same
/// ciphertext. The standard allows 2^20 blocks (16 MiB) a data unit; this is not checked.
///
/// ```
/// use sm4_modes::{DataUnit, Sm4XtsIeee, cipher::common::TryKeyInit};
///
/// let xts = Sm4XtsIeee::new(b"a 16-byte secretanother 16 bytes".into())?;
/// let mut disk = [7; 8192];
/// xts.encrypt_sectors(&mut disk, 512, 1000)?;
///
/// // sector 1003 by itself
/// let sector = &mut disk[3 * 512..4 * 512];
/// xts.decrypt(&1003_u128.to_le_bytes(), sector)?;
/// assert_eq!(sector, [7; 512]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4XtsIeee = Xts<Ieee>;

/// XTS of GB/T 17964-2021: 32-byte key (data key, then tweak key), 16-byte tweak, data units of at
/// least 16 bytes.
///
/// This is the XTS of GmSSL and Tongsuo, and of OpenSSL by default. From the second block on it
/// differs from [`Sm4XtsIeee`].
///
/// **Unauthenticated.** For sectors only: the same sector number and content give the same
/// ciphertext. There is no limit to a data unit here; do not go beyond the 2^20 blocks (16 MiB) of
/// IEEE 1619 either.
///
/// ```
/// use sm4_modes::{DataUnit, Sm4XtsGb, cipher::common::TryKeyInit};
///
/// let mut key = [1; 32];
/// assert!(Sm4XtsGb::new(&key.into()).is_err()); // the same key twice
/// key[0] = 2;
/// let xts = Sm4XtsGb::new(&key.into())?;
/// let mut data = *b"seventeen bytes !";
/// xts.encrypt(&[0; 16], &mut data)?;
/// xts.decrypt(&[0; 16], &mut data)?;
/// assert_eq!(data, *b"seventeen bytes !");
/// assert!(xts.encrypt(&[0; 16], &mut [0; 15]).is_err());
///
/// // Four sectors of 512 bytes in one call, from number 1000 on, and one of them by itself
/// let mut disk = [7; 4 * 512];
/// xts.encrypt_sectors(&mut disk, 512, 1000)?;
/// let sector = &mut disk[2 * 512..3 * 512];
/// xts.decrypt_sectors(sector, 512, 1002)?;
/// assert_eq!(sector, [7; 512]);
/// assert!(xts.encrypt_sectors(&mut disk, 500, 0).is_err()); // not whole sectors
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4XtsGb = Xts<Gb>;

/// XTS mode with the product with x of `F`: [`Sm4XtsIeee`] and [`Sm4XtsGb`]. There is no default.
///
/// `C` is [`Sm4`] or a reference to it.
pub struct Xts<F: Field, C: Borrow<Sm4> = Sm4> {
    data: C,
    tweak: C,
    field: PhantomData<F>,
}

/// The tweaks of neighbouring data units: the masks of XTS.
struct Tweaks<'a, F> {
    /// That of the next block.
    next: Block,
    /// The blocks that are left of the data unit.
    left: usize,
    /// The blocks of the data units that follow, and their first tweaks.
    unit: usize,
    following: &'a [Block],
    /// Whether the last two tweaks change places: decryption with stealing.
    swap: bool,
    field: PhantomData<F>,
}

impl<F: Field> Tweaks<'_, F> {
    /// For a single data unit, of which `blocks` are complete.
    fn single(tweak: Block, blocks: usize, swap: bool) -> Self {
        Self {
            next: tweak,
            left: blocks,
            unit: 0,
            following: &[],
            swap,
            field: PhantomData,
        }
    }
}

impl<F: Field> Mode for Tweaks<'_, F> {
    const MASKING: Masking = Masking::Both;

    #[inline(always)]
    fn masks(&mut self, _input: &[Block], count: usize, masks: &mut [Quad]) {
        let masks = &mut masks.as_flattened_mut()[..count];
        let mut rest = &mut *masks;
        loop {
            let (part, after) = rest.split_at_mut(self.left.min(rest.len()));
            self.next = doubling::powers::<F>(&self.next, part);
            self.left -= part.len();
            rest = after;
            if rest.is_empty() {
                break;
            }
            let Some((next, following)) = self.following.split_first() else {
                break;
            };
            (self.next, self.following, self.left) = (*next, following, self.unit);
        }
        if self.swap && self.left == 0 {
            core::mem::swap(&mut masks[count - 1], &mut self.next);
        }
    }
}

/// Encryption or decryption, by the data key.
trait Direction: batch::Direction {
    const DECRYPTS: bool;
}

impl Direction for Encryption {
    const DECRYPTS: bool = false;
}

impl Direction for Decryption {
    const DECRYPTS: bool = true;
}

impl<F: Field, C: Borrow<Sm4>> Xts<F, C> {
    /// From the ciphers of data key and tweak key. The standards want them to be different; this is
    /// not checked.
    #[must_use]
    pub fn from_ciphers(data: C, tweak: C) -> Self {
        Self {
            data,
            tweak,
            field: PhantomData,
        }
    }

    fn unit<D: Direction>(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        if data.len() < 16 {
            return Err(InvalidLength);
        }
        let mut tweak = Block::from(*tweak);
        self.tweak.borrow().encrypt_block(&mut tweak);
        self.unit_with::<D>(tweak, data);
        Ok(())
    }

    fn blocks<D: Direction>(&self, tweaks: &mut Tweaks<'_, F>, blocks: InOutBuf<'_, '_, Block>) {
        batch::crypt::<D, _>(self.data.borrow(), tweaks, blocks, batch::no_end());
    }

    /// A data unit of at least 16 bytes with an encrypted tweak.
    fn unit_with<D: Direction>(&self, tweak: Block, data: InOutBuf<'_, '_, u8>) {
        let (mut blocks, mut end) = data.into_chunks();
        let swap = D::DECRYPTS && !end.is_empty();
        let mut tweaks = Tweaks::<F>::single(tweak, blocks.len(), swap);
        self.blocks::<D>(&mut tweaks, blocks.reborrow());
        // Ciphertext stealing: the last complete block lends its end to the incomplete one.
        let Some(last) = blocks.get_out().last_mut() else {
            return;
        };
        if end.is_empty() {
            return;
        }
        let lent = *last;
        last[..end.len()].copy_from_slice(end.get_in());
        let len = end.len();
        end.get_out().copy_from_slice(&lent[..len]);
        let mut tweak = Tweaks::single(tweaks.next, 1, false);
        self.blocks::<D>(&mut tweak, InOutBuf::from_mut(last));
    }
}

impl<F: Field, C: Borrow<Sm4>> DataUnit for Xts<F, C> {
    #[inline]
    fn encrypt_inout(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        self.unit::<Encryption>(tweak, data)
    }

    #[inline]
    fn decrypt_inout(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        self.unit::<Decryption>(tweak, data)
    }
}

impl<F: Field> KeySizeUser for Xts<F> {
    type KeySize = U32;
}

/// Data key and tweak key, 16 bytes each.
impl<F: Field> TryKeyInit for Xts<F> {
    /// # Errors
    /// If the two keys are equal: IEEE 1619 and GB/T 17964 forbid it.
    fn new(key: &Key<Self>) -> Result<Self, InvalidKey> {
        let (data, tweak) = key.split_ref::<cipher::consts::U16>();
        let mut difference = 0;
        for (a, b) in data.iter().zip(tweak) {
            difference |= a ^ b;
        }
        if core::hint::black_box(difference) == 0 {
            return Err(InvalidKey);
        }
        Ok(Self::from_ciphers(Sm4::new(data), Sm4::new(tweak)))
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Xts<Ieee, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4XtsIeee")
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Xts<Gb, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4XtsGb")
    }
}

impl<F: Field, C: Borrow<Sm4>> fmt::Debug for Xts<F, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Xts").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<F: Field, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Xts<F, C> {}
