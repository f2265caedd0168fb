//! Two independent chains of rounds, which hide each other's latency.

use super::Word;
use crate::{
    domain::{self, Domain},
    schedule::RoundKeys,
    span::Span,
};

/// Two words of other shapes, of as many blocks as they have together.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V, W = V>(V, W);

impl<V: Word, W: Word> Pair<V, W> {
    #[inline(always)]
    fn join([x0, x1, x2, x3]: [V; 4], [y0, y1, y2, y3]: [W; 4]) -> [Self; 4] {
        [Self(x0, y0), Self(x1, y1), Self(x2, y2), Self(x3, y3)]
    }

    #[inline(always)]
    fn split([w0, w1, w2, w3]: [Self; 4]) -> ([V; 4], [W; 4]) {
        ([w0.0, w1.0, w2.0, w3.0], [w0.1, w1.1, w2.1, w3.1])
    }
}

/// The blocks of the second word follow those of the first.
impl<V: Word, W: Word> Word for Pair<V, W> {
    const DOMAIN: Domain = V::DOMAIN;
    const BLOCKS: usize = V::BLOCKS + W::BLOCKS;
    const LEAST: usize = most(V::LEAST, W::LEAST);
    const PART: usize = most(V::PART, W::PART);
    const ADDS_MASKS: bool = V::ADDS_MASKS && W::ADDS_MASKS;
    const COUNTS: bool = V::COUNTS && W::COUNTS;
    type Key = (V::Key, W::Key);

    #[inline(always)]
    unsafe fn load(span: Span) -> [Self; 4] {
        const { assert!(domain::same(Some(V::DOMAIN), Some(W::DOMAIN))) }
        // SAFETY: the same conditions
        unsafe { Self::join(V::load(span), W::load(span.skip(V::BLOCKS))) }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 4], span: Span) {
        let (x, y) = Self::split(words);
        // SAFETY: the same condition
        unsafe {
            V::store(x, span);
            W::store(y, span.skip(V::BLOCKS));
        }
    }

    #[inline(always)]
    unsafe fn load_parts(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        unsafe { Self::join(V::load_parts(span), W::load_parts(span.skip(V::BLOCKS))) }
    }

    #[inline(always)]
    unsafe fn store_parts(words: [Self; 4], span: Span) {
        let (x, y) = Self::split(words);
        // SAFETY: the same condition
        unsafe {
            V::store_parts(x, span);
            W::store_parts(y, span.skip(V::BLOCKS));
        }
    }

    #[inline(always)]
    unsafe fn key(keys: &RoundKeys, index: usize) -> Self::Key {
        // SAFETY: the same condition
        unsafe { (V::key(keys, index), W::key(keys, index)) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline(always)]
    fn add_key(self, other: Self, (k, l): Self::Key) -> Self {
        Self(self.0.add_key(other.0, k), self.1.add_key(other.1, l))
    }

    #[inline(always)]
    fn add_t(self, t: Self) -> Self {
        Self(self.0.add_t(t.0), self.1.add_t(t.1))
    }

    #[inline(always)]
    fn round(self, x: Self, y: Self, (k, l): Self::Key) -> Self {
        Self(self.0.round(x.0, y.0, k), self.1.round(x.1, y.1, l))
    }

    #[inline(always)]
    fn step(self, t: Self, x: Self, y: Self, (k, l): Self::Key) -> (Self, Self) {
        let (a, t_a) = self.0.step(t.0, x.0, y.0, k);
        let (b, t_b) = self.1.step(t.1, x.1, y.1, l);
        (Self(a, b), Self(t_a, t_b))
    }
}

const fn most(a: usize, b: usize) -> usize {
    if a > b { a } else { b }
}
