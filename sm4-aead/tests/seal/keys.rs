//! Key files.

use std::fs;

use crate::folder::{Folder, data};

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
        &b""[..],
        b"0123",
        b"+123456789abcdef0123456789abcdef",
        &[b'0'; 33],
        &[0xff; 32], // not UTF-8
        &[0xff; 16], // a key in binary
    ] {
        folder.write("bad", contents);
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
