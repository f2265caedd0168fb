//! What the bit-sliced kernels are made of: registers of bits.

/// A register of [`Self::LANES`] bits, each belonging to another byte.
///
/// In a plane that holds 32-bit words, the lanes are four quarters: those of byte 0 of all words,
/// those of byte 1, and so on, and the words have the same order in each.
///
/// All methods are `#[inline(always)]`, see [`Vector`](crate::vector::Vector).
pub(super) trait Plane: Copy {
    /// Number of bits; 32, 64 or 128.
    const LANES: usize;

    /// Number of bytes.
    const BYTES: usize = Self::LANES / 8;

    fn xor(self, other: Self) -> Self;

    fn and(self, other: Self) -> Self;

    fn or(self, other: Self) -> Self;

    /// `self & !other`.
    fn and_not(self, other: Self) -> Self;

    /// Swaps the bits of `x` at `mask << SHIFT` with the bits of `y` at `mask`, where `mask` is a
    /// byte that is repeated all over and nothing of it is shifted out of its byte.
    fn swap_bits<const SHIFT: u32, const MASK: u8>(x: &mut Self, y: &mut Self);

    /// Bit `i` of each byte of the word, all over its quarter of plane `i`.
    fn splat(word: u32) -> [Self; 8];

    /// Bit `i` of byte `j` all over plane `[j][i]`. Every byte comes as a word of four such bytes.
    fn splat_bytes(bytes: &[u32; 4]) -> [[Self; 8]; 4];

    /// The first word: bit `i` of byte `j` is the first bit of quarter `j` of plane `i`.
    fn first(planes: [Self; 8]) -> u32;

    /// Lanes of quarter `j` become what those of quarter `j + BY` (modulo 4) were.
    fn rotate<const BY: usize>(self) -> Self;

    /// # Safety
    /// [`Self::BYTES`] bytes are readable.
    unsafe fn load(bytes: *const u8) -> Self;

    /// # Safety
    /// [`Self::BYTES`] bytes are writable.
    unsafe fn store(self, bytes: *mut u8);

    /// Words 0 to 3 of every eighth block: word `i` of block `8 * n` is word `n` of result `i`.
    ///
    /// # Safety
    /// The first 16 bytes are readable, and those of every eighth block after it up to a total of
    /// [`Self::LANES`]` / 32` blocks.
    unsafe fn load_words(blocks: *const u8) -> [Self; 4];

    /// Undoes [`load_words`](Self::load_words).
    ///
    /// # Safety
    /// As there, with writable bytes.
    unsafe fn store_words(words: [Self; 4], blocks: *mut u8);

    /// Sorts the bytes of 32-bit words: byte `j` of all words into quarter `j`.
    fn gather_quarters(self) -> Self;

    /// Undoes [`gather_quarters`](Self::gather_quarters).
    fn scatter_quarters(self) -> Self;

    /// Makes byte `j` of plane `i` byte `i` of plane `j`, of the first [`Self::BYTES`] planes.
    fn transpose_bytes(planes: &mut [Self; 16]);
}
