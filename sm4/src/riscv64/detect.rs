//! Which instructions the CPUs have.
//!
//! Linux tells it in answer to a system call of its own, `riscv_hwprobe` (since 6.4; the extensions
//! of interest since 6.8). Elsewhere there is nobody to ask, and the build decides by its target
//! features.
//!
//! An extension says what instructions do, not that the time they take is the same for all data. That
//! is what Zkt says of the scalar ones, and Zvkt of those on vectors; a CPU that has not got it is
//! left to the portable backend. Zvks contains Zvkt, but Zks does not contain Zkt; the profiles RVA22
//! and RVA23 demand Zkt, RVA23 Zvkt as well.

/// What the backends need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// Scalar SM4 instructions, whose time is independent of data (Zkt).
    pub(crate) zksed: bool,
    /// Vector SM4 instructions, with vectors (V) and their byte reversal (Zvkb), whose time is
    /// independent of data (Zvkt).
    pub(crate) zvksed: bool,
}

/// What the build may rely on.
const BUILD: Features = Features {
    zksed: cfg!(all(target_feature = "zksed", target_feature = "zkt")),
    zvksed: cfg!(all(
        target_feature = "v",
        target_feature = "zvkb",
        target_feature = "zvksed",
        target_feature = "zvkt"
    )),
};

/// Asks the operating system.
pub(crate) fn features() -> Features {
    let system = system();
    Features {
        zksed: BUILD.zksed || system.zksed,
        zvksed: BUILD.zvksed || system.zvksed,
    }
}

#[cfg(target_os = "linux")]
fn system() -> Features {
    use core::arch::asm;

    /// A question and its answer.
    #[repr(C)]
    struct Pair {
        key: i64,
        value: u64,
    }

    const SYS_RISCV_HWPROBE: isize = 258;
    const IMA_EXT_0: i64 = 4;
    const V: u64 = 1 << 2;
    const ZKSED: u64 = 1 << 14;
    const ZKT: u64 = 1 << 16;
    const ZVKB: u64 = 1 << 19;
    const ZVKSED: u64 = 1 << 24;
    const ZVKT: u64 = 1 << 26;

    let mut pair = Pair {
        key: IMA_EXT_0,
        value: 0,
    };
    let failed: isize;
    // SAFETY: the system call answers one pair, about all CPUs, since no set of CPUs is given
    unsafe {
        asm!(
            "ecall",
            in("a7") SYS_RISCV_HWPROBE,
            inlateout("a0") &raw mut pair => failed,
            in("a1") 1_usize,
            in("a2") 0_usize,
            in("a3") 0_usize,
            in("a4") 0_usize,
            options(nostack),
        );
    }
    // A kernel that does not know the key sets it to -1.
    let answered = failed == 0 && pair.key == IMA_EXT_0;
    let all = |bits| answered && pair.value & bits == bits;
    Features {
        zksed: all(ZKSED | ZKT),
        zvksed: all(V | ZVKB | ZVKSED | ZVKT),
    }
}

#[cfg(not(target_os = "linux"))]
fn system() -> Features {
    BUILD
}
