//! Time, honestly: many short batches, all candidates in turn.

use core::time::Duration;
use std::time::Instant;

use crate::{clock::Clock, job::Job};

/// Long enough to be timed well, short enough to fit between two interruptions.
const BATCH: Duration = Duration::from_micros(30);

/// Rounds that are done however long they take.
const MIN_ROUNDS: usize = 9;

/// The times of one job.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// Nanoseconds per run in the fastest batch.
    pub min: f64,
    /// Nanoseconds per run in the median batch.
    pub median: f64,
}

impl Timing {
    fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        Self {
            min: samples[0],
            median: samples[samples.len() / 2],
        }
    }
}

/// Runs all jobs in turn, one batch each, until the time is up.
///
/// As they take turns, a machine that becomes slower or faster meanwhile favours none. Each batch
/// follows one run that is not timed, so that none pays for what another left in the caches. The
/// second value is the highest frequency of the core meanwhile, in MHz.
pub fn in_turn(jobs: &mut [Box<dyn Job>], time: Duration, clock: Clock) -> (Vec<Timing>, f64) {
    let sizes: Vec<u64> = jobs
        .iter_mut()
        .map(|job| batch_size(job.as_mut()))
        .collect();
    let mut samples = vec![Vec::new(); jobs.len()];
    let mut mhz = f64::NAN;
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < MIN_ROUNDS || start.elapsed() < time {
        rounds += 1;
        // NaN loses against any number.
        mhz = clock.probe().max(mhz);
        for ((job, &size), samples) in jobs.iter_mut().zip(&sizes).zip(&mut samples) {
            job.run(1);
            samples.push(nanoseconds(job.as_mut(), size) / size as f64);
        }
    }
    (samples.into_iter().map(Timing::of).collect(), mhz)
}

/// The time of so many runs, were all as fast as the fastest batch of this size: for other
/// measuring programs, to which an interruption would be a part of the work.
pub fn fastest(job: &mut dyn Job, batch: u64, times: u64) -> Duration {
    let batches = times.div_ceil(batch).max(1);
    let size = times.div_ceil(batches).max(1);
    let min = (0..batches)
        .map(|_| nanoseconds(job, size) / size as f64)
        .fold(f64::INFINITY, f64::min);
    Duration::from_secs_f64(min * times as f64 / 1e9)
}

fn nanoseconds(job: &mut dyn Job, times: u64) -> f64 {
    let start = Instant::now();
    job.run(times);
    start.elapsed().as_secs_f64() * 1e9
}

/// How many runs make a batch of about 30 µs. An interruption can only make it too small, so the largest of three
/// answers counts.
pub fn batch_size(job: &mut dyn Job) -> u64 {
    let batch = BATCH.as_secs_f64() * 1e9;
    let attempt = |job: &mut dyn Job| {
        let mut size = 1;
        loop {
            let time = nanoseconds(job, size);
            if time >= batch {
                break size;
            }
            // At most ten times as many, as short times are not exact.
            #[expect(clippy::cast_possible_truncation, reason = "it is from 2 to 10")]
            let factor = (batch / time.max(1.0)).ceil().clamp(2.0, 10.0) as u64;
            size *= factor;
        }
    };
    (0..3).map(|_| attempt(job)).max().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::job;

    #[test]
    fn a_job_of_twice_the_work_takes_twice_the_time() {
        fn spin(n: u64) -> impl FnMut(&mut crate::job::Buffers) {
            move |_| {
                for i in 0..n {
                    core::hint::black_box(i);
                }
            }
        }
        let mut jobs = [job(&[], spin(2_000)), job(&[], spin(20_000))];
        let (timings, _) = in_turn(&mut jobs, Duration::from_millis(20), Clock::new(Some(1.0)));
        assert!(timings[0].min <= timings[0].median);
        assert!(timings[0].min * 5.0 < timings[1].min);

        let batch = batch_size(jobs[1].as_mut());
        let time = |job: &mut dyn Job, times| fastest(job, batch, times);
        let once = time(jobs[1].as_mut(), batch);
        assert!(once > Duration::ZERO && once * 3 < time(jobs[1].as_mut(), 10 * batch));
    }
}
