//! The figures in the documents are those that were measured, and one command puts them there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use sm4_bench::{
    figures::{DATA, DOCUMENTS, FOLDER, Figures},
    markdown::sections,
};

fn root() -> &'static Path {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    benches.parent().expect("it is in the workspace")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn data(root: &Path) -> PathBuf {
    root.join(FOLDER).join(DATA)
}

/// What stands instead of the data.
const BY_HAND: &str = "put in by hand";

fn assert_documents_show_the_data(root: &Path) {
    let figures: Figures = serde_json::from_str(&read(data(root))).expect("as it was written");
    for name in DOCUMENTS {
        let document = read(root.join(name));
        let anew = figures.rewrite(&document).expect("with sections");
        assert!(anew == document, "{name}: not the figures of {DATA}");
        assert!(!document.contains(BY_HAND), "{name}");
    }
}

#[test]
fn documents_show_what_was_measured() {
    let here = root();
    assert_eq!(sections(&read(here.join("README.md"))), ["overview"]);
    assert_eq!(sections(&read(here.join("README.zh-CN.md"))), ["overview"]);
    assert_eq!(
        sections(&read(here.join("benches/README.md"))),
        [
            "run",
            "bulk",
            "single",
            "short",
            "backends",
            "par-blocks",
            "inlining"
        ]
    );
    if data(here).exists() {
        assert_documents_show_the_data(here);
    } else {
        // Then the document must say so.
        assert!(read(here.join("benches/README.md")).contains(BY_HAND));
    }
}

#[test]
fn one_command_puts_figures_in_their_places() {
    let there = Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures");
    fs::create_dir_all(there.join(FOLDER)).expect("a folder");
    for name in DOCUMENTS {
        fs::copy(root().join(name), there.join(name)).expect("copied");
    }
    let regenerate = || {
        Command::new(env!("CARGO_BIN_EXE_sm4-bench"))
            .args(["--quick", "--peers", "--mode", "block,ecb", "--figures"])
            .arg(&there)
            .output()
            .expect("starts")
    };
    let output = regenerate();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");

    assert_documents_show_the_data(&there);
    let document = read(there.join("benches/README.md"));
    for line in [
        "| cycles per byte, 16 KiB | ours",
        "| ECB enc | ",
        "| BLOCK dec | ",
        "| ECB setup | ",
        "| cycles per byte | Sm4 | 4 blocks | 16 | 32 | 64 | 128 |",
        "| ECB enc, 1536 B | ",
        "| cycles per byte | inline | not inline |",
    ] {
        assert!(document.contains(line), "no {line:?} in {document}");
    }
    for backend in sm4::Backend::available() {
        assert!(document.contains(&format!("| {backend} |")), "{backend}");
    }
    assert!(read(there.join("README.md")).contains(&format!("ours {}", env!("CARGO_PKG_VERSION"))));
    for picture in ["modes.svg", "sizes.svg"] {
        assert!(read(there.join(FOLDER).join(picture)).ends_with("</svg>\n"));
    }

    // A document without its section is found before anything is measured.
    fs::write(there.join("README.md"), "nothing").expect("written");
    let output = regenerate();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        errors.contains("README.md: no section for figures"),
        "{errors}"
    );
}
