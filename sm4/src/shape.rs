//! Shapes: how a state word of many blocks lies in vectors.
//!
//! A round (see [`round`](crate::round)) speaks of words; a shape says what "the byte `m` places
//! further on" means.
//!
//! ```text
//! Packed   one vector a word         | y0 y1 y2 y3 | y0 y1 y2 y3 | …      a lane of 32 bit: a block
//!                                    byte j + m: a rotation within the lane
//!
//! Sliced   four vectors a word       | y0 y0 y0 y0 | …                    a lane of 8 bit: a block
//!                                    | y1 y1 y1 y1 | …
//!                                    | y2 y2 y2 y2 | …
//!                                    | y3 y3 y3 y3 | …
//!                                    byte j + m: another vector, that is, nothing
//!
//! Pair     two words of any shape    two independent chains of rounds that hide each other's latency
//! ```

pub(crate) mod pair;

use crate::{
    domain::{
        Domain,
        map::{A, B, C, ENTER, LEAVE},
    },
    schedule::RoundKeys,
    span::Span,
    vector::{Serial, Vector},
};

/// A state word of [`Self::BLOCKS`] blocks.
pub(crate) trait Word: Copy {
    /// The domain of its bytes.
    const DOMAIN: Domain;

    /// The blocks that are worked on at once.
    const BLOCKS: usize;

    /// The fewest blocks that can be loaded and stored.
    const LEAST: usize;

    /// The blocks of a part that is loaded and stored as a whole by [`load_parts`](Self::load_parts).
    const PART: usize = Self::BLOCKS;

    /// Whether loading and storing adds the masks of a span. There must be none if not.
    const ADDS_MASKS: bool;

    /// Whether it can encrypt the counter blocks of a span. There must be none if not.
    const COUNTS: bool = false;

    /// A round key, ready to be added.
    type Key: Copy;

    /// The four state words of the blocks, in the domain.
    ///
    /// # Safety
    /// The CPU has the instructions of this shape's vectors; there are at least [`Self::LEAST`]
    /// blocks, and no masks unless it [adds](Self::ADDS_MASKS) them.
    unsafe fn load(span: Span) -> [Self; 4];

    /// Undoes [`load`](Self::load).
    ///
    /// # Safety
    /// There are at least [`Self::LEAST`] blocks.
    unsafe fn store(words: [Self; 4], span: Span);

    /// The same, but if there are too few blocks, whole parts move back, not single registers.
    ///
    /// # Safety
    /// The CPU has the instructions of this shape's vectors; there are at least [`Self::PART`]
    /// blocks.
    #[inline(always)]
    unsafe fn load_parts(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        unsafe { Self::load(span.part(Self::PART)) }
    }

    /// Undoes [`load_parts`](Self::load_parts).
    ///
    /// # Safety
    /// There are at least [`Self::PART`] blocks.
    #[inline(always)]
    unsafe fn store_parts(words: [Self; 4], span: Span) {
        // SAFETY: the same condition
        unsafe { Self::store(words, span.part(Self::PART)) };
    }

    /// Round key number `index`.
    ///
    /// # Safety
    /// The CPU has the instructions of this shape's vectors.
    unsafe fn key(keys: &RoundKeys, index: usize) -> Self::Key;

    /// Sum of two words.
    fn xor(self, other: Self) -> Self;

    /// Sum of two words and a round key.
    fn add_key(self, other: Self, key: Self::Key) -> Self;

    /// The heart of the round: `self + T(t)`, `T = L∘τ`.
    fn add_t(self, t: Self) -> Self;

    /// A round: `self + T(x + y + key)`.
    #[inline(always)]
    fn round(self, x: Self, y: Self, key: Self::Key) -> Self {
        self.add_t(x.add_key(y, key))
    }

    /// A round and the next one's input: `new = self + T(t)` and `new + x + y + key`, the latter as
    /// soon as possible.
    #[inline(always)]
    fn step(self, t: Self, x: Self, y: Self, key: Self::Key) -> (Self, Self) {
        let new = self.add_t(t);
        (new, new.xor(x).add_key(y, key))
    }
}

/// One vector a word, a 32-bit lane a block.
#[derive(Clone, Copy)]
pub(crate) struct Packed<V>(V);

impl<V: Vector> Word for Packed<V> {
    const DOMAIN: Domain = V::DOMAIN;
    const BLOCKS: usize = V::WORDS;
    const LEAST: usize = V::LEAST;
    const ADDS_MASKS: bool = V::ADDS_MASKS;
    type Key = V;

    #[inline(always)]
    unsafe fn load(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        let [w0, w1, w2, w3] = unsafe { V::load_words(span) };
        [
            Self(w0.linear::<ENTER>()),
            Self(w1.linear::<ENTER>()),
            Self(w2.linear::<ENTER>()),
            Self(w3.linear::<ENTER>()),
        ]
    }

