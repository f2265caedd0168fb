//! Key wrap: KW (RFC 3394) and KWP (RFC 5649), both also in NIST SP 800-38F.

use aead::{Key, KeyInit};
use sm4::{
    Sm4,
    cipher::{
        BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
        BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser,
    },
};

use aead::consts::U16;
use ctutils::{CtEq, CtLt};
use sm4_modes::shared::Block;

use crate::{Error, mode::keyed_mode, open};

/// SM4-KW: wraps keys of 16, 24, 32, … bytes. The wrapped key is 8 bytes longer.
///
/// There is no nonce: wrapping a key twice gives the same, which shows that it is the same. If
/// unwrapping fails, the output holds zeros. The time depends on lengths only.
///
/// No standard has key wrap with SM4; it interoperates with libgcrypt and with crypto hardware.
///
/// ```
/// use sm4_aead::Sm4Kw;
///
/// let kw = Sm4Kw::new(b"a 16-byte secret".into());
/// let mut wrapped = [0; 40];
/// kw.wrap(&[7; 32], &mut wrapped)?;
/// let mut key = [0; 32];
/// kw.unwrap(&wrapped, &mut key)?;
/// assert_eq!(key, [7; 32]);
/// # Ok::<(), sm4_aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Kw {
    cipher: Sm4,
}

/// SM4-KWP: wraps keys of 1 byte and more. The wrapped key is 8 bytes longer than the key filled up
/// to a multiple of 8 bytes.
///
/// As for [`Sm4Kw`], wrapping a key twice gives the same, the output holds zeros if unwrapping
/// fails, and the time depends on lengths only; that of the wrapped key, not that of the key.
///
/// ```
/// use sm4_aead::Sm4Kwp;
///
/// let kwp = Sm4Kwp::new(b"a 16-byte secret".into());
/// let mut wrapped = [0; Sm4Kwp::wrapped_len(20)];
/// kwp.wrap(&[7; 20], &mut wrapped)?;
/// let mut key = [0; 24];
/// assert_eq!(kwp.unwrap(&wrapped, &mut key)?, &[7; 20]);
/// # Ok::<(), sm4_aead::Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Kwp {
    cipher: Sm4,
}

keyed_mode!(Sm4Kw);
keyed_mode!(Sm4Kwp);

/// The first half of the block, of which unwrapping has to give back a known value.
type Check = [u8; 8];

/// The default initial value of KW.
const KW_CHECK: Check = [0xa6; 8];
/// The first half of KWP's; the other half is the length.
const KWP_CHECK: [u8; 4] = [0xa6, 0x59, 0x59, 0xa6];
/// SP 800-38F, table 1: less than 2^54 half blocks.
const KW_MAX: u64 = (1 << 57) - 8;
/// RFC 5649, section 3: the length has 32 bits.
const KWP_MAX: u64 = (1 << 32) - 1;

/// W of SP 800-38F, section 6.1, over the check value and at least two halves of blocks.
struct Wrap<'a>(&'a mut Check, &'a mut [[u8; 8]]);

/// Its inverse.
struct Unwrap<'a>(&'a mut Check, &'a mut [[u8; 8]]);

fn block(check: &Check, half: &[u8; 8]) -> Block {
    let mut block = Block::default();
    block[..8].copy_from_slice(check);
    block[8..].copy_from_slice(half);
    block
}

/// Adds the number of the step.
fn count(check: &[u8], step: u64) -> Check {
    let mut counted = step.to_be_bytes();
    for (byte, other) in counted.iter_mut().zip(check) {
        *byte ^= other;
    }
    counted
}

impl BlockSizeUser for Wrap<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Wrap<'_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let Self(check, halves) = self;
        let mut step = 0;
        for _ in 0..6 {
            for half in &mut *halves {
                step += 1;
                let mut block = block(check, half);
                backend.encrypt_block((&mut block).into());
                *check = count(&block[..8], step);
                half.copy_from_slice(&block[8..]);
            }
        }
    }
}

impl BlockSizeUser for Unwrap<'_> {
    type BlockSize = U16;
}

impl BlockCipherDecClosure for Unwrap<'_> {
    #[inline(always)]
    fn call<B: BlockCipherDecBackend<BlockSize = U16>>(self, backend: &B) {
        let Self(check, halves) = self;
        let mut step = 6 * halves.len() as u64;
        for _ in 0..6 {
            for half in halves.iter_mut().rev() {
                let mut block = block(&count(check, step), half);
                backend.decrypt_block((&mut block).into());
                check.copy_from_slice(&block[..8]);
                half.copy_from_slice(&block[8..]);
                step -= 1;
            }
        }
    }
}

/// Wraps whole halves of blocks into an output that is 8 bytes longer.
fn wrap(cipher: &Sm4, mut check: Check, wrapped: &mut [u8]) {
    let (first, halves) = wrapped.split_at_mut(8);
    let (halves, _) = halves.as_chunks_mut();
    if let [half] = halves {
        // KWP only: one block, encrypted as it is
        let mut block = block(&check, half);
        cipher.encrypt_block(&mut block);
        check.copy_from_slice(&block[..8]);
        half.copy_from_slice(&block[8..]);
    } else {
        cipher.encrypt_with_backend(Wrap(&mut check, halves));
    }
    first.copy_from_slice(&check);
}

/// Unwraps into the output, which is 8 bytes shorter, and returns the check value.
fn unwrap(cipher: &Sm4, wrapped: &[u8], key: &mut [u8]) -> Check {
    let (first, rest) = wrapped.split_at(8);
    let mut check = Check::default();
    check.copy_from_slice(first);
    key.copy_from_slice(rest);
    let (halves, _) = key.as_chunks_mut();
    if let [half] = halves {
        let mut block = block(&check, half);
        cipher.decrypt_block(&mut block);
        check.copy_from_slice(&block[..8]);
        half.copy_from_slice(&block[8..]);
    } else {
        cipher.decrypt_with_backend(Unwrap(&mut check, halves));
    }
    check
}

