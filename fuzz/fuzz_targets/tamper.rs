//! Whatever is changed of a sealed message, it is refused, and the output then holds zeros.
#![no_main]

use assurance::operations::{AEADS, KeyBytes};
use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4::{Backend, cipher::InOutBuf};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: KeyBytes,
    nonce: [u8; 16],
    aead: u8,
    backend: u8,
    /// So many bytes of the data are associated data, if there are as many.
    associated: u8,
    part: u8,
    at: u16,
    change: u8,
    data: &'a [u8],
}

fuzz_target!(|input: Input<'_>| {
    let backends: Vec<_> = Backend::available().collect();
    let backend = backends[usize::from(input.backend) % backends.len()];
    let aead = &AEADS[usize::from(input.aead) % AEADS.len()];
    let mode = (aead.make)(backend, &input.key);
    let mut nonce = input.nonce[..aead.nonces[0]].to_vec();
    let (associated, data) = input
        .data
        .split_at(usize::from(input.associated).min(input.data.len()));
    let mut associated = associated.to_vec();
    let (mut sealed, mut tag) = (data.to_vec(), [0; 16]);
    mode.seal(&nonce, &associated, (&mut *sealed).into(), &mut tag)
        .unwrap();

    let at = usize::from(input.at);
    let change = input.change.max(1);
    let alter = |bytes: &mut [u8]| {
        let len = bytes.len();
        if len > 0 {
            bytes[at % len] ^= change;
        }
        len > 0
    };
    let changed = match input.part % 5 {
        0 => alter(&mut nonce),
        1 => alter(&mut associated),
        2 => alter(&mut sealed),
        3 => alter(&mut tag),
        // cut off
        _ => sealed.pop().is_some(),
    };
    if !changed {
        return;
    }
    let mut opened = vec![0xc5; sealed.len()];
    let both = InOutBuf::new(&sealed, &mut opened).unwrap();
    let done = mode.open(&nonce, &associated, both, &tag);
    assert!(done.is_err(), "{backend}, {}: accepted", aead.name);
    assert!(
        opened.iter().all(|&byte| byte == 0),
        "{backend}, {}: plaintext left",
        aead.name
    );
    let done = mode.open(&nonce, &associated, (&mut *sealed).into(), &tag);
    assert!(done.is_err(), "{backend}, {}: accepted in place", aead.name);
    assert!(
        sealed.iter().all(|&byte| byte == 0),
        "{backend}, {}: plaintext left",
        aead.name
    );
});
