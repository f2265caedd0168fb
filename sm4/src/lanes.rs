//! Instruction sets whose registers consist of 128-bit lanes: what is common to all of them.
//!
//! Such an instruction set gives its registers the primitives of [`Lanes`] and names a way to
//! invert bytes ([`Inversion`](bytes::Inversion)); the rest of a [`Vector`](crate::vector::Vector)
//! follows from these.

pub(crate) mod aes;
pub(crate) mod bytes;
mod counting;
pub(crate) mod halves;
#[cfg(not(target_feature = "sse2"))]
pub(crate) mod tower;
pub(crate) mod transpose;

/// A register of one or more 128-bit lanes, in which all instructions work alike.
///
/// As with [`Vector`](crate::vector::Vector), a value proves that the CPU has the instructions,
/// so only the ways to come by one are `unsafe`.
pub(crate) trait Lanes: Copy {
    /// Size in bytes.
    const BYTES: usize;

    /// # Safety
    /// The CPU has the instructions; `Self::BYTES` bytes are readable.
    unsafe fn load(from: *const u8) -> Self;

    /// # Safety
    /// `Self::BYTES` bytes are writable.
    unsafe fn store(self, to: *mut u8);

    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat(word: u32) -> Self;

    /// The same 16 bytes in every lane, taken from memory.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn lanes(bytes: &[u8; 16]) -> Self;

    fn xor(self, other: Self) -> Self;

    /// The sum of three.
    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        self.xor(second).xor(third)
    }

    /// The bits that both have.
    fn and(self, other: Self) -> Self;

    /// The bits of a mask, the same for every 32-bit word.
    #[inline(always)]
    fn mask(self, word: u32) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        self.and(unsafe { Self::splat(word) })
    }

    /// Adds every byte, modulo 256.
    fn add8(self, other: Self) -> Self;

    /// A mask of the bytes that are greater, as signed numbers.
    fn greater8(self, other: Self) -> Self;

    /// The high half of every byte, whose low half is 0, becomes the low one.
    fn shift_right_4(self) -> Self;

    /// The bytes of every lane in another order: byte `i` becomes what byte `pattern[i]` was.
    fn shuffle(self, pattern: &'static [u8; 16]) -> Self;

    /// Every byte below 16 becomes that entry of the table, every byte from 80 (hex) becomes 0.
    fn look_up(self, table: &'static [u8; 16]) -> Self;

    /// Interleaves the bytes of the low (`.0`) and the high (`.1`) halves of every lane.
    fn zip8(self, other: Self) -> (Self, Self);

    /// The same with 32-bit words.
    fn zip32(self, other: Self) -> (Self, Self);

    /// The register itself, of which the compiler no longer knows how it came about. Of use in
    /// registers that hold a single block only.
    #[inline(always)]
    fn settle(self) -> Self {
        self
    }

    /// The lowest 32 bits.
    fn first(self) -> u32;

    /// Stores the lowest lane.
    ///
    /// # Safety
    /// 16 bytes are writable.
    unsafe fn store_lane(self, to: *mut u8);
}
