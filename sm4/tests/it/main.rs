//! Behaviour of the crate as its users see it. Each test goes through the backends that the machine
//! has and prints their names.

mod backends;
mod counters;
mod feedback;
mod masking;
mod model;
mod standard;
