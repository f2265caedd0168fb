//! Rows: whole blocks side by side in a register, for instructions that do four rounds at once.
//!
//! ```text
//! | X0 X1 X2 X3 | X0 X1 X2 X3 | …     a lane of 128 bit: the four words of a block, X0 lowest
//!       ↓ four rounds, four round keys        VSM4RNDS4 (Intel), SM4E (Arm)
//! | X4 X5 X6 X7 | X4 X5 X6 X7 | …
//! ```
//!
//! A word is a number here (the standard's are big-endian), and nothing is in the affine domain of
//! the [shapes](crate::shape): the instruction has the S-box inside.
//!
//! Such an instruction takes several cycles and a new one can start in every cycle or two, so the
//! kernels keep several registers in flight. A single block is bound by eight times the latency,
//! which is less than that of the serial kernel of any instruction set without such instructions.

use core::marker::PhantomData;

use crate::{
    domain::Domain,
    feedback::BlockKernel,
    kernel::Kernel,
    round::Direction,
    schedule::{CK, FK, RoundKeys, Schedule},
    span::Span,
};

/// A register of whole blocks with an instruction that does four rounds.
///
/// As with the vectors of the shapes, a value is proof that the CPU has the instructions, and all
/// methods are `#[inline(always)]`.
pub(crate) trait Row: Copy {
    /// The blocks in a register.
    const BLOCKS: usize;

    /// Loads blocks, word 0 of each into the lowest lane.
    ///
    /// # Safety
    /// The CPU has the instructions; `16 * Self::BLOCKS` bytes at `blocks` are readable.
    unsafe fn load(blocks: *const u8) -> Self;

    /// Stores blocks, word 0 of each from the *highest* lane: the reverse transformation `R` that
    /// ends the cipher.
    ///
    /// # Safety
    /// `16 * Self::BLOCKS` bytes at `blocks` are writable.
    unsafe fn store_reversed(self, blocks: *mut u8);

    /// The same four words for every block.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat(words: &[u32; 4]) -> Self;

    /// Four rounds, with the round key of the first one in the lowest lane.
    fn rounds(self, keys: Self) -> Self;
}

/// A register of one block, with an instruction that makes four round keys.
pub(crate) trait KeyRow: Row {
    /// The sum with another block.
    fn xor(self, other: Self) -> Self;

    /// The words in the opposite order.
    fn reversed(self) -> Self;

    /// Four rounds of the key schedule, with the `CK` of the first one in the lowest lane.
    fn key_rounds(self, constants: Self) -> Self;

    /// The four words.
    fn words(self) -> [u32; 4];
}

/// `N` registers in flight.
pub(crate) struct Rows<R, const N: usize>(PhantomData<R>);

impl<R: Row, const N: usize> Rows<R, N> {
    /// The 32 rounds, without the reverse transformation.
    ///
    /// # Safety
    /// The CPU has the instructions.
    #[inline(always)]
    unsafe fn rounds(keys: &RoundKeys, direction: Direction, mut rows: [R; N]) -> [R; N] {
        for four in keys.fours(direction) {
            // SAFETY: the CPU has the instructions
            let keys = unsafe { R::splat(four) };
            let mut i = 0;
            while i < N {
                rows[i] = rows[i].rounds(keys);
                i += 1;
            }
        }
        rows
    }
}

impl<R: Row, const N: usize> Kernel for Rows<R, N> {
    const BLOCKS: usize = N * R::BLOCKS;
    const LEAST: usize = R::BLOCKS;
    const DOMAIN: Option<Domain> = None;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        // SAFETY: the same conditions; a register's blocks follow those of the one before
        let load = |i| unsafe { R::load(span.input(16 * R::BLOCKS * i, 16 * R::BLOCKS)) };
        let mut rows = [load(0); N];
        let mut i = 1;
        while i < N {
            rows[i] = load(i);
            i += 1;
        }
        // SAFETY: the CPU has the instructions
        let rows = unsafe { Self::rounds(keys, direction, rows) };
        let mut i = 0;
        while i < N {
            // SAFETY: the same conditions; a register's blocks follow those of the one before
            unsafe { rows[i].store_reversed(span.output(16 * R::BLOCKS * i, 16 * R::BLOCKS)) };
            i += 1;
        }
    }
}

/// The words of a block as numbers, word 0 in the lowest lane.
impl<R: KeyRow> BlockKernel for Rows<R, 1> {
    type State = R;

    #[inline(always)]
    unsafe fn load(block: *const u8) -> R {
        const { assert!(R::BLOCKS == 1) };
        // SAFETY: the same conditions
        unsafe { R::load(block) }
    }

    #[inline(always)]
    unsafe fn store(state: R, block: *mut u8) {
        // SAFETY: the same condition
        unsafe { state.reversed().store_reversed(block) };
    }

    #[inline(always)]
    fn add(a: R, b: R) -> R {
        a.xor(b)
    }

    #[inline(always)]
    unsafe fn encrypt(keys: &RoundKeys, state: R) -> R {
        // SAFETY: the same condition
        let [row] = unsafe { Self::rounds(keys, Direction::Encrypt, [state]) };
        row.reversed()
    }
}

/// The key schedule (GB/T 32907-2016, 7.3) by rows.
impl<R: KeyRow> Schedule for Rows<R, 1> {
    const DOMAIN: Option<Domain> = None;

