//! libgcrypt gives the same. For the modes that no standard has with SM4 this is what they mean.
//!
//! Ignored unless asked for, because it needs the library on the machine:
//! `cargo test -p sm4-aead --test libgcrypt -- --ignored`

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/modes.rs"]
mod modes;

use core::{
    ffi::{c_char, c_int, c_uint, c_void},
    ptr,
};

use libloading::Library;
use modes::{Mode, with_key};
use sm4_aead::{AnySize, Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv, Sm4Kw, Sm4Kwp, sm4::Backend};

const SM4: c_int = 318;
const DISABLE_SECMEM: c_int = 37;
const INITIALIZATION_FINISHED: c_int = 38;
const FINALIZE: c_int = 5;
const SET_CCM_LENGTHS: c_int = 69;
const EXTENDED: c_uint = 16;

const AESWRAP: c_int = 7;
const CCM: c_int = 8;
const GCM: c_int = 9;
const OCB: c_int = 11;
const EAX: c_int = 14;
const SIV: c_int = 15;
const GCM_SIV: c_int = 16;

struct Libgcrypt(Library);

impl Libgcrypt {
    fn load() -> Self {
        // SAFETY: the types are those of gcrypt.h, for which the file's name stands
        unsafe {
            let library = Library::new("libgcrypt.so.20").expect("libgcrypt is not installed");
            let check = library
                .get::<unsafe extern "C" fn(*const c_char) -> *const c_char>("gcry_check_version")
                .unwrap();
            assert!(!check(ptr::null()).is_null());
            let control = library
                .get::<unsafe extern "C" fn(c_int, ...) -> c_uint>("gcry_control")
                .unwrap();
            assert_eq!(control(DISABLE_SECMEM, 0), 0);
            assert_eq!(control(INITIALIZATION_FINISHED, 0), 0);
            Self(library)
        }
    }

    fn open(&self, mode: c_int, flags: c_uint, key: &[u8]) -> Handle<'_> {
        let mut handle = ptr::null_mut();
        // SAFETY: as in gcrypt.h
        let error = unsafe {
            self.0
                .get::<unsafe extern "C" fn(*mut *mut c_void, c_int, c_int, c_uint) -> c_uint>(
                    "gcry_cipher_open",
                )
                .unwrap()(&mut handle, SM4, mode, flags)
        };
        assert_eq!(error, 0, "mode {mode}");
        let handle = Handle(self, handle);
        handle.give("gcry_cipher_setkey", key);
        handle
    }
}

struct Handle<'l>(&'l Libgcrypt, *mut c_void);

impl Handle<'_> {
    /// Calls a function that takes bytes.
    fn give(&self, function: &str, bytes: &[u8]) {
        // SAFETY: as in gcrypt.h
        let error = unsafe {
            self.0
                .0
                .get::<unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_uint>(function)
                .unwrap()(self.1, bytes.as_ptr(), bytes.len())
        };
        assert_eq!(error, 0, "{function}");
    }

    fn tag(&self) -> [u8; 16] {
        let mut tag = [0; 16];
        // SAFETY: as in gcrypt.h
        let error = unsafe {
            self.0
                .0
                .get::<unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_uint>(
                    "gcry_cipher_gettag",
                )
                .unwrap()(self.1, tag.as_mut_ptr(), 16)
        };
        assert_eq!(error, 0);
        tag
    }

    fn control(&self, command: c_int, argument: &mut [u64]) {
        let address = if argument.is_empty() {
            ptr::null_mut()
        } else {
            argument.as_mut_ptr().cast()
        };
        // SAFETY: as in gcrypt.h
        let error = unsafe {
            self.0
                .0
                .get::<unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, usize) -> c_uint>(
                    "gcry_cipher_ctl",
                )
                .unwrap()(self.1, command, address, size_of_val(argument))
        };
        assert_eq!(error, 0, "{command}");
    }

    fn encrypt(&self, input: &[u8], output_len: usize) -> Vec<u8> {
        let mut output = vec![0; output_len];
        // SAFETY: as in gcrypt.h
        let error = unsafe {
            self.0
                .0
                .get::<unsafe extern "C" fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint>(
                    "gcry_cipher_encrypt",
                )
                .unwrap()(
                self.1,
                output.as_mut_ptr(),
                output_len,
                input.as_ptr(),
                input.len(),
            )
        };
        assert_eq!(error, 0);
        output
    }
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        // SAFETY: as in gcrypt.h
        unsafe {
            self.0
                .0
                .get::<unsafe extern "C" fn(*mut c_void)>("gcry_cipher_close")
                .unwrap()(self.1);
        }
    }
}

