//! The example `seal`, run as a program.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod folder;
mod keys;
mod refusals;
mod round_trip;
#[cfg(unix)]
mod unix;

use std::path::Path;

use folder::{Folder, SEGMENT, data, program};

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
