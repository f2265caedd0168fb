//! Which kernel the CPU and the operating system allow.

use core::sync::atomic::{AtomicU8, Ordering};

use sm4::cpuid::{Features, features};

/// The instructions that a kernel is made for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Isa {
    /// No kernel here fits.
    None,
    /// AVX with PCLMULQDQ.
    Avx,
    /// AVX2 with VPCLMULQDQ.
    Avx2,
    /// AVX-512 (F, BW, VL) with VPCLMULQDQ.
    Avx512,
}

const ALL: [Isa; 4] = [Isa::None, Isa::Avx, Isa::Avx2, Isa::Avx512];

impl Isa {
    /// The best that is there.
    #[inline]
    pub(super) fn best() -> Self {
        /// CPUID is slow, so the answer is kept.
        static BEST: AtomicU8 = AtomicU8::new(u8::MAX);

        let known = BEST.load(Ordering::Relaxed);
        if let Some(&isa) = ALL.get(usize::from(known)) {
            return isa;
        }
        let isa = Self::of(features());
        BEST.store(isa as u8, Ordering::Relaxed);
        isa
    }

    #[cold]
    fn of(features: Features) -> Self {
        match features {
            Features {
                vpclmul_avx512: true,
                ..
            } => Self::Avx512,
            Features {
                vpclmul_avx2: true, ..
            } => Self::Avx2,
            Features {
                pclmul_avx: true, ..
            } => Self::Avx,
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wider instructions come with the narrower ones, and the widest are taken.
    #[test]
    fn the_widest_is_taken() {
        let mut there = Features::default();
        assert_eq!(Isa::of(there), Isa::None);
        there.pclmul_avx = true;
        assert_eq!(Isa::of(there), Isa::Avx);
        there.vpclmul_avx2 = true;
        assert_eq!(Isa::of(there), Isa::Avx2);
        there.vpclmul_avx512 = true;
        assert_eq!(Isa::of(there), Isa::Avx512);
        // the first time, and from what is kept
        assert_eq!(Isa::best(), Isa::of(features()));
        assert_eq!(Isa::best(), Isa::of(features()));
    }
}
