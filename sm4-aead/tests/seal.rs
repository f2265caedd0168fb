//! The example `seal`, run as a program.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

const HEADER: usize = 33;
const SEGMENT: usize = (256 << 10) + 16;
const TRAILER: usize = 8;

/// Cargo builds the examples before it runs the tests, beside their folder.
fn program() -> PathBuf {
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

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.ok(&["keygen", "key"]);
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, contents: &[u8]) {
        fs::write(self.path(name), contents).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.pipe(arguments, &[])
    }

    fn pipe(&self, arguments: &[&str], input: &[u8]) -> Output {
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

    fn ok(&self, arguments: &[&str]) {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }

    /// The command fails with one line that has this text in it, and leaves no file behind.
    fn fails(&self, arguments: &[&str], text: &str) {
        let before = self.names();
        let output = self.run(arguments);
        refused(&output, text);
        assert_eq!(self.names(), before, "{arguments:?}");
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// A file sealed, changed, and refused.
    fn refuses(&self, text: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut sealed = self.read("sealed");
        change(&mut sealed);
        self.write("changed", &sealed);
        self.fails(&["open", "--key-file", "key", "changed", "opened"], text);
        fs::remove_file(self.path("changed")).unwrap();
    }
}

fn refused(output: &Output, text: &str) {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(text), "{stderr}");
}

fn data(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * i / 7).to_le_bytes()[0]).collect()
}

/// What only Unix has.
#[cfg(unix)]
mod unix {
    use core::time::Duration;
    use std::{
        os::unix::fs::{PermissionsExt, symlink},
        thread,
    };

    use super::*;

    impl Folder {
        fn command(&self, arguments: &[&str]) -> Command {
            let mut command = Command::new(program());
            command.args(arguments).current_dir(&self.0);
            command
        }

        fn mode(&self, name: &str) -> u32 {
            let metadata = fs::metadata(self.path(name)).unwrap();
            metadata.permissions().mode() & 0o7777
        }

        fn set_mode(&self, name: &str, mode: u32) {
            fs::set_permissions(self.path(name), PermissionsExt::from_mode(mode)).unwrap();
        }
    }

    fn sealed() -> Folder {
        let folder = Folder::new();
        folder.write("plain", &data(10));
        folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
        folder
    }

    #[test]
    fn standard_streams_of_no_use() {
        let folder = sealed();
        folder.write("file", b"");
        let read = || fs::File::open(folder.path("file")).unwrap();
        let write = || fs::File::create(folder.path("file")).unwrap();
        let before = folder.names();
        for action in ["seal", "open"] {
            let output = folder
                .command(&[action, "--key-file", "key", "-", "out"])
                .stdin(write())
                .output();
            refused(&output.unwrap(), "Bad file descriptor");
        }
        for arguments in [
            &["seal", "--key-file", "key", "plain", "-"][..],
            &["open", "--key-file", "key", "sealed", "-"],
            &["demo", "plain"],
            &["--help"],
        ] {
            let output = folder
                .command(arguments)
                .stdout(read())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
                .wait_with_output();
            refused(&output.unwrap(), "Bad file descriptor");
        }
        assert_eq!(folder.names(), before);
    }

    #[test]
    fn permissions() {
        let folder = sealed();
        let open = ["open", "--key-file", "key", "sealed", "opened"];
        folder.ok(&open);
        assert_eq!(folder.mode("opened"), folder.mode("plain"), "a new file");
        for mode in [0o600, 0o640, 0o666, 0o400] {
            folder.set_mode("opened", mode);
            folder.ok(&open);
            assert_eq!(folder.mode("opened"), mode);
            assert_eq!(folder.read("opened"), data(10));
        }
        folder.set_mode("plain", 0o600);
        folder.ok(&["seal", "--key-file", "key", "plain", "plain"]);
        assert_eq!(folder.mode("plain"), 0o600, "in place");
    }

