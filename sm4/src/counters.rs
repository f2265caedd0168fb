//! Counter blocks as a kernel makes them: without memory for them, and without a transpose.

use core::fmt;

use cipher::Block;

use crate::Sm4;

/// The byte of a counter block that counts fastest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountingByte {
    /// Byte 0: the counter is little-endian.
    First,
    /// Byte 15: the counter is big-endian.
    Last,
}

/// Counter blocks one after the other, for [`BulkBackend::add_key_stream`].
///
/// In 256 successive blocks, one byte takes every value once, and the other bytes take one value up to
/// where it overflows and another from there on. So two blocks say it all, whatever part of them
/// counts, and in whatever order of bytes.
///
/// [`BulkBackend::add_key_stream`]: crate::BulkBackend::add_key_stream
#[derive(Clone, Copy)]
pub struct CounterBlocks {
    pub(crate) first: [u8; 16],
    /// What an overflow changes.
    pub(crate) carry: [u8; 16],
    /// The byte of the first block that counts fastest.
    pub(crate) fastest: u8,
    /// All bits are set if this is byte 0; if it is byte 15.
    pub(crate) counting: [u32; 2],
}

impl CounterBlocks {
    /// From the first block and the one that comes 256 blocks later, which has the same byte at the
    /// counting place.
    #[inline(always)]
    #[must_use]
    pub fn new(first: &Block<Sm4>, later: &Block<Sm4>, counting: CountingByte) -> Self {
        let mut carry = first.0;
        for (byte, later) in carry.iter_mut().zip(later) {
            *byte ^= later;
        }
        let (place, counting) = match counting {
            CountingByte::First => (0, [!0, 0]),
            CountingByte::Last => (15, [0, !0]),
        };
        carry[place] = 0;
        Self {
            first: first.0,
            carry,
            fastest: first[place],
            counting,
        }
    }
}

/// In some modes the counter is a secret.
impl fmt::Debug for CounterBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CounterBlocks").finish_non_exhaustive()
    }
}
