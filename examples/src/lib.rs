//! What the programs in `src/bin` have in common: key files and how to end. The code in the
//! documents of this workspace is compiled here as well.

use core::{error, fmt::Display};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    path::Path,
    process::ExitCode,
};

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../README.md")]
    struct Readme;

    #[doc = include_str!("../../README.zh-CN.md")]
    struct ReadmeInChinese;

    #[doc = include_str!("../../docs/migration.md")]
    struct Migration;
}

/// What the programs return.
pub type Result<T> = core::result::Result<T, Box<dyn error::Error>>;

/// The exit code of a program. An error is one line on standard error.
#[must_use]
pub fn exit(program: &str, result: Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(program, error);
            ExitCode::FAILURE
        }
    }
}

/// One line on standard error. If that fails there is nobody to tell.
pub fn complain(program: &str, error: impl Display) {
    drop(writeln!(io::stderr(), "{program}: {error}"));
}

/// An error with the name of the file that it belongs to.
///
/// # Errors
/// As the result.
pub fn named<T, E: Display>(path: &Path, result: core::result::Result<T, E>) -> Result<T> {
    result.map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Reads a key file: `N` bytes as hexadecimal digits, and a line feed.
///
/// # Errors
/// If the file cannot be read or holds anything else.
pub fn read_key<const N: usize>(path: &Path) -> Result<[u8; N]> {
    let mut digits = Vec::new();
    let file = named(path, File::open(path))?;
    named(path, file.take(1024).read_to_end(&mut digits))?;
    let key = HEXLOWER_PERMISSIVE.decode(digits.trim_ascii_end()).ok();
    key.and_then(|key| <[u8; N]>::try_from(key).ok())
        .ok_or_else(|| format!("{}: not {} hexadecimal digits", path.display(), 2 * N).into())
}

/// Makes a key file of `N` random bytes, which only its owner may read. One that exists is never
/// overwritten.
///
/// # Errors
/// If there are no random numbers, or the file exists or cannot be written.
pub fn new_key<const N: usize>(path: &Path) -> Result<()> {
    let key: [u8; N] = random()?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = named(path, options.open(path))?;
    named(path, writeln!(file, "{}", HEXLOWER.encode(&key)))?;
    named(path, file.sync_all())
}

/// Random bytes of the operating system.
///
/// # Errors
/// If it has none.
pub fn random<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes)?;
    Ok(bytes)
}

/// All that comes from standard input.
///
/// # Errors
/// If it cannot be read.
pub fn read_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin()
        .lock()
        .read_to_end(&mut bytes)
        .map_err(|error| format!("standard input: {error}"))?;
    Ok(bytes)
}

/// Writes to standard output.
///
/// # Errors
/// If that is not possible.
pub fn show(bytes: impl AsRef<[u8]>) -> Result<()> {
    let mut output = io::stdout().lock();
    output
        .write_all(bytes.as_ref())
        .and_then(|()| output.flush())
        .map_err(|error| format!("standard output: {error}").into())
}
