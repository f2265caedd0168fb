//! Key files, and inputs that may be the standard one.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
};

use indicatif::ProgressBar;
use sm4_aead::Sm4Gcm;

use crate::{Result, output, progress};

/// Makes a new key file, which only its owner may read. A key file is 32 hexadecimal digits and a
/// line feed. One that exists is never overwritten, and none is left if it cannot be written.
pub(crate) fn new_key(path: &Path) -> Result<()> {
    let mut key = [0; 16];
    getrandom::fill(&mut key)?;
    let write = || -> io::Result<()> {
        let mut file = output::temporary_beside(path)?;
        writeln!(file.as_file_mut(), "{:032x}", u128::from_be_bytes(key))?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path)?;
        Ok(())
    };
    write().map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Reads a key file.
pub(crate) fn read_key(path: &Path) -> Result<Sm4Gcm> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(64).read_to_end(&mut bytes))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let key = str::from_utf8(bytes.trim_ascii_end())
        .ok()
        .filter(|digits| digits.len() == 32 && digits.bytes().all(|d| d.is_ascii_hexdigit()))
        .and_then(|digits| u128::from_str_radix(digits, 16).ok())
        .ok_or_else(|| {
            format!(
                "{}: not a key file, which is 32 hexadecimal digits",
                path.display()
            )
        })?;
    Ok(Sm4Gcm::new(&key.to_be_bytes().into()))
}

/// A file or standard input, with a progress bar if that is of use.
pub(crate) struct Input {
    reader: Box<dyn Read>,
    bar: ProgressBar,
}

impl Input {
    pub(crate) fn open(name: &str) -> Result<Self> {
        if name == "-" {
            return Ok(Self {
                reader: standard_input().map_err(|error| format!("{name}: {error}"))?,
                bar: progress::bar(None),
            });
        }
        let file = File::open(name).map_err(|error| format!("{name}: {error}"))?;
        let metadata = file
            .metadata()
            .map_err(|error| format!("{name}: {error}"))?;
        Ok(Self {
            reader: Box::new(file),
            bar: progress::bar(metadata.is_file().then_some(metadata.len())),
        })
    }
}

/// Standard input as a file: the one of the standard library takes one that cannot be read for an
/// empty one. One that was closed is the null device when the program starts, and cannot be told
/// from it.
#[cfg(unix)]
fn standard_input() -> io::Result<Box<dyn Read>> {
    use std::os::fd::AsFd;

    let input = io::stdin().as_fd().try_clone_to_owned()?;
    Ok(Box::new(File::from(input)))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "the same as for Unix")]
fn standard_input() -> io::Result<Box<dyn Read>> {
    Ok(Box::new(io::stdin().lock()))
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.reader.read(buffer)?;
        self.bar.inc(len as u64);
        Ok(len)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Whether two files have the same contents.
pub(crate) fn equal(left: &str, right: &str) -> io::Result<bool> {
    let mut left = BufReader::with_capacity(1 << 18, File::open(left)?);
    let mut right = BufReader::with_capacity(1 << 18, File::open(right)?);
    loop {
        let (a, b) = (left.fill_buf()?, right.fill_buf()?);
        let len = a.len().min(b.len());
        if a[..len] != b[..len] || (len == 0 && a.len() != b.len()) {
            return Ok(false);
        }
        if len == 0 {
            return Ok(true);
        }
        left.consume(len);
        right.consume(len);
    }
}
