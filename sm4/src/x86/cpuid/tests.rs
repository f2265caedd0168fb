//! The decision for CPUs and virtual machines that are not here.

use std::{string::String, vec::Vec};

use super::{CpuidResult, Features, decide};

/// What a CPU and its operating system say.
#[derive(Clone, Copy)]
struct Cpu {
    name: &'static str,
    max_leaf: u32,
    /// What the leaves above `max_leaf` return: EAX, EBX, ECX.
    beyond: [u32; 3],
    leaf_1_ecx: u32,
    /// EAX, EBX, ECX.
    leaf_7: [u32; 3],
    leaf_7_1_eax: u32,
    /// `None`: XGETBV is not enabled, and using it is a fault.
    xcr0: Option<u64>,
}

impl Cpu {
    /// The same with another answer of XGETBV.
    fn with_state(self, xcr0: Option<u64>) -> Self {
        Self { xcr0, ..self }
    }

    /// The same without these bits.
    fn without(self, leaf_1_ecx: u32, leaf_7_ebx: u32, leaf_7_ecx: u32) -> Self {
        let [eax, ebx, ecx] = self.leaf_7;
        Self {
            leaf_1_ecx: self.leaf_1_ecx & !leaf_1_ecx,
            leaf_7: [eax, ebx & !leaf_7_ebx, ecx & !leaf_7_ecx],
            ..self
        }
    }

    fn decide(self) -> Features {
        let registers = |[eax, ebx, ecx]: [u32; 3]| CpuidResult {
            eax,
            ebx,
            ecx,
            edx: 0,
        };
        decide(
            |leaf, subleaf| {
                registers(match (leaf, subleaf) {
                    (0, 0) => [self.max_leaf, 0, 0],
                    _ if leaf > self.max_leaf => self.beyond,
                    (1, 0) => [0, 0, self.leaf_1_ecx],
                    (7, 0) => self.leaf_7,
                    (7, 1) => [self.leaf_7_1_eax, 0, 0],
                    _ => panic!("{}: leaf {leaf}, {subleaf} is of no use", self.name),
                })
            },
            || self.xcr0.expect("XGETBV is not enabled"),
        )
    }

    /// Checks that just these backends can be run.
    fn has(self, expected: &str) {
        let features = self.decide();
        self.compare(
            &[
                ("sm4-ni", features.sm4_ni),
                ("gfni-avx512", features.gfni_avx512),
                ("gfni-avx2", features.gfni_avx2),
                ("vaes-avx2", features.vaes_avx2),
                ("aesni-avx2", features.aesni_avx2),
                ("aesni-avx", features.aesni_avx),
                ("aesni-ssse3", features.aesni_ssse3),
            ],
            expected,
        );
    }

    /// Checks that just these vectors can be multiplied.
    fn multiplies(self, expected: &str) {
        let features = self.decide();
        self.compare(
            &[
                ("zmm", features.vpclmul_avx512),
                ("ymm", features.vpclmul_avx2),
                ("xmm", features.pclmul_avx),
            ],
            expected,
        );
    }

    fn compare(self, features: &[(&str, bool)], expected: &str) {
        let names: Vec<&str> = features
            .iter()
            .filter_map(|(name, there)| there.then_some(*name))
            .collect();
        assert_eq!(names.join(" "), expected, "{}", self.name);
    }
}

// Registers as read on such CPUs, if not said otherwise.

const NEHALEM: Cpu = Cpu {
    name: "Nehalem (Core i7-920)",
    max_leaf: 0xb,
    beyond: [1, 2, 0x100],
    leaf_1_ecx: 0x0098_e3bd,
    leaf_7: [0, 0, 0],
    leaf_7_1_eax: 0,
    xcr0: None,
};

const WESTMERE: Cpu = Cpu {
    name: "Westmere (Core i7-980X)",
    leaf_1_ecx: 0x029a_e3bf,
    ..NEHALEM
};

const SANDY_BRIDGE: Cpu = Cpu {
    name: "Sandy Bridge (features by the manual)",
    max_leaf: 0xd,
    beyond: [7, 0x340, 0x340],
    leaf_1_ecx: 0x1fba_e3bf,
    xcr0: Some(0x7),
    ..NEHALEM
};

const HASWELL: Cpu = Cpu {
    name: "Haswell (Core i7-4710MQ)",
    leaf_1_ecx: 0x7fda_fbbf,
    leaf_7: [0, 0x27ab, 0],
    ..SANDY_BRIDGE
};

const SKYLAKE_X: Cpu = Cpu {
    name: "Skylake-X (Core i7-7800X)",
    max_leaf: 0x16,
    beyond: [0xdac, 0xfa0, 0x64],
    leaf_1_ecx: 0x7ffe_fbbf,
    leaf_7: [0, 0xd39f_fffb, 0],
    leaf_7_1_eax: 0,
    xcr0: Some(0xff),
};

