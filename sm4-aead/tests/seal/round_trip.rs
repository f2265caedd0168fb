//! What is sealed is opened again.

use crate::{
    LENGTHS,
    folder::{Folder, HEADER, SEGMENT, TRAILER, data, refused},
};

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
