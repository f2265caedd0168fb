//! What shows that the SM4 crates keep their promises, apart from giving the right results.
//!
//! The tests of this crate are about what a program's output does not tell: whether time depends on
//! secrets (`tests/constant_time.rs`), whether memory is touched that belongs to somebody else
//! (`tests/page_edges.rs`), and whether secrets stay behind (`tests/wiping.rs`). The crate itself
//! has what they need for it, and the [list of operations](operations) that they go through.

pub mod memcheck;
pub mod operations;
#[cfg(unix)]
pub mod pages;
pub mod stack;