    #[inline(always)]
    unsafe fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
        const { assert!(R::BLOCKS == 1) };
        let mut words = FK;
        let mut i = 0;
        while i < 4 {
            words[i] ^=
                u32::from_be_bytes([key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]]);
            i += 1;
        }
        // SAFETY: the CPU has the instructions
        let mut row = unsafe { R::splat(&words) };
        let mut fours = [[0; 4]; 8];
        let mut i = 0;
        while i < 8 {
            // SAFETY: the CPU has the instructions
            row = row.key_rounds(unsafe { R::splat(&CK[i]) });
            fours[i] = row.words();
            i += 1;
        }
        keys.set_fours(fours);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::sbox, groups::Groups, kernel::InstructionSet, soft::Soft};
    use hex_literal::hex;

    /// Such a register, with the instructions as the standard has the rounds.
    #[derive(Clone, Copy)]
    struct Model<const BLOCKS: usize>([[u32; 4]; BLOCKS]);

    fn four_rounds(mut x: [u32; 4], keys: [u32; 4], l: impl Fn(u32) -> u32) -> [u32; 4] {
        for key in keys {
            let [x0, x1, x2, x3] = x;
            let tau = u32::from_be_bytes((x1 ^ x2 ^ x3 ^ key).to_be_bytes().map(sbox));
            x = [x1, x2, x3, x0 ^ l(tau)];
        }
        x
    }

    impl<const BLOCKS: usize> Row for Model<BLOCKS> {
        const BLOCKS: usize = BLOCKS;

        unsafe fn load(blocks: *const u8) -> Self {
            // SAFETY: the same condition; the type has no alignment
            Self(
                unsafe { *blocks.cast::<[[[u8; 4]; 4]; BLOCKS]>() }
                    .map(|x| x.map(u32::from_be_bytes)),
            )
        }

        unsafe fn store_reversed(self, blocks: *mut u8) {
            let bytes = self
                .0
                .map(|[x0, x1, x2, x3]| [x3, x2, x1, x0].map(u32::to_be_bytes));
            // SAFETY: the same condition; the type has no alignment
            unsafe { *blocks.cast::<[[[u8; 4]; 4]; BLOCKS]>() = bytes };
        }

        unsafe fn splat(words: &[u32; 4]) -> Self {
            Self([*words; BLOCKS])
        }

        fn rounds(mut self, keys: Self) -> Self {
            for (x, keys) in self.0.iter_mut().zip(keys.0) {
                *x = four_rounds(*x, keys, |y| {
                    y ^ y.rotate_left(2) ^ y.rotate_left(10) ^ y.rotate_left(18) ^ y.rotate_left(24)
                });
            }
            self
        }
    }

    impl KeyRow for Model<1> {
        fn xor(self, other: Self) -> Self {
            let ([[x0, x1, x2, x3]], [[y0, y1, y2, y3]]) = (self.0, other.0);
            Self([[x0 ^ y0, x1 ^ y1, x2 ^ y2, x3 ^ y3]])
        }

        fn reversed(self) -> Self {
            let [[x0, x1, x2, x3]] = self.0;
            Self([[x3, x2, x1, x0]])
        }

        fn key_rounds(self, constants: Self) -> Self {
            Self([four_rounds(self.0[0], constants.0[0], |y| {
                y ^ y.rotate_left(13) ^ y.rotate_left(23)
            })])
        }

        fn words(self) -> [u32; 4] {
            self.0[0]
        }
    }

    const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

    /// The round keys of GB/T 32907-2016, appendix A.1, in both orders.
    #[test]
    fn schedule() {
        let mut keys = RoundKeys::EMPTY;
        // SAFETY: the model needs no instructions
        unsafe { Rows::<Model<1>, 1>::expand(&KEY, &mut keys) };
        assert_eq!(keys.words[..2], [0xf121_86f9, 0x4166_2b61]);
        assert_eq!(keys.words[31], 0x9124_a012);
        let mut reversed = keys.fours(Direction::Decrypt).as_flattened().to_vec();
        reversed.reverse();
        assert_eq!(keys.words[..], reversed);
        assert_eq!(
            keys.words[..],
            *keys.fours(Direction::Encrypt).as_flattened()
        );
    }

    fn check<K: Kernel>(blocks: usize) {
        let (mut rows, mut soft) = (RoundKeys::EMPTY, RoundKeys::EMPTY);
        // SAFETY: neither the model nor the portable instruction set needs any instructions
        unsafe {
            Rows::<Model<1>, 1>::expand(&KEY, &mut rows);
            Soft::expand_key(&KEY, &mut soft);
        }
        let input: std::vec::Vec<u8> = (0..251).cycle().step_by(17).take(16 * blocks).collect();
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let (mut output, mut expected) = (input.clone(), input.clone());
            // SAFETY: as above; both buffers hold that many blocks
            unsafe {
                let to = output.as_mut_ptr();
                K::crypt(&rows, direction, Span::new(to, to, blocks));
                let to = expected.as_mut_ptr();
                Soft::crypt_batch(&soft, direction, to, to, blocks, None);
            }
            assert_eq!(output, expected, "{direction:?}, {blocks}");
        }
    }

    #[test]
    fn rows() {
        check::<Rows<Model<1>, 1>>(1);
        check::<Rows<Model<1>, 4>>(4);
        check::<Rows<Model<2>, 1>>(2);
        check::<Rows<Model<2>, 8>>(16);
        check::<Rows<Model<4>, 3>>(12);
    }

    #[test]
    fn groups() {
        for blocks in 1..=24 {
            check::<Groups<Rows<Model<1>, 4>, 24>>(blocks);
        }
    }
}
