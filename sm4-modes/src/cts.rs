//! CBC with ciphertext stealing (NIST SP 800-38A, addendum): messages of any length from 16 bytes
//! on, without padding.
//!
//! ```text
//! P_1 … P_{m-1} P_m, the last of d bytes (1 to 16), becomes, with C_i of CBC (P_m filled up with
//! zeros) and C' the first d bytes of C_{m-1}:
//!
//! CS1    C_1 … C_{m-2}  C' C_m
//! CS2    as CS1 if d = 16, as CS3 otherwise
//! CS3    C_1 … C_{m-2}  C_m C'       (Kerberos, Linux)
//! ```
//!
//! A message of one block is encrypted as in CBC by all three.

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, BlockCipherDecrypt, InOutBuf, InvalidLength,
    common::{InnerInit, InnerUser},
};
use sm4::Sm4;

use crate::{
    batch,
    block::{Block, sum},
    cbc::{CbcDec, CbcEnc},
    chained::{Chain, Encrypt},
    data_unit::DataUnit,
};

/// CBC with ciphertext stealing, CS1: 16-byte key, 16-byte IV, messages of at least 16 bytes.
///
/// Whole blocks give the ciphertext of CBC. **Unauthenticated.** The IV must be unpredictable: new
/// random bytes for every message.
///
/// ```
/// use sm4_modes::{DataUnit, Sm4CbcCs1, cipher::KeyInit};
///
/// let cts = Sm4CbcCs1::new(b"a 16-byte secret".into());
/// let mut data = *b"a message of 24 bytes...";
/// cts.encrypt(b"random 16 bytes!", &mut data)?;
/// cts.decrypt(b"random 16 bytes!", &mut data)?;
/// assert_eq!(data, *b"a message of 24 bytes...");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CbcCs1 = Cts<Cs1>;

/// CBC with ciphertext stealing, CS2: 16-byte key, 16-byte IV, messages of at least 16 bytes.
///
/// Whole blocks give the ciphertext of CBC. **Unauthenticated.** The IV must be unpredictable: new
/// random bytes for every message.
///
/// ```
/// use sm4_modes::{DataUnit, Sm4CbcCs1, Sm4CbcCs2, cipher::KeyInit};
///
/// let (mut cs1, mut cs2) = ([7; 48], [7; 48]);
/// Sm4CbcCs1::new(&[1; 16].into()).encrypt(&[2; 16], &mut cs1)?;
/// Sm4CbcCs2::new(&[1; 16].into()).encrypt(&[2; 16], &mut cs2)?;
/// assert_eq!(cs1, cs2); // whole blocks
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CbcCs2 = Cts<Cs2>;

/// CBC with ciphertext stealing, CS3, as in Kerberos and Linux: 16-byte key, 16-byte IV, messages
/// of at least 16 bytes.
///
/// **Unauthenticated.** The IV must be unpredictable: new random bytes for every message.
///
/// ```
/// use sm4_modes::{DataUnit, Sm4CbcCs1, Sm4CbcCs3, cipher::KeyInit};
///
/// let (mut cs1, mut cs3) = ([7; 48], [7; 48]);
/// Sm4CbcCs1::new(&[1; 16].into()).encrypt(&[2; 16], &mut cs1)?;
/// Sm4CbcCs3::new(&[1; 16].into()).encrypt(&[2; 16], &mut cs3)?;
/// assert_eq!(cs1[16..32], cs3[32..]); // the last two blocks have changed places
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CbcCs3 = Cts<Cs3>;

/// The order of the last two ciphertext blocks.
pub trait Order {
    /// The name of the mode.
    const NAME: &'static str;

    /// Whether the complete block goes first, if the last plaintext block has `d` bytes.
    fn swaps(d: usize) -> bool;
}

/// The order of CBC-CS1: never swapped.
#[derive(Clone, Copy, Debug)]
pub enum Cs1 {}

/// The order of CBC-CS2: swapped if the last block is incomplete.
#[derive(Clone, Copy, Debug)]
pub enum Cs2 {}

/// The order of CBC-CS3: always swapped.
#[derive(Clone, Copy, Debug)]
pub enum Cs3 {}

impl Order for Cs1 {
    const NAME: &'static str = "Sm4CbcCs1";

    fn swaps(_d: usize) -> bool {
        false
    }
}

impl Order for Cs2 {
    const NAME: &'static str = "Sm4CbcCs2";

    fn swaps(d: usize) -> bool {
        d < 16
    }
}

impl Order for Cs3 {
    const NAME: &'static str = "Sm4CbcCs3";

