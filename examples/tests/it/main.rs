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

/// What the help shows as an example can be pasted, line by line.
#[test]
#[cfg(unix)]
fn examples_of_the_help() {
    for (name, last_words) in [
        ("bank_mac", "ok\n"),
        ("cbc_java", "Hello, 世界Hello, 世界"),
        ("ctr_seek", "million"),
        ("tls_records", "100000\n"),
        ("xts_disk", " reading and writing\n"),
    ] {
        let folder = Folder::new();
        let (_, program) = folder::PROGRAMS.iter().find(|(n, _)| *n == name).unwrap();
        let help = String::from_utf8(folder.ok(program, &["--help"], b"")).unwrap();
        let (_, example) = help.split_once("\nExample:\n").unwrap();
        let lines = example.lines().filter(|line| line.starts_with("  "));
        let programs = std::path::Path::new(program).parent().unwrap().display();
        let script = lines.fold(format!("set -e\nPATH={programs}:$PATH\n"), |text, line| {
            text + line + "\n"
        });
        let shown = folder.ok("sh", &["-c", &script], b"");
        let shown = String::from_utf8(shown).unwrap();
        assert!(shown.ends_with(last_words), "{name}: {shown}");
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
    let (help, _) = help.split_once("\nExample:\n").unwrap_or((help, ""));
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
