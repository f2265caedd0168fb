//! Overwriting the dead stack: what calls leave behind below the stack pointer.

use core::hint::black_box;

/// Overwrites 64 KiB of the stack below the caller, more than any call of this crate and of
/// `sm4-modes` and `sm4-aead` takes, in an optimised build. (`mac_messages` takes 56, calls for one
/// message less than 16.)
///
/// When a call has returned, the stack below still holds what it worked with. Setting up a key with
/// [`Sm4`](crate::Sm4) leaves no round keys there (with the feature `zeroize`), but encryption leaves
/// blocks of the last batch: key stream, masks, plaintext. To overwrite that after each call would
/// take longer than to encrypt some blocks, for which not everyone wants to wait. So this is for you
/// to call: after a message or some of them, from the function that processed them or one above it. It
/// also overwrites the copies that a key leaves behind when it is moved.
///
/// It takes as long as two or three kilobytes of CTR, and needs as much stack. Registers are not overwritten.
///
/// ```
/// use sm4::{Sm4, cipher::{BlockCipherEncrypt, KeyInit}};
///
/// let mut blocks = [[0x42; 16].into(); 100];
/// let sm4 = Box::new(Sm4::new(b"a 16-byte secret".into()));
/// sm4.bulk().encrypt_blocks(&mut blocks);
/// sm4::wipe_stack();
/// ```
#[inline]
pub fn wipe_stack() {
    below::<{ 64 << 10 }>();
}

#[inline(never)]
fn below<const BYTES: usize>() {
    black_box(&mut [0_u8; BYTES]);
}

/// Overwrites the stack below when a key has been set up, with the feature `zeroize`: a value that is
/// returned is made in the callee's frame and copied. As it does so when it is dropped, the value is
/// where it shall be by then.
pub(crate) struct AfterKeySetup;

impl Drop for AfterKeySetup {
    #[inline(always)]
    fn drop(&mut self) {
        if cfg!(feature = "zeroize") {
            below::<2048>();
        }
    }
}
