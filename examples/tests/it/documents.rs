//! The code in the documents is what a reader sees and can paste. That it compiles and runs is what
//! the tests of the documents say.

use std::{fs, path::Path};

const DOCUMENTS: &[&str] = &[
    "README.md",
    "README.zh-CN.md",
    "docs/migration.md",
    "sm4/README.md",
    "sm4-modes/README.md",
    "sm4-aead/README.md",
];

fn read(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(name)).unwrap()
}

#[test]
fn whole_programs_without_hidden_lines() {
    for name in DOCUMENTS {
        let text = read(name);
        let blocks: Vec<_> = text.split("```rust\n").skip(1).collect();
        assert!(!blocks.is_empty(), "{name}");
        for block in blocks {
            let (code, _) = block.split_once("\n```").unwrap();
            assert!(code.contains("\nfn main() "), "{name}: no program\n{code}");
            for line in code.lines() {
                let hidden = line == "#" || line.starts_with("# ");
                assert!(!hidden, "{name}: {line}");
            }
        }
    }
}

/// The same code, commands and figures in both languages, in the same order.
#[test]
fn both_languages_say_the_same() {
    let parts = |text: &str| {
        let blocks: Vec<_> = text.split("```").skip(1).step_by(2).map(code).collect();
        let rows = |line: &&str| line.starts_with('|') || line.starts_with('#');
        let shape: Vec<_> = text.lines().filter(rows).map(columns).collect();
        (blocks, shape)
    };
    /// Without comments, which are translated.
    fn code(block: &str) -> String {
        let code = |line: &str| {
            let end = line.find(" // ").or(line.find(" # ")).unwrap_or(line.len());
            line[..end].trim_end().to_owned()
        };
        block.lines().map(code).collect::<Vec<_>>().join("\n")
    }
    /// A heading's level, or how many columns a row has.
    fn columns(line: &str) -> (usize, usize) {
        let level = line.len() - line.trim_start_matches('#').len();
        (level, line.replace("\\|", "").matches('|').count())
    }
    let (english, chinese) = (parts(&read("README.md")), parts(&read("README.zh-CN.md")));
    assert_eq!(english.0, chinese.0);
    assert_eq!(english.1, chinese.1);
}

/// Every feature stands in its crate's README and in both of the workspace's.
#[test]
fn features_are_documented() {
    for name in ["sm4", "sm4-modes", "sm4-aead"] {
        let manifest = read(&format!("{name}/Cargo.toml"));
        let (_, features) = manifest.split_once("[features]\n").unwrap();
        let (features, _) = features.split_once("\n[").unwrap();
        let features: Vec<_> = features
            .lines()
            .filter_map(|line| line.split_once(" = ["))
            .map(|(feature, _)| feature)
            .filter(|feature| *feature != "default")
            .collect();
        assert!(features.contains(&"zeroize"), "{name}");
        let page = read(&format!("{name}/README.md"));
        for feature in &features {
            let row = format!("| `{feature}`");
            assert!(page.contains(&row), "{name}/README.md: {feature}");
            for document in &DOCUMENTS[..2] {
                assert!(read(document).contains(&row), "{document}: {feature}");
            }
        }
        let (_, table) = page.split_once("| feature |").unwrap();
        let rows = table.lines().filter(|line| line.starts_with("| `"));
        assert_eq!(rows.count(), features.len(), "{name}/README.md");
    }
}
