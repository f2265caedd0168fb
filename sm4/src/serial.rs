//! One block in the shortest time, for modes in which every block waits for the one before it.
//!
//! What counts is the path from one inversion to the next. The new word is
//!
//! ```text
//! x0 + a·i + ρ(b·i) + ρ²(b·i) + ρ³(c·i)          ρ: every byte takes the place before its own
//! ```
//!
//! with `a = b + c`, and the next round's input is that plus `x2 + x3 + rk`. Both are sums of the
//! same images of `i` and of words that have been known for long; so they are computed side by
//! side, and on the path remain the map of the inverse, one shuffle and two additions.

use core::marker::PhantomData;

use crate::{
    domain::map::{B, C, ENTER, LEAVE},
    kernel::Kernel,
    round::Direction,
    schedule::RoundKeys,
    vector::Serial,
};

/// The kernel for one block.
pub(crate) struct Single<V>(PhantomData<V>);

impl<V: Serial> Kernel for Single<V> {
    const BLOCKS: usize = 1;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, input: *const u8, output: *mut u8) {
        // SAFETY: the same conditions
        let [w0, w1, w2, w3] = unsafe { V::load_block(input) };
        let (mut x0, mut x1) = (w0.linear::<ENTER>(), w1.linear::<ENTER>());
        let (mut x2, mut x3) = (w2.linear::<ENTER>(), w3.linear::<ENTER>());
        // SAFETY: the CPU has the instructions
        let key = |round| unsafe { V::splat(keys.words[direction.key_index(round)]) };
        let mut t = x1.xor(x2).xor(x3).xor(key(0));
        let mut round = 0;
        while round < 32 {
            // The very last of these inputs is of no use, nor does it cost anything.
            (x0, t) = step(t, x0, x2.xor(x3).xor(key(round + 1)));
            (x1, t) = step(t, x1, x3.xor(x0).xor(key(round + 2)));
            (x2, t) = step(t, x2, x0.xor(x1).xor(key(round + 3)));
            (x3, t) = step(t, x3, x1.xor(x2).xor(key(round + 4)));
            round += 4;
        }
        let words = [
            x3.linear::<LEAVE>(),
            x2.linear::<LEAVE>(),
            x1.linear::<LEAVE>(),
            x0.linear::<LEAVE>(),
        ];
        // SAFETY: the same condition
        unsafe { V::store_block(words, output) };
    }
}

/// A round: the new word and, with what is `known` of it, the next round's input.
///
/// The compiler knows that sums may be regrouped, but not which of the summands come last. So what
/// is known early, and what comes latest, are [settled](Serial::settle) as they are.
#[inline(always)]
fn step<V: Serial>(t: V, x0: V, known: V) -> (V, V) {
    let known = known.xor(x0).settle();
    let i = t.invert();
    let (b, c) = (V::map::<B>(i), V::map::<C>(i));
    let far = b
        .rotate::<1>()
        .xor(b.rotate::<2>())
        .xor(c.rotate::<3>())
        .settle();
    (x0.xor(b.xor(c)).xor(far), known.xor(b).xor(c).xor(far))
}
