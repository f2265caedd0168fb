//! Values of which nothing is left behind when they are dropped.

use core::{
    mem::ManuallyDrop,
    ops::{Deref, DerefMut},
};

/// With the feature `zeroize`, the whole place is overwritten on drop: the value's fields, what is
/// between them, and the space that this variant of an enumeration does not use. Padding may hold
/// what lay on the stack where the value was made.
pub(crate) struct Erased<T>(ManuallyDrop<T>);

impl<T> Erased<T> {
    #[inline(always)]
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T: Clone> Clone for Erased<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Deref for Erased<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Erased<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

#[allow(unsafe_code, reason = "nothing safe reaches unused places")]
impl<T> Drop for Erased<T> {
    fn drop(&mut self) {
        // SAFETY: the value is not used after this
        unsafe { ManuallyDrop::drop(&mut self.0) };
        #[cfg(feature = "zeroize")]
        {
            // SAFETY: nothing is left in this place that anybody would use or drop
            unsafe { (&raw mut self.0).write_bytes(0, 1) };
            // A fill, as a volatile store for each byte takes longer. Behind the barrier somebody may
            // look at the place, as far as the compiler knows.
            zeroize::optimization_barrier(self);
        }
    }
}
