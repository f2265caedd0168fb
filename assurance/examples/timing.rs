//! A statistical test on real silicon: whether it can be told from the time an operation takes if key
//! and data are always the same or random (Welch's t-test, as in "dude, is my code constant time?",
//! Reparaz, Balasch, Verbauwhede, 2017).
//!
//! ```text
//! cargo run --release -p assurance --example timing [SAMPLES] [BACKEND]
//! ```
//!
//! `|t|` above 4.5 is taken for a difference, if it is found three times in a row. That shows leaks; it
//! does not show that there are none, as valgrind and the traces do.

use core::hint::black_box;
use std::time::Instant;

use assurance::operations::{AEADS, KeyBytes, MACS, MODES, cipher};
use sm4::{
    Backend,
    cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt},
};

const THRESHOLD: f64 = 4.5;
const LENGTHS: [usize; 2] = [64, 1040];
/// What runs on a machine that does other things as well is late at times, which says nothing.
const KEPT: f64 = 0.8;
const NONCE: [u8; 16] = [0x3c; 16];

type Operation = Box<dyn Fn(&KeyBytes, &mut [u8])>;

/// All of them, by name.
fn operations(backend: Backend) -> Vec<(String, Operation)> {
    let mut all: Vec<(String, Operation)> = vec![
        (
            "key setup".into(),
            Box::new(move |key, _| {
                black_box(cipher(backend, key, 0));
            }),
        ),
        (
            "block by block".into(),
            Box::new(move |key, data| {
                let cipher = cipher(backend, key, 0);
                for block in Array::slice_as_chunks_mut(data).0 {
                    cipher.encrypt_block(block);
                }
            }),
        ),
        (
            "bulk".into(),
            Box::new(move |key, data| {
                let cipher = cipher(backend, key, 0);
                let blocks = Array::slice_as_chunks_mut(data).0;
                cipher.bulk().encrypt_blocks(blocks);
                cipher.bulk().decrypt_blocks(blocks);
            }),
        ),
    ];
    for mode in MODES {
        for (direction, crypt) in [("en", mode.encrypt), ("de", mode.decrypt)] {
            all.push((
                format!("{} {direction}cryption", mode.name),
                Box::new(move |key, data| {
                    let len = data.len() / mode.multiple * mode.multiple;
                    crypt(backend, key, &NONCE, (&mut data[..len]).into());
                }),
            ));
        }
    }
    for mac in MACS {
        all.push((
            mac.name.into(),
            Box::new(move |key, data| {
                black_box((mac.tag)(backend, key, data));
            }),
        ));
    }
    for aead in AEADS {
        all.push((
            format!("{} sealing", aead.name),
            Box::new(move |key, data| {
                let nonce = &NONCE[..aead.nonces[0]];
                let mut tag = [0; 16];
                let done = (aead.make)(backend, key).seal(nonce, &[], data.into(), &mut tag);
                assert!(done.is_ok());
            }),
        ));
        all.push((
            format!("{} opening with a wrong tag", aead.name),
            Box::new(move |key, data| {
                let nonce = &NONCE[..aead.nonces[0]];
                let done = (aead.make)(backend, key).open(nonce, &[], data.into(), &[0; 16]);
                assert!(done.is_err());
            }),
        ));
    }
    all
}

/// What has to be found: a branch on each of eight bits of the key, beside a key setup.
fn planted(backend: Backend) -> Operation {
    Box::new(move |key, _| {
        black_box(cipher(backend, key, 0));
        for bit in 0..8 {
            if black_box(key[0] >> bit) & 1 == 1 {
                black_box(key);
            }
        }
    })
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// Welch's t for operations with fixed and with random keys and data.
fn welch(operation: &Operation, len: usize, samples: usize, random: &mut Random) -> f64 {
    let (mut key, mut data) = ([0; 32], vec![0; len]);
    let mut times: Vec<(bool, f64)> = Vec::with_capacity(samples);
    for _ in 0..samples {
        let is_fixed = random.next() & 0x100 != 0;
        random.fill(&mut key);
        random.fill(&mut data);
        // The same work for both, and nothing that depends on it but the bytes.
        let mask = if black_box(is_fixed) { 0 } else { 0xff };
        key.iter_mut()
            .chain(&mut data)
            .for_each(|byte| *byte &= mask);
        let start = Instant::now();
        operation(black_box(&key), black_box(&mut data));
        times.push((is_fixed, start.elapsed().as_secs_f64()));
    }
    times.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "some thousands"
    )]
    times.truncate((samples as f64 * KEPT) as usize);
    let [a, b] = [true, false].map(|class| {
        let of_class = times.iter().filter(|(is_fixed, _)| *is_fixed == class);
        let count = of_class.clone().map(|_| 1.0).sum::<f64>();
        let mean = of_class.clone().map(|(_, time)| time).sum::<f64>() / count;
        let squares = of_class.map(|(_, time)| (time - mean).powi(2)).sum::<f64>();
        (mean, squares / (count - 1.0) / count)
    });
    (a.0 - b.0) / (a.1 + b.1).sqrt()
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let samples = arguments
        .next()
        .and_then(|count| count.parse().ok())
        .unwrap_or(20_000);
    let wanted = arguments.next();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for backend in Backend::available() {
        if wanted.as_ref().is_some_and(|name| *name != backend.name()) {
            continue;
        }
        let control = welch(&planted(backend), 0, samples, &mut random);
        let (mut greatest, mut sum, mut tests, mut found) = (0.0_f64, 0.0, 0.0, 0);
        for (name, operation) in operations(backend) {
            for len in LENGTHS {
                let t = welch(&operation, len, samples, &mut random);
                greatest = greatest.max(t.abs());
                sum += t * t;
                tests += 1.0;
                let again = || {
                    let t = welch(&operation, len, samples, &mut Random(random.next()));
                    t.abs() > THRESHOLD
                };
                if t.abs() > THRESHOLD && core::iter::repeat_with(again).take(2).all(|found| found)
                {
                    println!("{backend}, {name}, {len} bytes: t = {t:.1}, three times");
                    found += 1;
                }
            }
        }
        println!(
            "{backend}: {tests} operations, {samples} samples each: {found} differ; greatest |t| {greatest:.1}, \
             root mean square {:.2}; planted branch: |t| = {:.0}",
            (sum / tests).sqrt(),
            control.abs()
        );
        assert!(
            control.abs() > THRESHOLD,
            "the planted branch was not found"
        );
    }
}
