//! What the bit-sliced kernels are made of: registers of bits.

use crate::span::Span;

/// Bits that are worked on all at once.
///
/// All methods are `#[inline(always)]`, see [`Vector`](crate::vector::Vector).
pub(super) trait Bits: Copy {
    fn xor(self, other: Self) -> Self;

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;
}

/// A register of [`Self::LANES`] bits, each belonging to another byte.
///
/// In a plane of 32-bit words the lanes are four quarters: those of byte 0 of all words, those of
/// byte 1, and so on, and the words have the same order in each.
pub(super) trait Plane: Bits {
    /// Number of bits: 32, 64 or 128.
    const LANES: usize;

    /// Number of bytes.
    const BYTES: usize = Self::LANES / 8;

    /// Whether what a kernel works on is best kept in memory from one S-box to the next, because the
    /// compiler behind this one orders instructions badly and spills more than that costs.
    const STORED: bool = false;

    /// All bits clear.
    const ZERO: Self;

    /// Bit `i` of byte `j` of the word, all over quarter `j` of plane `i`.
    fn splat(word: u32) -> [Self; 8];

    /// Bit `i` of byte `j`, all over plane `[j][i]`. Every byte comes four times, as a word.
    fn splat_bytes(bytes: &[u32; 4]) -> [[Self; 8]; 4];

    /// The first word: bit `i` of byte `j` is the first bit of quarter `j` of plane `i`.
    fn first(planes: [Self; 8]) -> u32;

    /// Quarter `j` becomes what quarter `j + BY` (modulo 4) was.
    fn rotate<const BY: usize>(self) -> Self;

    /// # Safety
    /// [`Self::BYTES`] bytes are readable.
    unsafe fn load(bytes: *const u8) -> Self;

    /// # Safety
    /// [`Self::BYTES`] bytes are writable.
    unsafe fn store(self, bytes: *mut u8);

    /// Words 0 to 3 of block `k` and every eighth block after it: 32 bits after the other, result
    /// `i` holds word `i`.
    ///
    /// # Safety
    /// `k` is below 8, and there are at least 8 blocks.
    unsafe fn load_words(span: Span, k: usize) -> [Self; 4];

    /// Undoes [`load_words`](Self::load_words).
    ///
    /// # Safety
    /// As there.
    unsafe fn store_words(words: [Self; 4], span: Span, k: usize);

    /// Sorts the bytes of 32-bit words into quarters.
    fn gather_quarters(self) -> Self;

    /// Undoes [`gather_quarters`](Self::gather_quarters).
    fn scatter_quarters(self) -> Self;

    /// Swaps the bits of `x` at `MASK << SHIFT` in every byte with the bits of `y` at `MASK`, which
    /// is such that neither reaches beyond its byte.
    fn swap_bits<const SHIFT: i32, const MASK: u8>(x: &mut Self, y: &mut Self);

    /// A square of bytes, [`Self::BYTES`] rows `[k][i]`: byte `j` of row `k ^ swap` becomes byte
    /// `k` of row `j`.
    fn transpose_bytes(rows: &mut [[Self; 8]], i: usize, swap: usize);
}
