//! The system's libgcrypt: the part of its C interface that is needed, and its modes.

use core::{
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    ptr,
};
use std::rc::Rc;

use libloading::Library;

use super::Peer;
use crate::{
    generic,
    implementation::Implementation,
    job::{self, Input, Operation, Prepared, job},
    modes::Mode,
};

/// The file that the loader looks for.
const FILE: &str = "libgcrypt.so.20";

const GCRYCTL_RESET: c_int = 4;
const GCRYCTL_FINALIZE: c_int = 5;
const GCRYCTL_DISABLE_SECMEM: c_int = 37;
const GCRYCTL_INITIALIZATION_FINISHED: c_int = 38;
const GCRYCTL_SET_CCM_LENGTHS: c_int = 69;
const GCRYCTL_SET_DECRYPTION_TAG: c_int = 80;
const GCRY_CIPHER_SM4: c_int = 318;
const GCRY_CIPHER_CBC_CTS: c_uint = 4;
const GCRY_CIPHER_CBC_MAC: c_uint = 8;
const GCRY_CIPHER_EXTENDED: c_uint = 16;
const GCRY_MAC_CMAC_SM4: c_int = 212;

macro_rules! interface {
    ($(fn $function:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        struct Interface {
            $($function: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            control: unsafe extern "C" fn(c_int, ...) -> c_uint,
            /// Stays loaded as long as the functions may be called.
            _library: Library,
        }

        impl Interface {
            fn load() -> Result<Self, libloading::Error> {
                // SAFETY: libgcrypt's initialisation has no conditions
                let library = unsafe { Library::new(FILE)? };
                // SAFETY: the types are those of gcrypt.h, which this file name stands for
                unsafe {
                    Ok(Self {
                        $($function: *library.get(stringify!($function))?,)*
                        control: *library.get("gcry_control")?,
                        _library: library,
                    })
                }
            }
        }
    };
}

interface! {
    fn gcry_check_version(*const c_char) -> *const c_char;
    fn gcry_get_config(c_int, *const c_char) -> *mut c_char;
    fn gcry_cipher_open(*mut *mut c_void, c_int, c_int, c_uint) -> c_uint;
    fn gcry_cipher_close(*mut c_void);
    fn gcry_cipher_ctl(*mut c_void, c_int, *mut c_void, usize) -> c_uint;
    fn gcry_cipher_setkey(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_cipher_setiv(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_cipher_setctr(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_cipher_authenticate(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_cipher_encrypt(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
    fn gcry_cipher_decrypt(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
    fn gcry_cipher_gettag(*mut c_void, *mut u8, usize) -> c_uint;
    fn gcry_cipher_checktag(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_mac_open(*mut *mut c_void, c_int, c_uint, *mut c_void) -> c_uint;
    fn gcry_mac_close(*mut c_void);
    fn gcry_mac_ctl(*mut c_void, c_int, *mut c_void, usize) -> c_uint;
    fn gcry_mac_setkey(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_mac_write(*mut c_void, *const u8, usize) -> c_uint;
    fn gcry_mac_read(*mut c_void, *mut u8, *mut usize) -> c_uint;
}

/// libgcrypt's number for a mode, and flags.
fn number(mode: &str) -> Option<(c_int, c_uint)> {
    Some(match mode {
        "BLOCK" | "ECB" => (1, 0),
        "CFB" => (2, 0),
        "CBC" => (3, 0),
        "CBC-CS3" => (3, GCRY_CIPHER_CBC_CTS),
        "CBC-MAC" => (3, GCRY_CIPHER_CBC_MAC),
        "OFB" => (5, 0),
        "CTR" => (6, 0),
        "KW" => (7, 0),
        "CCM" => (8, 0),
        "GCM" | "GMAC" => (9, 0),
        "OCB" => (11, 0),
        "CFB8" => (12, 0),
        "XTS-IEEE" => (13, 0),
        "EAX" => (14, 0),
        "SIV" => (15, 0),
        "GCM-SIV" => (16, 0),
        "KWP" => (7, GCRY_CIPHER_EXTENDED),
        _ => return None,
    })
}

/// # Panics
/// If libgcrypt returns an error: the calls here are all right.
#[track_caller]
fn check(error: c_uint) {
    assert_eq!(error & 0xffff, 0, "libgcrypt returns an error");
}

/// A cipher with a key.
struct Cipher {
    library: Rc<Interface>,
    handle: *mut c_void,
    mode: &'static str,
    iv: Vec<u8>,
}

impl Cipher {
    fn new(library: &Rc<Interface>, mode: &Mode, input: &Input) -> Option<Self> {
        let (number, flags) = number(mode.name)?;
        let mut handle = ptr::null_mut();
        // SAFETY: writes a handle
        let error =
            unsafe { (library.gcry_cipher_open)(&raw mut handle, GCRY_CIPHER_SM4, number, flags) };
        if error != 0 {
            // A version without this mode.
            return None;
        }
        let cipher = Self {
            library: library.clone(),
            handle,
            mode: mode.name,
            iv: input.iv.clone(),
        };
        cipher.set_key(&input.key);
        Some(cipher)
    }

    fn set_key(&self, key: &[u8]) {
        // SAFETY: an open handle
        check(unsafe { (self.library.gcry_cipher_setkey)(self.handle, key.as_ptr(), key.len()) });
    }

    fn control(&self, command: c_int, data: *mut c_void, size: usize) {
        // SAFETY: an open handle, and what the command takes
        check(unsafe { (self.library.gcry_cipher_ctl)(self.handle, command, data, size) });
    }

    /// Starts a message of an AEAD.
    fn start(&self, aad: &[u8], size: usize) {
        if matches!(self.mode, "GCM-SIV" | "SIV") {
            self.control(GCRYCTL_RESET, ptr::null_mut(), 0);
        }
        if self.mode == "SIV" {
            // The nonce is its last string. It tells an empty string from none, and RFC 5297's
            // AEAD has one.
            self.authenticate(aad);
            self.set_iv();
        } else {
            self.set_iv();
            if self.mode == "CCM" {
                let mut sizes = [size as u64, aad.len() as u64, 16];
                let pointer = sizes.as_mut_ptr().cast();
                self.control(GCRYCTL_SET_CCM_LENGTHS, pointer, size_of_val(&sizes));
            }
            if !aad.is_empty() {
                self.authenticate(aad);
            }
        }
        if matches!(self.mode, "OCB" | "GCM-SIV" | "SIV") {
            self.control(GCRYCTL_FINALIZE, ptr::null_mut(), 0);
        }
    }

    fn authenticate(&self, aad: &[u8]) {
        // SAFETY: an open handle and a slice
        check(unsafe {
            (self.library.gcry_cipher_authenticate)(self.handle, aad.as_ptr(), aad.len())
        });
    }

    fn set_iv(&self) {
        let set = match self.mode {
            "BLOCK" | "ECB" => return,
            "CTR" => self.library.gcry_cipher_setctr,
            _ => self.library.gcry_cipher_setiv,
        };
        // SAFETY: an open handle
        check(unsafe { set(self.handle, self.iv.as_ptr(), self.iv.len()) });
    }

    fn encrypt(&self, text: &mut [u8]) {
        // SAFETY: an open handle; no input means in place
        check(unsafe {
            (self.library.gcry_cipher_encrypt)(
                self.handle,
                text.as_mut_ptr(),
                text.len(),
                ptr::null(),
                0,
            )
        });
    }

    fn decrypt(&self, text: &mut [u8]) {
        // SAFETY: an open handle; no input means in place
        check(unsafe {
            (self.library.gcry_cipher_decrypt)(
                self.handle,
                text.as_mut_ptr(),
                text.len(),
                ptr::null(),
                0,
            )
        });
    }

    /// To an output of another size.
    fn encrypt_to(&self, input: &[u8], output: &mut [u8]) {
        // SAFETY: an open handle and slices
        check(unsafe {
            (self.library.gcry_cipher_encrypt)(
                self.handle,
                output.as_mut_ptr(),
                output.len(),
                input.as_ptr(),
                input.len(),
            )
        });
    }

    /// Without a tag, or with one that is part of the input.
    fn decrypt_from(&self, input: &[u8], output: &mut [u8]) {
        // SAFETY: an open handle and slices
        check(unsafe {
            (self.library.gcry_cipher_decrypt)(
                self.handle,
                output.as_mut_ptr(),
                output.len(),
                input.as_ptr(),
                input.len(),
            )
        });
    }

    fn decrypt_to(&self, input: &[u8], output: &mut [u8], tag: &[u8; 16]) {
        if matches!(self.mode, "GCM-SIV" | "SIV") {
            let mut tag = *tag;
            self.control(
                GCRYCTL_SET_DECRYPTION_TAG,
                tag.as_mut_ptr().cast(),
                tag.len(),
            );
        }
        self.decrypt_from(input, output);
        // SAFETY: an open handle and an array
        check(unsafe { (self.library.gcry_cipher_checktag)(self.handle, tag.as_ptr(), tag.len()) });
    }

    fn tag(&self, tag: &mut [u8; 16]) {
        // SAFETY: an open handle and an array
        check(unsafe { (self.library.gcry_cipher_gettag)(self.handle, tag.as_mut_ptr(), 16) });
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        // SAFETY: an open handle, which nobody uses afterwards
        unsafe { (self.library.gcry_cipher_close)(self.handle) };
    }
}

/// CMAC with a key.
struct Cmac {
    library: Rc<Interface>,
    handle: *mut c_void,
}

impl Cmac {
    fn new(library: &Rc<Interface>, key: &[u8]) -> Option<Self> {
        let mut handle = ptr::null_mut();
        // SAFETY: writes a handle
        let error = unsafe {
            (library.gcry_mac_open)(&raw mut handle, GCRY_MAC_CMAC_SM4, 0, ptr::null_mut())
        };
        if error != 0 {
            return None;
        }
        let mac = Self {
            library: library.clone(),
            handle,
        };
        // SAFETY: an open handle and a slice
        check(unsafe { (library.gcry_mac_setkey)(handle, key.as_ptr(), key.len()) });
        Some(mac)
    }

    fn mac(&self, text: &[u8], tag: &mut [u8; 16]) {
        let mut size = tag.len();
        let (library, handle) = (&self.library, self.handle);
        // SAFETY: an open handle, a slice and an array
        unsafe {
            check((library.gcry_mac_ctl)(
                handle,
                GCRYCTL_RESET,
                ptr::null_mut(),
                0,
            ));
            check((library.gcry_mac_write)(handle, text.as_ptr(), text.len()));
            check((library.gcry_mac_read)(
                handle,
                tag.as_mut_ptr(),
                &raw mut size,
            ));
        }
    }
}

impl Drop for Cmac {
    fn drop(&mut self) {
        // SAFETY: an open handle, which nobody uses afterwards
        unsafe { (self.library.gcry_mac_close)(self.handle) };
    }
}

struct Libgcrypt {
    library: Rc<Interface>,
    version: String,
    features: String,
}

pub(super) fn load() -> Peer {
    let library = Interface::load().map_err(|error| error.to_string())?;
    // SAFETY: the version is a string that lives as long as the library; no secure memory is
    // asked for; the list of features is a string that the caller owns (and leaks, once)
    let (version, features) = unsafe {
        let version = (library.gcry_check_version)(ptr::null());
        if version.is_null() {
            return Err("does not initialise".to_owned());
        }
        (library.control)(GCRYCTL_DISABLE_SECMEM, 0);
        (library.control)(GCRYCTL_INITIALIZATION_FINISHED, 0);
        let features = (library.gcry_get_config)(0, c"hwflist".as_ptr());
        let features = if features.is_null() {
            c"".as_ptr()
        } else {
            features
        };
        (string(version), string(features))
    };
    let peer = Libgcrypt {
        library: Rc::new(library),
        version,
        features: features
            .trim()
            .trim_start_matches("hwflist:")
            .trim_end_matches(':')
            .replace(':', " "),
    };
    // SAFETY: opens a handle, which is closed at once
    unsafe {
        let mut handle = ptr::null_mut();
        if (peer.library.gcry_cipher_open)(&raw mut handle, GCRY_CIPHER_SM4, 1, 0) != 0 {
            return Err(format!("version {} has no SM4", peer.version));
        }
        (peer.library.gcry_cipher_close)(handle);
    }
    Ok(Box::new(peer))
}

/// # Safety
/// A string of C.
unsafe fn string(text: *const c_char) -> String {
    // SAFETY: the same condition
    unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned()
}

impl Implementation for Libgcrypt {
    fn name(&self) -> &'static str {
        "libgcrypt"
    }

    fn version(&self) -> String {
        self.version.clone()
    }

    fn backend(&self) -> String {
        self.features.clone()
    }

    fn prepare(&self, mode: &Mode, op: Operation, input: &Input) -> Prepared {
        if mode.name == "CMAC" {
            let mac = Cmac::new(&self.library, &input.key)?;
            return Some(job(&input.text, move |b| {
                let mut tag = [0; 16];
                mac.mac(b.input(), &mut tag);
                b.tag = tag;
            }));
        }
        let cipher = Cipher::new(&self.library, mode, input)?;
        if matches!(mode.name, "KW" | "KWP") {
            return generic::wrap(
                cipher,
                op,
                input,
                |cipher, key, wrapped| cipher.encrypt_to(key, wrapped),
                |cipher, wrapped, key| cipher.decrypt_from(wrapped, key),
            );
        }
        let (tag, aad) = (input.tag, input.aad.clone());
        Some(match (op, mode.is_aead) {
            (Operation::Setup, _) => job::setup(input, move |key| cipher.set_key(key)),
            (Operation::Encrypt, false) => job(&input.text, move |b| {
                cipher.set_iv();
                cipher.encrypt(b.output());
            }),
            (Operation::Decrypt, false) => job(&input.text, move |b| {
                cipher.set_iv();
                cipher.decrypt(b.output());
            }),
            (Operation::Encrypt, true) => job(&input.text, move |b| {
                let text = b.output();
                cipher.start(&aad, text.len());
                cipher.encrypt(text);
                cipher.tag(&mut b.tag);
            }),
            (Operation::Decrypt, true) => job(&input.text, move |b| {
                let (sealed, text) = b.input_and_output();
                cipher.start(&aad, sealed.len());
                cipher.decrypt_to(sealed, text, &tag);
            }),
            (Operation::Authenticate, _) if mode.name == "CBC-MAC" => job(&input.text, move |b| {
                let mut tag = [0; 16];
                cipher.control(GCRYCTL_RESET, ptr::null_mut(), 0);
                cipher.encrypt_to(b.input(), &mut tag);
                b.tag = tag;
            }),
            (Operation::Authenticate, _) => job(&input.text, move |b| {
                cipher.start(b.input(), 0);
                cipher.encrypt(&mut []);
                cipher.tag(&mut b.tag);
            }),
        })
    }
}
