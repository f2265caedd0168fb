//! Day-to-day benchmarks of single kernels: `cargo bench -p sm4-bench -- CTR`.
//!
//! Each sample is the fastest of its short batches, so that a busy machine does not drown a change.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sm4::Backend;
use sm4_bench::{
    job::Operation::{Authenticate, Decrypt, Encrypt, Setup},
    measure::{batch_size, fastest},
    modes::Mode,
    run::input,
};

fn modes(criterion: &mut Criterion) {
    for (mode, operation, size) in [
        ("BLOCK", Encrypt, 16),
        ("ECB", Setup, 0),
        ("ECB", Encrypt, 16384),
        ("CBC", Decrypt, 16384),
        ("CTR", Encrypt, 16384),
        ("XTS-IEEE", Encrypt, 4096),
        ("GCM", Encrypt, 16384),
        ("GCM", Encrypt, 64),
        ("GHASH", Authenticate, 16384),
    ] {
        let mode = Mode::find(mode).expect("in the list");
        let mut group = criterion.benchmark_group(mode.name);
        if size > 0 {
            group.throughput(Throughput::Bytes(size as u64));
        }
        for backend in Backend::available() {
            let Some(mut job) = mode.prepare(backend, operation, &input(mode, size)) else {
                continue;
            };
            let batch = batch_size(job.as_mut());
            group.bench_function(
                format!("{} {size}/{backend}", operation.name()),
                |bencher| {
                    bencher.iter_custom(|times| fastest(job.as_mut(), batch, times));
                },
            );
        }
    }
}

criterion_group!(benches, modes);
criterion_main!(benches);
