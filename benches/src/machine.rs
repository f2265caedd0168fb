//! The machine that the figures are of.

use serde::{Deserialize, Serialize};

/// CPU features that an implementation of SM4 may use.
const FLAGS: &[&str] = &[
    "aes",
    "asimd",
    "avx",
    "avx2",
    "avx512bw",
    "avx512f",
    "avx512vl",
    "gfni",
    "pclmulqdq",
    "pmull",
    "sha3",
    "sm4",
    "ssse3",
    "sve2",
    "svesm4",
    "vaes",
    "vpclmulqdq",
    "zksed",
    "zvkg",
    "zvksed",
];

/// The machine that the figures are of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The CPU's own name, with family, model and stepping: a virtual machine's name says little.
    pub cpu: String,
    /// The features it has of those that an implementation of SM4 may use.
    pub flags: Vec<String>,
}

impl Machine {
    /// This machine, according to `/proc/cpuinfo`.
    #[must_use]
    pub fn this() -> Self {
        Self::from_cpuinfo(&std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
    }

    fn from_cpuinfo(info: &str) -> Self {
        let value = |names: &[&str]| {
            info.lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| names.contains(&name.trim()))
                .map_or("unknown", |(_, value)| value.trim())
        };
        let flags: Vec<&str> = value(&["flags", "Features", "isa"])
            .split([' ', '_'])
            .collect();
        Self {
            cpu: format!(
                "{} (family {} model {} stepping {})",
                value(&["model name", "uarch", "CPU part"]),
                value(&["cpu family", "CPU architecture"]),
                value(&["model", "CPU variant"]),
                value(&["stepping", "CPU revision"]),
            ),
            flags: FLAGS
                .iter()
                .filter(|flag| flags.contains(flag))
                .map(|&flag| flag.to_owned())
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_cpuinfo() {
        let machine = Machine::from_cpuinfo(
            "cpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Some CPU\nstepping\t: 8\n\
             flags\t\t: fpu aes avx gfni\n\nmodel name\t: another\n",
        );
        assert_eq!(machine.cpu, "Some CPU (family 6 model 143 stepping 8)");
        assert_eq!(machine.flags, ["aes", "avx", "gfni"]);
    }
}