    #[inline(always)]
    unsafe fn store([w0, w1, w2, w3]: [Self; 4], span: Span) {
        let words = [
            w0.0.linear::<LEAVE>(),
            w1.0.linear::<LEAVE>(),
            w2.0.linear::<LEAVE>(),
            w3.0.linear::<LEAVE>(),
        ];
        // SAFETY: the same condition
        unsafe { V::store_words(words, span) };
    }

    #[inline(always)]
    unsafe fn key(keys: &RoundKeys, index: usize) -> V {
        // SAFETY: the same condition
        unsafe { V::splat(keys.words[index]) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0))
    }

    #[inline(always)]
    fn add_key(self, other: Self, key: V) -> Self {
        Self(self.0.xor3(other.0, key))
    }

    /// `x0_j + a·i_j + b·i_{j+1} + b·i_{j+2} + c·i_{j+3}`; `a = b + c` saves a map.
    #[inline(always)]
    fn add_t(self, t: Self) -> Self {
        let i = t.0.invert();
        let (b, c) = (V::map::<B>(i), V::map::<C>(i));
        let far = b.rotate::<1>().xor3(b.rotate::<2>(), c.rotate::<3>());
        Self(self.0.xor3(b, c).xor(far))
    }

    /// From the inversion to the next input there are a map, a shuffle and two additions. The
    /// compiler knows that sums may be regrouped, but not which summand comes last; therefore what
    /// is known early and what comes late are [settled](Vector::settle).
    #[inline(always)]
    fn step(self, t: Self, x: Self, y: Self, key: V) -> (Self, Self) {
        let i = t.0.invert();
        let (b, c) = (V::map::<B>(i), V::map::<C>(i));
        let far = b.rotate::<1>().xor(b.rotate::<2>()).settle();
        let c_far = c.rotate::<3>();
        let known = x.0.xor3(y.0, key).xor(self.0).settle();
        // Without an addition of three, `b + c` makes the way longer than `a` does.
        let (new, near) = if V::CHEAP_MAPS && !V::ADDS_THREE {
            let a = V::map::<A>(i);
            (self.0.xor(a), known.xor(a).settle())
        } else {
            (self.0.xor3(b, c), known.xor3(b, c).settle())
        };
        (Self(new.xor3(c_far, far)), Self(near.xor3(c_far, far)))
    }
}

/// One block in the lowest lane of [`Packed`] words.
#[derive(Clone, Copy)]
pub(crate) struct Single<V>(Packed<V>);

impl<V: Serial> Word for Single<V> {
    const DOMAIN: Domain = V::DOMAIN;
    const BLOCKS: usize = 1;
    const LEAST: usize = 1;
    const ADDS_MASKS: bool = false;
    type Key = V;

    #[inline(always)]
    unsafe fn load(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        let [w0, w1, w2, w3] = unsafe { V::load_block(span.input(0, 16)) };
        [
            Self(Packed(w0.linear::<ENTER>())),
            Self(Packed(w1.linear::<ENTER>())),
            Self(Packed(w2.linear::<ENTER>())),
            Self(Packed(w3.linear::<ENTER>())),
        ]
    }

    #[inline(always)]
    unsafe fn store([w0, w1, w2, w3]: [Self; 4], span: Span) {
        let words = [
            w0.0.0.linear::<LEAVE>(),
            w1.0.0.linear::<LEAVE>(),
            w2.0.0.linear::<LEAVE>(),
            w3.0.0.linear::<LEAVE>(),
        ];
        // SAFETY: the same condition
        unsafe { V::store_block(words, span.output(0, 16)) };
    }

    #[inline(always)]
    unsafe fn key(keys: &RoundKeys, index: usize) -> V {
        // SAFETY: the same condition
        unsafe { Packed::<V>::key(keys, index) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0.xor(other.0))
    }

    #[inline(always)]
    fn add_key(self, other: Self, key: V) -> Self {
        Self(self.0.add_key(other.0, key))
    }

    #[inline(always)]
    fn add_t(self, t: Self) -> Self {
        Self(self.0.add_t(t.0))
    }

    #[inline(always)]
    fn step(self, t: Self, x: Self, y: Self, key: V) -> (Self, Self) {
        let (new, next) = self.0.step(t.0, x.0, y.0, key);
        (Self(new), Self(next))
    }
}

/// Four vectors a word, a byte lane a block.
#[derive(Clone, Copy)]
pub(crate) struct Sliced<V>([V; 4]);

impl<V: Vector> Sliced<V> {
    #[inline(always)]
    fn enter([y0, y1, y2, y3]: [V; 4]) -> Self {
        Self([
            y0.linear::<ENTER>(),
            y1.linear::<ENTER>(),
            y2.linear::<ENTER>(),
            y3.linear::<ENTER>(),
        ])
    }

