//! POLYVAL on x86: the kernels for XMM, YMM and ZMM registers.

mod detect;
mod vector;

#[cfg(target_arch = "x86")]
use core::arch::x86::{__m128i, __m256i, __m512i};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__m128i, __m256i, __m512i};

use sm4::Backend;
use sm4_modes::shared::Block;

use super::{Order, wide::Powers};
use detect::Isa;

/// The powers of a key, and the kernel for them. The CPU has the instructions of the kernel: that is
/// checked in [`Key::new`], the only place where values are made.
#[derive(Clone)]
pub(super) struct Key {
    isa: Isa,
    /// Zeros up to where the powers begin. Padding would take along what lies on the stack where the
    /// key is made, and nothing would wipe it.
    _filling: [u8; 63],
    powers: Powers,
}

/// Kernels as functions with target features.
macro_rules! kernel {
    ($name:ident, $vector:ty, #[$features:meta]) => {
        mod $name {
            use super::*;

            #[$features]
            pub(super) fn fill(powers: &mut Powers, h: u128) {
                // SAFETY: the function has the vector's target features
                unsafe { powers.fill::<$vector>(h) };
            }

            #[$features]
            pub(super) fn absorb(
                powers: &Powers,
                state: u128,
                data: &[u8],
                order: Order,
                last: Option<u128>,
            ) -> u128 {
                // SAFETY: the function has the vector's target features
                unsafe { powers.absorb::<$vector>(state, data, order, last) }
            }
        }
    };
}

kernel!(avx, __m128i, #[target_feature(enable = "avx,pclmulqdq")]);
kernel!(avx2, __m256i, #[target_feature(enable = "avx2,pclmulqdq,vpclmulqdq")]);
kernel!(avx512, __m512i, #[target_feature(
    enable = "avx512f,avx512bw,avx512vl,pclmulqdq,vpclmulqdq"
)]);

impl Key {
    /// Makes a key for the best kernel that is no wider than the cipher's backend.
    #[inline]
    pub(super) fn new(h: &Block, backend: Backend) -> Option<Self> {
        let widest = match backend {
            Backend::Soft | Backend::AesniSsse3 => Isa::None,
            Backend::AesniAvx => Isa::Avx,
            Backend::GfniAvx512 => Isa::Avx512,
            _ => Isa::Avx2,
        };
        let mut key = Self {
            isa: Isa::best().min(widest),
            _filling: [0; 63],
            powers: Powers::EMPTY,
        };
        let h = u128::from_le_bytes(h.0);
        // SAFETY: `Isa::best` says that the CPU has the instructions, and those of lesser kernels
        unsafe {
            match key.isa {
                Isa::None => return None,
                Isa::Avx => avx::fill(&mut key.powers, h),
                Isa::Avx2 => avx2::fill(&mut key.powers, h),
                Isa::Avx512 => avx512::fill(&mut key.powers, h),
            }
        }
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
        unsafe {
            match self.isa {
                Isa::None => unreachable!("no key is made then"),
                Isa::Avx => avx::absorb(&self.powers, state, data, order, last),
                Isa::Avx2 => avx2::absorb(&self.powers, state, data, order, last),
                Isa::Avx512 => avx512::absorb(&self.powers, state, data, order, last),
            }
        }
    }
}
