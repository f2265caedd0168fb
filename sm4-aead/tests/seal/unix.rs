//! What only Unix has.

use core::time::Duration;
use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    process::{Command, Stdio},
    thread,
};

use crate::folder::{Folder, data, program, refused};

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

/// As with `seal … - >>key`
#[test]
fn standard_output_is_the_key_file() {
    let folder = sealed();
    let key = folder.read("key");
    for arguments in [
        ["seal", "--key-file", "key", "plain", "-"],
        ["open", "--key-file", "key", "sealed", "-"],
    ] {
        let file = fs::OpenOptions::new().append(true).open(folder.path("key"));
        let mut command = folder.command(&arguments);
        let child = command.stdout(file.unwrap()).stderr(Stdio::piped()).spawn();
        let output = child.unwrap().wait_with_output().unwrap();
        refused(&output, "-: this is the key file");
        assert_eq!(folder.read("key"), key);
    }
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
