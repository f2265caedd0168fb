//! The examples, run as programs.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bank_mac;
mod cbc_java;
mod ctr_seek;
mod folder;
mod interop;
mod openssl;
mod rows;
mod tls_records;
mod xts_disk;

use folder::Folder;

/// Every program says what it is for and how it is called.
#[test]
fn help() {
    let folder = Folder::new();
    for (name, program) in folder::PROGRAMS {
        let output = folder.run(program, &["--help"], b"");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        assert!(text.contains(&format!("Usage: {name}")), "{text}");
        let output = folder.run(program, &["--wrong"], b"");
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}
