//! Which instructions the CPU has.
//!
//! Linux and Android tell it in the auxiliary vector, Windows by a call of its own. Apple's targets
//! imply what all of Apple's CPUs have: the AES instructions, and none for SM4. Elsewhere there is
//! nobody to ask: programs cannot read the identification registers unless the operating system
//! plays along, so the build decides by its target features.

/// What the backends need beyond NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// `AESE`.
    pub(crate) aes: bool,
    /// `SM4E` and `SM4EKEY`.
    pub(crate) sm4: bool,
}

/// What the build may rely on.
const BUILD: Features = Features {
    aes: cfg!(target_feature = "aes"),
    sm4: cfg!(target_feature = "sm4"),
};

/// What the build may rely on, and what the operating system knows besides.
pub(crate) fn features() -> Features {
    let system = system();
    Features {
        aes: BUILD.aes || system.aes,
        sm4: BUILD.sm4 || system.sm4,
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn system() -> Features {
    use libc::{AT_HWCAP, HWCAP_AES, HWCAP_PMULL, HWCAP_SM4, getauxval};

    // SAFETY: a question that has an answer, 0, even where it is not understood
    let capabilities = unsafe { getauxval(AT_HWCAP) };
    let all = |bits| capabilities & bits == bits;
    Features {
        // The compiler's feature `aes` contains `PMULL`.
        aes: all(HWCAP_AES | HWCAP_PMULL),
        // The compiler's feature `sm4` contains SM3 as well, but it puts in no instructions of
        // either by itself, and the assembly has those of SM4 only.
        sm4: all(HWCAP_SM4),
    }
}

#[cfg(windows)]
fn system() -> Features {
    #[link(name = "kernel32")]
    unsafe extern "system" {
        safe fn IsProcessorFeaturePresent(feature: u32) -> i32;
    }

    const PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE: u32 = 30;
    Features {
        aes: IsProcessorFeaturePresent(PF_ARM_V8_CRYPTO_INSTRUCTIONS_AVAILABLE) != 0,
        // There is no such question.
        sm4: false,
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
fn system() -> Features {
    BUILD
}
