//! POLYVAL on AArch64: `PMULL` and `PMULL2`, the products of 64-bit halves.
//!
//! With eight blocks a group the compiler has the loop without branches, and most sums of the powers'
//! halves outside of it: 108 instructions for 128 bytes, for which llvm-mca expects 0.34 cycles per
//! byte on Neoverse N2, 0.22 on Neoverse V2 and 0.35 on Cortex-A72. With 16 it would not unroll.

mod vector;

use core::arch::aarch64::uint8x16_t;

use sm4::Backend;
use sm4_modes::shared::Block;

use super::{Order, wide::Powers};

/// The powers of a key. The CPU has `PMULL`: that is checked in [`Key::new`], the only place where
/// values are made.
#[derive(Clone)]
pub(super) struct Key(Powers);

/// Whether the CPU has `PMULL`, which the compiler's feature `aes` contains.
///
/// The cipher asks the operating system for both. A build that is forced to another of its backends
/// says that there is no `neon-aes`; then the build's own features decide.
fn is_available() -> bool {
    cfg!(target_feature = "aes") || Backend::NeonAes.is_available()
}

#[target_feature(enable = "neon,aes")]
fn fill(powers: &mut Powers, h: u128) {
    // SAFETY: the function has the vector's target features
    unsafe { powers.fill::<uint8x16_t>(h) };
}

#[target_feature(enable = "neon,aes")]
fn absorb(powers: &Powers, state: u128, data: &[u8], order: Order, last: Option<u128>) -> u128 {
    // SAFETY: the function has the vector's target features
    unsafe { powers.absorb::<uint8x16_t>(state, data, order, last) }
}

impl Key {
    /// Makes a key, if the CPU has the instructions and the cipher's backend goes beyond NEON.
    pub(super) fn new(h: &Block, backend: Backend) -> Option<Self> {
        if matches!(backend, Backend::Neon | Backend::Soft) || !is_available() {
            return None;
        }
        let mut key = Self(Powers::EMPTY);
        // SAFETY: the CPU has the instructions
        unsafe { fill(&mut key.0, u128::from_le_bytes(h.0)) };
        Some(key)
    }

    pub(super) fn absorb(
        &self,
        state: u128,
        data: &[u8],
        order: Order,
        last: Option<u128>,
    ) -> u128 {
        // SAFETY: the invariant of the type
        unsafe { absorb(&self.0, state, data, order, last) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel is there exactly where it should be, so that comparing results compares it.
    #[test]
    fn taken_where_the_cpu_has_the_instructions() {
        let h = Block::default();
        for backend in Backend::available() {
            let wanted = matches!(backend, Backend::Sm4Ce | Backend::NeonAes);
            assert_eq!(Key::new(&h, backend).is_some(), wanted && is_available());
        }
        assert_eq!(
            is_available(),
            std::arch::is_aarch64_feature_detected!("pmull")
        );
    }
}
