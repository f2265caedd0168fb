//! How fast the core runs: nanoseconds into cycles.

use core::time::Duration;
use std::time::Instant;

/// Cycles that one multiplication of 64-bit words waits for the one before.
const MULTIPLY_LATENCY: f64 = 3.0;

/// Instructions in one pass of a chain's loop: so many that the loop's own instructions hide behind
/// them.
const UNROLLED: u32 = 96;

/// Passes in one probe: about twenty microseconds, much shorter than the time slice of a scheduler.
const PASSES: u64 = 256;

/// The core's clock, found by the time that a chain of dependent multiplications takes.
///
/// The time stamp counter does not serve for this: it runs at a fixed frequency, the core does not.
/// A chain of additions does not serve either, as newer cores do additions of constants while they
/// rename registers.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    given: Option<f64>,
}

/// What a calibration found.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// The highest frequency seen, in MHz. NaN if it cannot be found on this machine.
    pub mhz: f64,
    /// How far the median frequency was below the highest one, as a fraction.
    pub spread: f64,
    /// How many rotations, of one cycle each, take as long as a multiplication. Missing if the
    /// frequency was given, or cannot be found.
    pub rotations: Option<f64>,
}

impl Calibration {
    /// Whether a multiplication takes as long as three rotations, so that the chain is likely to
    /// have told the truth; or there is nothing to compare.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.rotations
            .is_none_or(|rotations| (rotations / MULTIPLY_LATENCY - 1.0).abs() < 0.05)
    }
}

impl Clock {
    /// A clock that is measured, or that is known to run at so many MHz.
    #[must_use]
    pub fn new(given: Option<f64>) -> Self {
        Self { given }
    }

    /// The frequency in MHz according to one chain of about twenty microseconds; NaN if unknown.
    #[must_use]
    pub fn probe(self) -> f64 {
        match self.given {
            Some(mhz) => mhz,
            None if chain::IS_KNOWN => MULTIPLY_LATENCY * steps_per_microsecond(chain::multiply),
            None => f64::NAN,
        }
    }

    /// Looks at the clock for a while.
    #[must_use]
    pub fn calibrate(self, time: Duration) -> Calibration {
        let mut multiply = Vec::new();
        let mut rotate = Vec::new();
        let start = Instant::now();
        while multiply.len() < 16 || start.elapsed() < time {
            multiply.push(self.probe());
            rotate.push(steps_per_microsecond(chain::rotate));
        }
        multiply.sort_by(f64::total_cmp);
        rotate.sort_by(f64::total_cmp);
        let mhz = multiply[multiply.len() - 1];
        let rotations = MULTIPLY_LATENCY * rotate[rotate.len() - 1] / mhz;
        Calibration {
            mhz,
            spread: 1.0 - multiply[multiply.len() / 2] / mhz,
            rotations: (self.given.is_none() && chain::IS_KNOWN).then_some(rotations),
        }
    }
}

fn steps_per_microsecond(chain: fn(u64)) -> f64 {
    let start = Instant::now();
    chain(PASSES);
    let time = start.elapsed();
    f64::from(UNROLLED) * PASSES as f64 / (time.as_secs_f64() * 1e6)
}

#[cfg(target_arch = "x86_64")]
mod chain {
    use core::arch::asm;

    pub(super) const IS_KNOWN: bool = true;

    macro_rules! chain {
        ($name:ident, $instruction:literal) => {
            pub(super) fn $name(passes: u64) {
                // SAFETY: works on two registers of its own and the flags
                unsafe {
                    asm!(
                        "2:",
                        ".rept {unrolled}",
                        $instruction,
                        ".endr",
                        "dec {passes}",
                        "jnz 2b",
                        unrolled = const super::UNROLLED,
                        word = inout(reg) 0x9e37_79b9_7f4a_7c15_u64 => _,
                        passes = inout(reg) passes.max(1) => _,
                        options(nomem, nostack),
                    );
                }
            }
        };
    }

    chain!(multiply, "imul {word}, {word}");
    chain!(rotate, "ror {word}, 7");
}

#[cfg(not(target_arch = "x86_64"))]
mod chain {
    //! No instruction is known to take the same time on all cores: the frequency must be given.

    pub(super) const IS_KNOWN: bool = false;
    pub(super) fn multiply(_: u64) {}
    pub(super) fn rotate(_: u64) {}
}
