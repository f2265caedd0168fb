//! Who does it: this workspace on one of its backends, or a peer.

use core::fmt;

use sm4::Backend;

use crate::{
    job::{Input, Job, Operation, Prepared},
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
    fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Prepared;
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

    fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Prepared {
        mode.prepare(self.0, operation, input)
    }
}

/// An implementation whose output is wrong by one bit, to show that a wrong one is found out.
pub struct Falsified(pub Box<dyn Implementation>);

impl Implementation for Falsified {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn version(&self) -> String {
        self.0.version()
    }

    fn backend(&self) -> String {
        self.0.backend()
    }

    fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Prepared {
        struct OneBit(Box<dyn Job>);

        impl Job for OneBit {
            fn run(&mut self, times: u64) {
                self.0.run(times);
            }

            fn first_result(&mut self) -> Vec<u8> {
                let mut result = self.0.first_result();
                if let Some(byte) = result.last_mut() {
                    *byte ^= 1;
                }
                result
            }
        }

        let job = self.0.prepare(mode, operation, input)?;
        Some(Box::new(OneBit(job)))
    }
}

impl fmt::Debug for Falsified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Falsified({})", self.name())
    }
}
