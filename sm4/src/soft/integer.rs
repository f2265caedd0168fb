//! Integers as planes, for CPUs of which no vector registers are known.

use super::plane::Plane;

macro_rules! implement {
    ($int:ty, $lanes:literal, $quarter:literal, $gather:expr, $scatter:expr) => {
        impl Plane for $int {
            const LANES: usize = $lanes;

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

            #[inline(always)]
            fn swap_bits<const SHIFT: u32, const MASK: u8>(x: &mut Self, y: &mut Self) {
                let mask = Self::from_ne_bytes([MASK; Self::BYTES]);
                let difference = ((*x >> SHIFT) ^ *y) & mask;
                *x ^= difference << SHIFT;
                *y ^= difference;
            }

            #[inline(always)]
            fn splat(word: u32) -> [Self; 8] {
                // a bit at the start of each quarter
                const ONES: $int = <$int>::MAX / ((1 << $quarter) - 1);
                let bytes = Self::gather_quarters(word.into());
                let mut planes = [0; 8];
                let mut i = 0;
                while i < 8 {
                    let bits = (bytes >> i) & ONES;
                    // times 2^quarter - 1
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
                        planes[j][i] = Self::MIN.wrapping_sub((byte >> i) & 1);
                        i += 1;
                    }
                    j += 1;
                }
                planes
            }

            #[inline(always)]
            fn first(planes: [Self; 8]) -> u32 {
                const ONES: $int = <$int>::MAX / ((1 << $quarter) - 1);
                let mut bytes = 0;
                let mut i = 0;
                while i < 8 {
                    bytes |= (planes[i] & ONES) << i;
                    i += 1;
                }
                Self::scatter_quarters(bytes) as u32
            }

            #[inline(always)]
            fn rotate<const BY: usize>(self) -> Self {
                self.rotate_right($quarter * BY as u32)
            }

            #[inline(always)]
            unsafe fn load(bytes: *const u8) -> Self {
                // SAFETY: the same condition
                Self::from_le_bytes(unsafe { bytes.cast::<[u8; Self::BYTES]>().read() })
            }

            #[inline(always)]
            unsafe fn store(self, bytes: *mut u8) {
                // SAFETY: the same condition
                unsafe { bytes.cast::<[u8; Self::BYTES]>().write(self.to_le_bytes()) };
            }

            #[inline(always)]
            unsafe fn load_words(blocks: *const u8) -> [Self; 4] {
                let mut words = [0; 4];
                let mut n = 0;
                while n < Self::LANES / 32 {
                    let mut i = 0;
                    while i < 4 {
                        // SAFETY: the same condition
                        let word = unsafe { u32::load(blocks.add(128 * n + 4 * i)) };
                        words[i] |= Self::from(word) << (32 * n);
                        i += 1;
                    }
                    n += 1;
                }
                words
            }

            #[inline(always)]
            unsafe fn store_words(words: [Self; 4], blocks: *mut u8) {
                let mut n = 0;
                while n < Self::LANES / 32 {
                    let mut i = 0;
                    while i < 4 {
                        // SAFETY: the same condition
                        unsafe {
                            u32::store((words[i] >> (32 * n)) as u32, blocks.add(128 * n + 4 * i))
                        };
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
            fn transpose_bytes(planes: &mut [Self; 16]) {
                let mut step = 1;
                while step < Self::BYTES {
                    // every other group of `step` bytes
                    let mask = Self::MAX / ((1 << (8 * step)) + 1);
                    let mut i = 0;
                    while i < Self::BYTES {
                        if i & step == 0 {
                            let difference = ((planes[i] >> (8 * step)) ^ planes[i + step]) & mask;
                            planes[i] ^= difference << (8 * step);
                            planes[i + step] ^= difference;
                        }
                        i += 1;
                    }
                    step *= 2;
                }
            }
        }
    };
}

implement!(u32, 32, 8, |x: u32| x, |x: u32| x);

/// Swaps the bits at `mask` with those `SHIFT` places above.
#[inline(always)]
fn swap_within<const SHIFT: u32>(x: u64, mask: u64) -> u64 {
    let difference = ((x >> SHIFT) ^ x) & mask;
    x ^ difference ^ (difference << SHIFT)
}

implement!(
    u64,
    64,
    16,
    // 0123 4567 -> 01 45 23 67 -> 04 15 26 37
    |x: u64| swap_within::<8>(swap_within::<16>(x, 0xffff_0000), 0x0000_ff00_0000_ff00),
    |x: u64| swap_within::<16>(swap_within::<8>(x, 0x0000_ff00_0000_ff00), 0xffff_0000)
);
