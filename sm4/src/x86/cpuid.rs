//! Which instructions the CPU has, and which of its registers the operating system keeps.
//!
//! Leaves and bits are those of CPUID in the Intel SDM, volume 2A, and the AMD APM, volume 3; that
//! an instruction is there *and* the state of its registers is enabled has to be asked separately
//! (SDM volume 1, 14.3 and 15.2).

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid_count, _xgetbv, CpuidResult};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid_count, _xgetbv, CpuidResult};

/// Which backends can be run, and which carry-less multiplications (for the hashes of `sm4-aead`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    pub(crate) sm4_ni: bool,
    pub(crate) gfni_avx512: bool,
    pub(crate) gfni_avx2: bool,
    pub(crate) vaes_avx2: bool,
    pub(crate) aesni_avx2: bool,
    pub(crate) aesni_avx: bool,
    pub(crate) aesni_ssse3: bool,
    /// AVX-512 (F, BW, VL) with VPCLMULQDQ and PCLMULQDQ.
    pub vpclmul_avx512: bool,
    /// AVX2 with VPCLMULQDQ and PCLMULQDQ.
    pub vpclmul_avx2: bool,
    /// AVX with PCLMULQDQ.
    pub pclmul_avx: bool,
}

/// Asks the CPU. That takes long, above all within a virtual machine.
#[must_use]
pub fn features() -> Features {
    #[target_feature(enable = "xsave")]
    unsafe fn xcr0() -> u64 {
        // SAFETY: the caller vouches for XGETBV; XCR0 exists wherever that does
        unsafe { _xgetbv(0) }
    }

    // Miri is no CPU of this kind, and within an enclave CPUID is not allowed.
    if cfg!(any(miri, target_env = "sgx")) {
        return Features::default();
    }
    decide(
        |leaf, subleaf| {
            // SAFETY: every CPU that has SSE2, as this target demands, has CPUID
            #[allow(unused_unsafe, reason = "unsafe in older toolchains only")]
            unsafe {
                __cpuid_count(leaf, subleaf)
            }
        },
        // SAFETY: `decide` calls this only if the operating system has enabled XGETBV
        || unsafe { xcr0() },
    )
}

/// Leaf 1, ECX.
mod leaf_1_ecx {
    pub(super) const PCLMULQDQ: u32 = 1 << 1;
    pub(super) const SSSE3: u32 = 1 << 9;
    pub(super) const FMA: u32 = 1 << 12;
    pub(super) const AES: u32 = 1 << 25;
    /// The operating system has enabled XGETBV.
    pub(super) const OSXSAVE: u32 = 1 << 27;
    pub(super) const AVX: u32 = 1 << 28;
    pub(super) const F16C: u32 = 1 << 29;
}

/// Leaf 7, subleaf 0, EBX.
mod leaf_7_ebx {
    pub(super) const AVX2: u32 = 1 << 5;
    pub(super) const AVX512F: u32 = 1 << 16;
    pub(super) const AVX512BW: u32 = 1 << 30;
    pub(super) const AVX512VL: u32 = 1 << 31;
}

/// Leaf 7, subleaf 0, ECX.
mod leaf_7_ecx {
    pub(super) const GFNI: u32 = 1 << 8;
    pub(super) const VAES: u32 = 1 << 9;
    pub(super) const VPCLMULQDQ: u32 = 1 << 10;
}

/// Leaf 7, subleaf 1, EAX.
mod leaf_7_1_eax {
    pub(super) const SM4: u32 = 1 << 2;
}

/// The register states that the operating system saves.
mod xcr0 {
    /// XMM, YMM.
    pub(super) const AVX: u64 = 0b110;
    /// Mask registers, upper halves of ZMM0–15, ZMM16–31. All of them, and those of AVX.
    pub(super) const AVX512: u64 = 0b1110_0000 | AVX;
}

/// The decision from what CPUID (a function of leaf and subleaf) and XGETBV say.
fn decide(cpuid: impl Fn(u32, u32) -> CpuidResult, xcr0: impl FnOnce() -> u64) -> Features {
    let none = CpuidResult {
        eax: 0,
        ebx: 0,
        ecx: 0,
        edx: 0,
    };
    // Beyond the highest leaf or subleaf an answer means nothing: Intel's CPUs repeat that of the
    // highest leaf.
    let max_leaf = cpuid(0, 0).eax;
    let leaf = |leaf| {
        if leaf <= max_leaf {
            cpuid(leaf, 0)
        } else {
            none
        }
    };
    let (leaf_1, leaf_7) = (leaf(1), leaf(7));
    let leaf_7_1 = if leaf_7.eax >= 1 { cpuid(7, 1) } else { none };

    let leaf_1_has = |bits| leaf_1.ecx & bits == bits;
    let leaf_7_ebx_has = |bits| leaf_7.ebx & bits == bits;
    let leaf_7_ecx_has = |bits| leaf_7.ecx & bits == bits;

    let state = if leaf_1_has(leaf_1_ecx::OSXSAVE) {
        xcr0()
    } else {
        0
    };
    let state_has = |bits| state & bits == bits;

    // GFNI, VAES and SM4 have bits of their own, but the YMM state and the integer instructions
    // for YMM registers do not follow from them: Tremont has GFNI and no AVX.
    let avx = state_has(xcr0::AVX) && leaf_1_has(leaf_1_ecx::AVX);
    let avx2 = avx && leaf_7_ebx_has(leaf_7_ebx::AVX2);
    // For the compiler AVX512F includes FMA and F16C.
    let avx512 = avx2
        && state_has(xcr0::AVX512)
        && leaf_1_has(leaf_1_ecx::FMA | leaf_1_ecx::F16C)
        && leaf_7_ebx_has(leaf_7_ebx::AVX512F | leaf_7_ebx::AVX512BW | leaf_7_ebx::AVX512VL);
    let aes = leaf_1_has(leaf_1_ecx::AES);
    let pclmul = leaf_1_has(leaf_1_ecx::PCLMULQDQ);
    let vpclmul = pclmul && leaf_7_ecx_has(leaf_7_ecx::VPCLMULQDQ);

    Features {
        sm4_ni: avx2 && leaf_7_1.eax & leaf_7_1_eax::SM4 != 0,
        gfni_avx512: avx512 && leaf_7_ecx_has(leaf_7_ecx::GFNI),
        gfni_avx2: avx2 && leaf_7_ecx_has(leaf_7_ecx::GFNI),
        vaes_avx2: avx2 && aes && leaf_7_ecx_has(leaf_7_ecx::VAES),
        aesni_avx2: avx2 && aes,
        aesni_avx: avx && aes,
        aesni_ssse3: aes && leaf_1_has(leaf_1_ecx::SSSE3),
        vpclmul_avx512: avx512 && vpclmul,
        vpclmul_avx2: avx2 && vpclmul,
        pclmul_avx: avx && pclmul,
    }
}

#[cfg(test)]
mod tests;
