//! POLYVAL with carry-less multiplication of vectors, written once for all vectors.
//!
//! The blocks of a group are multiplied each with its own power of H, and the sum is reduced once:
//!
//! ```text
//! (state + X1)·H^n + X2·H^(n-1) + … + Xn·H
//! ```
//!
//! The powers lie in memory in this order, H last, so that a group of fewer blocks uses the last
//! ones, and a vector of blocks meets a vector of powers.

use super::Order;

/// Powers of H that are kept at most.
const MOST: usize = 32;

/// H^32 … H^1. Kernels that use fewer leave the beginning empty. All CPUs with a kernel are
/// little-endian, as POLYVAL is.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Powers([u128; MOST]);

/// A vector of 128-bit polynomials.
///
/// # Safety
/// All methods need a CPU with the vector's instructions. Pointers must be valid for the bytes that
/// are read or written.
pub(super) trait Vector: Copy {
    /// Polynomials in a vector.
    const BLOCKS: usize;
    /// Blocks in a group.
    const POWERS: usize;

    unsafe fn zero() -> Self;
    /// One polynomial, and zeros behind it.
    unsafe fn first(polynomial: u128) -> Self;
    unsafe fn splat(polynomial: u128) -> Self;
    /// The polynomials of `other` where a bit is set, the lowest bit for the first.
    unsafe fn select<const BITS: u8>(self, other: Self) -> Self;
    unsafe fn load(from: *const u8) -> Self;
    /// Reads fewer bytes than the vector has, and fills it up with zeros.
    unsafe fn load_part(from: *const u8, len: usize) -> Self;
    unsafe fn store(self, to: *mut u8);
    unsafe fn xor(self, other: Self) -> Self;
    /// Reverses the bytes of each polynomial.
    unsafe fn reverse(self) -> Self;
    /// Products of 64-bit halves: bit 0 says whether of the high halves of `self`, bit 4 whether of
    /// those of `other`.
    unsafe fn multiply<const HALVES: i32>(self, other: Self) -> Self;
    /// Moves the low halves to the high halves, and zeros to the low.
    unsafe fn raise(self) -> Self;
    /// Moves the high halves to the low halves, and zeros to the high.
    unsafe fn lower(self) -> Self;
    /// Swaps the halves.
    unsafe fn swap(self) -> Self;
    /// The sum of all polynomials.
    unsafe fn sum(self) -> u128;
}

/// A sum of 256-bit products, in Karatsuba's way: of the low halves, of the high halves, and of the
/// halves' sums. Multiplications are what takes the time.
#[derive(Clone, Copy)]
struct Products<V> {
    low: V,
    middle: V,
    high: V,
}

impl<V: Vector> Products<V> {
    /// The sum of nothing.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    unsafe fn zero() -> Self {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            Self {
                low: V::zero(),
                middle: V::zero(),
                high: V::zero(),
            }
        }
    }

    /// Adds the products of the polynomials of two vectors.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    unsafe fn add(&mut self, x: V, h: V) {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            let sums = x.xor(x.swap()).multiply::<0x00>(h.xor(h.swap()));
            self.low = self.low.xor(x.multiply::<0x00>(h));
            self.middle = self.middle.xor(sums);
            self.high = self.high.xor(x.multiply::<0x11>(h));
        }
    }

    /// The sum, modulo P.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    unsafe fn reduce(self) -> V {
        // SAFETY: the caller vouches for the CPU
        unsafe {
            let middle = self.middle.xor(self.low).xor(self.high);
            reduce(self.low.xor(middle.raise()), self.high.xor(middle.lower()))
        }
    }
}

/// Divides the 256-bit polynomial by x^128 modulo P = x^128 + x^127 + x^126 + x^121 + 1: twice, what
/// makes the lowest 64 bits vanish is added, a multiple of P.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn reduce<V: Vector>(mut low: V, high: V) -> V {
    // SAFETY: the same condition
    unsafe {
        // (P − 1) / x^64, without x^64 itself
        let p = V::splat(0xc2 << 56);
        low = low.swap().xor(low.multiply::<0x00>(p));
        low = low.swap().xor(low.multiply::<0x00>(p));
        low.xor(high)
    }
}

/// Products of the polynomials of two vectors.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn multiply<V: Vector>(x: V, y: V) -> V {
    // SAFETY: the same condition
    unsafe {
        let mut product = Products::zero();
        product.add(x, y);
        product.reduce()
    }
}

/// The same for a polynomial with itself, which needs no middle: in less time.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn square<V: Vector>(x: V) -> V {
    // SAFETY: the same condition
    unsafe { reduce(x.multiply::<0x00>(x), x.multiply::<0x11>(x)) }
}

/// The element that changes nothing: products are divided by x^128.
const ONE: u128 = 0xc200_0000_0000_0000_0000_0000_0000_0001;

impl Powers {
    /// No key.
    pub(super) const EMPTY: Self = Self([0; MOST]);

