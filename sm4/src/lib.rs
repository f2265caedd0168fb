//! SM4 block cipher.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(target_feature = "sse2"),
    allow(
        dead_code,
        reason = "targets use different parts of what backends share, x86 nearly all of it"
    )
)]

#[cfg(test)]
extern crate std;

pub use cipher;

// `target_feature = "sse2"` means: x86 or x86-64, but not one of the soft-float targets that kernels
// are built for. There nobody saves vector registers, and LLVM fails on functions that use them.

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
mod aarch64;
mod backend;
mod bulk;
mod domain;
#[cfg(target_feature = "sse2")]
mod double;
mod engine;
mod kernel;
mod lanes;
mod matrix;
#[cfg(target_arch = "riscv64")]
mod riscv64;
mod round;
mod row;
mod schedule;
mod shape;
mod soft;
mod span;
mod vector;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(target_feature = "sse2")]
mod x86;

pub use backend::{Backend, UnavailableBackend, UnknownBackend};
pub use bulk::Bulk;

use core::fmt;

use backend::Visitor;
use cipher::{
    AlgorithmName, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure,
    BlockCipherEncrypt, BlockSizeUser, Key, KeyInit, KeySizeUser, consts::U16,
};
use engine::{Call, Decrypt, Encrypt, Moderate};
use kernel::InstructionSet;
use schedule::RoundKeys;

/// An SM4 key (16 bytes), ready to encrypt and decrypt blocks of 16 bytes.
#[derive(Clone)]
pub struct Sm4 {
    keys: RoundKeys,
    backend: Backend,
}

impl Sm4 {
    /// Sets up a key for a certain backend.
    ///
    /// # Errors
    /// If this CPU or this build does not have the backend.
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, UnavailableBackend> {
        if !backend.is_available() {
            return Err(UnavailableBackend(backend));
        }
        Ok(Self::expand(key, backend))
    }

    /// Sets up a key for a backend, which has to be an available one.
    #[inline]
    fn expand(key: &Key<Self>, backend: Backend) -> Self {
        struct Expand<'a>(&'a [u8; 16], &'a mut RoundKeys);
        impl Visitor for Expand<'_> {
            type Output = ();

            #[inline(always)]
            unsafe fn visit<I: InstructionSet>(self) {
                // SAFETY: the same condition
                unsafe { I::expand_key(self.0, self.1) };
            }
        }

        let mut sm4 = Self {
            keys: RoundKeys::EMPTY,
            backend,
        };
        backend.visit(Expand(key.as_ref(), &mut sm4.keys));
        sm4
    }

    /// The backend that this key uses.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The same key with the widest kernels.
    #[must_use]
    pub fn bulk(&self) -> Bulk<'_> {
        Bulk(self)
    }
}

impl KeySizeUser for Sm4 {
    type KeySize = U16;
}

impl BlockSizeUser for Sm4 {
    type BlockSize = U16;
}

impl KeyInit for Sm4 {
    fn new(key: &Key<Self>) -> Self {
        Self::expand(key, Backend::best())
    }
}

impl BlockCipherEncrypt for Sm4 {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.backend
            .visit(Encrypt::<_, Moderate>(Call::new(&self.keys, f)));
    }
}

impl BlockCipherDecrypt for Sm4 {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.backend
            .visit(Decrypt::<_, Moderate>(Call::new(&self.keys, f)));
    }
}

impl fmt::Debug for Sm4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4")
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

impl AlgorithmName for Sm4 {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4")
    }
}

impl Drop for Sm4 {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut self.keys);
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Sm4 {}
