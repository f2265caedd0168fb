//! Every operation of the crates, for an emulated CPU: code that needs no operating system.
//!
//! `trace.py` calls [`name`] to learn what there is and [`run`] to run it.
#![no_std]

extern crate alloc;

#[path = "../../../assurance/src/operations.rs"]
pub mod operations;
mod runtime;

use core::slice;

use operations::{AEADS, KeyBytes, MACS, MODES, cipher};
use sm4::{
    Backend,
    cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt},
};
use sm4_aead::{Sm4Kw, Sm4Kwp};
use sm4_modes::{cipher::block_padding::Padding, padding::Pkcs7};

/// What is done, and on what.
type Operation = (
    &'static str,
    &'static str,
    fn(Backend, usize, &KeyBytes, &mut [u8]) -> bool,
);

const NONCE: [u8; 16] = [0x3c; 16];

/// Operations that are not in the lists, or do not have an entry there of their own.
const OTHERS: &[Operation] = &[
    ("cipher", "encryption of blocks", |backend, _, key, data| {
        cipher(backend, key, 0).encrypt_blocks(Array::slice_as_chunks_mut(data).0);
        true
    }),
    ("cipher", "bulk encryption", |backend, _, key, data| {
        cipher(backend, key, 0)
            .bulk()
            .encrypt_blocks(Array::slice_as_chunks_mut(data).0);
        true
    }),
    ("cipher", "bulk decryption", |backend, _, key, data| {
        cipher(backend, key, 0)
            .bulk()
            .decrypt_blocks(Array::slice_as_chunks_mut(data).0);
        true
    }),
    ("padding", "removal", |_, _, _, data| {
        let Some(block) = data.first_chunk_mut::<16>() else {
            return true;
        };
        block[11..].fill(5);
        Pkcs7::raw_unpad(block).is_ok()
    }),
    ("padding", "removal, malformed", |_, _, _, data| {
        let Some(block) = data.first_chunk_mut::<16>() else {
            return true;
        };
        block[15] = 9;
        Pkcs7::raw_unpad(block).is_err()
    }),
    ("key wrap", "wrap and unwrap", |backend, _, key, data| {
        let kw = Sm4Kw::from_cipher(cipher(backend, key, 0));
        let (mut wrapped, mut unwrapped) = ([0; 40], [0; 32]);
        let Some(secret) = data.first_chunk::<32>() else {
            return true;
        };
        kw.wrap(secret, &mut wrapped).is_ok()
            && kw.unwrap(&wrapped, &mut unwrapped).is_ok()
            && kw.unwrap(&[key[7]; 40], &mut unwrapped).is_err()
    }),
    ("key wrap", "of any length", |backend, _, key, data| {
        let kwp = Sm4Kwp::from_cipher(cipher(backend, key, 0));
        let (mut wrapped, mut unwrapped) = ([0; 40], [0; 32]);
        let Some(secret) = data.first_chunk::<29>() else {
            return true;
        };
        kwp.wrap(secret, &mut wrapped).is_ok()
            && kwp.unwrap(&wrapped, &mut unwrapped).is_ok()
            && kwp.unwrap(&[key[7]; 40], &mut unwrapped).is_err()
    }),
    // What must be seen
    ("planted", "look-up", |_, _, key, data| {
        data.iter_mut()
            .for_each(|byte| *byte = TABLE[usize::from(key[3])]);
        true
    }),
    ("planted", "branch", |_, _, key, data| {
        if core::hint::black_box(key[3]) & 1 == 1 {
            core::hint::black_box(data);
        }
        true
    }),
];

static TABLE: [u8; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = (i * 29 % 251) as u8;
        i += 1;
    }
    table
};

/// Lists of operations, with functions that do them on entry `i` of theirs.
const KINDS: &[(&str, Operation)] = &[
    (
        "mode",
        ("", "encryption", |backend, i, key, data| {
            if MODES[i].takes(data.len()) {
                (MODES[i].encrypt)(backend, key, &NONCE, data.into());
            }
            true
        }),
    ),
    (
        "mode",
        ("", "decryption", |backend, i, key, data| {
            if MODES[i].takes(data.len()) {
                (MODES[i].decrypt)(backend, key, &NONCE, data.into());
            }
            true
        }),
    ),
    (
        "mac",
        ("", "tag and check", |backend, i, key, data| {
            let tag = (MACS[i].tag)(backend, key, data);
            (MACS[i].verify)(backend, key, data, &tag)
        }),
    ),
    (
        "mac",
        ("", "check of a wrong tag", |backend, i, key, data| {
            let tag = (MACS[i].tag)(backend, key, data);
            !(MACS[i].verify)(backend, key, data, &tag.map(|byte| byte ^ key[7] | 1))
        }),
    ),
    (
        "aead",
        ("", "sealing and opening", |backend, i, key, data| {
            let (mode, nonce) = ((AEADS[i].make)(backend, key), &NONCE[..AEADS[i].nonces[0]]);
            let (associated, data) = data.split_at_mut(data.len() / 3);
            let mut tag = [0; 16];
            mode.seal(nonce, associated, (&mut *data).into(), &mut tag)
                .is_ok()
                && mode.open(nonce, associated, data.into(), &tag).is_ok()
        }),
    ),
    (
        "aead",
        ("", "opening with a wrong tag", |backend, i, key, data| {
            let (mode, nonce) = ((AEADS[i].make)(backend, key), &NONCE[..AEADS[i].nonces[0]]);
            let (associated, data) = data.split_at_mut(data.len() / 3);
            let tag = [key[7]; 16];
            mode.open(nonce, associated, data.into(), &tag).is_err()
        }),
    ),
];

fn find(number: usize) -> Option<(&'static str, &'static str, usize, Operation)> {
    let mut number = number;
    for operation in OTHERS {
        if number == 0 {
            return Some((operation.0, operation.1, 0, *operation));
        }
        number -= 1;
    }
    for (list, operation) in KINDS {
        let count = match *list {
            "mode" => MODES.len(),
            "mac" => MACS.len(),
            _ => AEADS.len(),
        };
        if number < count {
            let name = match *list {
                "mode" => MODES[number].name,
                "mac" => MACS[number].name,
                _ => AEADS[number].name,
            };
            return Some((name, operation.1, number, *operation));
        }
        number -= count;
    }
    None
}

/// Writes `backend` or `operation, what` of that number; returns the number of bytes, 0 at the end.
///
/// # Safety
/// `to` has room for 100 bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn name(of_backend: bool, number: usize, to: *mut u8) -> usize {
    let parts = if of_backend {
        Backend::available()
            .nth(number)
            .map(|backend| [backend.name(), "", ""])
    } else {
        find(number).map(|(name, what, _, _)| [name, ", ", what])
    };
    let mut len = 0;
    for byte in parts.iter().flatten().flat_map(|part| part.bytes()) {
        // SAFETY: there is room
        unsafe { to.add(len).write(byte) };
        len += 1;
    }
    len
}

/// Runs an operation on a backend. Returns whether the answer was as it should be.
///
/// # Safety
/// There are the data.
#[unsafe(no_mangle)]
unsafe extern "C" fn run(
    number: usize,
    backend: usize,
    key: &KeyBytes,
    data: *mut u8,
    len: usize,
) -> bool {
    runtime::free_all();
    // SAFETY: the data are there
    let data = unsafe { slice::from_raw_parts_mut(data, len) };
    match (find(number), Backend::available().nth(backend)) {
        (Some((_, _, i, operation)), Some(backend)) => operation.2(backend, i, key, data),
        _ => false,
    }
}
