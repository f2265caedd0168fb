//! Buffers for as many blocks as are worked on at once.

use sm4_modes::shared::{Block, FEW};

/// `[Block; FEW]`
pub(crate) type Few = [Block; FEW];

/// Declares a buffer of blocks: of [`FEW`] if the condition holds, else of the size of the type.
///
/// What works on them is compiled once then, not for each size. This is no function with a closure,
/// because closures may end up outside of the functions that have the target features.
macro_rules! batches {
    ($few:expr, $most:ty => $name:ident) => {
        let (mut few, mut most);
        let $name: &mut [sm4_modes::shared::Block] = if $few {
            few = sm4_modes::shared::Aligned($crate::batch::Few::default());
            &mut few.0
        } else {
            most = sm4_modes::shared::Aligned(<$most>::default());
            &mut most.0
        };
    };
}
pub(crate) use batches;
