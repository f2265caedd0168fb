//! Two independent chains of rounds, which hide each other's latency.

use super::Word;
use crate::{domain::Domain, schedule::RoundKeys, span::Span};

/// Two words of another shape, of twice as many blocks.
#[derive(Clone, Copy)]
pub(crate) struct Pair<W>(W, W);

impl<W: Word> Pair<W> {
    #[inline(always)]
    fn join([x0, x1, x2, x3]: [W; 4], [y0, y1, y2, y3]: [W; 4]) -> [Self; 4] {
        [Self(x0, y0), Self(x1, y1), Self(x2, y2), Self(x3, y3)]
    }

    #[inline(always)]
    fn split([w0, w1, w2, w3]: [Self; 4]) -> ([W; 4], [W; 4]) {
        ([w0.0, w1.0, w2.0, w3.0], [w0.1, w1.1, w2.1, w3.1])
    }
}

/// The second half of the blocks follows the first.
impl<W: Word> Word for Pair<W> {
    const DOMAIN: Domain = W::DOMAIN;
    const BLOCKS: usize = 2 * W::BLOCKS;
    const LEAST: usize = W::LEAST;
    const PART: usize = W::PART;
    const ADDS_MASKS: bool = W::ADDS_MASKS;
    type Key = W::Key;

    #[inline(always)]
    unsafe fn load(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        unsafe { Self::join(W::load(span), W::load(span.skip(W::BLOCKS))) }
    }

    #[inline(always)]
    unsafe fn store(words: [Self; 4], span: Span) {
        let (x, y) = Self::split(words);
        // SAFETY: the same condition
        unsafe {
            W::store(x, span);
            W::store(y, span.skip(W::BLOCKS));
        }
    }

    #[inline(always)]
    unsafe fn load_parts(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        unsafe { Self::join(W::load_parts(span), W::load_parts(span.skip(W::BLOCKS))) }
    }

    #[inline(always)]
    unsafe fn store_parts(words: [Self; 4], span: Span) {
        let (x, y) = Self::split(words);
        // SAFETY: the same condition
        unsafe {
            W::store_parts(x, span);
            W::store_parts(y, span.skip(W::BLOCKS));
        }
    }

    #[inline(always)]
    unsafe fn key(keys: &RoundKeys, index: usize) -> W::Key {
        // SAFETY: the same condition
        unsafe { W::key(keys, index) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline(always)]
    fn add_key(self, other: Self, key: W::Key) -> Self {
        Self(self.0.add_key(other.0, key), self.1.add_key(other.1, key))
    }

    #[inline(always)]
    fn add_t(self, t: Self) -> Self {
        Self(self.0.add_t(t.0), self.1.add_t(t.1))
    }

    #[inline(always)]
    fn round(self, x: Self, y: Self, key: W::Key) -> Self {
        Self(self.0.round(x.0, y.0, key), self.1.round(x.1, y.1, key))
    }

    #[inline(always)]
    fn step(self, t: Self, x: Self, y: Self, key: W::Key) -> (Self, Self) {
        let (a, t_a) = self.0.step(t.0, x.0, y.0, key);
        let (b, t_b) = self.1.step(t.1, x.1, y.1, key);
        (Self(a, b), Self(t_a, t_b))
    }
}