    #[test]
    fn links() {
        let folder = sealed();
        let open = ["open", "--key-file", "key", "sealed", "link"];
        symlink("opened", folder.path("link")).unwrap();
        folder.fails(&open, "a link to nothing");
        folder.write("opened", b"old");
        folder.set_mode("opened", 0o600);
        folder.ok(&open);
        assert!(folder.path("link").is_symlink());
        assert!(!folder.path("opened").is_symlink());
        assert_eq!(folder.read("opened"), data(10));
        assert_eq!(folder.mode("opened"), 0o600);
    }

    #[test]
    fn what_is_not_complete_is_private() {
        let folder = sealed();
        let mut child = folder
            .command(&["seal", "--key-file", "key", "-", "new"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let temporary = (0..10_000).find_map(|_| {
            thread::sleep(Duration::from_millis(1));
            let mut names = folder.names().into_iter();
            // Not the empty one that shows the permissions of new files.
            names.find(|name| {
                name.starts_with(".seal-")
                    && fs::metadata(folder.path(name)).is_ok_and(|file| file.len() > 0)
            })
        });
        let mode = temporary.map(|name| folder.mode(&name));
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success());
        assert_eq!(mode, Some(0o600));
        assert_eq!(folder.mode("new"), folder.mode("plain"));
        assert_eq!(folder.names(), ["key", "new", "plain", "sealed"]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn no_room() {
        let folder = sealed();
        let before = folder.names();
        for (arguments, text) in [
            (&["keygen", "new"][..], "new: File too large"),
            (
                &["seal", "--key-file", "key", "plain", "out"],
                "out: File too large",
            ),
            (
                &["open", "--key-file", "key", "sealed", "out"],
                "out: File too large",
            ),
        ] {
            let output = Command::new("sh")
                .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
                .arg(program())
                .args(arguments)
                .current_dir(&folder.0)
                .output();
            refused(&output.unwrap(), text);
            assert_eq!(folder.names(), before, "{arguments:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn full_standard_streams() {
        let folder = sealed();
        let full = || {
            fs::OpenOptions::new()
                .write(true)
                .open("/dev/full")
                .unwrap()
        };
        for arguments in [
            &["--help"][..],
            &["demo", "plain"],
            &["seal", "--key-file", "key", "plain", "-"],
            &["open", "--key-file", "key", "sealed", "-"],
        ] {
            let run = |stderr: Stdio| {
                let mut command = folder.command(arguments);
                let child = command.stdout(full()).stderr(stderr).spawn();
                child.unwrap().wait_with_output().unwrap()
            };
            refused(&run(Stdio::piped()), "No space left");
            assert_eq!(run(full().into()).status.code(), Some(1));
        }
        for arguments in [&[][..], &["keygen", "key"]] {
            let status = folder.command(arguments).stderr(full()).status();
            assert_eq!(status.unwrap().code(), Some(1));
        }
    }
}

/// Lengths around the segment size.
const LENGTHS: [usize; 8] = [
    0,
    1,
    1000,
    SEGMENT - 17,
    SEGMENT - 16,
    SEGMENT - 15,
    2 * (SEGMENT - 16),
    3 * (SEGMENT - 16) + 5,
];

#[test]
fn round_trip() {
    let folder = Folder::new();
    for len in LENGTHS {
        let plain = data(len);
        folder.write("plain", &plain);
        folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
        let segments = len.div_ceil(SEGMENT - 16).max(1);
        let sealed = folder.read("sealed");
        assert_eq!(sealed.len(), HEADER + len + 16 * segments + TRAILER);
        folder.ok(&["open", "--key-file", "key", "sealed", "opened"]);
        assert!(folder.read("opened") == plain, "{len}");
    }
    assert_eq!(folder.names(), ["key", "opened", "plain", "sealed"]);
}

#[test]
fn standard_streams() {
    let folder = Folder::new();
    for len in LENGTHS {
        let plain = data(len);
        let sealed = folder.pipe(&["seal", "--key-file", "key", "-", "-"], &plain);
        assert!(sealed.status.success());
        let opened = folder.pipe(&["open", "--key-file", "key", "-", "-"], &sealed.stdout);
        assert!(opened.status.success(), "{len}");
        assert!(opened.stdout == plain, "{len}");

        let cut = &sealed.stdout[..sealed.stdout.len() - 1];
        let opened = folder.pipe(&["open", "--key-file", "key", "-", "-"], cut);
        refused(&opened, "truncated");
        assert!(plain.starts_with(&opened.stdout), "only what is authentic");
    }
}

#[test]
fn sealing_twice_differs() {
    let folder = Folder::new();
    folder.write("plain", &data(100));
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    let first = folder.read("sealed");
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    assert_ne!(
        first[HEADER..][..100],
        folder.read("sealed")[HEADER..][..100]
    );
}

#[test]
fn in_place() {
    let folder = Folder::new();
    let plain = data(SEGMENT);
    folder.write("file", &plain);
    folder.ok(&["seal", "--key-file", "key", "file", "file"]);
    assert!(folder.read("file") != plain);
    folder.ok(&["open", "--key-file", "key", "file", "file"]);
    assert!(folder.read("file") == plain);
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.write("plain", &data(3 * (SEGMENT - 16)));
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);

    folder.ok(&["keygen", "other"]);
    folder.fails(
        &["open", "--key-file", "other", "sealed", "opened"],
        "wrong key",
    );
    folder.fails(
        &["open", "--key-file", "key", "plain", "opened"],
        "not a file that was sealed",
    );
    folder.refuses("not a file that was sealed", |sealed| sealed.truncate(7));
    folder.refuses("not a file that was sealed", Vec::clear);
    folder.refuses("format 2", |sealed| sealed[8] = 2);
    for bits in [0, 15, 21, 255] {
        folder.refuses(&format!("segments of 2^{bits} bytes"), |sealed| {
            sealed[9] = bits;
        });
    }
    folder.refuses("header was changed", |sealed| sealed[12] ^= 1);
    folder.refuses("header was changed", |sealed| sealed[9] = 17);

    let len = HEADER + 3 * SEGMENT + TRAILER;
    for cut in [
        8,
        HEADER - 1,
        HEADER,
        HEADER + 1,
        HEADER + 15,
        HEADER + 16,
        HEADER + TRAILER,
        HEADER + SEGMENT,
        HEADER + SEGMENT + TRAILER,
        HEADER + SEGMENT + TRAILER + 1,
        HEADER + 3 * SEGMENT - 1,
        HEADER + 3 * SEGMENT,
        len - 1,
    ] {
        folder.refuses("truncated", |sealed| {
            assert_eq!(sealed.len(), len);
            sealed.truncate(cut);
        });
    }
    // Cut between segments, with the trailer put back.
    folder.refuses("truncated", |sealed| {
        drop(sealed.drain(HEADER + 2 * SEGMENT..len - TRAILER));
    });

    folder.refuses("segment 0 was changed or moved", |sealed| {
        sealed[HEADER] ^= 1;
    });
    folder.refuses("segment 1 was changed or moved", |sealed| {
        sealed[HEADER + 2 * SEGMENT - 1] ^= 1;
    });
    folder.refuses("segment 2 was changed or moved", |sealed| {
        sealed[HEADER + 3 * SEGMENT - 1] ^= 1;
    });
    folder.refuses("segment 0 was changed or moved", |sealed| {
        sealed[HEADER..][..2 * SEGMENT].rotate_left(SEGMENT);
    });
    folder.refuses("segment 1 was changed or moved", |sealed| {
        drop(sealed.drain(HEADER + SEGMENT..HEADER + 2 * SEGMENT));
    });

    // A segment of another file that was sealed with the same key.
    let first = folder.read("sealed");
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    folder.refuses("segment 1 was changed or moved", |sealed| {
        sealed[HEADER + SEGMENT..][..SEGMENT]
            .copy_from_slice(&first[HEADER + SEGMENT..][..SEGMENT]);
    });
}

#[test]
fn something_after_the_end() {
    let folder = Folder::new();
    for len in LENGTHS {
        folder.write("plain", &data(len));
        folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
        folder.refuses("follows the end", |sealed| sealed.push(0));
        folder.refuses("follows the end", |sealed| sealed.extend(b"sm4-end."));
        folder.refuses("follows the end", |sealed| sealed.extend([7; 9]));
        folder.refuses("follows the end", |sealed| sealed.extend(data(SEGMENT)));
    }
    folder.write("plain", &data(1000));
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    folder.refuses("follows the end", |sealed| {
        sealed.extend_from_within(..);
    });
    folder.refuses("truncated", |sealed| {
        let middle = sealed.len() / 2;
        sealed[middle] ^= 1;
        sealed.push(0);
    });
}

#[test]
fn an_output_that_exists_stays_if_opening_fails() {
    let folder = Folder::new();
    folder.write("plain", &data(10));
    folder.write("opened", b"precious");
    folder.fails(
        &["open", "--key-file", "key", "plain", "opened"],
        "not a file that was sealed",
    );
    assert_eq!(folder.read("opened"), b"precious");
}

#[test]
fn key_files() {
    let folder = Folder::new();
    let key = folder.read("key");
    assert_eq!(key.len(), 33);
    folder.fails(&["keygen", "key"], "key");
    assert_eq!(folder.read("key"), key);
    folder.ok(&["keygen", "other"]);
    assert_ne!(folder.read("other"), key);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| {
            fs::metadata(folder.path(name))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("key") & 0o777, 0o600);
    }
    folder.write("plain", &data(10));
    for contents in [
        "",
        "0123",
        "+123456789abcdef0123456789abcdef",
        &"0".repeat(33),
    ] {
        folder.write("bad", contents.as_bytes());
        folder.fails(
            &["seal", "--key-file", "bad", "plain", "sealed"],
            "not a key file",
        );
    }
    folder.fails(&["seal", "--key-file", "none", "plain", "sealed"], "none");
    folder.fails(&["seal", "--key-file", "key", "none", "sealed"], "none");
    folder.fails(
        &["seal", "--key-file", "key", "plain", "no/folder"],
        "no/folder",
    );
    folder.fails(
        &["seal", "--key-file", "key", "plain", "."],
        "not a regular file",
    );
}

#[test]
fn the_key_file_is_no_output() {
    let folder = Folder::new();
    let key = folder.read("key");
    folder.write("plain", &data(10));
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    fs::hard_link(folder.path("key"), folder.path("same")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("key", folder.path("link")).unwrap();
    let names: &[_] = if cfg!(unix) {
        &["key", "./key", "same", "link"]
    } else {
        &["key", "./key"]
    };
    for name in names {
        for arguments in [
            ["seal", "--key-file", "key", "plain", name],
            ["open", "--key-file", "key", "sealed", name],
            ["seal", "--key-file", name, "plain", "key"],
        ] {
            folder.fails(&arguments, "this is the key file");
            assert_eq!(folder.read("key"), key);
        }
    }
}

#[test]
fn demo() {
    let folder = Folder::new();
    folder.write("plain", &data(SEGMENT));
    let output = folder.run(&["demo", "plain"]);
    assert!(output.status.success(), "{output:?}");
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(
        shown.contains(&format!("plain: {SEGMENT} bytes")),
        "{shown}"
    );
    assert!(
        shown.contains("the same") && shown.contains("MiB/s"),
        "{shown}"
    );
    assert_eq!(folder.names(), ["key", "plain"]);
    folder.fails(&["demo", "none"], "none");
    folder.fails(&["demo", "-"], "not standard input");
}

#[test]
fn usage() {
    let folder = Folder::new();
    for arguments in [
        &[][..],
        &["seal"],
        &["open", "key", "a", "b"],
        &["wrap", "x"],
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stderr.starts_with(b"usage:"));
    }
    assert!(folder.run(&["--help"]).stdout.starts_with(b"usage:"));
    assert!(Path::new(&program()).is_file());
}
