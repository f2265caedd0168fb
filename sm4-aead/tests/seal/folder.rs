//! A folder to run the program in.

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

pub const HEADER: usize = 33;
pub const SEGMENT: usize = (256 << 10) + 16;
pub const TRAILER: usize = 8;

/// Cargo builds the examples before it runs the tests, beside their folder.
pub fn program() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let path = tests
        .ancestors()
        .nth(2)
        .unwrap()
        .join("examples")
        .join(format!("seal{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.exists(),
        "no {}: run `cargo build --examples`",
        path.display()
    );
    path
}

pub struct Folder(pub TempDir);

impl Folder {
    pub fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.ok(&["keygen", "key"]);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn write(&self, name: &str, contents: &[u8]) {
        fs::write(self.path(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.pipe(arguments, &[])
    }

    pub fn pipe(&self, arguments: &[&str], input: &[u8]) -> Output {
        let mut child = Command::new(program())
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

    pub fn ok(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }

    /// The command fails with one line that has this text in it, and leaves no file behind.
    pub fn fails(&self, arguments: &[&str], text: &str) {
        let before = self.names();
        let output = self.run(arguments);
        refused(&output, text);
        assert_eq!(self.names(), before, "{arguments:?}");
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A file sealed, changed, and refused.
    pub fn refuses(&self, text: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut sealed = self.read("sealed");
        change(&mut sealed);
        self.write("changed", &sealed);
        self.fails(&["open", "--key-file", "key", "changed", "opened"], text);
        fs::remove_file(self.path("changed")).unwrap();
    }
}

pub fn refused(output: &Output, text: &str) {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(text), "{stderr}");
}

pub fn data(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i / 7).to_le_bytes()[0]).collect()
}