const ZEN_3: Cpu = Cpu {
    name: "Zen 3 (Ryzen 5 5600X3D)",
    max_leaf: 0x10,
    beyond: [0, 0, 0],
    leaf_1_ecx: 0x7ef8_320b,
    leaf_7: [0, 0x219c_97a9, 0x0040_068c],
    leaf_7_1_eax: 0,
    xcr0: Some(0x207),
};

const ZEN_4: Cpu = Cpu {
    name: "Zen 4 (Ryzen 5 7600X)",
    leaf_7: [1, 0xf1bf_97a9, 0x0040_5fce],
    leaf_7_1_eax: 0x20,
    xcr0: Some(0x2e7),
    ..ZEN_3
};

const ALDER_LAKE: Cpu = Cpu {
    name: "Alder Lake (Core i9-12900K)",
    max_leaf: 0x20,
    beyond: [0, 1, 0],
    leaf_1_ecx: 0x7ffa_fbff,
    leaf_7: [1, 0x239c_a7eb, 0x98c0_27ac],
    leaf_7_1_eax: 0x0040_0810,
    xcr0: Some(0x207),
};

const TREMONT: Cpu = Cpu {
    name: "Tremont (Celeron J6412)",
    max_leaf: 0x1b,
    beyond: [0, 0, 0],
    leaf_1_ecx: 0x4ff8_ebbf,
    leaf_7: [0, 0x2394_a2c3, 0x1840_0124],
    leaf_7_1_eax: 0,
    xcr0: Some(0x3),
};

const SAPPHIRE_RAPIDS: Cpu = Cpu {
    name: "Sapphire Rapids (Xeon w7-2475X)",
    max_leaf: 0x20,
    beyond: [0, 0, 0],
    leaf_1_ecx: 0x7ffe_fbff,
    leaf_7: [2, 0xf3bf_bffb, 0xbb41_7fee],
    leaf_7_1_eax: 0x1c30,
    xcr0: Some(0x6_02e7),
};

const ARROW_LAKE: Cpu = Cpu {
    name: "Arrow Lake (Core Ultra 5 245K)",
    max_leaf: 0x23,
    beyond: [0xb, 3, 0],
    leaf_1_ecx: 0x7ffa_fbff,
    leaf_7: [2, 0x239c_a7eb, 0x9940_27ac],
    leaf_7_1_eax: 0x44c0_09d7,
    xcr0: Some(0x207),
};

const SIERRA_FOREST: Cpu = Cpu {
    name: "Sierra Forest (features by the manual)",
    leaf_7_1_eax: 0x0080_1c90,
    ..ARROW_LAKE
};

const DIAMOND_RAPIDS: Cpu = Cpu {
    name: "Diamond Rapids (features by the manual)",
    leaf_7_1_eax: 0x1c30 | 1 << 2,
    ..SAPPHIRE_RAPIDS
};

const SSE: &str = "aesni-ssse3";
const AESNI: &str = "aesni-avx2 aesni-avx aesni-ssse3";
const GFNI: &str = "gfni-avx2 vaes-avx2 aesni-avx2 aesni-avx aesni-ssse3";
const GFNI_AVX512: &str = "gfni-avx512 gfni-avx2 vaes-avx2 aesni-avx2 aesni-avx aesni-ssse3";

#[test]
fn cpus() {
    NEHALEM.has("");
    WESTMERE.has(SSE);
    SANDY_BRIDGE.has("aesni-avx aesni-ssse3");
    HASWELL.has(AESNI);
    SKYLAKE_X.has(AESNI);
    ZEN_3.has("vaes-avx2 aesni-avx2 aesni-avx aesni-ssse3");
    ZEN_4.has(GFNI_AVX512);
    ALDER_LAKE.has(GFNI);
    TREMONT.has(SSE);
    SIERRA_FOREST.has(GFNI);
    SAPPHIRE_RAPIDS.has(GFNI_AVX512);
    ARROW_LAKE.has(&(String::from("sm4-ni ") + GFNI));
    DIAMOND_RAPIDS.has(&(String::from("sm4-ni ") + GFNI_AVX512));
}

/// Carry-less multiplications have bits of their own; each needs the state and the vectors as well.
#[test]
fn multiplications() {
    // PCLMULQDQ came with Westmere, in VEX encoding with Sandy Bridge.
    NEHALEM.multiplies("");
    WESTMERE.multiplies("");
    TREMONT.multiplies("");
    SANDY_BRIDGE.multiplies("xmm");
    HASWELL.multiplies("xmm");
    SKYLAKE_X.multiplies("xmm");
    ZEN_3.multiplies("ymm xmm");
    ALDER_LAKE.multiplies("ymm xmm");
    ZEN_4.multiplies("zmm ymm xmm");
    DIAMOND_RAPIDS.multiplies("zmm ymm xmm");

    ZEN_4.with_state(Some(0x7)).multiplies("ymm xmm");
    ZEN_4.with_state(Some(0x3)).multiplies("");
    ZEN_4.without(1 << 27, 0, 0).with_state(None).multiplies("");
    ZEN_4.without(1 << 1, 0, 0).multiplies("");
    ZEN_4.without(1 << 12, 0, 0).multiplies("ymm xmm");
    ZEN_4.without(1 << 28, 0, 0).multiplies("");
    ZEN_4.without(0, 1 << 5, 0).multiplies("xmm");
    for bit in [16, 30, 31] {
        ZEN_4.without(0, 1 << bit, 0).multiplies("ymm xmm");
    }
    ZEN_4.without(0, 0, 1 << 10).multiplies("xmm");
    Cpu {
        max_leaf: 6,
        beyond: [!0, !0, !0],
        ..ZEN_4
    }
    .multiplies("xmm");
}

