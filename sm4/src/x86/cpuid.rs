//! Which instructions the CPU has, and which of its registers the operating system keeps.

/// What the backends need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    pub(crate) sm4_ni: bool,
    pub(crate) gfni_avx512: bool,
    pub(crate) aesni_avx2: bool,
}

/// Asks the CPU.
pub(crate) fn features() -> Features {
    use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};
    #[target_feature(enable = "xsave")]
    fn xcr0() -> u64 {
        unsafe { _xgetbv(0) }
    }
    let max = __cpuid(0).eax;
    let one = __cpuid(1);
    let seven = if max >= 7 {
        __cpuid_count(7, 0)
    } else {
        __cpuid(0x8000_0000)
    };
    let xcr0 = if one.ecx >> 27 & 1 == 1 {
        unsafe { xcr0() }
    } else {
        0
    };
    let bit = |r: u32, b: u32| r >> b & 1 == 1;
    let ymm = xcr0 & 6 == 6;
    let zmm = xcr0 & 0xe6 == 0xe6;
    let avx2 = max >= 7 && ymm && bit(one.ecx, 28) && bit(seven.ebx, 5);
    let sm4 = avx2 && seven.eax >= 1 && bit(__cpuid_count(7, 1).eax, 2);
    Features {
        sm4_ni: sm4,
        gfni_avx512: avx2
            && zmm
            && bit(seven.ebx, 16)
            && bit(seven.ebx, 30)
            && bit(seven.ebx, 31)
            && bit(seven.ecx, 8),
        aesni_avx2: avx2 && bit(one.ecx, 25),
    }
}
