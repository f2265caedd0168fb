//! Buffers for as many blocks as are worked on at once.

use crate::block::Block;

/// A buffer in which no vector lies in two cache lines.
#[repr(align(64))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// So many blocks don't pay for a buffer of the widest kernel's size, which takes as long to clear
/// as a block to encrypt.
pub(crate) const FEW: usize = 16;

/// `[Block; FEW]`
pub(crate) type Few = [Block; FEW];

/// Declares buffers of blocks: of [`FEW`] if the condition holds, else of the size of the type.
///
/// What works on them is compiled once then, not for each size. This is no function with a closure,
/// because closures may end up outside of the functions that have the target features.
macro_rules! batches {
    ($few:expr, $most:ty => $($name:ident),+) => {
        $(
            let (mut few, mut most);
            let $name: &mut [$crate::block::Block] = if $few {
                few = $crate::batch::Aligned($crate::batch::Few::default());
                &mut few.0
            } else {
                most = $crate::batch::Aligned(<$most>::default());
                &mut most.0
            };
        )+
    };
}
pub(crate) use batches;
