//! Measures this workspace's SM4, mode by mode, beside other implementations.
//!
//! The program `sm4-bench` is made of this; so are the benchmarks for day-to-day work on single
//! kernels.

pub mod clock;
pub mod figures;
pub mod generic;
pub mod implementation;
pub mod job;
pub mod machine;
pub mod markdown;
pub mod measure;
pub mod modes;
pub mod options;
pub mod ours;
pub mod peers;
pub mod plot;
pub mod report;
pub mod run;
pub mod session;
pub mod study;
pub mod table;
