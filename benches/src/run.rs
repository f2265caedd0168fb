//! From a mode, an operation and a size to a row of figures for each implementation.

use core::{fmt, time::Duration};

use crate::{
    clock::Clock,
    implementation::Implementation,
    job::{Input, Job, Operation},
    measure,
    modes::{BLOCK, Mode},
    report::Row,
};

/// What is measured in one go, with all implementations taking turns.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The mode.
    pub mode: Mode,
    /// What is done.
    pub operation: Operation,
    /// Bytes in a message; 0 for the setup of a key.
    pub size: usize,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.mode.name, self.operation.name())
    }
}

/// Below this size a slope says nothing.
const SMALLEST_FOR_SLOPE: usize = 512;

/// A peer computes something else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Mismatch {}

/// Measures a task with all the implementations which can do it.
///
/// # Errors
/// If an implementation's output is not that of the first one.
pub fn run(
    task: Task,
    implementations: &[Box<dyn Implementation>],
    time: Duration,
    clock: Clock,
) -> Result<Vec<Row>, Mismatch> {
    let mut jobs = prepare(task, implementations)?;
    let count = jobs.len();
    let with_slope = task.size >= SMALLEST_FOR_SLOPE && task.mode.name != BLOCK;
    if with_slope {
        let half = Task {
            size: task.size / 2,
            ..task
        };
        jobs.extend(prepare(half, implementations)?);
    }
    let (who, mut jobs): (Vec<_>, Vec<_>) = jobs.into_iter().unzip();
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let (timings, mhz) = measure::in_turn(&mut jobs, time, clock);
    Ok(who[..count]
        .iter()
        .enumerate()
        .map(|(index, implementation)| {
            let half = with_slope.then(|| timings[count + index]);
            Row::new(*implementation, task, timings[index], half, mhz)
        })
        .collect())
}

type Candidate<'a> = (&'a dyn Implementation, Box<dyn Job>);

/// Sets up all the implementations which can do it, and compares what they do.
fn prepare<'a>(
    task: Task,
    implementations: &'a [Box<dyn Implementation>],
) -> Result<Vec<Candidate<'a>>, Mismatch> {
    let Task {
        mode, operation, ..
    } = task;
    let input = input_for(task, implementations);
    let mut first: Option<(&str, Vec<u8>)> = None;
    let mut jobs = Vec::new();
    for implementation in implementations {
        let Some(mut job) = implementation.prepare(&mode, operation, &input) else {
            continue;
        };
        let result = job.first_result();
        match &first {
            None => first = Some((implementation.name(), result)),
            Some((name, expected)) if *expected != result => {
                let differing = expected.iter().zip(&result).position(|(a, b)| a != b);
                return Err(Mismatch(format!(
                    "{task} of {} bytes: {} ({}) does not agree with {name}, first at byte {}",
                    task.size,
                    implementation.name(),
                    implementation.backend(),
                    differing.unwrap_or(expected.len().min(result.len())),
                )));
            }
            Some(_) => {}
        }
        jobs.push((&**implementation, job));
    }
    Ok(jobs)
}

/// The same for all; what an AEAD is to open is sealed by the first implementation that can.
fn input_for(task: Task, implementations: &[Box<dyn Implementation>]) -> Input {
    let mut input = input(&task.mode, task.size);
    if task.mode.is_aead && task.operation == Operation::Decrypt {
        let sealed = implementations
            .iter()
            .find_map(|who| who.prepare(&task.mode, Operation::Encrypt, &input))
            .map(|mut job| job.first_result());
        if let Some((text, tag)) = sealed.as_deref().and_then(<[u8]>::split_last_chunk) {
            input.text = text.to_vec();
            input.tag = *tag;
        }
    }
    input
}

/// A key, an initial value and a message for a mode.
#[must_use]
pub fn input(mode: &Mode, size: usize) -> Input {
    Input {
        key: noise(1, mode.key),
        iv: noise(2, mode.iv),
        text: noise(3, size),
        aad: Vec::new(),
        tag: [0; 16],
    }
}

/// Bytes without a pattern, the same each time (xorshift64).
fn noise(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..size)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_be_bytes()[0]
        })
        .collect()
}
