//! SM4's rounds, once, for every instruction set and shape (GB/T 32907-2016, 6.2 and 7).
//!
//! A round makes a new word `x0 + T(x1 + x2 + x3 + rk)` and drops `x0`. Two orders of the same
//! sums serve two ends: [`Rounds`] needs the fewest instructions, [`Chain`] the shortest time
//! from one round's input to the next.

use core::{
    hint::black_box,
    marker::PhantomData,
    sync::atomic::{Ordering, compiler_fence},
};

use crate::{domain::Domain, kernel::Kernel, schedule::RoundKeys, shape::Word, span::Span};

/// The order of the round keys, the only difference between encryption and decryption.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

impl Direction {
    /// The round key for this round: `round` or `31 - round`.
    #[inline(always)]
    pub(crate) fn key_index(self, round: usize) -> usize {
        (round ^ if self == Self::Decrypt { 31 } else { 0 }) % 32
    }
}

/// The rounds for many blocks.
///
/// Neighbouring rounds have two of their three words in common, so that sum is computed once for
/// two rounds: 3 additions of words for the inputs of two rounds instead of 4.
///
/// With `STORED`, the state lies in memory and only the newest word is held in registers as well.
/// That is for shapes with more state than there are registers: left to itself, the compiler moves
/// words between registers and memory on the way from one round to the next, where it costs time.
/// The fences are no instructions; they keep it from holding on to a word that it has stored.
pub(crate) struct Rounds<W, const STORED: bool = false>(PhantomData<W>);

/// Spans whole cache lines, so that no vector of it crosses one.
#[repr(align(64))]
struct State<W>([W; 4]);

impl<W: Word, const STORED: bool> Kernel for Rounds<W, STORED> {
    const BLOCKS: usize = W::BLOCKS;
    // To find the place of every register costs a large kernel 8 %, so it does so for its parts.
    const LEAST: usize = if STORED { W::PART } else { W::LEAST };
    const DOMAIN: Option<Domain> = Some(W::DOMAIN);
    const ADDS_MASKS: bool = W::ADDS_MASKS;
    const COUNTS: bool = W::COUNTS;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        // SAFETY: the CPU has the instructions
        let key = |round| unsafe { W::key(keys, direction.key_index(round)) };
        let fence = || {
            if STORED {
                compiler_fence(Ordering::SeqCst);
            }
        };
        // SAFETY: the same conditions
        let mut state = State(unsafe {
            if STORED {
                W::load_parts(span)
            } else {
                W::load(span)
            }
        });
        let mut newest = state.0[3];
        let mut x = &mut state.0;
        if STORED {
            x = black_box(x);
        }
        let mut round = 0;
        while round < 32 {
            fence();
            let shared = newest.xor(x[2]);
            newest = x[0].round(shared, x[1], key(round));
            x[0] = newest;
            fence();
            newest = x[1].round(shared, newest, key(round + 1));
            x[1] = newest;
            fence();
            let shared = newest.xor(x[0]);
            newest = x[2].round(shared, x[3], key(round + 2));
            x[2] = newest;
            fence();
            newest = x[3].round(shared, newest, key(round + 3));
            x[3] = newest;
            round += 4;
        }
        // SAFETY: the same conditions
        unsafe {
            if STORED {
                W::store_parts([x[3], x[2], x[1], x[0]], span);
            } else {
                W::store([x[3], x[2], x[1], x[0]], span);
            }
        }
    }
}

/// The rounds for few blocks: every round waits for the one before it, so what counts is the path
/// from one inversion to the next.
///
/// The next round's input is the new word plus two known words and a round key. So it is computed
/// beside the new word, not from it: what is known of it is summed up beforehand.
pub(crate) struct Chain<W>(PhantomData<W>);

impl<W: Word> Chain<W> {
    /// All rounds.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    pub(crate) unsafe fn rounds(keys: &RoundKeys, direction: Direction, words: [W; 4]) -> [W; 4] {
        // SAFETY: the same condition
        unsafe {
            let mut links = Links::new(keys, direction, words);
            let mut round = 0;
            while round < 32 {
                links.four_rounds(keys, direction, round);
                round += 4;
            }
            links.words()
        }
    }
}

/// A [`Chain`] in progress: the state words, and the input of the next round.
pub(crate) struct Links<W> {
    x: [W; 4],
    t: W,
}

impl<W: Word> Links<W> {
    /// Needs the first round key.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    pub(crate) unsafe fn new(keys: &RoundKeys, direction: Direction, x: [W; 4]) -> Self {
        // SAFETY: the same condition
        let key = unsafe { W::key(keys, direction.key_index(0)) };
        Self {
            x,
            t: x[1].xor(x[2]).add_key(x[3], key),
        }
    }

    /// Needs the round keys behind this round's, up to the fourth, which goes into the next input.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    pub(crate) unsafe fn four_rounds(
        &mut self,
        keys: &RoundKeys,
        direction: Direction,
        round: usize,
    ) {
        // SAFETY: the same condition
        let key = |round| unsafe { W::key(keys, direction.key_index(round)) };
        let Self {
            x: [mut x0, mut x1, mut x2, mut x3],
            mut t,
        } = *self;
        // The last round makes an input which is of no use; that costs nothing.
        (x0, t) = x0.step(t, x2, x3, key(round + 1));
        (x1, t) = x1.step(t, x3, x0, key(round + 2));
        (x2, t) = x2.step(t, x0, x1, key(round + 3));
        (x3, t) = x3.step(t, x1, x2, key(round + 4));
        *self = Self {
            x: [x0, x1, x2, x3],
            t,
        };
    }

    /// The block, after the last round.
    #[inline(always)]
    pub(crate) fn words(self) -> [W; 4] {
        let [x0, x1, x2, x3] = self.x;
        [x3, x2, x1, x0]
    }
}

impl<W: Word> Kernel for Chain<W> {
    const BLOCKS: usize = W::BLOCKS;
    const LEAST: usize = W::LEAST;
    const DOMAIN: Option<Domain> = Some(W::DOMAIN);
    const ADDS_MASKS: bool = W::ADDS_MASKS;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        // SAFETY: the same conditions
        unsafe { W::store(Self::rounds(keys, direction, W::load(span)), span) };
    }
}
