//! Blocks in groups, one after the other.

use core::marker::PhantomData;

use crate::{domain::Domain, kernel::Kernel, round::Direction, schedule::RoundKeys, span::Span};

/// Up to `BLOCKS` blocks, by calls of a narrower kernel `K` as a part of the same function.
///
/// That pays where a wider kernel is slower, or does not exist. It is also for short rounds: where
/// registers are loaded and stored is known for whole groups, and while one group's rounds run, the CPU
/// looks far enough ahead to begin with the next one.
#[allow(dead_code, reason = "not every target has such a kernel")]
pub(crate) struct Groups<K, const BLOCKS: usize>(PhantomData<K>);

impl<K: Kernel, const BLOCKS: usize> Kernel for Groups<K, BLOCKS> {
    const BLOCKS: usize = BLOCKS;
    /// The last group must not be too small: no other group may lend it blocks, which have been
    /// encrypted in place by then.
    const LEAST: usize = if K::LEAST == 1 {
        1
    } else {
        BLOCKS - K::BLOCKS + K::LEAST
    };
    const DOMAIN: Option<Domain> = K::DOMAIN;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        const { assert!(BLOCKS.is_multiple_of(K::BLOCKS)) }
        let mut at = 0;
        while span.count() - at >= K::BLOCKS {
            // SAFETY: the CPU has the instructions; so many blocks are left, which nobody works on twice
            unsafe { K::crypt(keys, direction, span.skip(at).part(K::BLOCKS)) };
            at += K::BLOCKS;
        }
        let left = span.count() - at;
        if left > 0 {
            // SAFETY: the same for what is left, which is enough for the kernel
            unsafe { K::crypt(keys, direction, span.skip(at).part(left)) };
        }
    }
}