    /// Overwrites no powers with those of H.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn fill<V: Vector>(&mut self, h: u128) {
        let powers = &mut self.0;
        // SAFETY: the caller vouches for the CPU; the slices have the vector's size
        unsafe {
            // H^BLOCKS in all places, and all powers up to it
            let mut top = V::splat(h);
            let mut first = top;
            if V::BLOCKS > 1 {
                top = square(top);
                first = top.select::<0b1010>(first);
            }
            if V::BLOCKS > 2 {
                first = multiply(first, top.select::<0b1100>(V::splat(ONE)));
                top = square(top);
            }
            first.store(powers[MOST - V::BLOCKS..].as_mut_ptr().cast());
            // From n powers to 2n, by the product of each with H^n
            let mut known = V::BLOCKS;
            while known < V::POWERS {
                let (new, old) = powers[MOST - 2 * known..].split_at_mut(known);
                for (new, old) in new
                    .chunks_exact_mut(V::BLOCKS)
                    .zip(old.chunks_exact(V::BLOCKS))
                {
                    multiply(V::load(old.as_ptr().cast()), top).store(new.as_mut_ptr().cast());
                }
                known *= 2;
                if known < V::POWERS {
                    top = square(top);
                }
            }
        }
    }

    /// See [`HashKey::absorb`](super::HashKey::absorb).
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    pub(super) unsafe fn absorb<V: Vector>(
        &self,
        state: u128,
        data: &[u8],
        order: Order,
        last: Option<u128>,
    ) -> u128 {
        // SAFETY: the same condition
        unsafe {
            match order {
                Order::Reversed => self.absorb_in::<V, true>(state, data, last),
                Order::Straight => self.absorb_in::<V, false>(state, data, last),
            }
        }
    }

    /// The same for one order of the bytes.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    unsafe fn absorb_in<V: Vector, const REVERSED: bool>(
        &self,
        mut state: u128,
        mut data: &[u8],
        last: Option<u128>,
    ) -> u128 {
        // What fits into one group with the last block
        let room = 16 * (V::POWERS - usize::from(last.is_some()));
        while data.len() > room && data.len() >= 16 * V::POWERS {
            let (group, rest) = data.split_at(16 * V::POWERS);
            // SAFETY: the caller vouches for the CPU
            state = unsafe { self.group::<V, REVERSED>(state, group, None) };
            data = rest;
        }
        if data.len() > room {
            // SAFETY: the caller vouches for the CPU
            state = unsafe { self.group::<V, REVERSED>(state, data, None) };
            data = &[];
        }
        if data.is_empty() && last.is_none() {
            return state;
        }
        // SAFETY: the caller vouches for the CPU
        unsafe { self.group::<V, REVERSED>(state, data, last) }
    }

    /// Takes as many blocks as there are powers, or fewer.
    ///
    /// # Safety
    /// The CPU has the instructions of `V`.
    #[inline(always)]
    unsafe fn group<V: Vector, const REVERSED: bool>(
        &self,
        state: u128,
        data: &[u8],
        last: Option<u128>,
    ) -> u128 {
        let count = data.len().div_ceil(16) + usize::from(last.is_some());
        debug_assert!((1..=V::POWERS).contains(&count));
        let powers = &self.0[MOST - count..];
        let size = 16 * V::BLOCKS;
        // SAFETY: the caller vouches for the CPU
        unsafe {
            let mut sum = Products::zero();
            let mut at = size;
            while at < data.len() {
                let x = load_blocks::<V, REVERSED>(data, at);
                sum.add(x, load_powers(powers, data.len(), at));
                at += size;
            }
            let last = last.map_or(V::zero(), |last| V::first(last));
            let state = V::first(state);
            if data.is_empty() {
                sum.add(last.xor(state), V::first(self.0[MOST - 1]));
            } else {
                sum.add(last, V::first(self.0[MOST - 1]));
                // The state comes last: all else can be done before it is known.
                let x = load_blocks::<V, REVERSED>(data, 0).xor(state);
                sum.add(x, load_powers(powers, data.len(), 0));
            }
            sum.reduce().sum()
        }
    }
}

/// The blocks of data from a byte on, with zeros behind the end.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn load_blocks<V: Vector, const REVERSED: bool>(data: &[u8], at: usize) -> V {
    let data = &data[at..];
    // SAFETY: the caller vouches for the CPU; the slice has these bytes
    unsafe {
        let blocks = if data.len() >= 16 * V::BLOCKS {
            V::load(data.as_ptr())
        } else {
            V::load_part(data.as_ptr(), data.len())
        };
        if REVERSED { blocks.reverse() } else { blocks }
    }
}

/// The powers for the blocks of data from a byte on, and zeros where there are no more blocks.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn load_powers<V: Vector>(powers: &[u128], data_len: usize, at: usize) -> V {
    let powers = &powers[at / 16..data_len.div_ceil(16)];
    // SAFETY: the caller vouches for the CPU; the slice has these bytes
    unsafe {
        if powers.len() >= V::BLOCKS {
            V::load(powers.as_ptr().cast())
        } else {
            V::load_part(powers.as_ptr().cast(), 16 * powers.len())
        }
    }
}
