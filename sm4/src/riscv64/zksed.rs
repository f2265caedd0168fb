//! Zksed: `SM4ED` and `SM4KS` do a quarter of a round of the cipher and of the key schedule.
//!
//! Each takes one byte of a word through the S-box and the linear transformation and adds the
//! result to another word. Words are what a little-endian load makes of the standard's.

use core::arch::asm;

use crate::{
    domain::Domain,
    feedback::Whole,
    kernel::Kernel,
    round::Direction,
    schedule::{CK, FK, RoundKeys, Schedule},
    span::Span,
};

/// So many blocks at once.
pub(crate) enum Scalars<const BLOCKS: usize> {}

/// Makes a function of one instruction with its four variants.
macro_rules! round {
    ($(#[$doc:meta])* $name:ident, $instruction:literal) => {
        $(#[$doc])*
        ///
        /// # Safety
        /// The CPU has the instruction.
        #[inline(always)]
        unsafe fn $name(mut x: u32, t: u32) -> u32 {
            // SAFETY: the CPU has the instruction, which touches registers only
            unsafe {
                asm!(
                    ".option push",
                    ".option arch, +zksed",
                    concat!($instruction, " {x}, {x}, {t}, 0"),
                    concat!($instruction, " {x}, {x}, {t}, 1"),
                    concat!($instruction, " {x}, {x}, {t}, 2"),
                    concat!($instruction, " {x}, {x}, {t}, 3"),
                    ".option pop",
                    x = inout(reg) x,
                    t = in(reg) t,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            x
        }
    };
}

round!(
    /// `x + T(t)`.
    add_t,
    "sm4ed"
);
round!(
    /// `x + T'(t)`.
    add_key_t,
    "sm4ks"
);

impl Whole for Scalars<1> {}

impl<const BLOCKS: usize> Kernel for Scalars<BLOCKS> {
    const BLOCKS: usize = BLOCKS;
    const LEAST: usize = 1;
    const DOMAIN: Option<Domain> = None;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        let mut x = [[0_u32; 4]; BLOCKS];
        let mut i = 0;
        while i < BLOCKS {
            // SAFETY: that many blocks are readable
            x[i] = unsafe { span.input(16 * i, 16).cast::<[u32; 4]>().read_unaligned() };
            i += 1;
        }
        for &[k0, k1, k2, k3] in keys.fours(direction) {
            let mut i = 0;
            while i < BLOCKS {
                let [x0, x1, x2, x3] = x[i];
                // SAFETY: the CPU has the instructions
                unsafe {
                    let x0 = add_t(x0, x1 ^ x2 ^ x3 ^ k0);
                    let x1 = add_t(x1, x2 ^ x3 ^ x0 ^ k1);
                    let x2 = add_t(x2, x3 ^ x0 ^ x1 ^ k2);
                    let x3 = add_t(x3, x0 ^ x1 ^ x2 ^ k3);
                    x[i] = [x0, x1, x2, x3];
                }
                i += 1;
            }
        }
        let mut i = 0;
        while i < BLOCKS {
            let [x0, x1, x2, x3] = x[i];
            // SAFETY: that many blocks are writable
            unsafe {
                span.output(16 * i, 16)
                    .cast::<[u32; 4]>()
                    .write_unaligned([x3, x2, x1, x0]);
            };
            i += 1;
        }
    }
}

impl Schedule for Scalars<1> {
    const DOMAIN: Option<Domain> = None;

    #[inline(always)]
    unsafe fn expand(key: &[u8; 16], keys: &mut RoundKeys) {
        let mut x = [0; 4];
        let mut i = 0;
        while i < 4 {
            let word = [key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]];
            x[i] = u32::from_le_bytes(word) ^ FK[i].swap_bytes();
            i += 1;
        }
        let mut fours = [[0; 4]; 8];
        let mut i = 0;
        while i < 8 {
            let [x0, x1, x2, x3] = x;
            let [c0, c1, c2, c3] = CK[i];
            // SAFETY: the CPU has the instructions
            unsafe {
                let x0 = add_key_t(x0, x1 ^ x2 ^ x3 ^ c0.swap_bytes());
                let x1 = add_key_t(x1, x2 ^ x3 ^ x0 ^ c1.swap_bytes());
                let x2 = add_key_t(x2, x3 ^ x0 ^ x1 ^ c2.swap_bytes());
                let x3 = add_key_t(x3, x0 ^ x1 ^ x2 ^ c3.swap_bytes());
                x = [x0, x1, x2, x3];
            }
            fours[i] = x;
            i += 1;
        }
        keys.set_fours(fours);
    }
}
