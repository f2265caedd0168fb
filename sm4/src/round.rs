//! SM4's round, once, for every instruction set and shape (GB/T 32907-2016, 6.2 and 7).

use crate::{kernel::Kernel, schedule::RoundKeys, shape::Word};

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

impl<W: Word> Kernel for W {
    const BLOCKS: usize = W::BLOCKS;

    /// The new word is `x0 + T(x1 + x2 + x3 + rk)`. Neighbouring rounds have two of the three
    /// summands in common, so their sum is computed once for two rounds.
    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, input: *const u8, output: *mut u8) {
        // SAFETY: the same conditions
        let [mut x0, mut x1, mut x2, mut x3] = unsafe { W::load(input) };
        // SAFETY: the CPU has the instructions
        let key = |round| unsafe { W::key(keys, direction.key_index(round)) };
        let mut round = 0;
        while round < 32 {
            let shared = x2.xor(x3);
            x0 = x0.add_t(shared.xor(x1).add_key(key(round)));
            x1 = x1.add_t(shared.xor(x0).add_key(key(round + 1)));
            let shared = x0.xor(x1);
            x2 = x2.add_t(shared.xor(x3).add_key(key(round + 2)));
            x3 = x3.add_t(shared.xor(x2).add_key(key(round + 3)));
            round += 4;
        }
        // SAFETY: the same conditions
        unsafe { W::store([x3, x2, x1, x0], output) };
    }
}
