//! How far a job has come, in a file.

use std::{
    fs::{self, File},
    io::{ErrorKind, Write},
    path::PathBuf,
};

use sm4_examples::{Result, named};

pub(crate) struct Mark {
    path: PathBuf,
    /// What the job is: another one must not go on with its file.
    job: String,
}

impl Mark {
    pub(crate) fn new(path: PathBuf, job: String) -> Self {
        Self { path, job }
    }

    /// How many bytes are done, if the job was begun.
    pub(crate) fn read(&self) -> Result<Option<u64>> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => named(&self.path, text)?,
        };
        let done = text
            .strip_prefix(&self.job)
            .and_then(|done| done.trim().parse().ok());
        named(
            &self.path,
            done.map(Some).ok_or("belongs to another job or key"),
        )
    }

    /// The old mark stays until the new one is complete.
    pub(crate) fn write(&self, done: u64) -> Result<()> {
        let new = self.path.with_extension("mark-new");
        let mut file = named(&new, File::create(&new))?;
        named(&new, writeln!(file, "{}\n{done}", self.job))?;
        named(&new, file.sync_data())?;
        named(&self.path, fs::rename(&new, &self.path))
    }

    /// The job is done.
    pub(crate) fn remove(&self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            result => named(&self.path, result),
        }
    }
}
