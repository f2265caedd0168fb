use crate::folder::{CBC_JAVA, Folder, data};

/// "0123456789ABCDEF" and "FEDCBA9876543210" as text.
const KEY: &str = "30313233343536373839414243444546\n";
const IV: [&str; 2] = ["--iv", "46454443424139383736353433323130"];
const TEXT: &str = "Hello, 世界";
/// The same from OpenSSL 3.0, Bouncy Castle 1.72 (`SM4/CBC/PKCS5Padding`) and sm-crypto 0.5.8.
const SEALED: &[u8] = b"CHs+uDXA4cUUMMfKHwHp0w==\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("key", KEY);
    folder
}

fn command<'a>(action: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[action, "--key-file", "key"], more].concat()
}

#[test]
fn the_same_as_java() {
    let folder = folder();
    let sealed = folder.ok(CBC_JAVA, &command("encrypt", &IV), TEXT.as_bytes());
    assert_eq!(sealed, SEALED);
    for sealed in [SEALED, SEALED.trim_ascii()] {
        let opened = folder.ok(CBC_JAVA, &command("decrypt", &IV), sealed);
        assert_eq!(opened, TEXT.as_bytes());
    }
}

#[test]
fn random_ivs() {
    let folder = folder();
    for len in [0, 1, 15, 16, 17, 100_000] {
        let text = data(len);
        let seal = || folder.ok(CBC_JAVA, &command("encrypt", &[]), &text);
        let (first, second) = (seal(), seal());
        assert!(first != second);
        let opened = folder.ok(CBC_JAVA, &command("decrypt", &[]), &first);
        assert!(opened == text, "{len}");
    }
}

#[test]
fn strict_decoding() {
    let folder = folder();
    let refuse = |sealed: &[u8], text| {
        folder.fails(CBC_JAVA, &command("decrypt", &IV), sealed, text);
    };
    for sealed in [
        "CHs+uDXA4cUUMMfKHwHp0w=",    // half of the padding
        "CHs+uDXA4cUUMMfKHwHp0w",     // none
        "CHs+uDXA4cUUMMfKHwHp0x==",   // spare bits
        "CHs-uDXA4cUUMMfKHwHp0w==",   // the alphabet for URLs
        "CHs+uDXA\n4cUUMMfKHwHp0w==", // lines, as of MIME
        " CHs+uDXA4cUUMMfKHwHp0w==",
        "CHs+uDXA4cUUMMfKHwHp0w==\n\n",
    ] {
        refuse(sealed.as_bytes(), "not Base64");
    }
    let wrong = "the key or the IV is another one, or the message was changed";
    for sealed in [
        "",
        "CHs+uDXA4cUUMMfKHwHp",             // not a whole block
        "DHs+uDXA4cUUMMfKHwHp0w==",         // another block: its padding is wrong
        "CHs+uDXA4cUUMMfKHwHp0wAAAAAAAAAA", // a block and a half
    ] {
        refuse(sealed.as_bytes(), wrong);
    }
    // Whoever leaves the IV out is told what that means.
    let hint =
        format!("{wrong} (its first 16 bytes were taken for the IV: if they are none, give --iv)");
    folder.fails(CBC_JAVA, &command("decrypt", &[]), SEALED, &hint);
    let output = folder.run(CBC_JAVA, &command("encrypt", &["--iv", "00"]), b"");
    assert_eq!(output.status.code(), Some(2));
}
