//! Botan, through the C interface of `botan.cpp`.

use core::ffi::{CStr, c_char, c_void};

use super::Peer;
use crate::{
    implementation::Implementation,
    job::{self, Input, Operation, Prepared, job},
    modes::Mode,
};

// SAFETY: these are the functions of botan.cpp
unsafe extern "C" {
    fn sm4_bench_botan_version() -> *const c_char;
    fn sm4_bench_botan_block_new() -> *mut c_void;
    fn sm4_bench_botan_block_free(cipher: *mut c_void);
    fn sm4_bench_botan_block_provider(cipher: *const c_void, name: *mut c_char, size: usize);
    fn sm4_bench_botan_block_key(cipher: *mut c_void, key: *const u8, size: usize);
    fn sm4_bench_botan_block_crypt(
        cipher: *const c_void,
        decrypt: bool,
        data: *mut u8,
        blocks: usize,
    );
    fn sm4_bench_botan_mac_new(name: *const c_char) -> *mut c_void;
    fn sm4_bench_botan_mac_free(mac: *mut c_void);
    fn sm4_bench_botan_mac_key(mac: *mut c_void, key: *const u8, size: usize);
    fn sm4_bench_botan_mac_run(mac: *mut c_void, data: *const u8, size: usize, tag: *mut u8);
    fn sm4_bench_botan_cipher_new(name: *const c_char, decrypt: bool) -> *mut c_void;
    fn sm4_bench_botan_cipher_free(cipher: *mut c_void);
    fn sm4_bench_botan_cipher_key(cipher: *mut c_void, key: *const u8, size: usize);
    fn sm4_bench_botan_cipher_run(
        cipher: *mut c_void,
        iv: *const u8,
        iv_size: usize,
        aad: *const u8,
        aad_size: usize,
        data: *mut u8,
        size: usize,
        tag: *mut u8,
    ) -> bool;
}

/// Botan's name for a mode.
fn name(mode: &str) -> Option<&'static CStr> {
    Some(match mode {
        "CBC" => c"SM4/CBC/NoPadding",
        "CBC-CS3" => c"SM4/CBC/CTS",
        "CFB" => c"SM4/CFB",
        "CFB8" => c"SM4/CFB(8)",
        "OFB" => c"OFB(SM4)",
        "CTR" => c"CTR-BE(SM4)",
        "CTR32BE" => c"CTR-BE(SM4,4)",
        "XTS-IEEE" => c"SM4/XTS",
        "CCM" => c"SM4/CCM(16,3)",
        "EAX" => c"SM4/EAX",
        "GCM" | "GMAC" => c"SM4/GCM",
        "GCM-SIV" => c"SM4/GCM-SIV",
        "OCB" => c"SM4/OCB",
        "SIV" => c"SM4/SIV",
        _ => return None,
    })
}

/// The block cipher with a key.
struct Block(*mut c_void);

impl Block {
    fn new(key: &[u8]) -> Self {
        // SAFETY: SM4 is part of the build
        let block = Self(unsafe { sm4_bench_botan_block_new() });
        block.set_key(key);
        block
    }

    fn set_key(&self, key: &[u8]) {
        // SAFETY: a cipher and a slice
        unsafe { sm4_bench_botan_block_key(self.0, key.as_ptr(), key.len()) };
    }

    fn crypt(&self, decrypt: bool, text: &mut [u8]) {
        // SAFETY: a cipher and a slice of whole blocks
        unsafe {
            sm4_bench_botan_block_crypt(self.0, decrypt, text.as_mut_ptr(), text.len() / 16);
        }
    }

    fn provider(&self) -> String {
        let mut name = [0; 32];
        // SAFETY: a cipher and an array; the last byte of it is left as it is
        unsafe {
            sm4_bench_botan_block_provider(self.0, name.as_mut_ptr(), name.len());
            CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: a cipher that nobody uses afterwards
        unsafe { sm4_bench_botan_block_free(self.0) };
    }
}

/// A MAC with a key.
struct Mac(*mut c_void);

impl Mac {
    fn new(name: &CStr, key: &[u8]) -> Self {
        // SAFETY: a name that is part of the build, and a slice
        unsafe {
            let mac = sm4_bench_botan_mac_new(name.as_ptr());
            assert!(!mac.is_null(), "Botan has no {name:?}");
            sm4_bench_botan_mac_key(mac, key.as_ptr(), key.len());
            Self(mac)
        }
    }

