//! Registers as the [`Vector`]s of bytes that rounds are made of: everything but the S-box.

use core::marker::PhantomData;

use super::{
    Lanes,
    transpose::{self, load, store},
};
use crate::{
    domain::Domain,
    span::Span,
    vector::{Serial, Vector},
};

/// A way to invert bytes and to map the inverses.
pub(crate) trait Inversion<R: Lanes>: Copy {
    /// The field it inverts in.
    const DOMAIN: Domain;

    /// Whether [`map`](Self::map) is one instruction.
    const CHEAP_MAPS: bool = false;

    /// The inverses in the form that [`map`](Self::map) wants.
    type Inverse: Copy;

    fn invert(bytes: R) -> Self::Inverse;
    fn map<const MAP: usize>(inverse: Self::Inverse) -> R;
    fn linear<const MAP: usize>(bytes: R) -> R;
}

/// A register of bytes, inverted by `I`. `ADDS_THREE`: see [`Vector::ADDS_THREE`].
#[derive(Clone, Copy)]
pub(crate) struct Bytes<R, I, const ADDS_THREE: bool = false>(R, PhantomData<I>);

impl<R: Lanes, I: Inversion<R>, const ADDS_THREE: bool> Bytes<R, I, ADDS_THREE> {
    #[inline(always)]
    fn new(register: R) -> Self {
        Self(register, PhantomData)
    }

    #[inline(always)]
    fn all([r0, r1, r2, r3]: [R; 4]) -> [Self; 4] {
        [Self::new(r0), Self::new(r1), Self::new(r2), Self::new(r3)]
    }

    #[inline(always)]
    fn registers([b0, b1, b2, b3]: [Self; 4]) -> [R; 4] {
        [b0.0, b1.0, b2.0, b3.0]
    }
}

impl<R: Lanes, I: Inversion<R>, const ADDS_THREE: bool> Vector for Bytes<R, I, ADDS_THREE> {
    const DOMAIN: Domain = I::DOMAIN;
    const ADDS_THREE: bool = ADDS_THREE;
    const CHEAP_MAPS: bool = I::CHEAP_MAPS;
    const WORDS: usize = R::BYTES / 4;
    const LEAST: usize = R::BYTES / 16;
    type Inverse = I::Inverse;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the same condition
        Self::new(unsafe { R::splat(word) })
    }

    #[inline(always)]
    unsafe fn load_words(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        Self::all(transpose::words(unsafe { load(span, 0) }))
    }

    #[inline(always)]
    unsafe fn store_words(words: [Self; 4], span: Span) {
        // SAFETY: the same condition
        unsafe { store(transpose::words(Self::registers(words)), span, 0) };
    }

    #[inline(always)]
    unsafe fn load_bytes(span: Span) -> [[Self; 4]; 4] {
        // SAFETY: the same conditions
        let rows = unsafe {
            [
                load::<R>(span, 0),
                load(span, 4),
                load(span, 8),
                load(span, 12),
            ]
        };
        let [w0, w1, w2, w3] = transpose::bytes(rows);
        [Self::all(w0), Self::all(w1), Self::all(w2), Self::all(w3)]
    }

    #[inline(always)]
    unsafe fn store_bytes([w0, w1, w2, w3]: [[Self; 4]; 4], span: Span) {
        let [a, b, c, d] = transpose::bytes([
            Self::registers(w0),
            Self::registers(w1),
            Self::registers(w2),
            Self::registers(w3),
        ]);
        // SAFETY: the same condition
        unsafe {
            store(a, span, 0);
            store(b, span, 4);
            store(c, span, 8);
            store(d, span, 12);
        }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::new(self.0.xor(other.0))
    }

    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        Self::new(self.0.xor3(second.0, third.0))
    }

    #[inline(always)]
    fn settle(self) -> Self {
        Self::new(self.0.settle())
    }

    #[inline(always)]
    fn invert(self) -> I::Inverse {
        I::invert(self.0)
    }

    #[inline(always)]
    fn map<const MAP: usize>(inverse: I::Inverse) -> Self {
        Self::new(I::map::<MAP>(inverse))
    }

    #[inline(always)]
    fn linear<const MAP: usize>(self) -> Self {
        Self::new(I::linear::<MAP>(self.0))
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        Self::new(self.0.shuffle(const { &rotation(BY) }))
    }
}

/// A single block's words fill all lanes of their vectors, and so do the words made of them.
impl<R: Lanes, I: Inversion<R>, const ADDS_THREE: bool> Serial for Bytes<R, I, ADDS_THREE> {
    #[inline(always)]
    unsafe fn load_block(block: *const u8) -> [Self; 4] {
        // SAFETY: the same conditions; the four words lie one behind the other
        let word = |i| unsafe { Self::splat(block.cast::<u32>().add(i).read_unaligned()) };
        [word(0), word(1), word(2), word(3)]
    }

    #[inline(always)]
    unsafe fn store_block([w0, w1, w2, w3]: [Self; 4], block: *mut u8) {
        let ((w02, _), (w13, _)) = (w0.0.zip32(w2.0), w1.0.zip32(w3.0));
        let (words, _) = w02.zip32(w13);
        // SAFETY: the same condition
        unsafe { words.store_lane(block) };
    }

    #[inline(always)]
    fn first(self) -> u32 {
        self.0.first()
    }

    #[inline(always)]
    fn first_spread(self) -> [u32; 4] {
        let spread = self
            .0
            .shuffle(const { &[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3] });
        let mut words = [0_u32; 4];
        // SAFETY: four words are 16 bytes
        unsafe { spread.store_lane(words.as_mut_ptr().cast()) };
        words
    }
}

/// The shuffle that brings byte `j + by` of every word to place `j`.
#[allow(clippy::cast_possible_truncation, reason = "less than 16")]
const fn rotation(by: usize) -> [u8; 16] {
    let mut pattern = [0; 16];
    let mut i = 0;
    while i < 16 {
        pattern[i] = (i / 4 * 4 + (i + by) % 4) as u8;
        i += 1;
    }
    pattern
}