fn bytes(seed: usize, len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| (i * i * 3 + i * seed + seed / 5 + i / 13).to_le_bytes()[0])
        .collect()
}

const LENGTHS: [usize; 12] = [1, 15, 16, 17, 31, 32, 33, 100, 255, 1000, 2047, 2100];

fn same<M: Mode + AnySize>(library: &Libgcrypt, number: c_int, nonce_len: usize) {
    for len in LENGTHS {
        let key = bytes(len, M::KEY_LEN);
        let (nonce, aad, plain) = (bytes(len + 1, nonce_len), bytes(len + 2, 37), bytes(3, len));
        let mode: M = with_key(&key, Backend::available().next().unwrap());
        let mut sealed = plain.clone();
        let mut tag = [0; 16];
        mode.seal_in_place(&nonce, &aad, &mut sealed, &mut tag)
            .unwrap();

        let theirs = library.open(number, 0, &key);
        if number == SIV {
            // Each string is one call, and the nonce the last.
            theirs.give("gcry_cipher_authenticate", &aad);
            theirs.give("gcry_cipher_setiv", &nonce);
        } else {
            theirs.give("gcry_cipher_setiv", &nonce);
            if number == CCM {
                theirs.control(SET_CCM_LENGTHS, &mut [len as u64, 37, 16]);
            }
            theirs.give("gcry_cipher_authenticate", &aad);
        }
        if number == OCB {
            theirs.control(FINALIZE, &mut []);
        }
        assert!(
            theirs.encrypt(&plain, len) == sealed,
            "mode {number}, {len}"
        );
        assert_eq!(theirs.tag(), tag, "mode {number}, {len}");
    }
}

#[test]
#[ignore = "needs libgcrypt"]
fn libgcrypt() {
    let library = Libgcrypt::load();
    same::<Gcm>(&library, GCM, 12);
    same::<Gcm>(&library, GCM, 21);
    same::<Ccm>(&library, CCM, 12);
    same::<Eax>(&library, EAX, 16);
    same::<Eax>(&library, EAX, 5);
    same::<Ocb3>(&library, OCB, 12);
    same::<GcmSiv>(&library, GCM_SIV, 12);
    same::<Siv>(&library, SIV, 16);

    let key = bytes(9, 16);
    let backend = Backend::available().next().unwrap();
    let (kw, kwp) = (
        with_key::<Sm4Kw>(&key, backend),
        with_key::<Sm4Kwp>(&key, backend),
    );
    for len in (16..200).step_by(8) {
        let mut wrapped = vec![0; len + 8];
        kw.wrap(&bytes(1, len), &mut wrapped).unwrap();
        let theirs = library.open(AESWRAP, 0, &key);
        assert!(theirs.encrypt(&bytes(1, len), len + 8) == wrapped, "{len}");
    }
    for len in 1..100 {
        let mut wrapped = vec![0; Sm4Kwp::wrapped_len(len)];
        kwp.wrap(&bytes(1, len), &mut wrapped).unwrap();
        let theirs = library.open(AESWRAP, EXTENDED, &key);
        assert!(
            theirs.encrypt(&bytes(1, len), wrapped.len()) == wrapped,
            "{len}"
        );
    }
}
