//! The command line.

use core::time::Duration;
use std::path::PathBuf;

use clap::Parser;
use sm4::Backend;

use crate::{
    job::Operation,
    modes::{BLOCK, MODES, Mode},
    run::Task,
    study::Study,
};

/// Measures this workspace's SM4, mode by mode, beside other implementations.
#[derive(Clone, Debug, Parser)]
#[command(name = "sm4-bench", version)]
pub struct Options {
    /// Only these modes (names as in the table, separated by commas).
    #[arg(long, value_delimiter = ',', value_parser = mode)]
    pub mode: Option<Vec<&'static Mode>>,

    /// Measure this backend, or "all"; the best one if not given.
    #[arg(long, value_name = "NAME|all")]
    pub backend: Option<String>,

    /// Sizes of messages in bytes, multiples of 16 from 16 to 1048576. If not given: 16384, and a
    /// few short messages with the modes where they matter.
    #[arg(long, value_delimiter = ',', value_parser = size)]
    pub sizes: Vec<usize>,

    /// Answer a question about the cipher itself instead.
    #[arg(long, value_enum, conflicts_with = "peers")]
    pub study: Option<Study>,

    /// Measure all other implementations too that this build has.
    #[arg(long)]
    pub peers: bool,

    /// Change one bit of what this peer computes: the run must fail.
    #[arg(long, value_name = "PEER", requires = "peers")]
    pub falsify: Option<String>,

    /// Write all figures as one JSON object.
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write all figures as comma-separated values.
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Draw bars for each mode (`modes.svg`) and curves over sizes (`sizes.svg`) in this folder.
    #[arg(long, value_name = "DIR")]
    pub svg: Option<PathBuf>,

    /// Measure all that the documents of the workspace show, and put tables, pictures and data in
    /// their places below its root (`.` if that is where you are).
    #[arg(
        long,
        value_name = "ROOT",
        requires = "peers",
        conflicts_with_all = ["backend", "sizes", "study", "falsify", "json", "csv", "svg"],
    )]
    pub figures: Option<PathBuf>,

    /// A tenth of the time, for a first look.
    #[arg(long)]
    pub quick: bool,

    /// The core's clock in MHz, where it cannot be measured or must not be.
    #[arg(long)]
    pub mhz: Option<f64>,
}

fn mode(name: &str) -> Result<&'static Mode, String> {
    Mode::find(name).ok_or_else(|| {
        let names: Vec<&str> = MODES.iter().map(|mode| mode.name).collect();
        format!("no such mode; there are {}", names.join(", "))
    })
}

fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size) if size % 16 == 0 && (16..=1 << 20).contains(&size) => Ok(size),
        _ => Err("not a multiple of 16 from 16 to 1048576".to_owned()),
    }
}

/// The size that the speed of long messages is measured with.
pub const BULK: usize = 16384;

/// Short messages, with the modes that they are measured with.
const SHORT: &[usize] = &[16, 64, 256, 1024];
const SHORT_MODES: &[&str] = &["CBC", "CTR", "XTS-IEEE", "XTS-GB", "CCM", "GCM"];

impl Options {
    /// The backends to be measured.
    ///
    /// # Errors
    /// If there is no such backend, or not on this machine.
    pub fn backends(&self) -> Result<Vec<Backend>, String> {
        match self.backend.as_deref() {
            None => Ok(Backend::available().take(1).collect()),
            Some("all") => Ok(Backend::available().collect()),
            Some(name) => {
                let backend: Backend = name.parse().map_err(|error| format!("{name}: {error}"))?;
                if backend.is_available() {
                    Ok(vec![backend])
                } else {
                    Err(format!("{name}: this CPU or this build does not have it"))
                }
            }
        }
    }

    /// Whether it is about how costs depend on the size of messages.
    #[must_use]
    pub fn by_size(&self) -> bool {
        self.study.is_some() || self.sizes.len() > 1
    }

    /// What is to be measured, in order.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        let modes: Vec<Mode> = match &self.mode {
            None => MODES.to_vec(),
            Some(chosen) => chosen.iter().map(|&mode| *mode).collect(),
        };
        if let Some(study) = self.study {
            let sizes = if self.sizes.is_empty() {
                study.sizes()
            } else {
                &self.sizes
            };
            return tasks(&modes, sizes, |mode, operation| {
                study.includes(mode, operation)
            });
        }
        let is_block = |mode: &Mode, _| mode.name == BLOCK;
        let is_setup = |_: &Mode, operation| operation == Operation::Setup;
        let is_message =
            |mode: &Mode, operation| !is_block(mode, operation) && !is_setup(mode, operation);
        let is_short = |mode: &Mode, operation| {
            SHORT_MODES.contains(&mode.name)
                && matches!(operation, Operation::Encrypt | Operation::Decrypt)
        };
        let sizes = if self.sizes.is_empty() {
            &[BULK]
        } else {
            self.sizes.as_slice()
        };
        let short = if self.sizes.is_empty() { SHORT } else { &[] };
        [
            tasks(&modes, sizes, is_message),
            tasks(&modes, &[16], is_block),
            tasks(&modes, &[0], is_setup),
            tasks(&modes, short, is_short),
        ]
        .concat()
    }

    /// How long a task is measured, with so many implementations.
    #[must_use]
    pub fn time(&self, implementations: usize) -> Duration {
        let time = Duration::from_millis(if self.quick { 30 } else { 300 });
        time + time * u32::try_from(implementations).unwrap_or(1)
    }
}

/// What can be done with these modes, and is wanted, with messages of these sizes.
fn tasks(
    modes: &[Mode],
    sizes: &[usize],
    is_wanted: impl Fn(&Mode, Operation) -> bool,
) -> Vec<Task> {
    let mut tasks = Vec::new();
    for &mode in modes {
        for &operation in mode.operations {
            if is_wanted(&mode, operation) {
                tasks.extend(sizes.iter().map(|&size| Task {
                    mode,
                    operation,
                    size,
                }));
            }
        }
    }
    tasks
}
