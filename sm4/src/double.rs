//! Two vectors side by side, for kernels that interleave instruction by instruction.
//!
//! A [`Pair`](crate::shape::pair::Pair) of words alternates between its halves round by round, which is
//! enough to hide the latency of a short round. The inversion by AES instructions is long: a CPU
//! does not look far enough ahead to find the other half. (One round of 64 blocks on Zen 5: 65
//! cycles by pairs, 60 this way. With GFNI it is pairs that are faster, by 2 to 4 %.)

use crate::{CounterBlocks, domain::Domain, span::Span, vector::Vector};

/// Two vectors as one of twice as many words.
#[derive(Clone, Copy)]
pub(crate) struct Double<V>(V, V);

impl<V: Vector> Double<V> {
    #[inline(always)]
    fn join([a0, a1, a2, a3]: [V; 4], [b0, b1, b2, b3]: [V; 4]) -> [Self; 4] {
        [Self(a0, b0), Self(a1, b1), Self(a2, b2), Self(a3, b3)]
    }

    #[inline(always)]
    fn join_words([a0, a1, a2, a3]: [[V; 4]; 4], [b0, b1, b2, b3]: [[V; 4]; 4]) -> [[Self; 4]; 4] {
        [
            Self::join(a0, b0),
            Self::join(a1, b1),
            Self::join(a2, b2),
            Self::join(a3, b3),
        ]
    }

    #[inline(always)]
    fn split([v0, v1, v2, v3]: [Self; 4]) -> ([V; 4], [V; 4]) {
        ([v0.0, v1.0, v2.0, v3.0], [v0.1, v1.1, v2.1, v3.1])
    }
}

impl<V: Vector> Vector for Double<V> {
    const DOMAIN: Domain = V::DOMAIN;
    const ADDS_THREE: bool = V::ADDS_THREE;
    const CHEAP_MAPS: bool = V::CHEAP_MAPS;
    const ADDS_MASKS: bool = V::ADDS_MASKS;
    const COUNTS: bool = V::COUNTS;
    const WORDS: usize = 2 * V::WORDS;
    const LEAST: usize = V::LEAST;
    type Inverse = (V::Inverse, V::Inverse);

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the same condition
        let vector = unsafe { V::splat(word) };
        Self(vector, vector)
    }

    #[inline(always)]
    unsafe fn load_words(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        let (a, b) = unsafe { (V::load_words(span), V::load_words(span.skip(V::WORDS))) };
        Self::join(a, b)
    }

    #[inline(always)]
    unsafe fn store_words(words: [Self; 4], span: Span) {
        let (a, b) = Self::split(words);
        // SAFETY: the same condition
        unsafe {
            V::store_words(a, span);
            V::store_words(b, span.skip(V::WORDS));
        }
    }

    #[inline(always)]
    unsafe fn load_bytes(span: Span) -> [[Self; 4]; 4] {
        let next = span.skip(4 * V::WORDS);
        // SAFETY: the same conditions
        unsafe { Self::join_words(V::load_bytes(span), V::load_bytes(next)) }
    }

    #[inline(always)]
    unsafe fn count_bytes(counters: *const CounterBlocks, number: usize) -> [[Self; 4]; 4] {
        let next = number + 4 * V::WORDS;
        // SAFETY: the same conditions
        unsafe {
            Self::join_words(
                V::count_bytes(counters, number),
                V::count_bytes(counters, next),
            )
        }
    }

    #[inline(always)]
    unsafe fn store_bytes([w0, w1, w2, w3]: [[Self; 4]; 4], span: Span) {
        let ((a0, b0), (a1, b1)) = (Self::split(w0), Self::split(w1));
        let ((a2, b2), (a3, b3)) = (Self::split(w2), Self::split(w3));
        // SAFETY: the same condition
        unsafe {
            V::store_bytes([a0, a1, a2, a3], span);
            V::store_bytes([b0, b1, b2, b3], span.skip(4 * V::WORDS));
        }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        Self(
            self.0.xor3(second.0, third.0),
            self.1.xor3(second.1, third.1),
        )
    }

    #[inline(always)]
    fn invert(self) -> Self::Inverse {
        (self.0.invert(), self.1.invert())
    }

    #[inline(always)]
    fn map<const MAP: usize>((a, b): Self::Inverse) -> Self {
        Self(V::map::<MAP>(a), V::map::<MAP>(b))
    }

    #[inline(always)]
    fn linear<const MAP: usize>(self) -> Self {
        Self(self.0.linear::<MAP>(), self.1.linear::<MAP>())
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        Self(self.0.rotate::<BY>(), self.1.rotate::<BY>())
    }
}
