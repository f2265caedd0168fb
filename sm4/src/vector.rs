//! What an instruction set supplies: vectors of bytes.

use crate::{CounterBlocks, domain::Domain, span::Span};

/// A vector of bytes, all in the [domain](crate::domain) of `Self::DOMAIN`.
///
/// A value of such a type is proof that the CPU has the instructions the type is made of: values
/// come into being only in the `unsafe` constructors, whose callers vouch for the CPU. That is why
/// all the other methods are safe.
///
/// Every method is `#[inline(always)]`, so that it is compiled with the target features of the
/// kernel that it ends up in.
pub(crate) trait Vector: Copy {
    /// The field that [`invert`](Self::invert) inverts in.
    const DOMAIN: Domain;

    /// Whether [`xor3`](Self::xor3) is one instruction.
    const ADDS_THREE: bool;

    /// Whether a [`map`](Self::map) is one instruction.
    const CHEAP_MAPS: bool;

    /// Whether loading and storing adds the masks of a span. There must be none if not.
    const ADDS_MASKS: bool;

    /// Whether there is [`count_bytes`](Self::count_bytes).
    const COUNTS: bool;

    /// Number of 32-bit words in a vector.
    const WORDS: usize;

    /// The fewest blocks that can be loaded and stored.
    const LEAST: usize;

    /// The inverses of all bytes, in whatever form the maps want them.
    type Inverse: Copy;

    /// The same 32-bit word (bytes in memory order) all over the vector.
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    unsafe fn splat(word: u32) -> Self;

    /// Four bytes, each all over a vector; they come four times each, see
    /// [`RoundKeys::bytes`](crate::schedule::RoundKeys).
    ///
    /// # Safety
    /// The CPU has the instructions of this type.
    #[inline(always)]
    unsafe fn splat_bytes(&[b0, b1, b2, b3]: &[u32; 4]) -> [Self; 4] {
        // SAFETY: the same condition
        unsafe {
            [
                Self::splat(b0),
                Self::splat(b1),
                Self::splat(b2),
                Self::splat(b3),
            ]
        }
    }

    /// Four words of [`Self::WORDS`] blocks: result `i` holds word `i` of every block.
    ///
    /// # Safety
    /// The CPU has the instructions of this type; there are at least [`Self::LEAST`] blocks.
    unsafe fn load_words(span: Span) -> [Self; 4];

    /// Undoes [`load_words`](Self::load_words).
    ///
    /// # Safety
    /// There are at least [`Self::LEAST`] blocks.
    unsafe fn store_words(words: [Self; 4], span: Span);

    /// The bytes of `4 * Self::WORDS` blocks: result `[i][j]` holds byte `j` of word `i` of every
    /// block, in an order of the blocks which is the same in all results.
    ///
    /// # Safety
    /// The CPU has the instructions of this type; there are at least [`Self::LEAST`] blocks.
    unsafe fn load_bytes(span: Span) -> [[Self; 4]; 4];

    /// The bytes of as many counter blocks, from that with the given number on, in the domain.
    ///
    /// # Safety
    /// The CPU has the instructions of this type, which [counts](Self::COUNTS); the counter blocks are
    /// readable, and the number of the last block is below 128.
    #[inline(always)]
    unsafe fn count_bytes(_counters: *const CounterBlocks, _number: usize) -> [[Self; 4]; 4] {
        unreachable!("it does not count");
    }

    /// Undoes [`load_bytes`](Self::load_bytes).
    ///
    /// # Safety
    /// There are at least [`Self::LEAST`] blocks.
    unsafe fn store_bytes(bytes: [[Self; 4]; 4], span: Span);

    /// Sum.
    fn xor(self, other: Self) -> Self;

    /// The sum of three.
    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        self.xor(second).xor(third)
    }

    /// The vector itself, but the compiler no longer knows that it is a sum.
    #[inline(always)]
    fn settle(self) -> Self {
        self
    }

    /// Inverts every byte (zero stays zero).
    fn invert(self) -> Self::Inverse;

    /// The image of the inverses under map number `MAP` of [`Self::DOMAIN`].
    fn map<const MAP: usize>(inverse: Self::Inverse) -> Self;

    /// The image of the bytes themselves under map number `MAP` of [`Self::DOMAIN`].
    fn linear<const MAP: usize>(self) -> Self;

    /// Byte `j` of every word becomes what byte `j + BY` (modulo 4) was.
    fn rotate<const BY: usize>(self) -> Self;
}

/// A vector that can also hold a single block: its words in the lowest lanes of four vectors. What
/// the other lanes hold does not matter.
pub(crate) trait Serial: Vector {
    /// The four words of a block.
    ///
    /// # Safety
    /// The CPU has the instructions of this type; 16 bytes at `block` are readable.
    unsafe fn load_block(block: *const u8) -> [Self; 4];

    /// Undoes [`load_block`](Self::load_block).
    ///
    /// # Safety
    /// 16 bytes at `block` are writable.
    unsafe fn store_block(words: [Self; 4], block: *mut u8);

    /// The lowest word, its bytes in memory order.
    fn first(self) -> u32;

    /// Every byte of the lowest word, four times.
    fn first_spread(self) -> [u32; 4];
}
