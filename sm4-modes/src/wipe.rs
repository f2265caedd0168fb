//! Secrets that are overwritten when they are dropped.

use core::fmt;

use crate::block::Block;

/// Something secret.
pub trait Wipe {
    /// Overwrites it with zeros, if the feature `zeroize` is on.
    fn wipe(&mut self);
}

impl Wipe for Block {
    #[inline]
    fn wipe(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(self.as_mut_slice());
    }
}

impl<T: Wipe, const N: usize> Wipe for [T; N] {
    #[inline]
    fn wipe(&mut self) {
        for secret in self {
            secret.wipe();
        }
    }
}

/// A secret that is wiped when it is dropped. One that lives no longer than a call does not pay for
/// that.
#[derive(Clone)]
pub struct Wiped<T: Wipe>(pub T);

impl<T: Wipe> Drop for Wiped<T> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<T: Wipe> fmt::Debug for Wiped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wiped").finish_non_exhaustive()
    }
}
