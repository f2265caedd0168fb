//! An encrypted file that is read and written in the middle, in CTR mode: what a database does with
//! its pages.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin ctr_seek -- --help
//! ```

mod file;

use std::{
    fs::OpenOptions,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, Parser};
use file::CtrFile;
use sm4_examples::{Result, exit, named, new_key, read_key};

/// Keeps a file encrypted with SM4 in CTR mode, and reads and writes any part of it.
///
/// Nothing tells you whether the file was changed or the key is the right one: CTR mode
/// authenticates nothing. Writing a place again uses the same key stream again: whoever sees the
/// file before and after learns the XOR of old and new. If others see the file at different times,
/// use XTS (xts_disk) instead.
#[derive(Parser)]
enum Command {
    /// Make a new key: 32 hexadecimal digits
    Keygen {
        /// Where it goes: a file that does not exist yet. Only its owner may read it
        key_file: PathBuf,
    },
    /// Make an empty encrypted file; one that exists is refused
    Create(Target),
    /// Write standard input into the file, from POSITION on
    Write {
        #[command(flatten)]
        target: Target,
        /// In bytes; what is skipped beyond the end becomes zeros
        position: u64,
    },
    /// Read LENGTH bytes from POSITION on (fewer at the end), to standard output
    Read {
        #[command(flatten)]
        target: Target,
        /// In bytes; nothing is read beyond the end
        position: u64,
        /// In bytes
        length: u64,
    },
}

#[derive(Args)]
struct Target {
    /// A key that keygen has made: 32 hexadecimal digits
    #[arg(long)]
    key_file: PathBuf,
    /// The encrypted file; it is 24 bytes longer than what is in it
    file: PathBuf,
}

impl Target {
    fn open(&self) -> Result<CtrFile<std::fs::File>> {
        let key = read_key(&self.key_file)?;
        let options = OpenOptions::new().read(true).write(true).open(&self.file);
        named(&self.file, CtrFile::open(named(&self.file, options)?, &key))
    }
}

fn main() -> ExitCode {
    exit("ctr_seek", run(Command::parse()))
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Keygen { key_file } => new_key::<16>(&key_file),
        Command::Create(target) => create(&target),
        Command::Write { target, position } => {
            let mut file = target.open()?;
            let path = &target.file;
            named(path, file.seek(SeekFrom::Start(position)))?;
            copy(path, &mut io::stdin().lock(), &mut file)
        }
        Command::Read {
            target,
            position,
            length,
        } => {
            let mut file = target.open()?;
            let path = &target.file;
            named(path, file.seek(SeekFrom::Start(position)))?;
            copy(path, &mut file.take(length), &mut io::stdout().lock())
        }
    }
}

fn create(target: &Target) -> Result<()> {
    let key = read_key(&target.key_file)?;
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true);
    let file = named(&target.file, file.open(&target.file))?;
    named(&target.file, CtrFile::create(file, &key))?;
    Ok(())
}

fn copy(path: &Path, from: &mut impl Read, to: &mut impl io::Write) -> Result<()> {
    named(path, io::copy(from, to).and_then(|_| to.flush()))
}
