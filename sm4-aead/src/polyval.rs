//! The polynomial hashes: POLYVAL (RFC 8452, section 3) and, by way of it, GHASH.
//!
//! For blocks X1 … Xn and the key H both are X1·H^n + … + Xn·H in a field of 2^128 elements, but
//! the order of bits and bytes differs. GHASH is POLYVAL with the bytes of every block reversed and
//! with H·x for the reversed H (RFC 8452, appendix A).

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
#[allow(unsafe_code, reason = "SIMD instructions")]
mod aarch64;
mod portable;
#[cfg(any(
    target_feature = "sse2",
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    )
))]
#[allow(unsafe_code, reason = "SIMD instructions")]
mod wide;
#[cfg(target_feature = "sse2")]
#[allow(unsafe_code, reason = "SIMD instructions")]
mod x86;

use sm4::Backend;
use sm4_modes::shared::Block;

use crate::erased::Erased;

/// In which order a block's bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// As in GHASH.
    Reversed,
    /// As in POLYVAL.
    Straight,
}

/// A key H, with as many of its powers as the kernel can use at once: 16 to 512 bytes, in a place
/// of 576 bytes on x86 and Arm.
#[derive(Clone)]
pub(crate) struct HashKey(Erased<Kernel>);

impl From<Kernel> for HashKey {
    fn from(kernel: Kernel) -> Self {
        Self(Erased::new(kernel))
    }
}

#[allow(
    clippy::large_enum_variant,
    reason = "there is no other place for the powers"
)]
#[derive(Clone)]
enum Kernel {
    Portable(portable::Key),
    #[cfg(target_feature = "sse2")]
    X86(x86::Key),
    #[cfg(all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ))]
    Aarch64(aarch64::Key),
}

impl HashKey {
    /// A key of POLYVAL. The kernel is no wider than the cipher's backend.
    pub(crate) fn polyval(h: &Block, backend: Backend) -> Self {
        #[cfg(target_feature = "sse2")]
        if let Some(key) = x86::Key::new(h, backend) {
            return Kernel::X86(key).into();
        }
        #[cfg(all(
            target_arch = "aarch64",
            target_endian = "little",
            target_feature = "neon"
        ))]
        if let Some(key) = aarch64::Key::new(h, backend) {
            return Kernel::Aarch64(key).into();
        }
        let _ = backend;
        Kernel::Portable(portable::Key::new(h)).into()
    }

    /// A key of GHASH.
    pub(crate) fn ghash(h: &Block, backend: Backend) -> Self {
        // By a shift to the left, and what falls out of it times the field's polynomial
        let h = u128::from_be_bytes(h.0);
        let fallen = (h >> 127) * 0xc200_0000_0000_0000_0000_0000_0000_0001;
        Self::polyval(&(h << 1 ^ fallen).to_le_bytes().into(), backend)
    }

    /// Takes data, filled up with zeros to whole blocks, and after it one more block if there is
    /// `last`, whose bytes are in the order of POLYVAL.
    #[inline]
    pub(crate) fn absorb(
        &self,
        state: u128,
        data: &[u8],
        order: Order,
        last: Option<u128>,
    ) -> u128 {
        match &*self.0 {
            Kernel::Portable(key) => key.absorb(state, data, order, last),
            #[cfg(target_feature = "sse2")]
            Kernel::X86(key) => key.absorb(state, data, order, last),
            #[cfg(all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ))]
            Kernel::Aarch64(key) => key.absorb(state, data, order, last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyval::hazmat::FieldElement;
    use std::vec::Vec;

    /// Every kernel that the CPU has, against `polyval`, for lengths around all batch sizes.
    #[test]
    fn kernels() {
        let byte = |i: usize| (i * i * 31 + i / 7 + 5).to_le_bytes()[0];
        let data: Vec<u8> = (0..2200).map(byte).collect();
        let h = Block::from_fn(|i| byte(i + 3000));
        let mut count = 0;
        for backend in Backend::available() {
            let key = HashKey::polyval(&h, backend);
            let oracle = HashKey::from(Kernel::Portable(portable::Key::new(&h)));
            for order in [Order::Reversed, Order::Straight] {
                for last in [None, Some(u128::MAX / 11)] {
                    for len in 0..1100 {
                        let data = &data[len % 64..][..len];
                        let state = u128::from_le_bytes(h.0).wrapping_mul(len as u128);
                        assert_eq!(
                            key.absorb(state, data, order, last),
                            oracle.absorb(state, data, order, last),
                            "{backend} {order:?} {last:?} {len}"
                        );
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(count, 4400 * Backend::available().count());
    }

    /// Every kernel against one block after the other, times H with integers: `polyval`, the oracle
    /// above, may use the same instructions as a kernel.
    #[test]
    fn one_block_after_the_other() {
        let h = Block::from_fn(|i| (i * i * 89 + 7).to_le_bytes()[0]);
        let blocks: Vec<u128> = (1..=80_u128)
            .map(|i| i.wrapping_mul(u128::MAX / 0x1357_9bdf))
            .collect();
        for backend in Backend::available() {
            let key = HashKey::polyval(&h, backend);
            let (mut data, mut expected) = (Vec::new(), FieldElement::from(3_u128));
            for block in &blocks {
                data.extend(block.to_le_bytes());
                expected = (expected + (*block).into()) * h.0.into();
                let hash = key.absorb(3, &data, Order::Straight, None);
                assert_eq!(hash, expected.into(), "{backend} {}", data.len());
            }
        }
    }
}
