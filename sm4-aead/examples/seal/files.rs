//! Key files, and inputs and outputs that may be the standard ones.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use indicatif::ProgressBar;
use sm4_aead::Sm4Gcm;
use tempfile::NamedTempFile;

use crate::{Result, progress};

/// Makes a new key file, which only its owner may read. A key file is 32 hexadecimal digits and a
/// line feed. One that exists is never overwritten.
pub(crate) fn new_key(path: &Path) -> Result<()> {
    let mut key = [0; 16];
    getrandom::fill(&mut key)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || -> io::Result<()> {
        let mut file = options.open(path)?;
        writeln!(file, "{:032x}", u128::from_be_bytes(key))?;
        file.sync_all()
    };
    write().map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Reads a key file.
pub(crate) fn read_key(path: &Path) -> Result<Sm4Gcm> {
    let mut digits = String::new();
    File::open(path)
        .and_then(|file| file.take(64).read_to_string(&mut digits))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let digits = digits.trim_end();
    if digits.len() != 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(format!("{}: not a key file", path.display()).into());
    }
    let key = u128::from_str_radix(digits, 16)?.to_be_bytes();
    Ok(Sm4Gcm::new(&key.into()))
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
                reader: Box::new(io::stdin().lock()),
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

/// A file that appears under its name only when it is complete, or standard output.
pub(crate) enum Output {
    File {
        temporary: NamedTempFile,
        name: PathBuf,
    },
    Standard(io::StdoutLock<'static>),
}

impl Output {
    pub(crate) fn create(name: &str) -> Result<Self> {
        if name == "-" {
            return Ok(Self::Standard(io::stdout().lock()));
        }
        let path = Path::new(name);
        if path.exists() && !path.is_file() {
            return Err(format!("{name}: not a regular file").into());
        }
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".seal-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Self::File {
            temporary: builder
                .tempfile_in(directory)
                .map_err(|error| format!("{name}: {error}"))?,
            name: path.to_path_buf(),
        })
    }

    /// All has been written. Without this call no file is left.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::File { temporary, name } => temporary
                .as_file()
                .sync_data()
                .and_then(|()| Ok(temporary.persist(&name)?))
                .map(drop)
                .map_err(|error| format!("{}: {error}", name.display()).into()),
            Self::Standard(mut stdout) => Ok(stdout.flush()?),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { temporary, .. } => temporary.write(bytes),
            Self::Standard(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File { temporary, .. } => temporary.flush(),
            Self::Standard(stdout) => stdout.flush(),
        }
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
