//! Outputs: files that replace others only when they are complete, or the standard one.

use std::{
    fs::{self, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::Result;

/// A file that appears under its name only when it is complete, or standard output.
pub(crate) enum Output {
    File {
        temporary: NamedTempFile,
        name: PathBuf,
        /// Until it is complete nobody else may read it.
        permissions: Option<Permissions>,
    },
    Standard(Box<dyn Write>),
}

impl Output {
    /// An output of this name, which must not be that of the key file.
    ///
    /// A file that exists is replaced by one with the same permissions, as is the target of a link.
    pub(crate) fn create(name: &str, key: &Path) -> Result<Self> {
        let named = |error: io::Error| format!("{name}: {error}");
        if name == "-" {
            // As with `>>KEYFILE`
            if is_standard_output(key).map_err(named)? {
                return Err(format!("{name}: this is the key file").into());
            }
            return Ok(Self::standard()?);
        }
        let mut path = PathBuf::from(name);
        let replaced = match fs::metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(named(error).into()),
        };
        if replaced.as_ref().is_some_and(|found| !found.is_file()) {
            return Err(format!("{name}: not a regular file").into());
        }
        if replaced.is_some() {
            if is_same(&path, key).map_err(named)? {
                return Err(format!("{name}: this is the key file").into());
            }
            path = fs::canonicalize(&path).map_err(named)?;
        } else if path.is_symlink() {
            return Err(format!("{name}: a link to nothing").into());
        }
        let temporary = temporary_beside(&path).map_err(named)?;
        let permissions = permissions(&temporary, &path, replaced).map_err(named)?;
        Ok(Self::File {
            temporary,
            name: path,
            permissions,
        })
    }

    /// Standard output as a file: the one of the standard library takes one that cannot be written
    /// for one that takes everything. One that was closed is the null device when the program
    /// starts, and cannot be told from it.
    #[cfg(unix)]
    pub(crate) fn standard() -> io::Result<Self> {
        use std::os::fd::AsFd;

        let output = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(Self::Standard(Box::new(fs::File::from(output))))
    }

    #[cfg(not(unix))]
    #[allow(clippy::unnecessary_wraps, reason = "the same as for Unix")]
    pub(crate) fn standard() -> io::Result<Self> {
        Ok(Self::Standard(Box::new(io::stdout().lock())))
    }

    /// All has been written. Without this call no file is left.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::File {
                temporary,
                name,
                permissions,
            } => {
                if let Some(permissions) = permissions {
                    temporary.as_file().set_permissions(permissions)?;
                }
                temporary.as_file().sync_data()?;
                temporary.persist(&name)?;
                Ok(())
            }
            Self::Standard(mut stdout) => stdout.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File { temporary, .. } => temporary.as_file_mut().write(bytes),
            Self::Standard(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File { temporary, .. } => temporary.as_file_mut().flush(),
            Self::Standard(stdout) => stdout.flush(),
        }
    }
}

/// A file in the folder of another, which only its owner may read and which goes when it is dropped.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    builder().tempfile_in(folder(path))
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".seal-");
    builder
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(unix)]
fn is_same(left: &Path, right: &Path) -> io::Result<bool> {
    Ok(identity(&fs::metadata(left)?) == identity(&fs::metadata(right)?))
}

#[cfg(unix)]
fn is_standard_output(path: &Path) -> io::Result<bool> {
    use std::os::fd::AsFd;

    let output = fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
    Ok(identity(&output.metadata()?) == identity(&fs::metadata(path)?))
}

/// Device and number: two names with the same ones are one file.
#[cfg(unix)]
fn identity(file: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;

    (file.dev(), file.ino())
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "the same as for Unix")]
fn is_standard_output(_: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(not(unix))]
fn is_same(left: &Path, right: &Path) -> io::Result<bool> {
    Ok(fs::canonicalize(left)? == fs::canonicalize(right)?)
}

/// Those of the file that is replaced, or those of a new one. The file gets the owner and the group
/// too, as far as that is allowed; without the group its permissions are dropped.
#[cfg(unix)]
fn permissions(
    temporary: &NamedTempFile,
    path: &Path,
    replaced: Option<fs::Metadata>,
) -> io::Result<Option<Permissions>> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

    let Some(replaced) = replaced else {
        // Only the system knows what a new file may be.
        let new = builder()
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder(path))?;
        return Ok(Some(new.as_file().metadata()?.permissions()));
    };
    let (file, owner, group) = (temporary.as_file(), replaced.uid(), replaced.gid());
    let grouped =
        fchown(file, Some(owner), Some(group)).or_else(|_| fchown(file, None, Some(group)));
    let kept = if grouped.is_ok() { 0o777 } else { 0o707 };
    Ok(Some(Permissions::from_mode(replaced.mode() & kept)))
}

#[cfg(not(unix))]
#[allow(
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    reason = "the same as for Unix"
)]
fn permissions(
    _: &NamedTempFile,
    _: &Path,
    _: Option<fs::Metadata>,
) -> io::Result<Option<Permissions>> {
    Ok(None)
}
