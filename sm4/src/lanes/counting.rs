//! Counter blocks in registers, byte by byte, as the [transpose](super::transpose::bytes) would bring
//! them there.
//!
//! Of the bytes at one place in successive blocks, all but those at the counting one are either of two
//! values. So a register of them is a byte all over it, and the difference where the count has
//! overflowed.

use core::hint::black_box;

use super::{Lanes, bytes::Inversion};
use crate::{CounterBlocks, domain::map::ENTER};

/// The greatest register.
const MOST: usize = 64;

/// The blocks whose bytes lie one behind the other in a register of so many bytes.
#[allow(clippy::cast_possible_truncation, reason = "less than 64")]
const fn numbers(bytes: usize) -> [u8; MOST] {
    let lanes = bytes / 16;
    let mut numbers = [0; MOST];
    let mut i = 0;
    while i < bytes {
        numbers[i] = (i % 16 * lanes + i / 16) as u8;
        i += 1;
    }
    numbers
}

/// 16 bytes in the domain, each four times: a load spreads such a word over a register.
///
/// The bytes have just been written, by halves. A load of all of them would have to wait for these
/// writes to come to the cache, and with them everything before.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn spread<R: Lanes, I: Inversion<R>>(bytes: &[u8; 16], words: &mut [u32; 16]) {
    let four = Apart::new(bytes);
    let mut i = 0;
    while i < 4 {
        // SAFETY: the CPU has the instructions; four words are 16 bytes
        unsafe {
            let bytes = I::linear::<ENTER>(R::splat(four.word(i)));
            let spread = bytes.shuffle(const { &EACH_FOUR_TIMES });
            spread.store_lane((&raw mut words[4 * i]).cast());
        }
        i += 1;
    }
}

/// Words that are loaded one by one: the compiler does not know that neighbours are neighbours. Else it
/// would load several of them at once, and then shuffle each to where it belongs.
struct Apart<'a, T> {
    even: &'a T,
    odd: &'a T,
}

impl<'a, T> Apart<'a, T> {
    #[inline(always)]
    fn new(words: &'a T) -> Self {
        Self {
            even: black_box(words),
            odd: black_box(words),
        }
    }

    #[inline(always)]
    fn of(&self, i: usize) -> &'a T {
        if i.is_multiple_of(2) {
            self.even
        } else {
            self.odd
        }
    }
}

impl Apart<'_, [u32; 16]> {
    #[inline(always)]
    fn word(&self, i: usize) -> u32 {
        self.of(i)[i]
    }
}

impl Apart<'_, [u8; 16]> {
    #[inline(always)]
    fn word(&self, i: usize) -> u32 {
        let (words, _) = self.of(i).as_chunks();
        u32::from_ne_bytes(words[i])
    }
}

/// The shuffle that repeats the first four bytes.
const EACH_FOUR_TIMES: [u8; 16] = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3];

/// The bytes of as many counter blocks as a register has bytes, from that with this number on, in
/// the domain.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
#[allow(clippy::cast_possible_truncation, reason = "at most 128")]
pub(super) unsafe fn bytes<R: Lanes, I: Inversion<R>>(
    counters: &CounterBlocks,
    number: usize,
) -> [[R; 4]; 4] {
    debug_assert!(number + R::BYTES <= 128);
    // How far it can count, or 127, which is no less far: a `min` without a branch.
    let limit = 255 - counters.fastest;
    let limit = (limit | ((limit >> 7) * 0x7f)) & 0x7f;

    // SAFETY: the CPU has the instructions
    let splat = |byte: u8| unsafe { R::splat(u32::from_ne_bytes([byte; 4])) };
    // SAFETY: the same condition; the table is as long as the longest register
    let numbers =
        unsafe { R::load(const { &numbers(R::BYTES) }.as_ptr()) }.add8(splat(number as u8));
    let overflown = numbers.greater8(splat(limit));
    // SAFETY: the same condition
    let counted = unsafe {
        let first = splat(counters.fastest);
        I::linear::<ENTER>(numbers.add8(first).xor(first))
    };

    let (mut first, mut carry) = ([0; 16], [0; 16]);
    // SAFETY: the same condition
    unsafe {
        spread::<R, I>(&counters.first, &mut first);
        spread::<R, I>(&counters.carry, &mut carry);
    }
    let (first, carry) = (Apart::new(&first), Apart::new(&carry));
    // SAFETY: the same condition
    let byte = |i| unsafe { R::splat(first.word(i)).xor(overflown.mask(carry.word(i))) };
    let zeroth = byte(0).xor(counted.mask(counters.counting[0]));
    let last = byte(15).xor(counted.mask(counters.counting[1]));
    [
        [zeroth, byte(1), byte(2), byte(3)],
        [byte(4), byte(5), byte(6), byte(7)],
        [byte(8), byte(9), byte(10), byte(11)],
        [byte(12), byte(13), byte(14), last],
    ]
}
