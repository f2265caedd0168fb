//! The list of backends: their names, which of them this CPU has, and the way from a name to the
//! code.

use core::{
    fmt,
    str::FromStr,
    sync::atomic::{AtomicU32, Ordering},
};

use crate::kernel::InstructionSet;

macro_rules! backends {
    ($(
        $(#[doc = $doc:literal])*
        $variant:ident = $name:literal $(if $(#[$cfg:meta])? {
            $isa:path, $detect:expr
        })?;
    )*) => {
        /// A way to compute SM4: a set of CPU instructions and the code that is made for it.
        ///
        /// All of them give the same results, and all of them in constant time; they differ in
        /// speed. [`Sm4::new`](crate::Sm4) takes the best one that the CPU has.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Backend {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Backend {
            /// Every backend there is, best first.
            const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The name, as [`FromStr`] and `--cfg sm4_backend="<name>"` take it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The backend that the build was told to use.
            pub(crate) const FORCED: Option<Self> = {
                let mut forced = None;
                $(
                    if cfg!(sm4_backend = $name) {
                        forced = Some(Self::$variant);
                    }
                )*
                forced
            };

            /// Whether this build has the code and the CPU the instructions.
            fn detect(self) -> bool {
                match self {
                    $($($(#[$cfg])? Self::$variant => $detect,)?)*
                    #[allow(unreachable_patterns, reason = "not on a target with all backends")]
                    _ => false,
                }
            }

            /// Calls the visitor with the instruction set of this backend.
            ///
            /// # Safety
            /// The backend is available.
            #[inline(always)]
            pub(crate) unsafe fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                // Where a backend is forced, there is no other; so the compiler drops their code.
                match Self::FORCED.unwrap_or(self) {
                    // SAFETY: the CPU has the instructions of an available backend
                    $($($(#[$cfg])? Self::$variant => unsafe { visitor.visit::<$isa>() },)?)*
                    #[allow(unreachable_patterns, reason = "not on a target with all backends")]
                    _ => unreachable!("not in this build"),
                }
            }
        }
    };
}

backends! {
    // Before AVX-512 with GFNI, for the CPUs that have both (Diamond Rapids): one block takes eight
    // instructions instead of 32 rounds of some nine cycles, and few blocks no longer. For many
    // blocks it is at least equal if a YMM instruction can start every other cycle; if not, many
    // blocks would lose less than one block gains.
    /// The SM4 instructions of Intel's CPUs from Lunar Lake and Arrow Lake (clients) and
    /// Clearwater Forest and Diamond Rapids (servers), with AVX2.
    Sm4Ni = "sm4-ni" if #[cfg(target_feature = "sse2")] {
        crate::x86::Sm4Ni, crate::x86::cpuid::features().sm4_ni
    };

    /// AVX-512 (F, BW, VL) with GFNI: Intel from Ice Lake (servers and some clients), AMD from
    /// Zen 4.
    GfniAvx512 = "gfni-avx512" if #[cfg(target_feature = "sse2")] {
        crate::x86::GfniAvx512, crate::x86::cpuid::features().gfni_avx512
    };

    /// AVX2 with GFNI: Intel clients from Alder Lake, Sierra Forest.
    GfniAvx2 = "gfni-avx2" if #[cfg(target_feature = "sse2")] {
        crate::x86::GfniAvx2, crate::x86::cpuid::features().gfni_avx2
    };

    /// AVX2 with VAES: AMD Zen 3.
    VaesAvx2 = "vaes-avx2" if #[cfg(target_feature = "sse2")] {
        crate::x86::VaesAvx2, crate::x86::cpuid::features().vaes_avx2
    };

    /// AVX2 with AES-NI: Intel from Haswell, AMD from Excavator and Zen.
    AesniAvx2 = "aesni-avx2" if #[cfg(target_feature = "sse2")] {
        crate::x86::AesniAvx2, crate::x86::cpuid::features().aesni_avx2
    };

    /// AVX with AES-NI: Intel from Sandy Bridge, AMD from Bulldozer.
    AesniAvx = "aesni-avx" if #[cfg(target_feature = "sse2")] {
        crate::x86::AesniAvx, crate::x86::cpuid::features().aesni_avx
    };

    /// AES-NI and SSSE3: Intel's Westmere and its Atoms up to Tremont, and virtual machines without AVX.
    AesniSsse3 = "aesni-ssse3" if #[cfg(target_feature = "sse2")] {
        crate::x86::AesniSsse3, crate::x86::cpuid::features().aesni_ssse3
    };

    /// The SM4 instructions of Arm's cryptographic extension: Neoverse, Cortex-X, Kunpeng,
    /// Yitian and Phytium cores that have it, none of Apple's.
    Sm4Ce = "sm4-ce" if #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))] {
        crate::aarch64::Sm4Ce, crate::aarch64::detect::features().sm4
    };

    /// NEON with the AES instructions and `PMULL`: nearly all 64-bit Arm cores.
    NeonAes = "neon-aes" if #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))] {
        crate::aarch64::NeonAes, crate::aarch64::detect::features().aes
    };

    /// NEON alone: 64-bit Arm cores without the cryptographic extension, as in Raspberry Pis up to
    /// the fourth.
    Neon = "neon" if #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))] {
        crate::aarch64::Neon, true
    };

    /// RISC-V's vector SM4 instructions, Zvksed with V, Zvkb and Zvkt (as in Zvks).
    Zvksed = "zvksed" if #[cfg(target_arch = "riscv64")] {
        crate::riscv64::Zvksed, crate::riscv64::detect::features().zvksed
    };

    /// RISC-V's scalar SM4 instructions, Zksed (as in Zks) with Zkt.
    Zksed = "zksed" if #[cfg(target_arch = "riscv64")] {
        crate::riscv64::Zksed, crate::riscv64::detect::features().zksed
    };

    /// WebAssembly's 128-bit vectors, in builds with `-C target-feature=+simd128`.
    Simd128 = "simd128" if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
        crate::wasm32::Simd128, true
    };

    // There is nothing for POWER and s390x. POWER8's `vsbox` and `vpermxor` would do what AES
    // instructions and nibble tables do elsewhere, but stable Rust (1.95) has neither POWER's vector
    // types nor their intrinsics: a kernel could only be one piece of assembly from load to store, and
    // not an instance of the round. It is the same with the byte permutations of s390x.
    /// No instructions beyond those that every CPU of the target has: bit-sliced.
    Soft = "soft" if { crate::soft::Soft, true };
}

