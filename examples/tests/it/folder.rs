//! A folder to run programs in.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

macro_rules! programs {
    ($($constant:ident $name:literal,)*) => {
        $(pub const $constant: &str = env!(concat!("CARGO_BIN_EXE_", $name));)*
        pub const PROGRAMS: &[(&str, &str)] = &[$(($name, $constant)),*];
    };
}

programs! {
    BANK_MAC "bank_mac",
    CBC_JAVA "cbc_java",
    CTR_SEEK "ctr_seek",
    INTEROP "interop",
    ROWS "rows",
    TLS_RECORDS "tls_records",
    XTS_DISK "xts_disk",
}

pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).unwrap();
    }

    /// A program of the shell.
    #[cfg(unix)]
    pub fn script(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;

        self.write(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(self.path(name), PermissionsExt::from_mode(0o755)).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn run(&self, program: &str, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::thread::scope(|scope| {
            // The program may stop reading before the end.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().unwrap()
        })
    }

    /// What the program writes to standard output; it must not complain.
    pub fn ok(&self, program: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
        let output = self.run(program, arguments, input);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {complaint}");
        assert!(complaint.is_empty(), "{arguments:?}: {complaint}");
        output.stdout
    }

    /// The program fails with one line that has this text in it, writes nothing to standard output,
    /// and neither makes nor removes a file.
    pub fn fails(&self, program: &str, arguments: &[&str], input: &[u8], text: &str) {
        let before = self.names();
        let output = self.run(program, arguments, input);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {complaint}");
        assert_eq!(complaint.lines().count(), 1, "{complaint}");
        assert!(complaint.contains(text), "{arguments:?}: {complaint}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(self.names(), before, "{arguments:?}");
    }
}

/// Some bytes, never the same ones for long.
pub fn data(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i / 7).to_le_bytes()[0]).collect()
}