    fn mac(&self, text: &[u8]) -> [u8; 16] {
        let mut tag = [0; 16];
        // SAFETY: a MAC, a slice and an array
        unsafe { sm4_bench_botan_mac_run(self.0, text.as_ptr(), text.len(), tag.as_mut_ptr()) };
        tag
    }
}

impl Drop for Mac {
    fn drop(&mut self) {
        // SAFETY: a MAC that nobody uses afterwards
        unsafe { sm4_bench_botan_mac_free(self.0) };
    }
}

/// A mode with a key.
struct Cipher {
    handle: *mut c_void,
    iv: Vec<u8>,
}

impl Cipher {
    /// Nothing if Botan has not got the mode.
    fn new(name: &CStr, decrypt: bool, input: &Input) -> Option<Self> {
        // SAFETY: a string
        let handle = unsafe { sm4_bench_botan_cipher_new(name.as_ptr(), decrypt) };
        (!handle.is_null()).then(|| {
            let cipher = Self {
                handle,
                iv: input.iv.clone(),
            };
            cipher.set_key(&input.key);
            cipher
        })
    }

    fn set_key(&self, key: &[u8]) {
        // SAFETY: a cipher and a slice
        unsafe { sm4_bench_botan_cipher_key(self.handle, key.as_ptr(), key.len()) };
    }

    /// # Panics
    /// If the tag is not that of the message.
    fn run(&self, aad: &[u8], text: &mut [u8], tag: &mut [u8; 16]) {
        // SAFETY: a cipher, slices and an array
        let genuine = unsafe {
            sm4_bench_botan_cipher_run(
                self.handle,
                self.iv.as_ptr(),
                self.iv.len(),
                aad.as_ptr(),
                aad.len(),
                text.as_mut_ptr(),
                text.len(),
                tag.as_mut_ptr(),
            )
        };
        assert!(genuine, "Botan refuses the tag");
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: a cipher that nobody uses afterwards
        unsafe { sm4_bench_botan_cipher_free(self.handle) };
    }
}

struct Botan {
    provider: String,
}

pub(super) fn load() -> Peer {
    Ok(Box::new(Botan {
        provider: Block::new(&[0; 16]).provider(),
    }))
}

impl Implementation for Botan {
    fn name(&self) -> &'static str {
        "botan"
    }

    fn version(&self) -> String {
        // SAFETY: a constant string
        unsafe { CStr::from_ptr(sm4_bench_botan_version()) }
            .to_string_lossy()
            .into_owned()
    }

    fn backend(&self) -> String {
        self.provider.clone()
    }

    fn prepare(&self, mode: &Mode, op: Operation, input: &Input) -> Prepared {
        match (mode.name, op) {
            ("ECB", Operation::Setup) => {
                let block = Block::new(&input.key);
                return Some(job::setup(input, move |key| block.set_key(key)));
            }
            ("BLOCK" | "ECB", _) => {
                let block = Block::new(&input.key);
                let decrypt = op == Operation::Decrypt;
                return Some(job(&input.text, move |b| block.crypt(decrypt, b.output())));
            }
            ("CMAC", _) => {
                let mac = Mac::new(c"CMAC(SM4)", &input.key);
                return Some(job(&input.text, move |b| b.tag = mac.mac(b.input())));
            }
            _ => {}
        }
        let cipher = Cipher::new(name(mode.name)?, op == Operation::Decrypt, input)?;
        let (tag, aad) = (input.tag, input.aad.clone());
        // Its tag stands before the ciphertext.
        let is_siv = mode.name == "SIV";
        Some(match (op, mode.is_aead) {
            (Operation::Setup, _) => job::setup(input, move |key| cipher.set_key(key)),
            (Operation::Encrypt, true) => job(&input.text, move |b| {
                let mut tag = [0; 16];
                cipher.run(&aad, b.output(), &mut tag);
                if is_siv {
                    take_from_front(b.output(), &mut tag);
                }
                b.tag = tag;
            }),
            (Operation::Decrypt, true) => job(&input.text, move |b| {
                // Botan decrypts in place only.
                let (sealed, text) = b.input_and_output();
                text.copy_from_slice(sealed);
                let mut tag = tag;
                if is_siv {
                    put_to_front(text, &mut tag);
                }
                cipher.run(&aad, text, &mut tag);
            }),
            (Operation::Authenticate, _) => job(&input.text, move |b| {
                let mut tag = [0; 16];
                cipher.run(b.input(), &mut [], &mut tag);
                b.tag = tag;
            }),
            (_, false) => job(&input.text, move |b| {
                cipher.run(&[], b.output(), &mut [0; 16]);
            }),
        })
    }
}

/// From the first 16 bytes of a text, and the tag after it, to the tag and the text after it.
fn take_from_front(text: &mut [u8], tag: &mut [u8; 16]) {
    text.rotate_left(16);
    if let Some(last) = text.last_chunk_mut() {
        core::mem::swap(last, tag);
    }
}

/// The opposite of [`take_from_front`].
fn put_to_front(text: &mut [u8], tag: &mut [u8; 16]) {
    if let Some(last) = text.last_chunk_mut() {
        core::mem::swap(last, tag);
    }
    text.rotate_right(16);
}
