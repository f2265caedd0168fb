use crate::folder::{Folder, TLS_RECORDS, data};

const SALT: usize = 16;
const RECORD: usize = 5 + (1 << 14) + 1 + 16;

fn command<'a>(action: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[action, "--key-file", "key"], more].concat()
}

#[test]
fn streams_of_many_lengths() {
    let folder = Folder::new();
    folder.ok(TLS_RECORDS, &["keygen", "key"], b"");
    for suite in [["--suite", "gcm"], ["--suite", "ccm"]] {
        for len in [0, 1, 16_383, 16_384, 16_385, 100_000] {
            let text = data(len);
            let sealed = folder.ok(TLS_RECORDS, &command("seal", &suite), &text);
            let records = len.div_ceil(1 << 14);
            // Header, type and tag for each; at the end the alert of 2 bytes
            assert_eq!(sealed.len(), SALT + len + 22 * records + 24);
            let opened = folder.ok(TLS_RECORDS, &command("open", &suite), &sealed);
            assert!(opened == text, "{len}");
        }
    }
    let zeros = ["--zeros", "1000"];
    let sealed = folder.ok(TLS_RECORDS, &command("seal", &zeros), b"short");
    assert_eq!(sealed.len(), SALT + 1027 + 1024);
    assert_eq!(
        folder.ok(TLS_RECORDS, &command("open", &[]), &sealed),
        b"short"
    );
}

#[test]
fn the_same_twice_differs() {
    let folder = Folder::new();
    folder.ok(TLS_RECORDS, &["keygen", "key"], b"");
    let seal = || folder.ok(TLS_RECORDS, &command("seal", &[]), &[0; 100]);
    let (first, second) = (seal(), seal());
    assert_ne!(first[..SALT], second[..SALT]);
    assert_ne!(first[SALT + 5..][..16], second[SALT + 5..][..16]);
}

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.ok(TLS_RECORDS, &["keygen", "key"], b"");
    folder.ok(TLS_RECORDS, &["keygen", "other"], b"");
    let text = data(40_000);
    let sealed = folder.ok(TLS_RECORDS, &command("seal", &[]), &text);
    let refused = |sealed: &[u8], reason: &str| {
        let output = folder.run(TLS_RECORDS, &command("open", &[]), sealed);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        assert!(complaint.contains(reason), "{complaint}");
        assert!(text.starts_with(&output.stdout), "only what is genuine");
        output.stdout.len()
    };
    for cut in [
        0,
        10,
        SALT,
        SALT + 3,
        SALT + RECORD,
        sealed.len() - 24,
        sealed.len() - 1,
    ] {
        refused(&sealed[..cut], "truncated");
    }
    let changed = |at: usize| {
        let mut sealed = sealed.clone();
        sealed[at] ^= 1;
        sealed
    };
    assert_eq!(refused(&changed(0), "bad_record_mac"), 0);
    assert_eq!(refused(&changed(SALT + 1), "bad_record_mac"), 0);
    assert_eq!(
        refused(&changed(SALT + RECORD + 9), "bad_record_mac"),
        1 << 14
    );
    refused(&changed(SALT), "unexpected_message");
    // The first two records change places; one is left out.
    let mut moved = sealed.clone();
    moved[SALT..SALT + 2 * RECORD].rotate_left(RECORD);
    refused(&moved, "bad_record_mac");
    moved.drain(SALT..SALT + RECORD);
    assert_eq!(refused(&moved, "bad_record_mac"), 1 << 14);

    let ccm = command("open", &["--suite", "ccm"]);
    folder.fails(TLS_RECORDS, &ccm, &sealed, "bad_record_mac");
    let other = ["open", "--key-file", "other"];
    folder.fails(TLS_RECORDS, &other, &sealed, "bad_record_mac");
    let full = command("seal", &["--zeros", "16384"]);
    folder.fails(TLS_RECORDS, &full, b"", "no room");
}
