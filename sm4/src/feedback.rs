//! Feedback: modes in which every block waits for the one before it.
//!
//! CBC-MAC and encryption in CBC, CFB and OFB mode differ in what is added when. They have one loop:
//!
//! ```text
//!            next state           output
//! CBC-MAC    E(state + block)     none
//! CBC        E(state + block)     the next state
//! CFB        E(state) + block     the next state
//! OFB        E(state)             the next state + block
//! ```
//!
//! The state stays in registers from one block to the next, and in the affine domain where there is
//! one. So what is left of a block's time is its rounds: loading a block and storing a result go on
//! beside them.

use crate::{
    kernel::Kernel,
    round::{Chain, Direction, Rounds},
    schedule::RoundKeys,
    shape::Word,
    span::Span,
};

/// A mode with feedback.
pub(crate) trait Feedback {
    /// When a block is added to the state.
    const ADDS: Adds;

    /// Whether there is any output.
    const OUTPUT: bool;
}

/// When a block is added to the state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Adds {
    /// Before the state is encrypted.
    Before,
    /// After the state has been encrypted.
    After,
    /// After the state has been encrypted, and for the output only.
    ToOutput,
}

/// CBC-MAC.
pub(crate) enum CbcMac {}

/// Encryption in CBC mode.
pub(crate) enum Cbc {}

/// Encryption in CFB mode.
pub(crate) enum Cfb {}

/// OFB mode.
pub(crate) enum Ofb {}

impl Feedback for CbcMac {
    const ADDS: Adds = Adds::Before;
    const OUTPUT: bool = false;
}

impl Feedback for Cbc {
    const ADDS: Adds = Adds::Before;
    const OUTPUT: bool = true;
}

impl Feedback for Cfb {
    const ADDS: Adds = Adds::After;
    const OUTPUT: bool = true;
}

impl Feedback for Ofb {
    const ADDS: Adds = Adds::ToOutput;
    const OUTPUT: bool = true;
}

/// A kernel for one block, in parts.
pub(crate) trait BlockKernel: Kernel {
    /// A block in the form that suits the kernel.
    type State: Copy;

    /// # Safety
    /// The CPU has the instructions of the kernel; 16 bytes at `block` are readable.
    unsafe fn load(block: *const u8) -> Self::State;

    /// # Safety
    /// 16 bytes at `block` are writable.
    unsafe fn store(state: Self::State, block: *mut u8);

    /// The sum of two blocks.
    fn add(a: Self::State, b: Self::State) -> Self::State;

    /// # Safety
    /// The CPU has the instructions of the kernel.
    unsafe fn encrypt(keys: &RoundKeys, state: Self::State) -> Self::State;
}

/// Runs a mode over `count` blocks.
///
/// # Safety
/// The CPU has the instructions of the kernel. `16 * count` bytes are readable at `input` and, if
/// the mode has output, writable at `output`; the two are the same or do not overlap.
#[inline(always)]
pub(crate) unsafe fn feed<K: BlockKernel, F: Feedback>(
    keys: &RoundKeys,
    state: &mut [u8; 16],
    input: *const u8,
    output: *mut u8,
    count: usize,
) {
    // SAFETY: the CPU has the instructions; there are that many blocks
    unsafe {
        let mut next = K::load(state.as_ptr());
        let mut i = 0;
        while i < count {
            let block = K::load(input.add(16 * i));
            if F::ADDS == Adds::Before {
                next = K::add(next, block);
            }
            next = K::encrypt(keys, next);
            let mut sum = next;
            if F::ADDS != Adds::Before {
                sum = K::add(next, block);
            }
            if F::ADDS == Adds::After {
                next = sum;
            }
            if F::OUTPUT {
                K::store(sum, output.add(16 * i));
            }
            i += 1;
        }
        K::store(next, state.as_mut_ptr());
    }
}

/// The four words of a block, in the domain.
impl<W: Word> BlockKernel for Chain<W> {
    type State = [W; 4];

    #[inline(always)]
    unsafe fn load(block: *const u8) -> [W; 4] {
        const { assert!(W::BLOCKS == 1) }
        // SAFETY: the same conditions; nothing is stored
        unsafe { W::load(Span::new(block, block.cast_mut(), 1)) }
    }

    #[inline(always)]
    unsafe fn store(state: [W; 4], block: *mut u8) {
        // SAFETY: the same condition; nothing is loaded
        unsafe { W::store(state, Span::new(block, block, 1)) };
    }

    #[inline(always)]
    fn add([a0, a1, a2, a3]: [W; 4], [b0, b1, b2, b3]: [W; 4]) -> [W; 4] {
        [a0.xor(b0), a1.xor(b1), a2.xor(b2), a3.xor(b3)]
    }

    #[inline(always)]
    unsafe fn encrypt(keys: &RoundKeys, state: [W; 4]) -> [W; 4] {
        // SAFETY: the same condition
        unsafe { Self::rounds(keys, Direction::Encrypt, state) }
    }
}

/// Kernels for one block which have nothing to gain from being taken apart.
pub(crate) trait Whole: Kernel {}

impl<W: Word> Whole for Rounds<W> {}

impl<K: Whole> BlockKernel for K {
    type State = u128;

    #[inline(always)]
    unsafe fn load(block: *const u8) -> u128 {
        // SAFETY: the same condition
        unsafe { block.cast::<u128>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn store(state: u128, block: *mut u8) {
        // SAFETY: the same condition
        unsafe { block.cast::<u128>().write_unaligned(state) };
    }

    #[inline(always)]
    fn add(a: u128, b: u128) -> u128 {
        a ^ b
    }

    #[inline(always)]
    unsafe fn encrypt(keys: &RoundKeys, mut state: u128) -> u128 {
        const { assert!(K::BLOCKS == 1) }
        let block = (&raw mut state).cast();
        // SAFETY: the CPU has the instructions; this is one block
        unsafe { K::crypt(keys, Direction::Encrypt, Span::new(block, block, 1)) };
        state
    }
}
