//! Which kernel the CPU and the operating system allow.

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid, __cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
use core::sync::atomic::{AtomicU8, Ordering};

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
    pub(super) fn best() -> Self {
        /// CPUID is slow, so the answer is kept.
        static BEST: AtomicU8 = AtomicU8::new(u8::MAX);

        let known = BEST.load(Ordering::Relaxed);
        if let Some(&isa) = ALL.get(usize::from(known)) {
            return isa;
        }
        let isa = detect();
        BEST.store(isa as u8, Ordering::Relaxed);
        isa
    }
}

#[cold]
#[allow(
    unused_unsafe,
    reason = "CPUID is a safe function in later versions of Rust"
)]
fn detect() -> Isa {
    if cfg!(any(
        target_env = "sgx",
        target_os = "none",
        target_os = "uefi"
    )) {
        return Isa::None;
    }
    let bit = |register: u32, bit: u32| register >> bit & 1 == 1;

    // SAFETY: the CPUs of Rust's x86 targets with SSE2 have CPUID
    let (max, one) = unsafe { (__cpuid(0).eax, __cpuid(1)) };
    let (pclmulqdq, osxsave, avx) = (bit(one.ecx, 1), bit(one.ecx, 27), bit(one.ecx, 28));
    if !(pclmulqdq && osxsave && avx) {
        return Isa::None;
    }
    // SAFETY: OSXSAVE says that the instruction is there
    let kept = unsafe { xcr0() };
    if kept & 0b110 != 0b110 {
        return Isa::None;
    }
    if max < 7 {
        return Isa::Avx;
    }
    // SAFETY: as above; leaf 7 is not above the maximum
    let seven = unsafe { __cpuid_count(7, 0) };
    let (avx2, vpclmulqdq) = (bit(seven.ebx, 5), bit(seven.ecx, 10));
    // The compiler takes FMA and F16C for a part of AVX-512.
    let avx512 = bit(one.ecx, 12)
        && bit(one.ecx, 29)
        && bit(seven.ebx, 16)
        && bit(seven.ebx, 30)
        && bit(seven.ebx, 31);
    if !(avx2 && vpclmulqdq) {
        Isa::Avx
    } else if avx512 && kept & 0b1110_0110 == 0b1110_0110 {
        Isa::Avx512
    } else {
        Isa::Avx2
    }
}

#[target_feature(enable = "xsave")]
fn xcr0() -> u64 {
    // SAFETY: the caller has checked that the instruction is there
    unsafe { _xgetbv(0) }
}
