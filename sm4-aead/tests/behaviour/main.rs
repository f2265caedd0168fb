//! What modes do beyond known answers: refuse what was changed and leave nothing behind, work on
//! pieces and on many messages, keep secrets out of `Debug`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod key_wrap;
mod lengths;
mod many;
#[path = "../support/modes.rs"]
mod modes;
mod pieces;
mod support;
mod tampering;
mod traits;
