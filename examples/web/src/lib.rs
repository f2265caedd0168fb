//! SM4-GCM for a page without any bundler or generated code: numbers go in and out, bytes through
//! one buffer.
//!
//! ```text
//! buffer   key (16 bytes), nonce (12), message; after sealing with its tag (16) behind it
//! ```

use std::cell::RefCell;

use sm4_aead::{AnySize, Gcm, aead::KeyInit};

const KEY: usize = 16;
const NONCE: usize = 12;
const TAG: usize = 16;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes the buffer large enough for a message of this length and its tag. It is at the address that
/// is returned until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn buffer(message: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(KEY + NONCE + message + TAG, 0);
        buffer.as_mut_ptr()
    })
}

/// Seals the message in the buffer. Returns whether that was possible.
#[unsafe(no_mangle)]
pub extern "C" fn seal() -> bool {
    with_parts(|gcm, nonce, message, tag| gcm.seal_in_place(nonce, &[], message, tag).is_ok())
}

/// Opens the message in the buffer. Returns whether it is authentic; if not, it is all zeros.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> bool {
    with_parts(|gcm, nonce, message, tag| gcm.open_in_place(nonce, &[], message, tag).is_ok())
}

/// Overwrites the buffer, with the key in it.
#[unsafe(no_mangle)]
pub extern "C" fn wipe() {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.fill(0);
        std::hint::black_box(buffer);
    });
}

fn with_parts(action: impl FnOnce(&Gcm, &[u8; NONCE], &mut [u8], &mut [u8; TAG]) -> bool) -> bool {
    BUFFER.with_borrow_mut(|buffer| {
        let Some((key, rest)) = buffer.split_first_chunk_mut::<KEY>() else {
            return false;
        };
        let Some((nonce, rest)) = rest.split_first_chunk_mut::<NONCE>() else {
            return false;
        };
        let Some((message, tag)) = rest.split_last_chunk_mut::<TAG>() else {
            return false;
        };
        action(&Gcm::new((&*key).into()), nonce, message, tag)
    })
}
