//! Which instructions the CPU has.
//!
//! Linux and Android tell it in the auxiliary vector, Windows by a call of its own, and Apple's
//! targets imply what all of Apple's CPUs have. Elsewhere the build decides by its target features:
//! the identification registers can be read only where the kernel lets programs do so.

/// What the backends need beyond NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Features {
    /// `AESE`.
    pub(crate) aes: bool,
    /// `EOR3`; the compiler's feature also contains the instructions for SHA-512.
    pub(crate) sha3: bool,
    /// `SM4E` and `SM4EKEY`.
    pub(crate) sm4: bool,
}

/// What the build may rely on.
const BUILD: Features = Features {
    aes: cfg!(target_feature = "aes"),
    sha3: cfg!(target_feature = "sha3"),
    sm4: cfg!(target_feature = "sm4"),
};

/// Asks the operating system.
pub(crate) fn features() -> Features {
    let system = system();
    Features {
        aes: BUILD.aes || system.aes,
        sha3: BUILD.sha3 || system.sha3,
        sm4: BUILD.sm4 || system.sm4,
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn system() -> Features {
    use libc::{AT_HWCAP, HWCAP_AES, HWCAP_PMULL, HWCAP_SHA3, HWCAP_SHA512, HWCAP_SM4, getauxval};

    // SAFETY: a question that has an answer, 0, even where it is not understood
    let capabilities = unsafe { getauxval(AT_HWCAP) };
    let all = |bits| capabilities & bits == bits;
    Features {
        aes: all(HWCAP_AES | HWCAP_PMULL),
        sha3: all(HWCAP_SHA3 | HWCAP_SHA512),
        sm4: all(HWCAP_SM4),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn system() -> Features {
    BUILD
}
