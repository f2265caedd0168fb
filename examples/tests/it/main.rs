//! The examples, run as programs.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bank_mac;
mod cbc_java;
mod ctr_seek;
mod documents;
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
        for command in commands(&text) {
            let output = folder.run(program, &[&command, "--help"], b"");
            every_argument_is_explained(&String::from_utf8(output.stdout).unwrap());
        }
        every_argument_is_explained(&text);
        let output = folder.run(program, &["--wrong"], b"");
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}

/// What stands under "Commands:".
fn commands(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("Commands:\n").unwrap_or_default();
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

/// Under or beside each argument and each command there is a text.
fn every_argument_is_explained(help: &str) {
    let mut lines = help.lines().peekable();
    while let Some(line) = lines.next() {
        let name = line.trim_start();
        let indentation = line.len() - name.len();
        if !(1..10).contains(&indentation) {
            continue;
        }
        let below = lines
            .peek()
            .is_some_and(|line| line.starts_with("          "));
        assert!(name.contains("  ") || below, "{line:?} in\n{help}");
    }
}
