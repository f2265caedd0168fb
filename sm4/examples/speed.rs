//! Prints how fast every backend is here: nanoseconds per byte of many blocks at once and of one
//! block after the other, the best of many short runs.

use core::hint::black_box;
use std::time::Instant;

use sm4::{Backend, Sm4, cipher::BlockCipherEncrypt};

/// The shortest of many runs, per byte.
fn best(bytes: usize, mut run: impl FnMut()) -> f64 {
    let started = Instant::now();
    let mut best = f64::INFINITY;
    while started.elapsed().as_millis() < 300 {
        let run_started = Instant::now();
        run();
        best = best.min(run_started.elapsed().as_secs_f64());
    }
    best * 1e9 / bytes as f64
}

fn main() -> Result<(), sm4::UnavailableBackend> {
    println!("{:<12} {:>10} {:>10}", "ns/B", "16 KiB", "block");
    for backend in Backend::available() {
        let sm4 = Sm4::with_backend(&[7; 16].into(), backend)?;
        let mut blocks = vec![[0; 16].into(); 1024];
        let many = best(16 * 1024, || {
            sm4.bulk().encrypt_blocks(black_box(&mut blocks));
        });
        let mut block = [0; 16].into();
        let one = best(16 * 256, || {
            for _ in 0..256 {
                sm4.encrypt_block(black_box(&mut block));
            }
        });
        println!("{backend:<12} {many:>10.3} {one:>10.3}");
    }
    Ok(())
}