impl Sm4Kw {
    /// Sets up a key.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }

    /// The same with a cipher that has been set up already, e.g. for a certain backend.
    #[must_use]
    pub fn from_cipher(cipher: Sm4) -> Self {
        Self { cipher }
    }

    /// Wraps a key.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if the key has not 16, 24, 32, … bytes, or the output has not 8 bytes
    /// more. Nothing is written then.
    pub fn wrap(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), Error> {
        check_kw(key.len(), wrapped.len())?;
        wrapped[8..].copy_from_slice(key);
        wrap(&self.cipher, KW_CHECK, wrapped);
        Ok(())
    }

    /// Unwraps a key.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if the input has not 24, 32, 40, … bytes, or the output has not 8
    /// bytes less; nothing is written then. [`Error::Authentication`] if the input was not wrapped
    /// with this key; the output holds zeros then.
    pub fn unwrap(&self, wrapped: &[u8], key: &mut [u8]) -> Result<(), Error> {
        check_kw(key.len(), wrapped.len())?;
        let check = unwrap(&self.cipher, wrapped, key);
        open::accept_if(check.ct_eq(&KW_CHECK), key)
    }
}

fn check_kw(key: usize, wrapped: usize) -> Result<(), Error> {
    let allowed = key >= 16 && key.is_multiple_of(8) && key as u64 <= KW_MAX;
    if allowed && wrapped == key + 8 {
        Ok(())
    } else {
        Err(Error::MessageLength)
    }
}

impl Sm4Kwp {
    /// Sets up a key.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }

    /// The same with a cipher that has been set up already, e.g. for a certain backend.
    #[must_use]
    pub fn from_cipher(cipher: Sm4) -> Self {
        Self { cipher }
    }

    /// How many bytes a wrapped key has.
    ///
    /// # Panics
    /// If that is more than a `usize` holds.
    #[must_use]
    pub const fn wrapped_len(key_len: usize) -> usize {
        match key_len.checked_next_multiple_of(8) {
            Some(padded) if padded <= usize::MAX - 8 => padded + 8,
            _ => panic!("longer than a usize can say"),
        }
    }

    /// Wraps a key.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if the key has not 1 to 2^32 − 1 bytes, or the output is not as long
    /// as [`wrapped_len`](Self::wrapped_len) says. Nothing is written then.
    pub fn wrap(&self, key: &[u8], wrapped: &mut [u8]) -> Result<(), Error> {
        check_kwp(key.len(), wrapped.len())?;
        let mut check = (key.len() as u64).to_be_bytes();
        check[..4].copy_from_slice(&KWP_CHECK);
        wrapped[8..][..key.len()].copy_from_slice(key);
        wrapped[8 + key.len()..].fill(0);
        wrap(&self.cipher, check, wrapped);
        Ok(())
    }

    /// Unwraps a key, and returns the part of the output that it takes.
    ///
    /// # Errors
    /// [`Error::MessageLength`] if the input has not 16, 24, 32, … bytes, or the output has not 8
    /// bytes less; nothing is written then. [`Error::Authentication`] if the input was not wrapped
    /// with this key; the output holds zeros then.
    pub fn unwrap<'o>(&self, wrapped: &[u8], key: &'o mut [u8]) -> Result<&'o mut [u8], Error> {
        let padded = key.len();
        if !padded.is_multiple_of(8) {
            return Err(Error::MessageLength);
        }
        // The shortest key that is padded to so many bytes
        check_kwp(padded.saturating_sub(7), wrapped.len())?;
        let check = unwrap(&self.cipher, wrapped, key);
        let (constant, len) = check.split_at(4);
        let mut bytes = [0; 8];
        bytes[4..].copy_from_slice(len);
        // Up to 7 bytes are missing, and there are zeros in their place.
        let len = u64::from_be_bytes(bytes);
        let mut authentic = constant.ct_eq(&KWP_CHECK)
            & (padded as u64 - 8).ct_lt(&len)
            & !(padded as u64).ct_lt(&len);
        for (i, byte) in (padded as u64 - 8..).zip(&key[padded - 8..]) {
            authentic &= i.ct_lt(&len) | byte.ct_eq(&0);
        }
        open::accept_if(authentic, key)?;
        // At most `padded`, as was checked
        let len = usize::try_from(len).unwrap_or(padded);
        Ok(&mut key[..len])
    }
}

/// Whether KWP allows a key of so many bytes.
fn check_kwp(key: usize, wrapped: usize) -> Result<(), Error> {
    let allowed = (1..=KWP_MAX).contains(&(key as u64));
    if allowed && wrapped == Sm4Kwp::wrapped_len(key) {
        Ok(())
    } else {
        Err(Error::MessageLength)
    }
}

#[cfg(test)]
#[cfg(target_pointer_width = "64")]
mod tests {
    use super::*;

    #[test]
    fn limits() {
        assert_eq!(check_kw((1 << 57) - 8, 1 << 57), Ok(()));
        assert_eq!(check_kw(1 << 57, (1 << 57) + 8), Err(Error::MessageLength));
        assert_eq!(check_kwp((1 << 32) - 7, (1 << 32) + 8), Ok(()));
        assert_eq!(check_kwp((1 << 32) - 1, (1 << 32) + 8), Ok(()));
        assert_eq!(check_kwp(1 << 32, (1 << 32) + 8), Err(Error::MessageLength));
    }
}
