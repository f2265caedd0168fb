//! The key schedule (GB/T 32907-2016, 7.3), in the same domain and with the same inversion as the
//! rounds, so that it is as constant in time as they are.
//!
//! Its rounds are a chain like those of one block, with the same path from one to the next: 9 cycles
//! with GFNI and AVX-512 on Zen 5, 288 in all. A key takes 440 cycles there (`gfni-avx512`), one after
//! the other in a loop, of which a quarter is overwriting: the stack on which it was made, and the key
//! when it is dropped (335 without the feature `zeroize`). What did not help: not to store the bytes
//! that [`RoundKeys`] has besides words (440: the stores fit between the rounds); keys at multiples of
//! 64 bytes, so that no store lies across two cache lines (440); 1 KiB of stack overwritten, not two
//! (420, but that is less than what the portable backend uses). To build the key where it is wanted
//! would save a copy of 644 bytes, whose loads wait for all stores before; a function that returns a
//! value of this size cannot do that, and one that writes to a place of the caller's would leave it
//! to the caller to overwrite what moves leave behind.

use crate::{
    domain::{
        Domain, fixed_parameter,
        map::{ENTER, KEY},
        splat,
    },
    kernel::Kernel,
    round::{Direction, Links},
    shape::{Single, Word},
    span::Span,
    vector::{Serial, Vector},
};

/// The round keys of one key, in the domain of one instruction set.
#[derive(Clone)]
pub(crate) struct RoundKeys {
    /// Round key `i`, its bytes in memory order: for words in 32-bit lanes. For
    /// [rows](crate::row): the number itself.
    pub(crate) words: [u32; 32],
    /// Byte `j` of round key `i`, four times: for words whose bytes lie in vectors of their own.
    /// For rows: the same as `words` but from the last round key to the first, then nothing.
    pub(crate) bytes: [[u32; 4]; 32],
}

impl RoundKeys {
    /// No key.
    pub(crate) const EMPTY: Self = Self {
        words: [0; 32],
        bytes: [[0; 4]; 32],
    };

    /// Sets round key number `index` to the lowest word.
    #[inline(always)]
    fn set<V: Serial>(&mut self, index: usize, key: V) {
        self.words[index] = key.first();
        self.bytes[index] = key.first_spread();
    }

    /// The round keys of an instruction that takes four at once.
    ///
    /// Decryption wants each four of them reversed as well. Storing them in both orders costs
    /// nothing later, while reversing them in a register costs an instruction for every four
    /// rounds, and a branch on the direction in front of it.
    #[allow(dead_code, reason = "not every target has such an instruction")]
    #[inline(always)]
    pub(crate) fn set_fours(&mut self, fours: [[u32; 4]; 8]) {
        let mut i = 0;
        while i < 8 {
            let [k0, k1, k2, k3] = fours[i];
            self.words.as_chunks_mut().0[i] = [k0, k1, k2, k3];
            self.bytes[7 - i] = [k3, k2, k1, k0];
            i += 1;
        }
    }

    /// The round keys, four by four, in the order in which this direction needs them.
    #[allow(dead_code, reason = "not every target has such an instruction")]
    #[inline(always)]
    pub(crate) fn fours(&self, direction: Direction) -> &[[u32; 4]; 8] {
        let fours = match direction {
            Direction::Encrypt => self.words.as_chunks().0,
            Direction::Decrypt => &self.bytes,
        };
        match fours.first_chunk() {
            Some(fours) => fours,
            None => unreachable!("both have eight fours"),
        }
    }
}

#[cfg(feature = "zeroize")]
impl RoundKeys {
    /// Overwrites the keys: as a whole, since a volatile store for each of 160 words takes longer.
    /// Behind the barrier somebody may look at the memory, as far as the compiler knows.
    #[inline]
    pub(crate) fn wipe(&mut self) {
        *self = Self::EMPTY;
        zeroize::optimization_barrier(self);
    }
}

/// The system parameter `FK`.
pub(crate) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The fixed parameters `CK`, four by four.
#[allow(dead_code, reason = "not every target has instructions that take four")]
pub(crate) const CK: [[u32; 4]; 8] = {
    let mut ck = [[0; 4]; 8];
    let mut i = 0;
    while i < 32 {
        ck[i / 4][i % 4] = u32::from_be_bytes(fixed_parameter(i));
        i += 1;
    }
    ck
};

/// The constants of the schedule in a domain.
struct Constants {
    /// `FK`.
    family: [u32; 4],
    /// What is added to a round's input.
    input: [u32; 32],
    /// What makes a round key of a round's output.
    output: [u32; 32],
}

impl Constants {
    const fn new(domain: &Domain) -> Self {
        let mut constants = Self {
            family: [0; 4],
            input: [0; 32],
            output: [0; 32],
        };
        let mut i = 0;
        while i < 4 {
            let mut fk = FK[i].to_be_bytes();
            let mut j = 0;
            while j < 4 {
                fk[j] = domain.maps[ENTER].apply(fk[j]);
                j += 1;
            }
            constants.family[i] = u32::from_le_bytes(fk);
            i += 1;
        }
        let mut round = 0;
        while round < 32 {
            constants.input[round] = u32::from_le_bytes(domain.schedule_constant(round));
            constants.output[round] = splat(domain.round_key_constant(round));
            round += 1;
        }
        constants
    }
}

