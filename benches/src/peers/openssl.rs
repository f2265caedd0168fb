//! OpenSSL, through the part of its EVP interface that is needed.

use core::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};

use super::Peer;
use crate::{
    implementation::Implementation,
    job::{self, Input, Operation, Prepared, job},
    modes::Mode,
};

const EVP_CTRL_AEAD_SET_IVLEN: c_int = 0x9;
const EVP_CTRL_AEAD_GET_TAG: c_int = 0x10;
const EVP_CTRL_AEAD_SET_TAG: c_int = 0x11;
const OSSL_PARAM_UTF8_STRING: c_uint = 4;
const OPENSSL_VERSION: c_int = 0;
const OPENSSL_INFO_CPU_SETTINGS: c_int = 1008;

/// A named argument; a list of them ends with one without a name.
#[repr(C)]
struct Parameter {
    key: *const c_char,
    data_type: c_uint,
    data: *const c_void,
    data_size: usize,
    return_size: usize,
}

impl Parameter {
    const END: Self = Self {
        key: ptr::null(),
        data_type: 0,
        data: ptr::null(),
        data_size: 0,
        return_size: 0,
    };

    fn string(key: &'static CStr, value: &'static CStr) -> [Self; 2] {
        [
            Self {
                key: key.as_ptr(),
                data_type: OSSL_PARAM_UTF8_STRING,
                data: value.as_ptr().cast(),
                data_size: value.count_bytes(),
                return_size: 0,
            },
            Self::END,
        ]
    }
}

// SAFETY: these are declarations of openssl/evp.h and openssl/crypto.h
unsafe extern "C" {
    fn OpenSSL_version(what: c_int) -> *const c_char;
    fn OPENSSL_info(what: c_int) -> *const c_char;
    fn EVP_CIPHER_fetch(
        library: *mut c_void,
        name: *const c_char,
        properties: *const c_char,
    ) -> *mut c_void;
    fn EVP_CIPHER_free(cipher: *mut c_void);
    fn EVP_CIPHER_CTX_new() -> *mut c_void;
    fn EVP_CIPHER_CTX_free(context: *mut c_void);
    fn EVP_CIPHER_CTX_set_padding(context: *mut c_void, padding: c_int) -> c_int;
    fn EVP_CIPHER_CTX_ctrl(
        context: *mut c_void,
        what: c_int,
        number: c_int,
        data: *mut c_void,
    ) -> c_int;
    fn EVP_CipherInit_ex2(
        context: *mut c_void,
        cipher: *const c_void,
        key: *const u8,
        iv: *const u8,
        encrypt: c_int,
        parameters: *const Parameter,
    ) -> c_int;
    fn EVP_CipherUpdate(
        context: *mut c_void,
        output: *mut u8,
        output_size: *mut c_int,
        input: *const u8,
        size: c_int,
    ) -> c_int;
    fn EVP_CipherFinal_ex(context: *mut c_void, output: *mut u8, size: *mut c_int) -> c_int;
    fn EVP_MAC_fetch(
        library: *mut c_void,
        name: *const c_char,
        properties: *const c_char,
    ) -> *mut c_void;
    fn EVP_MAC_free(mac: *mut c_void);
    fn EVP_MAC_CTX_new(mac: *mut c_void) -> *mut c_void;
    fn EVP_MAC_CTX_free(context: *mut c_void);
    fn EVP_MAC_init(
        context: *mut c_void,
        key: *const u8,
        size: usize,
        parameters: *const Parameter,
    ) -> c_int;
    fn EVP_MAC_update(context: *mut c_void, data: *const u8, size: usize) -> c_int;
    fn EVP_MAC_final(
        context: *mut c_void,
        tag: *mut u8,
        size: *mut usize,
        capacity: usize,
    ) -> c_int;
}

/// OpenSSL's name for a mode, and arguments to set it up.
fn name(mode: &str) -> Option<(&'static CStr, [Parameter; 2])> {
    let standard = |name| Parameter::string(c"xts_standard", name);
    let none = [Parameter::END, Parameter::END];
    Some(match mode {
        "BLOCK" | "ECB" => (c"SM4-ECB", none),
        "CBC" => (c"SM4-CBC", none),
        "CFB" => (c"SM4-CFB", none),
        "OFB" => (c"SM4-OFB", none),
        "CTR" => (c"SM4-CTR", none),
        "XTS-IEEE" => (c"SM4-XTS", standard(c"IEEE")),
        "XTS-GB" => (c"SM4-XTS", standard(c"GB")),
        "CCM" => (c"SM4-CCM", none),
        "GCM" | "GMAC" => (c"SM4-GCM", none),
        _ => return None,
    })
}

