//! Known answers, sweeps, equality with other implementations, and all that can go wrong.
#![allow(clippy::unwrap_used)]

mod block_modes;
mod data_units;
mod gb;
mod lent;
mod macs;
mod many;
mod names;
mod stream_modes;
mod support;
mod wrong_lengths;
mod xts;
