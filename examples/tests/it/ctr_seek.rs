use crate::folder::{CTR_SEEK, Folder, data};

fn file(folder: &Folder, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let all = [
        &arguments[..1],
        &["--key-file", "key", "file"],
        &arguments[1..],
    ]
    .concat();
    folder.ok(CTR_SEEK, &all, input)
}

#[test]
fn reads_and_writes_anywhere() {
    let folder = Folder::new();
    folder.ok(CTR_SEEK, &["keygen", "key"], b"");
    file(&folder, &["create"], b"");
    assert_eq!(file(&folder, &["read", "0", "10"], b""), b"");

    let mut expected = data(200_000);
    file(&folder, &["write", "0"], &expected);
    file(&folder, &["write", "70001"], b"in the middle");
    expected[70_001..70_014].copy_from_slice(b"in the middle");
    file(&folder, &["write", "200100"], b"beyond the end");
    expected.resize(200_100, 0);
    expected.extend(b"beyond the end");

    assert!(file(&folder, &["read", "0", "1000000"], b"") == expected);
    assert_eq!(file(&folder, &["read", "70005", "5"], b""), b"he mi");
    assert_eq!(file(&folder, &["read", "900000", "5"], b""), b"");
    let sealed = folder.read("file");
    assert_eq!(sealed.len(), 24 + expected.len());
    assert!(!sealed.windows(14).any(|bytes| bytes == b"beyond the end"));
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.ok(CTR_SEEK, &["keygen", "key"], b"");
    folder.fails(CTR_SEEK, &["keygen", "key"], b"", "key: File exists");
    folder.write("plain", "not encrypted");
    let read = |key| ["read", "--key-file", key, "plain", "0", "1"];
    folder.fails(CTR_SEEK, &read("key"), b"", "plain: not made by this");
    folder.fails(CTR_SEEK, &read("none"), b"", "none: No such file");
    folder.fails(CTR_SEEK, &read("plain"), b"", "not 32 hexadecimal digits");
    folder.write("binary", [0xff; 33]);
    folder.fails(CTR_SEEK, &read("binary"), b"", "not 32 hexadecimal digits");
    let create = ["create", "--key-file", "key", "plain"];
    folder.fails(CTR_SEEK, &create, b"", "plain: File exists");
    assert_eq!(folder.read("plain"), b"not encrypted");
}