/// # Panics
/// If OpenSSL returns an error: the calls here are all right.
#[track_caller]
fn check(result: c_int) {
    assert_eq!(result, 1, "OpenSSL returns an error");
}

fn size(text: &[u8]) -> c_int {
    c_int::try_from(text.len()).expect("a message of moderate size")
}

/// A cipher with a key.
struct Cipher {
    context: *mut c_void,
    mode: &'static str,
    iv: Vec<u8>,
}

impl Cipher {
    fn new(mode: &Mode, encrypt: bool, input: &Input) -> Option<Self> {
        let (name, parameters) = name(mode.name)?;
        // SAFETY: a string; a null pointer is the default
        let cipher = unsafe { EVP_CIPHER_fetch(ptr::null_mut(), name.as_ptr(), ptr::null()) };
        if cipher.is_null() {
            return None;
        }
        // SAFETY: a new context, which keeps the cipher, strings, and slices of the mode's sizes
        unsafe {
            let context = EVP_CIPHER_CTX_new();
            let none = ptr::null();
            let encrypt = c_int::from(encrypt);
            check(EVP_CipherInit_ex2(
                context,
                cipher,
                none,
                none,
                encrypt,
                parameters.as_ptr(),
            ));
            EVP_CIPHER_free(cipher);
            EVP_CIPHER_CTX_set_padding(context, 0);
            if mode.is_aead {
                let iv_size = size(&input.iv);
                let tag = if encrypt == 1 {
                    ptr::null()
                } else {
                    input.tag.as_ptr()
                };
                check(EVP_CIPHER_CTX_ctrl(
                    context,
                    EVP_CTRL_AEAD_SET_IVLEN,
                    iv_size,
                    ptr::null_mut(),
                ));
                if mode.name == "CCM" {
                    let tag = tag.cast_mut().cast();
                    check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag));
                }
            }
            let cipher = Self {
                context,
                mode: mode.name,
                iv: input.iv.clone(),
            };
            cipher.init(Some(&input.key));
            Some(cipher)
        }
    }

    /// A new key or a new message.
    fn init(&self, key: Option<&[u8]>) {
        let key = key.map_or(ptr::null(), <[u8]>::as_ptr);
        let iv = if self.iv.is_empty() {
            ptr::null()
        } else {
            self.iv.as_ptr()
        };
        // SAFETY: a context, and slices of the mode's sizes
        check(unsafe { EVP_CipherInit_ex2(self.context, ptr::null(), key, iv, -1, ptr::null()) });
    }

    /// Without an output the input is associated data; with neither it is a size in advance.
    fn update(&self, input: *const u8, output: *mut u8, size: c_int) {
        let mut done = 0;
        // SAFETY: a context, and buffers of this size or null pointers
        check(unsafe { EVP_CipherUpdate(self.context, output, &raw mut done, input, size) });
        assert_eq!(done, size, "not all done at once");
    }

    fn update_in_place(&self, text: &mut [u8]) {
        self.update(text.as_ptr(), text.as_mut_ptr(), size(text));
    }

    /// Starts a message of an AEAD.
    fn start(&self, aad: &[u8], length: c_int, tag: Option<&[u8; 16]>) {
        if let Some(tag) = tag {
            self.set_tag(tag);
        }
        self.init(None);
        if self.mode == "CCM" {
            self.update(ptr::null(), ptr::null_mut(), length);
        }
        if !aad.is_empty() {
            self.update(aad.as_ptr(), ptr::null_mut(), size(aad));
        }
    }

    fn set_tag(&self, tag: &[u8; 16]) {
        let tag = tag.as_ptr().cast_mut().cast();
        // SAFETY: a context and an array, which is read only
        check(unsafe { EVP_CIPHER_CTX_ctrl(self.context, EVP_CTRL_AEAD_SET_TAG, 16, tag) });
    }

    /// Ends a message of an AEAD, which checks the tag in decryption.
    fn finish(&self) {
        let (mut rest, mut size) = ([0; 16], 0);
        // SAFETY: a context and an array of a block
        check(unsafe { EVP_CipherFinal_ex(self.context, rest.as_mut_ptr(), &raw mut size) });
    }

    fn tag(&self, tag: &mut [u8; 16]) {
        let tag = tag.as_mut_ptr().cast();
        // SAFETY: a context and an array
        check(unsafe { EVP_CIPHER_CTX_ctrl(self.context, EVP_CTRL_AEAD_GET_TAG, 16, tag) });
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: a context that nobody uses afterwards
        unsafe { EVP_CIPHER_CTX_free(self.context) };
    }
}

