//! An encrypted file that is read and written in the middle, in CTR mode: what a database does with
//! its pages.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin ctr_seek -- --help
//! ```

mod file;

use std::{
    fs::OpenOptions,
    io::{self, Read, Seek, SeekFrom, Write},
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
#[command(after_help = EXAMPLE)]
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

const EXAMPLE: &str = "\
Example:
  ctr_seek keygen KEYFILE
  ctr_seek create --key-file KEYFILE file
  echo at the beginning | ctr_seek write --key-file KEYFILE file 0
  echo a million bytes later | ctr_seek write --key-file KEYFILE file 1000000
  ctr_seek read --key-file KEYFILE file 1000002 7";

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
            copy((STDIN.as_ref(), &mut io::stdin().lock()), (path, &mut file))
        }
        Command::Read {
            target,
            position,
            length,
        } => {
            let mut file = target.open()?;
            let path = &target.file;
            named(path, file.seek(SeekFrom::Start(position)))?;
            let from = &mut file.take(length);
            copy((path, from), (STDOUT.as_ref(), &mut io::stdout().lock()))
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

const STDIN: &str = "standard input";
const STDOUT: &str = "standard output";

/// From one to the other; an error says which of them has it.
fn copy(
    (source, from): (&Path, &mut dyn Read),
    (target, to): (&Path, &mut dyn Write),
) -> Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let len = match from.read(&mut buffer) {
            Ok(0) => return named(target, to.flush()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            len => named(source, len)?,
        };
        named(target, to.write_all(&buffer[..len]))?;
    }
}
