//! The one way in which every mode accepts or rejects a message.

use ctutils::{Choice, CtEq};
use sm4_modes::shared::Block;

use crate::Error;

/// Accepts the decrypted message if the tag is the expected one, else wipes it.
///
/// The time this takes depends on the lengths and on the answer, not on where tags differ. A tag
/// shorter than 16 bytes is compared with the beginning of the expected one; which lengths are
/// allowed has been checked before.
pub(crate) fn accept(expected: &Block, tag: &[u8], plaintext: &mut [u8]) -> Result<(), Error> {
    debug_assert!((1..=16).contains(&tag.len()));
    accept_if(expected[..tag.len()].ct_eq(tag), plaintext)
}

/// Accepts the decrypted message if it is authentic, else wipes it.
pub(crate) fn accept_if(authentic: Choice, plaintext: &mut [u8]) -> Result<(), Error> {
    if authentic.to_bool() {
        Ok(())
    } else {
        plaintext.fill(0);
        Err(Error::Authentication)
    }
}