/// CMAC with a key.
struct Cmac(*mut c_void);

impl Cmac {
    fn new(key: &[u8]) -> Self {
        let parameters = Parameter::string(c"cipher", c"SM4-CBC");
        // SAFETY: strings, a new context, which keeps the algorithm, and a slice
        unsafe {
            let mac = EVP_MAC_fetch(ptr::null_mut(), c"CMAC".as_ptr(), ptr::null());
            let context = EVP_MAC_CTX_new(mac);
            EVP_MAC_free(mac);
            check(EVP_MAC_init(
                context,
                key.as_ptr(),
                key.len(),
                parameters.as_ptr(),
            ));
            Self(context)
        }
    }

    fn mac(&self, text: &[u8]) -> [u8; 16] {
        let (mut tag, mut size) = ([0; 16], 0);
        // SAFETY: a context, a slice and an array
        unsafe {
            check(EVP_MAC_init(self.0, ptr::null(), 0, ptr::null()));
            check(EVP_MAC_update(self.0, text.as_ptr(), text.len()));
            check(EVP_MAC_final(
                self.0,
                tag.as_mut_ptr(),
                &raw mut size,
                tag.len(),
            ));
        }
        tag
    }
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: a context that nobody uses afterwards
        unsafe { EVP_MAC_CTX_free(self.0) };
    }
}

struct OpenSsl;

pub(super) fn load() -> Peer {
    Ok(Box::new(OpenSsl))
}

/// # Safety
/// A string of C, or null.
unsafe fn string(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the same condition
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

impl Implementation for OpenSsl {
    fn name(&self) -> &'static str {
        "openssl"
    }

    fn version(&self) -> String {
        // SAFETY: a constant string
        unsafe { string(OpenSSL_version(OPENSSL_VERSION)) }
    }

    fn backend(&self) -> String {
        // SAFETY: a constant string
        unsafe { string(OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS)) }
    }

    fn prepare(&self, mode: &Mode, op: Operation, input: &Input) -> Prepared {
        if mode.name == "CMAC" {
            let mac = Cmac::new(&input.key);
            return Some(job(&input.text, move |b| b.tag = mac.mac(b.input())));
        }
        let cipher = Cipher::new(mode, op != Operation::Decrypt, input)?;
        let (tag, aad) = (input.tag, input.aad.clone());
        Some(match (op, mode.is_aead) {
            (Operation::Setup, _) => job::setup(input, move |key| cipher.init(Some(key))),
            (Operation::Encrypt | Operation::Decrypt, false) => job(&input.text, move |b| {
                cipher.init(None);
                cipher.update_in_place(b.output());
            }),
            (Operation::Encrypt, true) => job(&input.text, move |b| {
                let text = b.output();
                cipher.start(&aad, size(text), None);
                cipher.update_in_place(text);
                cipher.finish();
                cipher.tag(&mut b.tag);
            }),
            (Operation::Decrypt, true) => job(&input.text, move |b| {
                let (sealed, text) = b.input_and_output();
                cipher.start(&aad, size(sealed), Some(&tag));
                cipher.update(sealed.as_ptr(), text.as_mut_ptr(), size(text));
                if mode_checks_at_the_end(cipher.mode) {
                    cipher.finish();
                }
            }),
            (Operation::Authenticate, _) => job(&input.text, move |b| {
                cipher.start(b.input(), 0, None);
                if cipher.mode == "CCM" {
                    cipher.update_in_place(&mut []);
                }
                cipher.finish();
                cipher.tag(&mut b.tag);
            }),
        })
    }
}

/// CCM checks the tag with the message.
fn mode_checks_at_the_end(mode: &str) -> bool {
    mode != "CCM"
}
