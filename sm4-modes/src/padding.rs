//! Padding to whole blocks, with a removal in constant time.

use cipher::block_padding::{Error, Padding};

/// PKCS#7 padding in constant time (RFC 5652 6.3; for 16-byte blocks `PKCS5Padding` of Java is the same thing):
/// 1 to 16 bytes, all of which say how many they are.
///
/// The check looks at all 16 bytes of the last block whatever they are, and there is one error for
/// everything that can be wrong. Whether it fails, and how long the message is, are told to the
/// caller and hence no secrets here; but a caller who lets an attacker know of them (by another
/// answer, or by the time it takes to answer) has a *padding oracle* which decrypts everything.
/// Verify a MAC of the ciphertext first.
///
/// <div class="warning">
///
/// Don't take the type of the same name from `block_padding` (which `cipher` passes on as
/// `cipher::block_padding::Pkcs7`): it has the same results, but its removal branches on the padding's
/// bytes and stops at the first wrong one. That is a padding oracle by time, whatever you answer.
///
/// </div>
///
/// ```
/// use sm4_modes::{
///     Sm4CbcDec, Sm4CbcEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
///     padding::Pkcs7,
/// };
///
/// let (key, iv) = (b"0123456789ABCDEF".into(), b"FEDCBA9876543210".into());
/// let mut buffer = *b"message.........";
/// let sealed = Sm4CbcEnc::new(key, iv).encrypt_padded::<Pkcs7>(&mut buffer, 7)?;
/// assert_eq!(sealed.len(), 16);
/// let opened = Sm4CbcDec::new(key, iv).decrypt_padded::<Pkcs7>(&mut buffer)?;
/// assert_eq!(opened, b"message");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Pkcs7;

impl Padding for Pkcs7 {
    #[inline]
    fn raw_pad(block: &mut [u8], pos: usize) {
        let len = block.len().saturating_sub(pos);
        debug_assert!((1..=255).contains(&len));
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a block of this crate has 16 bytes"
        )]
        let byte = len as u8;
        block[pos..].fill(byte);
    }

    #[inline]
    fn raw_unpad(block: &[u8]) -> Result<&[u8], Error> {
        let Some(&last) = block.last() else {
            return Err(Error);
        };
        let len = usize::from(last);
        let mut bad = is_less(len, 1) | is_less(block.len(), len);
        for (i, &byte) in block.iter().rev().enumerate() {
            bad |= is_less(i, len) & usize::from(byte ^ last);
        }
        if bad != 0 {
            return Err(Error);
        }
        block.get(..block.len() - len).ok_or(Error)
    }
}

/// All bits set if `a < b`, for numbers below 2^15.
#[inline]
fn is_less(a: usize, b: usize) -> usize {
    core::hint::black_box(a.wrapping_sub(b) >> (usize::BITS - 1)).wrapping_neg()
}
