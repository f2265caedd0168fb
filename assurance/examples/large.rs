//! Messages of more than 4 GiB, in pieces, through CTR, GCM, OCB3 and the sectors of XTS, against
//! libgcrypt, which has to be installed (version 1.10 or later). Memory: some pieces of 16 MiB.
//!
//! ```text
//! cargo run --release -p assurance --example large
//! ```
#![allow(clippy::unwrap_used, reason = "a test")]

use core::{
    ffi::{CStr, c_int, c_uint, c_void},
    mem, ptr,
};
use std::time::Instant;

use sm4::{Sm4, cipher::KeyInit};
use sm4_aead::{Gcm, Ocb3};
use sm4_modes::{
    Sm4Ctr, Sm4XtsIeee,
    cipher::{KeyIvInit, StreamCipher},
};

const PIECE: usize = 16 << 20;
/// Beyond 4 GiB by one piece and an incomplete block.
const PIECES: usize = 257;
const END: usize = 5;
const SECTOR: usize = 4096;
/// Numbers that leave 32 bits.
const FIRST_SECTOR: u128 = (1 << 32) - 1000;

const KEY: [u8; 16] = *b"0123456789abcdef";
const OTHER_KEY: [u8; 16] = *b"another 16 bytes";
/// Its low 32 bits wrap.
const COUNTER: [u8; 16] = [0x5a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xff, 0xff, 0, 0];
const NONCE: [u8; 12] = *b"once per key";
const HEADER: [u8; 21] = [0x77; 21];

const CTR: c_int = 6;
const GCM: c_int = 9;
const OCB: c_int = 11;
const XTS: c_int = 13;
const SM4: c_int = 318;
const FINALIZE: c_int = 5;

/// A cipher of libgcrypt.
struct Peer(*mut c_void);

fn function(name: &CStr) -> *mut c_void {
    // SAFETY: libgcrypt's initialisation has no conditions
    unsafe {
        let library = libc::dlopen(c"libgcrypt.so.20".as_ptr(), libc::RTLD_NOW);
        assert!(!library.is_null(), "libgcrypt is not installed");
        let function = libc::dlsym(library, name.as_ptr());
        assert!(!function.is_null(), "{name:?}");
        function
    }
}

fn check(error: c_uint) {
    assert_eq!(error & 0xffff, 0, "libgcrypt returns an error");
}

type OnBytes = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_uint;

impl Peer {
    fn new(mode: c_int, key: &[u8]) -> Self {
        type Version = unsafe extern "C" fn(*const u8) -> *const u8;
        type Open = unsafe extern "C" fn(*mut *mut c_void, c_int, c_int, c_uint) -> c_uint;
        let mut handle = ptr::null_mut();
        // SAFETY: the functions have these types; a handle is written
        unsafe {
            let version: Version = mem::transmute(function(c"gcry_check_version"));
            version(ptr::null());
            let open: Open = mem::transmute(function(c"gcry_cipher_open"));
            check(open(&raw mut handle, SM4, mode, 0));
        }
        let peer = Self(handle);
        peer.set(c"gcry_cipher_setkey", key);
        peer
    }

    fn set(&self, name: &CStr, bytes: &[u8]) {
        // SAFETY: the function has this type; an open handle and a slice
        unsafe {
            let set: OnBytes = mem::transmute(function(name));
            check(set(self.0, bytes.as_ptr(), bytes.len()));
        }
    }

    fn finalize(&self) {
        type Control = unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, usize) -> c_uint;
        // SAFETY: the function has this type; an open handle
        unsafe {
            let control: Control = mem::transmute(function(c"gcry_cipher_ctl"));
            check(control(self.0, FINALIZE, ptr::null_mut(), 0));
        }
    }

    fn encrypt(&self, text: &mut [u8]) {
        type Encrypt =
            unsafe extern "C" fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
        // SAFETY: the function has this type; an open handle; no input means in place
        unsafe {
            let encrypt: Encrypt = mem::transmute(function(c"gcry_cipher_encrypt"));
            check(encrypt(
                self.0,
                text.as_mut_ptr(),
                text.len(),
                ptr::null(),
                0,
            ));
        }
    }

    fn tag(&self) -> [u8; 16] {
        type Tag = unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_uint;
        let mut tag = [0; 16];
        // SAFETY: the function has this type; an open handle and an array
        unsafe {
            let get: Tag = mem::transmute(function(c"gcry_cipher_gettag"));
            check(get(self.0, tag.as_mut_ptr(), tag.len()));
        }
        tag
    }
}

