//! Integers as planes, for CPUs of which nothing else is known.

#[cfg(not(any(target_pointer_width = "64", target_arch = "wasm32")))]
use cipher::consts::U32;
#[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
use cipher::consts::U64;

use crate::span::Span;

use super::plane::{Bits, Plane};

/// The widest integer in a register (in WebAssembly it is wider than a pointer).
#[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
pub(super) type Word = u64;
#[cfg(not(any(target_pointer_width = "64", target_arch = "wasm32")))]
pub(super) type Word = u32;

/// [`Plane::LANES`] of [`Word`].
#[cfg(any(target_pointer_width = "64", target_arch = "wasm32"))]
pub(super) type WordBlocks = U64;
#[cfg(not(any(target_pointer_width = "64", target_arch = "wasm32")))]
pub(super) type WordBlocks = U32;

/// Gives an integer its methods: its bits, the bits of a quarter, and how the bytes of words are
/// sorted into quarters and back.
macro_rules! plane {
    ($int:ty, $lanes:literal, $quarter:literal, $gather:expr, $scatter:expr) => {
        impl Bits for $int {
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn and_not(self, other: Self) -> Self {
                self & !other
            }
        }

        impl Plane for $int {
            const LANES: usize = $lanes;
            // 64-bit integers take 3.30 ns a byte so, and 4.93 otherwise (node 20, Emerald Rapids).
            const STORED: bool = cfg!(target_arch = "wasm32");
            const ZERO: Self = 0;

            #[inline(always)]
            fn splat(word: u32) -> [Self; 8] {
                let bytes = Self::from(word).gather_quarters();
                let mut planes = [0; 8];
                let mut i = 0;
                while i < 8 {
                    let bits = (bytes >> i) & Self::FIRST;
                    planes[i] = (bits << $quarter).wrapping_sub(bits);
                    i += 1;
                }
                planes
            }

            #[inline(always)]
            fn splat_bytes(bytes: &[u32; 4]) -> [[Self; 8]; 4] {
                let mut planes = [[0; 8]; 4];
                let mut j = 0;
                while j < 4 {
                    let byte = Self::from(bytes[j]);
                    let mut i = 0;
                    while i < 8 {
                        planes[j][i] = ((byte >> i) & 1).wrapping_neg();
                        i += 1;
                    }
                    j += 1;
                }
                planes
            }

            #[inline(always)]
            fn first(planes: [Self; 8]) -> u32 {
                let mut bytes = 0;
                let mut i = 0;
                while i < 8 {
                    bytes |= (planes[i] & Self::FIRST) << i;
                    i += 1;
                }
                bytes.scatter_quarters().word(0)
            }

            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, reason = "less than 4")]
            fn rotate<const BY: usize>(self) -> Self {
                match BY {
                    1 => self.rotate_right($quarter),
                    2 => self.rotate_right(2 * $quarter),
                    3 => self.rotate_right(3 * $quarter),
                    _ => self,
                }
            }

            #[inline(always)]
            unsafe fn load(bytes: *const u8) -> Self {
                // SAFETY: the same condition
                Self::from_le_bytes(unsafe { bytes.cast::<[u8; Self::BYTES]>().read() })
            }

            #[inline(always)]
            unsafe fn store(self, bytes: *mut u8) {
                // SAFETY: the same condition
                unsafe {
                    bytes.cast::<[u8; Self::BYTES]>().write(self.to_le_bytes());
                }
            }

            #[inline(always)]
            unsafe fn load_words(span: Span, k: usize) -> [Self; 4] {
                let mut words = [0; 4];
                let mut n = 0;
                while n < Self::LANES / 32 {
                    let eight = span.input(128 * n, 128);
                    let mut i = 0;
                    while i < 4 {
                        // SAFETY: the same condition
                        let word = unsafe { u32::load(eight.add(16 * k + 4 * i)) };
                        words[i] |= Self::from(word) << (32 * n);
                        i += 1;
                    }
                    n += 1;
                }
                words
            }

            #[inline(always)]
            unsafe fn store_words(words: [Self; 4], span: Span, k: usize) {
                let mut n = 0;
                while n < Self::LANES / 32 {
                    let eight = span.output(128 * n, 128);
                    let mut i = 0;
                    while i < 4 {
                        // SAFETY: the same condition
                        unsafe { words[i].word(n).store(eight.add(16 * k + 4 * i)) };
                        i += 1;
                    }
                    n += 1;
                }
            }

            #[inline(always)]
            fn gather_quarters(self) -> Self {
                $gather(self)
            }

            #[inline(always)]
            fn scatter_quarters(self) -> Self {
                $scatter(self)
            }

            #[inline(always)]
            fn swap_bits<const SHIFT: i32, const MASK: u8>(x: &mut Self, y: &mut Self) {
                let mask = const { Self::from_ne_bytes([MASK; Self::BYTES]) };
                let difference = ((*x >> SHIFT) ^ *y) & mask;
                *x ^= difference << SHIFT;
                *y ^= difference;
            }

            #[inline(always)]
            fn transpose_bytes(rows: &mut [[Self; 8]], i: usize, swap: usize) {
                let mut square = [0; Self::BYTES];
                let mut k = 0;
                while k < Self::BYTES {
                    square[k] = rows[k ^ swap][i];
                    k += 1;
                }
                let mut size = 1;
                while size < Self::BYTES {
                    // every other `size` bytes
                    let mask = Self::MAX / ((1 << (8 * size)) + 1);
                    let mut k = 0;
                    while k < Self::BYTES {
                        if k & size == 0 {
                            let difference = ((square[k] >> (8 * size)) ^ square[k + size]) & mask;
                            square[k] ^= difference << (8 * size);
                            square[k + size] ^= difference;
                        }
                        k += 1;
                    }
                    size *= 2;
                }
                let mut k = 0;
                while k < Self::BYTES {
                    rows[k][i] = square[k];
                    k += 1;
                }
            }
        }

        impl Words for $int {
            const FIRST: Self = Self::MAX / ((1 << $quarter) - 1);

            #[inline(always)]
            #[allow(trivial_numeric_casts, reason = "trivial for one of the two types")]
            #[allow(clippy::cast_possible_truncation, reason = "wanted")]
            fn word(self, n: usize) -> u32 {
                (self >> (32 * n)) as u32
            }
        }
    };
}

/// An integer as 32-bit words.
trait Words {
    /// The first bit of every quarter.
    const FIRST: Self;

    /// Word `n`.
    fn word(self, n: usize) -> u32;
}

plane!(u32, 32, 8, |word| word, |word| word);

plane!(
    u64,
    64,
    16,
    // bytes 0123 0123 -> 0101 2323 -> 0011 2233
    |words| swap::<8>(swap::<16>(words, 0xffff_0000), 0xff00_0000_ff00),
    |words| swap::<16>(swap::<8>(words, 0xff00_0000_ff00), 0xffff_0000)
);

/// Swaps the bits at `mask` with those at `mask << SHIFT`.
#[inline(always)]
fn swap<const SHIFT: u32>(x: u64, mask: u64) -> u64 {
    let difference = ((x >> SHIFT) ^ x) & mask;
    x ^ difference ^ (difference << SHIFT)
}
