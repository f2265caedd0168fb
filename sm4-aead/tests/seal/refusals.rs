//! What was changed is not opened.

use crate::{
    LENGTHS,
    folder::{Folder, HEADER, SEGMENT, TRAILER, data},
};

#[test]
fn refusals() {
    let folder = Folder::new();
    folder.write("plain", &data(3 * (SEGMENT - 16)));
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);

    folder.ok(&["keygen", "other"]);
    folder.fails(
        &["open", "--key-file", "other", "sealed", "opened"],
        "wrong key",
    );
    folder.fails(
        &["open", "--key-file", "key", "plain", "opened"],
        "not a file that was sealed",
    );
    folder.refuses("not a file that was sealed", |sealed| sealed.truncate(7));
    folder.refuses("not a file that was sealed", Vec::clear);
    folder.refuses("format 2", |sealed| sealed[8] = 2);
    for bits in [0, 15, 21, 255] {
        folder.refuses(&format!("segments of 2^{bits} bytes"), |sealed| {
            sealed[9] = bits;
        });
    }
    folder.refuses("header was changed", |sealed| sealed[12] ^= 1);
    folder.refuses("header was changed", |sealed| sealed[9] = 17);

    let len = HEADER + 3 * SEGMENT + TRAILER;
    for cut in [
        8,
        HEADER - 1,
        HEADER,
        HEADER + 1,
        HEADER + 15,
        HEADER + 16,
        HEADER + TRAILER,
        HEADER + SEGMENT,
        HEADER + SEGMENT + TRAILER,
        HEADER + SEGMENT + TRAILER + 1,
        HEADER + 3 * SEGMENT - 1,
        HEADER + 3 * SEGMENT,
        len - 1,
    ] {
        folder.refuses("truncated", |sealed| {
            assert_eq!(sealed.len(), len);
            sealed.truncate(cut);
        });
    }
    // Cut between segments, with the trailer put back.
    folder.refuses("truncated", |sealed| {
        drop(sealed.drain(HEADER + 2 * SEGMENT..len - TRAILER));
    });

    folder.refuses("segment 0 was changed or moved", |sealed| {
        sealed[HEADER] ^= 1;
    });
    folder.refuses("segment 1 was changed or moved", |sealed| {
        sealed[HEADER + 2 * SEGMENT - 1] ^= 1;
    });
    folder.refuses("segment 2 was changed or moved", |sealed| {
        sealed[HEADER + 3 * SEGMENT - 1] ^= 1;
    });
    folder.refuses("segment 0 was changed or moved", |sealed| {
        sealed[HEADER..][..2 * SEGMENT].rotate_left(SEGMENT);
    });
    folder.refuses("segment 1 was changed or moved", |sealed| {
        drop(sealed.drain(HEADER + SEGMENT..HEADER + 2 * SEGMENT));
    });

    // A segment of another file that was sealed with the same key.
    let first = folder.read("sealed");
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    folder.refuses("segment 1 was changed or moved", |sealed| {
        sealed[HEADER + SEGMENT..][..SEGMENT]
            .copy_from_slice(&first[HEADER + SEGMENT..][..SEGMENT]);
    });
}

#[test]
fn something_after_the_end() {
    let folder = Folder::new();
    for len in LENGTHS {
        folder.write("plain", &data(len));
        folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
        folder.refuses("follows the end", |sealed| sealed.push(0));
        folder.refuses("follows the end", |sealed| sealed.extend(b"sm4-end."));
        folder.refuses("follows the end", |sealed| sealed.extend([7; 9]));
        folder.refuses("follows the end", |sealed| sealed.extend(data(SEGMENT)));
    }
    folder.write("plain", &data(1000));
    folder.ok(&["seal", "--key-file", "key", "plain", "sealed"]);
    folder.refuses("follows the end", |sealed| {
        sealed.extend_from_within(..);
    });
    folder.refuses("truncated", |sealed| {
        let middle = sealed.len() / 2;
        sealed[middle] ^= 1;
        sealed.push(0);
    });
}

#[test]
fn an_output_that_exists_stays_if_opening_fails() {
    let folder = Folder::new();
    folder.write("plain", &data(10));
    folder.write("opened", b"precious");
    folder.fails(
        &["open", "--key-file", "key", "plain", "opened"],
        "not a file that was sealed",
    );
    assert_eq!(folder.read("opened"), b"precious");
}
