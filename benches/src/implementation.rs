//! Who does it: this workspace on one of its backends, or a peer.

use core::fmt;

use sm4::Backend;

use crate::{
    job::{Input, Job, Operation},
    modes::Mode,
};

/// An implementation of SM4 and its modes.
pub trait Implementation {
    /// What it is called in tables: "ours", "libgcrypt", …
    fn name(&self) -> &str;

    /// Its version, as it says itself.
    fn version(&self) -> String;

    /// Which instructions it uses, as far as it says so.
    fn backend(&self) -> String;

    /// Sets up a key and buffers; nothing if it has not got the mode or the operation.
    fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Option<Box<dyn Job>>;
}

impl fmt::Debug for dyn Implementation + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// This workspace on a certain backend.
#[derive(Clone, Copy, Debug)]
pub struct Ours(pub Backend);

/// The name of this workspace's implementation in tables.
pub const OURS: &str = "ours";

impl Implementation for Ours {
    fn name(&self) -> &str {
        OURS
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }

    fn backend(&self) -> String {
        self.0.name().to_owned()
    }

    fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Option<Box<dyn Job>> {
        mode.prepare(self.0, operation, input)
    }
}