/// An operating system that does not save the registers, a piece at a time.
#[test]
fn states() {
    for state in [0x7, 0x27, 0x67, 0xa7, 0xc7, 0x6_0207] {
        SAPPHIRE_RAPIDS.with_state(Some(state)).has(GFNI);
    }
    SAPPHIRE_RAPIDS.with_state(Some(0xe7)).has(GFNI_AVX512);
    for state in [0x0, 0x1, 0x3, 0x5, 0xe3, 0xe5] {
        SAPPHIRE_RAPIDS.with_state(Some(state)).has(SSE);
        ARROW_LAKE.with_state(Some(state)).has(SSE);
    }
    // AVX is in CPUID, but not even XGETBV is enabled.
    for cpu in [HASWELL, ZEN_4, SAPPHIRE_RAPIDS, ARROW_LAKE] {
        cpu.without(1 << 27, 0, 0).with_state(None).has(SSE);
    }
}

/// Virtual machines that hide some of what there is.
#[test]
fn hidden() {
    // Any part of AVX-512; the state is enabled nevertheless.
    for bit in [16, 30, 31] {
        SAPPHIRE_RAPIDS.without(0, 1 << bit, 0).has(GFNI);
    }
    for bit in [12, 29] {
        SAPPHIRE_RAPIDS.without(1 << bit, 0, 0).has(GFNI);
    }
    // AVX2, with all that is built on it; AVX.
    DIAMOND_RAPIDS
        .without(0, 1 << 5, 0)
        .has("aesni-avx aesni-ssse3");
    DIAMOND_RAPIDS.without(1 << 28, 0, 0).has(SSE);
    // SSSE3, without which no table is looked up.
    DIAMOND_RAPIDS.without(1 << 28 | 1 << 9, 0, 0).has("");
    // GFNI, VAES, AES.
    SAPPHIRE_RAPIDS
        .without(0, 0, 1 << 8)
        .has("vaes-avx2 aesni-avx2 aesni-avx aesni-ssse3");
    SAPPHIRE_RAPIDS
        .without(0, 0, 1 << 9)
        .has("gfni-avx512 gfni-avx2 aesni-avx2 aesni-avx aesni-ssse3");
    SAPPHIRE_RAPIDS
        .without(1 << 25, 0, 0)
        .has("gfni-avx512 gfni-avx2");
    ARROW_LAKE
        .without(1 << 25, 0, 1 << 8 | 1 << 9)
        .has("sm4-ni");
}

/// Leaves that are not there are not believed.
#[test]
fn bounds() {
    // The firmware's option for old operating systems. Leaf 2 is repeated, and one of its bits is
    // where AVX2 would be.
    for cpu in [ALDER_LAKE, ARROW_LAKE, SAPPHIRE_RAPIDS] {
        Cpu {
            max_leaf: 2,
            beyond: [0x00fe_ff01, 0xf0, 0],
            ..cpu
        }
        .has("aesni-avx aesni-ssse3");
    }
    Cpu {
        max_leaf: 6,
        beyond: [!0, !0, !0],
        ..DIAMOND_RAPIDS
    }
    .has("aesni-avx aesni-ssse3");
    Cpu {
        max_leaf: 0,
        beyond: [!0, !0, !0],
        ..DIAMOND_RAPIDS
    }
    .has("");
    // Leaf 7 without a subleaf 1.
    let [_, ebx, ecx] = ARROW_LAKE.leaf_7;
    Cpu {
        leaf_7: [0, ebx, ecx],
        leaf_7_1_eax: !0,
        ..ARROW_LAKE
    }
    .has(GFNI);
}

/// The CPU that runs this agrees with the standard library.
#[test]
fn here() {
    use std::is_x86_feature_detected as has;
    let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512vl");
    let features = Features {
        sm4_ni: has!("sm4") && has!("avx2"),
        gfni_avx512: has!("gfni") && avx512,
        gfni_avx2: has!("gfni") && has!("avx2"),
        vaes_avx2: has!("vaes") && has!("avx2") && has!("aes"),
        aesni_avx2: has!("aes") && has!("avx2"),
        aesni_avx: has!("aes") && has!("avx"),
        aesni_ssse3: has!("aes") && has!("ssse3"),
        vpclmul_avx512: has!("vpclmulqdq") && has!("pclmulqdq") && avx512,
        vpclmul_avx2: has!("vpclmulqdq") && has!("pclmulqdq") && has!("avx2"),
        pclmul_avx: has!("pclmulqdq") && has!("avx"),
    };
    assert_eq!(super::features(), features);
}