/// A way to compute the round keys.
pub(crate) trait Schedule {
    /// The domain that the round keys are in.
    const DOMAIN: Option<Domain>;

    /// Overwrites `keys`. Implementations are `#[inline(always)]`.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn expand(key: &[u8; 16], keys: &mut RoundKeys);

    /// The same, and encrypts one block with these keys: beside the expansion, or after it by the
    /// kernel.
    ///
    /// # Safety
    /// As for [`expand`](Self::expand) and [`Kernel::crypt`].
    #[inline(always)]
    unsafe fn expand_and_encrypt<K: Kernel>(key: &[u8; 16], keys: &mut RoundKeys, block: Span) {
        // SAFETY: the same conditions
        unsafe {
            Self::expand(key, keys);
            K::crypt(keys, Direction::Encrypt, block);
        }
    }
}

/// What is done along with the expansion.
trait Companion {
    /// Takes note of the four round keys from `round` on.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn follow(&mut self, keys: &RoundKeys, round: usize);
}

/// Nothing.
impl Companion for () {
    #[inline(always)]
    unsafe fn follow(&mut self, _: &RoundKeys, _: usize) {}
}

/// The encryption of a block, four rounds behind. Expansion and encryption are chains of the same
/// length, and of neither the CPU does more than a fraction at a time.
struct Encryption<V> {
    links: Option<Links<Single<V>>>,
    block: Span,
}

impl<V: Serial> Companion for Encryption<V> {
    #[inline(always)]
    unsafe fn follow(&mut self, keys: &RoundKeys, round: usize) {
        // SAFETY: the CPU has the instructions; whoever made this vouches for the block
        unsafe {
            match &mut self.links {
                None => {
                    let words = Single::load(self.block);
                    self.links = Some(Links::new(keys, Direction::Encrypt, words));
                }
                Some(links) => links.four_rounds(keys, Direction::Encrypt, round - 4),
            }
        }
    }
}

/// The cipher's rounds with `L'` for `L`, and in the same order as in a
/// [`Chain`](crate::round::Chain) of them.
impl<V: Serial> Schedule for V {
    const DOMAIN: Option<Domain> = Some(<V as Vector>::DOMAIN);

    #[inline(always)]
    unsafe fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
        // SAFETY: the same condition
        unsafe { expand_along::<V>(key, keys, &mut ()) };
    }

    #[inline(always)]
    unsafe fn expand_and_encrypt<K: Kernel>(key: &[u8; 16], keys: &mut RoundKeys, block: Span) {
        let mut encryption = Encryption::<V> { links: None, block };
        // SAFETY: the same conditions
        unsafe {
            expand_along::<V>(key, keys, &mut encryption);
            encryption.follow(keys, 32);
            if let Some(links) = encryption.links {
                Single::store(links.words(), block);
            }
        }
    }
}

/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn expand_along<V: Serial>(
    key: &[u8; 16],
    keys: &mut RoundKeys,
    companion: &mut impl Companion,
) {
    let constants = const { &Constants::new(&<V as Vector>::DOMAIN) };
    // SAFETY: the CPU has the instructions
    let constant = |word| unsafe { V::splat(word) };
    // SAFETY: the CPU has the instructions; a key is 16 bytes
    let [k0, k1, k2, k3] = unsafe { V::load_block(key.as_ptr()) };
    let mut x0 = k0.linear::<ENTER>().xor(constant(constants.family[0]));
    let mut x1 = k1.linear::<ENTER>().xor(constant(constants.family[1]));
    let mut x2 = k2.linear::<ENTER>().xor(constant(constants.family[2]));
    let mut x3 = k3.linear::<ENTER>().xor(constant(constants.family[3]));
    let mut t = x1.xor(x2).xor3(x3, constant(constants.input[0]));
    let mut round = 0;
    while round < 32 {
        // The last round makes an input which is of no use; that costs nothing.
        let input = |i| constant(constants.input[(round + i) % 32]);
        (x0, t) = step(x0, t, x2.xor3(x3, input(1)));
        (x1, t) = step(x1, t, x3.xor3(x0, input(2)));
        (x2, t) = step(x2, t, x0.xor3(x1, input(3)));
        (x3, t) = step(x3, t, x1.xor3(x2, input(4)));
        let output = |i| constant(constants.output[round + i]);
        keys.set(round, x0.xor(output(0)));
        keys.set(round + 1, x1.xor(output(1)));
        keys.set(round + 2, x2.xor(output(2)));
        keys.set(round + 3, x3.xor(output(3)));
        // SAFETY: the CPU has the instructions
        unsafe { companion.follow(keys, round) };
        round += 4;
    }
}

/// Both `x + T'(t)` and `known + x + T'(t)`, the latter as soon as possible.
#[inline(always)]
fn step<V: Serial>(x: V, t: V, known: V) -> (V, V) {
    const { assert!(KEY[0] + 3 == KEY[3]) };
    let known = known.xor(x).settle();
    let i = t.invert();
    let far = V::map::<{ KEY[1] }>(i)
        .rotate::<1>()
        .xor(V::map::<{ KEY[2] }>(i).rotate::<2>())
        .settle();
    let last = V::map::<{ KEY[3] }>(i).rotate::<3>();
    let near = V::map::<{ KEY[0] }>(i);
    let known = known.xor(near).settle();
    (x.xor(near).xor3(last, far), known.xor3(last, far))
}