    fn swaps(_d: usize) -> bool {
        true
    }
}

/// CBC with ciphertext stealing, in the order of `O`: [`Sm4CbcCs1`], [`Sm4CbcCs2`], [`Sm4CbcCs3`].
///
/// `C` is [`Sm4`] or a reference to it. The tweak of [`DataUnit`] is the IV.
pub struct Cts<O: Order, C: Borrow<Sm4> = Sm4> {
    cipher: C,
    order: PhantomData<O>,
}

/// The last two blocks of a message, of 16 and `d` bytes.
struct End {
    bytes: [[u8; 16]; 2],
    d: usize,
}

impl End {
    /// Cuts off the last two blocks of more than 16 bytes.
    fn split<'i, 'o>(
        data: InOutBuf<'i, 'o, u8>,
    ) -> (InOutBuf<'i, 'o, Block>, InOutBuf<'i, 'o, u8>, Self) {
        let blocks = data.len().div_ceil(16);
        let (head, end) = data.split_at(16 * (blocks - 2));
        let mut bytes = [[0; 16]; 2];
        bytes.as_flattened_mut()[..end.len()].copy_from_slice(end.get_in());
        let d = end.len() - 16;
        (head.into_chunks().0, end, Self { bytes, d })
    }

    /// Writes a block and the first `d` bytes of another.
    fn write(&self, mut end: InOutBuf<'_, '_, u8>, complete: &Block, cut: &Block, swap: bool) {
        let (first, second) = if swap {
            (&complete[..], &cut[..self.d])
        } else {
            (&cut[..self.d], &complete[..])
        };
        let (to_first, to_second) = end.get_out().split_at_mut(first.len());
        to_first.copy_from_slice(first);
        to_second.copy_from_slice(second);
    }
}

impl<O: Order, C: Borrow<Sm4>> DataUnit for Cts<O, C> {
    fn encrypt_inout(
        &self,
        iv: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        let cipher = self.cipher.borrow();
        if data.len() < 16 {
            return Err(InvalidLength);
        }
        let mut cbc = CbcEnc::start((*iv).into());
        if data.len() == 16 {
            cbc.encrypt(cipher, data.into_chunks().0);
            return Ok(());
        }
        let (head, rest, end) = End::split(data);
        cbc.encrypt(cipher, head);
        let mut blocks = end.bytes.map(Block::from);
        cbc.encrypt(cipher, blocks.as_mut_slice().into());
        end.write(rest, &blocks[1], &blocks[0], O::swaps(end.d));
        Ok(())
    }

    fn decrypt_inout(
        &self,
        iv: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength> {
        let cipher = self.cipher.borrow();
        if data.len() < 16 {
            return Err(InvalidLength);
        }
        let mut cbc = CbcDec::start((*iv).into());
        if data.len() == 16 {
            batch::decrypt(cipher, &mut cbc, data.into_chunks().0);
            return Ok(());
        }
        let (head, rest, end) = End::split(data);
        batch::decrypt(cipher, &mut cbc, head);
        let bytes = end.bytes.as_flattened();
        let (complete, cut) = if O::swaps(end.d) {
            (&bytes[..16], &bytes[16..16 + end.d])
        } else {
            (&bytes[end.d..end.d + 16], &bytes[..end.d])
        };
        // D(C_m) is P_m, filled up with zeros, + C_{m-1}: so its end is the end of C_{m-1}.
        let mut last = Block::default();
        last.copy_from_slice(complete);
        cipher.decrypt_block(&mut last);
        let mut before = Block::default();
        before[end.d..].copy_from_slice(&last[end.d..]);
        before[..end.d].copy_from_slice(cut);
        last = sum(&last, &before);
        batch::decrypt(cipher, &mut cbc, core::slice::from_mut(&mut before).into());
        end.write(rest, &before, &last, true);
        Ok(())
    }
}

impl<O: Order, C: Borrow<Sm4>> InnerUser for Cts<O, C> {
    type Inner = C;
}

impl<O: Order, C: Borrow<Sm4>> InnerInit for Cts<O, C> {
    #[inline]
    fn inner_init(cipher: C) -> Self {
        Self {
            cipher,
            order: PhantomData,
        }
    }
}

impl<O: Order, C: Borrow<Sm4>> AlgorithmName for Cts<O, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(O::NAME)
    }
}

impl<O: Order, C: Borrow<Sm4>> fmt::Debug for Cts<O, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(O::NAME).finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<O: Order, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Cts<O, C> {}
