//! Keys and data that the tests have in common.

use sm4_aead::sm4::Backend;

use crate::modes::{Mode, with_key};

/// Some bytes.
pub fn bytes(seed: usize, len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| {
            let product = i.wrapping_mul(5 * i + seed);
            product.wrapping_add(seed / 3 + i / 11).to_le_bytes()[0]
        })
        .collect()
}

/// The key that all tests use.
pub fn key<M: Mode>() -> Vec<u8> {
    bytes(77, M::KEY_LEN)
}

/// The mode on the best backend.
pub fn mode<M: Mode>() -> M {
    with_key(&key::<M>(), Backend::available().next().unwrap())
}