    #[inline(always)]
    fn leave(self) -> [V; 4] {
        let [y0, y1, y2, y3] = self.0;
        [
            y0.linear::<LEAVE>(),
            y1.linear::<LEAVE>(),
            y2.linear::<LEAVE>(),
            y3.linear::<LEAVE>(),
        ]
    }
}

impl<V: Vector> Word for Sliced<V> {
    const DOMAIN: Domain = V::DOMAIN;
    const BLOCKS: usize = 4 * V::WORDS;
    const LEAST: usize = V::LEAST;
    const ADDS_MASKS: bool = V::ADDS_MASKS;
    const COUNTS: bool = V::COUNTS;
    type Key = [V; 4];

    #[inline(always)]
    unsafe fn load(span: Span) -> [Self; 4] {
        if V::COUNTS
            && let Some((counters, number)) = span.counters()
        {
            // SAFETY: the same conditions
            let [w0, w1, w2, w3] = unsafe { V::count_bytes(counters, number) };
            return [Self(w0), Self(w1), Self(w2), Self(w3)];
        }
        // SAFETY: the same conditions
        let [w0, w1, w2, w3] = unsafe { V::load_bytes(span) };
        [
            Self::enter(w0),
            Self::enter(w1),
            Self::enter(w2),
            Self::enter(w3),
        ]
    }

    #[inline(always)]
    unsafe fn store([w0, w1, w2, w3]: [Self; 4], span: Span) {
        // SAFETY: the same condition
        unsafe {
            V::store_bytes([w0.leave(), w1.leave(), w2.leave(), w3.leave()], span);
        }
    }

    #[inline(always)]
    unsafe fn key(keys: &RoundKeys, index: usize) -> [V; 4] {
        // SAFETY: the same condition
        unsafe { V::splat_bytes(&keys.bytes[index]) }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        let ([x0, x1, x2, x3], [y0, y1, y2, y3]) = (self.0, other.0);
        Self([x0.xor(y0), x1.xor(y1), x2.xor(y2), x3.xor(y3)])
    }

    #[inline(always)]
    fn add_key(self, other: Self, [k0, k1, k2, k3]: [V; 4]) -> Self {
        let ([x0, x1, x2, x3], [y0, y1, y2, y3]) = (self.0, other.0);
        Self([
            x0.xor3(y0, k0),
            x1.xor3(y1, k1),
            x2.xor3(y2, k2),
            x3.xor3(y3, k3),
        ])
    }

    /// `x0_j + a·i_j + b·i_{j+1} + b·i_{j+2} + c·i_{j+3}`, grouped for as few additions as possible
    /// by means of `a + b + c = 0`. Where three can be added at a time, it takes 10 additions as
    ///
    /// ```text
    /// x0_j + (c·i_j + (b + c)·i_{j+3}) + Σ,   Σ = b·i_0 + b·i_1 + b·i_2 + b·i_3
    /// ```
    ///
    /// and otherwise 15 as
    ///
    /// ```text
    /// x0_j + d_j + Σ,   d_j = c·i_j + a·i_{j+3},   Σ = d_0 + d_1 + d_2 + d_3
    /// ```
    #[inline(always)]
    fn add_t(self, t: Self) -> Self {
        let [x0, x1, x2, x3] = self.0;
        let [t0, t1, t2, t3] = t.0;
        let (i0, i1, i2, i3) = (t0.invert(), t1.invert(), t2.invert(), t3.invert());
        let (d0, d1, d2, d3, sum);
        if V::ADDS_THREE {
            let (b0, b1) = (V::map::<B>(i0), V::map::<B>(i1));
            let (b2, b3) = (V::map::<B>(i2), V::map::<B>(i3));
            let (c0, c1) = (V::map::<C>(i0), V::map::<C>(i1));
            let (c2, c3) = (V::map::<C>(i2), V::map::<C>(i3));
            sum = b0.xor3(b1, b2).xor(b3);
            (d0, d1) = (c0.xor3(c3, b3), c1.xor3(c0, b0));
            (d2, d3) = (c2.xor3(c1, b1), c3.xor3(c2, b2));
        } else {
            let (a0, a1) = (V::map::<A>(i0), V::map::<A>(i1));
            let (a2, a3) = (V::map::<A>(i2), V::map::<A>(i3));
            (d0, d1) = (V::map::<C>(i0).xor(a3), V::map::<C>(i1).xor(a0));
            (d2, d3) = (V::map::<C>(i2).xor(a1), V::map::<C>(i3).xor(a2));
            sum = d0.xor(d1).xor(d2.xor(d3));
        }
        Self([
            x0.xor3(d0, sum),
            x1.xor3(d1, sum),
            x2.xor3(d2, sum),
            x3.xor3(d3, sum),
        ])
    }
}