/// Goes through a message: plaintext, ours and the peer's, who are told whether it is the last piece.
fn compare(
    name: &str,
    end: usize,
    mut ours: impl FnMut(&[u8], &mut [u8]),
    mut theirs: impl FnMut(&mut [u8], bool),
) {
    let start = Instant::now();
    let mut plaintext: Vec<u8> = (0..PIECE)
        .map(|i| (i * 89 % 251).to_le_bytes()[0])
        .collect();
    let (mut one, mut other) = (plaintext.clone(), plaintext.clone());
    let mut len = 0;
    for number in 0..=PIECES {
        let last = number == PIECES;
        let size = if last { end } else { PIECE };
        // No two pieces are the same.
        plaintext[..8].copy_from_slice(&number.to_le_bytes());
        one[..size].copy_from_slice(&plaintext[..size]);
        other[..size].copy_from_slice(&plaintext[..size]);
        if size > 0 {
            ours(&plaintext[..size], &mut one[..size]);
        }
        theirs(&mut other[..size], last);
        assert!(
            one[..size] == other[..size],
            "{name}: differ in piece {number}"
        );
        assert!(size == 0 || one[..size] != plaintext[..size]);
        len += size;
    }
    assert!(len > 1 << 32);
    println!(
        "{name}: {len} bytes agree, {:.0} s",
        start.elapsed().as_secs_f64()
    );
}

fn main() {
    let cipher = || Sm4::new(&KEY.into());
    println!("backend: {}", cipher().backend());

    let mut ctr = Sm4Ctr::new(&KEY.into(), &COUNTER.into());
    let peer = Peer::new(CTR, &KEY);
    peer.set(c"gcry_cipher_setctr", &COUNTER);
    compare(
        "CTR",
        END,
        |_, text| ctr.apply_keystream(text),
        |text, _| peer.encrypt(text),
    );

    macro_rules! aead {
        ($name:literal, $number:expr, $mode:ty) => {{
            let mode = <$mode>::from_cipher(cipher());
            let mut sealing = mode.encryptor(&NONCE, &HEADER, 16).unwrap();
            let mut opening = mode.decryptor(&NONCE, &HEADER, 16).unwrap();
            let mut opened = vec![0; PIECE];
            let peer = Peer::new($number, &KEY);
            peer.set(c"gcry_cipher_setiv", &NONCE);
            peer.set(c"gcry_cipher_authenticate", &HEADER);
            compare(
                $name,
                END,
                |plaintext, text| {
                    sealing.update(text.into()).unwrap();
                    let back = &mut opened[..text.len()];
                    back.copy_from_slice(text);
                    let back = opening.update(back.into()).unwrap().expose_unverified();
                    assert!(back == plaintext, "{}: back", $name);
                },
                |text, last| {
                    if last && $number == OCB {
                        peer.finalize();
                    }
                    peer.encrypt(text);
                },
            );
            let mut tag = [0; 16];
            sealing.finish(&mut tag).unwrap();
            assert_eq!(tag, peer.tag(), "{}: tags", $name);
            opening.finish(&tag).unwrap();
        }};
    }
    aead!("GCM, and back", GCM, Gcm);
    aead!("OCB3, and back", OCB, Ocb3);

    let xts = Sm4XtsIeee::from_ciphers(cipher(), Sm4::new(&OTHER_KEY.into()));
    let peer = Peer::new(XTS, &[KEY, OTHER_KEY].concat());
    let mut number = FIRST_SECTOR;
    let mut peer_number = FIRST_SECTOR;
    compare(
        "XTS, sectors",
        0,
        |_, text| {
            xts.encrypt_sectors(text, SECTOR, number).unwrap();
            number += (text.len() / SECTOR) as u128;
        },
        |text, _| {
            for sector in text.chunks_mut(SECTOR) {
                peer.set(c"gcry_cipher_setiv", &peer_number.to_le_bytes());
                peer.encrypt(sector);
                peer_number += 1;
            }
        },
    );
    assert!(number > 1 << 32);
}