/// Something to be done with a backend's instruction set.
pub(crate) trait Visitor {
    type Output;

    /// # Safety
    /// The CPU has the instruction set.
    unsafe fn visit<I: InstructionSet>(self) -> Self::Output;
}

/// Bit `b` is set if backend `b` is there, and [`DETECTED`] after the first detection.
static AVAILABLE: AtomicU32 = AtomicU32::new(0);

/// Above the bits of all backends.
const DETECTED: u32 = 1 << 31;

impl Backend {
    /// The backends that this build has and this CPU can run, best first.
    ///
    /// ```
    /// for backend in sm4::Backend::available() {
    ///     println!("{backend}");
    /// }
    /// ```
    pub fn available() -> impl Iterator<Item = Self> + Clone + fmt::Debug {
        Self::ALL
            .iter()
            .copied()
            .filter(|backend| backend.is_available())
    }

    /// Whether this build has this backend and this CPU can run it.
    #[must_use]
    #[inline]
    pub fn is_available(self) -> bool {
        Self::all_available() & (1 << self as u8) != 0
    }

    #[inline]
    fn all_available() -> u32 {
        match AVAILABLE.load(Ordering::Relaxed) {
            0 => Self::detect_all(),
            available => available,
        }
    }

    /// The best one that is there.
    ///
    /// # Panics
    /// If the build was forced to a backend which this CPU does not have.
    #[must_use]
    #[inline]
    pub(crate) fn best() -> Self {
        // The list is sorted: the best backend has the lowest number.
        match Self::ALL.get(Self::all_available().trailing_zeros() as usize) {
            Some(&best) => best,
            None => panic!("this build is forced to an SM4 backend that this CPU does not have"),
        }
    }

    #[cold]
    fn detect_all() -> u32 {
        let mut available = DETECTED;
        for &backend in Self::ALL {
            if Self::FORCED.is_none_or(|forced| forced == backend) && backend.detect() {
                available |= 1 << backend as u8;
            }
        }
        AVAILABLE.store(available, Ordering::Relaxed);
        available
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(name: &str) -> Result<Self, UnknownBackend> {
        Self::ALL
            .iter()
            .copied()
            .find(|backend| backend.name() == name)
            .ok_or(UnknownBackend)
    }
}

/// There is no backend of this name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct UnknownBackend;

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown SM4 backend")
    }
}

impl core::error::Error for UnknownBackend {}

/// This CPU or this build does not have the backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnavailableBackend(pub(crate) Backend);

impl UnavailableBackend {
    /// The backend that was asked for.
    #[must_use]
    pub const fn backend(self) -> Backend {
        self.0
    }
}

impl fmt::Display for UnavailableBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "SM4 backend {} is not available on this CPU or in this build",
            self.0
        )
    }
}

impl core::error::Error for UnavailableBackend {}
