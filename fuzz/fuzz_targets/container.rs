//! Hostile files for the `seal` example: whatever is done to a sealed file, what comes out is a
//! beginning of what went in, and an error unless nothing was changed.
//!
//! Under a fuzzer the example's segments have 16 bytes, so that a short message has many of them.
#![no_main]

#[allow(dead_code, reason = "the example uses more of it")]
#[path = "../../sm4-aead/examples/seal/container.rs"]
mod container;

use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4_aead::Sm4Gcm;

const HEADER: usize = 33;
const SEGMENT: usize = 16 + 16;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    /// A file that nobody sealed with the key.
    foreign: bool,
    steps: [Step; 4],
    data: &'a [u8],
}

/// Something that an attacker does to a file. Places are taken modulo what there is.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Step {
    kind: u8,
    at: u16,
    other: u8,
}

impl Step {
    fn apply(self, file: &mut Vec<u8>, another: &[u8]) {
        let (at, other) = (usize::from(self.at), usize::from(self.other));
        let segments = file.len().saturating_sub(HEADER) / SEGMENT;
        let segment = |number: usize| HEADER + SEGMENT * number..HEADER + SEGMENT * (number + 1);
        match self.kind % 10 {
            0 if !file.is_empty() => {
                let at = at % file.len();
                file[at] ^= self.other;
            }
            1 => file.truncate(at % (file.len() + 1)),
            2 => file.extend_from_slice(&vec![self.other; at % 100]),
            3 => file.extend_from_slice(another),
            4 if segments > 0 => drop(file.drain(segment(at % segments))),
            5 if segments > 0 => {
                let copy = file[segment(at % segments)].to_vec();
                let to = segment(other % (segments + 1)).start;
                drop(file.splice(to..to, copy));
            }
            6 if segments > 0 => {
                let (a, b) = (segment(at % segments), segment(other % segments));
                let copy = file[a.clone()].to_vec();
                file.copy_within(b.clone(), a.start);
                file[b].copy_from_slice(&copy);
            }
            // The same place of a file that was sealed with the same key
            7 if segments > 0 => {
                let place = segment(at % segments);
                if let Some(of_another) = another.get(place.clone()) {
                    file[place].copy_from_slice(of_another);
                }
            }
            8 if file.len() > HEADER && another.len() > HEADER => {
                file[..HEADER].copy_from_slice(&another[..HEADER]);
            }
            _ => {}
        }
    }
}

fn sealed(message: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    container::seal(gcm(), &mut &*message, &mut file).unwrap();
    file
}

fn gcm() -> Sm4Gcm {
    Sm4Gcm::new(b"a 16-byte secret".into())
}

fuzz_target!(|input: Input<'_>| {
    let mut opened = Vec::new();
    if input.foreign {
        // Not the key of the seeds: the fuzzer knows files that were sealed with that one.
        let gcm = Sm4Gcm::new(b"another 16 bytes".into());
        let done = container::open(gcm, &mut &*input.data, &mut opened);
        assert!(done.is_err() && opened.is_empty());
        return;
    }
    let whole = sealed(input.data);
    let another = sealed(input.data);
    let mut file = whole.clone();
    for step in input.steps {
        step.apply(&mut file, &another);
    }
    let done = container::open(gcm(), &mut &*file, &mut opened);
    if file == another {
        assert!(done.is_ok() && opened == input.data);
        return;
    }
    assert!(input.data.starts_with(&opened), "not authentic");
    assert_eq!(done.is_ok(), file == whole);
    if done.is_ok() {
        assert_eq!(opened, input.data);
    }
});
