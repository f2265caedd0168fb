//! Hostile files for the `seal` example: whatever is changed of a sealed file, what comes out is a
//! beginning of what went in, and an error unless nothing was changed.
#![no_main]

#[allow(dead_code, reason = "the example uses more of it")]
#[path = "../../sm4-aead/examples/seal/container.rs"]
mod container;

use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4_aead::Sm4Gcm;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// The message has so many segments and the data.
    segments: u8,
    changes: Vec<(u32, u8)>,
    cut: Option<u32>,
    /// A file that nobody sealed.
    foreign: bool,
    data: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    let gcm = || Sm4Gcm::new(b"a 16-byte secret".into());
    if input.foreign {
        let mut opened = Vec::new();
        let done = container::open(gcm(), &mut &*input.data, &mut opened);
        assert!(done.is_err() && opened.is_empty());
        return;
    }
    let mut message = vec![0x77; usize::from(input.segments % 4) << 18];
    message.extend_from_slice(input.data);
    let mut sealed = Vec::new();
    container::seal(gcm(), &mut &*message, &mut sealed).unwrap();
    let whole = sealed.clone();
    for &(at, change) in &input.changes {
        let len = sealed.len();
        sealed[at as usize % len] ^= change;
    }
    if let Some(cut) = input.cut {
        sealed.truncate(cut as usize % (sealed.len() + 1));
    }
    let mut opened = Vec::new();
    let done = container::open(gcm(), &mut &*sealed, &mut opened);
    assert!(message.starts_with(&opened), "not authentic");
    assert_eq!(done.is_ok(), sealed == whole);
    if done.is_ok() {
        assert_eq!(opened, message);
    }
});
