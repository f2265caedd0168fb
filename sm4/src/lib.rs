//! The SM4 block cipher (GB/T 32907-2016, ISO/IEC 18033-3:2010/Amd 1:2021): keys of 16 bytes,
//! blocks of 16 bytes, 32 rounds.
//!
//! No branch and no address depends on a secret, on any backend, and it is as fast as the CPU allows: [`Sm4::new`] picks the best
//! [`Backend`] at run time. The traits are RustCrypto's ([`cipher`] 0.5), so all of its generic
//! modes work with it.
//!
//! ```
//! use sm4::{Sm4, cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit}};
//!
//! let sm4 = Sm4::new(&[0x42; 16].into());
//!
//! let mut block = [0; 16].into();
//! sm4.encrypt_block(&mut block);
//! sm4.decrypt_block(&mut block);
//! assert_eq!(block, [0; 16]);
//!
//! // Many blocks at once are many times faster than one after the other.
//! let mut blocks = [[7; 16].into(); 1000];
//! sm4.bulk().encrypt_blocks(&mut blocks);
//! ```
//!
//! <div class="warning">
//!
//! A block cipher by itself encrypts equal blocks to equal blocks and authenticates nothing. Use it
//! through a mode: `sm4-aead` has the authenticated ones, `sm4-modes` the others.
//!
//! </div>
//!
//! In this page: [two widths](#two-widths), [a mode of your own](#a-mode-of-your-own),
//! [backends and how to force one](#backends), [constant time](#constant-time),
//! [sizes and secrets](#sizes-and-secrets), [features](#features).
//!
//! # Two widths
//!
//! * [`Sm4`] itself asks its callers for a moderate number of blocks at a time (`ParBlocksSize`),
//!   because the generic mode crates do what is left over one block after the other.
//! * [`Sm4::bulk`] gives the same key with the widest kernels. Whatever is left goes through the
//!   narrowest kernel that fits, in one call of `encrypt_tail_blocks`.
//!
//! What a width costs those crates, in cycles per byte (`gfni-avx512` on Zen 5; `cbc` decryption takes 5
//! to 30 % less):
//!
//! | `ctr`, message of | 4 | **16** | 32 | 64 | 128 blocks | `bulk()` ECB |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | 64 B | 6.6 | 20 | 20 | 20 | 21 | 5.6 |
//! | 256 B | 6.3 | 1.9 | 19 | 19 | 19 | 1.5 |
//! | 512 B | 6.2 | 1.8 | 1.2 | 19 | 19 | 0.86 |
//! | 1 KiB | 6.2 | 1.8 | 1.1 | 1.1 | 19 | 0.57 |
//! | 4 KiB | 6.1 | 1.7 | 1.1 | 1.0 | 0.75 | 0.36 |
//! | 64 KiB | 6.1 | 1.7 | 1.1 | 1.0 | 0.74 | 0.36 |
//!
//! A message shorter than the width is done block by block; the others here leave nothing over. A random length leaves half a width on average, at 300 cycles
//! a block: 32 instead of 16 gains 320 cycles for every 512 bytes and loses 2400 at the end, so that
//! it pays from 4 KiB, and 16 is the choice. (`cargo run --release -p sm4-bench -- --study
//! par-blocks` makes the table.) Modes made for [`Bulk`] need no such choice. The other backends by
//! the same measure, `ctr` with messages of 256 B, 1 KiB and 16 KiB:
//!
//! | | 4 blocks | **16** | 32 | 64 | 128 |
//! | --- | --- | --- | --- | --- | --- |
//! | `gfni-avx2` | 6.6, 6.5, 6.5 | 2.2, 2.1, 2.1 | 22, 1.6, 1.6 | 22, 1.3, 1.3 | 22, 21, 1.3 |
//! | `vaes-avx2` | 13, 13, 13 | 3.9, 3.8, 3.7 | 43, 3.8, 3.9 | 43, 2.2, 2.1 | 43, 43, 2.1 |
//! | `aesni-avx2` | 13, 13, 13 | 4.5, 4.4, 4.4 | 42, 3.3, 3.2 | 42, 2.3, 2.3 | 42, 42, 2.3 |
//! | `aesni-avx` | 13, 13, 13 | 5.4, 5.3, 5.3 | 43, 3.7, 3.6 | 43, 3.8, 3.7 | 43, 43, 3.7 |
//! | `aesni-ssse3` | 13, 12, 12 | 5.4, 5.3, 5.3 | 42, 4.2, 3.9 | 42, 4.0, 4.0 | 42, 42, 4.0 |
//! | `soft` | 46, 46, 46 | 12, 11, 11 | 130, 7.4, 7.3 | 130, 7.4, 7.3 | 130, 130, 4.9 |
//!
//! # A mode of your own
//!
//! A mode on [`Bulk`] is a closure which the cipher calls with its backend, so that the mode's own
//! loops (counters, tweaks) are compiled with the backend's target features. It takes as many blocks
//! at once as the backend wants (`ParBlocksSize`), and what is left in one call. What a mode adds to
//! the blocks (by XOR) before or after the cipher are [masks](Masking): the widest kernels of most
//! backends do it while the blocks are in registers anyway, which is faster than a pass over them of one's own.
//!
//! ```
//! use sm4::{
//!     BulkBackend, BulkClosure, Masking, Sm4,
//!     cipher::{Block, BlockCipherEncrypt, BlockSizeUser, InOutBuf, KeyInit, ParBlocks, consts::U16},
//! };
//!
//! /// CTR mode: the encrypted numbers 0, 1, 2, … are added to the blocks.
//! struct Counter<'a>(InOutBuf<'a, 'a, Block<Sm4>>);
//!
//! impl BlockSizeUser for Counter<'_> {
//!     type BlockSize = U16;
//! }
//!
//! impl BulkClosure for Counter<'_> {
//!     #[inline(always)]
//!     fn call<B: BulkBackend>(self, backend: &B) {
//!         let mut masks = ParBlocks::<B>::default();
//!         let (mut number, mut rest) = (0_u128, self.0);
//!         while !rest.is_empty() {
//!             let count = rest.len().min(masks.len());
//!             for mask in &mut masks[..count] {
//!                 *mask = number.to_be_bytes().into();
//!                 number += 1;
//!             }
//!             let (blocks, after) = rest.split_at(count);
//!             backend.encrypt_masked(Masking::KeyStream, &mut masks[..count], blocks);
//!             rest = after;
//!         }
//!     }
//! }
//!
//! let sm4 = Sm4::new(&[0x42; 16].into());
//! let mut blocks = [Block::<Sm4>::default(); 1000];
//! sm4.bulk().run(Counter((&mut blocks[..]).into()));
//!
//! let mut block = 999_u128.to_be_bytes().into();
//! sm4.encrypt_block(&mut block);
//! assert_eq!(block, blocks[999]);
//! ```
//!
//! Where there is nothing to add, `encrypt_with_backend` and `decrypt_with_backend` with the closures
//! of the [`cipher`] crate do. Serial modes are made of
//! [`cbc_encrypt_blocks`](Bulk::cbc_encrypt_blocks) and the like.
//!
//! # Backends
//!
//! [`Backend::available`] lists what this CPU can run, [`Sm4::with_backend`] takes a certain one,
//! and `RUSTFLAGS='--cfg sm4_backend="<name>"'` fixes it at compile time. Then [`Sm4::new`] panics on
//! a CPU that has not got it, and no other backend is available. (The compiler does not tell of a
//! misspelt name; [`Backend::available`] does.)
//!
//! | name | CPU instructions | widest batch | `ParBlocksSize` of `Sm4` |
//! | --- | --- | --- | --- |
//! | `sm4-ni` | Intel's SM4 instructions, AVX2 | 16 | 16 |
//! | `gfni-avx512` | GFNI, AVX-512 F, BW, VL | 128 | 16 |
//! | `gfni-avx2` | GFNI, AVX2 | 64 | 16 |
//! | `vaes-avx2` | VAES, AVX2 | 64 | 16 |
//! | `aesni-avx2` | AES-NI, AVX2 | 64 | 16 |
//! | `aesni-avx` | AES-NI, AVX | 32 | 16 |
//! | `aesni-ssse3` | AES-NI, SSSE3 | 32 | 16 |
//! | `sm4-ce` | Arm's SM4 instructions | 64 | 8 |
//! | `neon-aes`, `neon` | NEON, with AES instructions or without | 32 | 8 |
//! | `zvksed`, `zksed` | RISC-V's vector and scalar SM4 instructions | 64, 4 | 8, 4 |
//! | `simd128` | WebAssembly's vectors, if compiled in | 16 | 8 |
//! | `soft` | none beyond the target's | 128 with SSE2, 64, or 32 | a quarter of a word's bits |
//!
//! ```
//! use sm4::{Backend, Sm4, cipher::KeyInit};
//!
//! let key = [0x42; 16].into();
//! println!("Sm4::new takes {}", Sm4::new(&key).backend());
//! for backend in Backend::available() {
//!     assert_eq!(Sm4::with_backend(&key, backend)?.backend(), backend);
//! }
//! // By name, as from a configuration file
//! let soft: Backend = "soft".parse()?;
//! assert_eq!(soft, Backend::Soft);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # Constant time
//!
//! No branch and no memory address depends on a key or on data, in any backend, the key schedule
//! included: there is no table that is indexed by a secret. Where S-box values are looked up, it is
//! by byte shuffles within a register.
//!
//! # Sizes and secrets
//!
//! A key with its round keys takes 644 bytes. With the feature `zeroize` (on by default) they are
//! overwritten when it is dropped, and key setup leaves no copy on the stack; for what encryption
//! leaves there, see [`wipe_stack`]. `Debug` shows no part of them.
//!
//! # Features
//!
//! * `zeroize` (on by default): round keys are overwritten when a key is dropped
//!
//! Backends are no features: they are chosen at run time. The crate is `no_std`, does not allocate, and has no build script.
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
mod counters;
mod domain;
#[cfg(target_feature = "sse2")]
mod double;
mod engine;
mod feedback;
mod groups;
mod kernel;
mod lanes;
mod masking;
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
mod wipe;
#[cfg(target_feature = "sse2")]
mod x86;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub use backend::{Backend, UnavailableBackend, UnknownBackend};
pub use bulk::Bulk;
pub use counters::{CounterBlocks, CountingByte};
#[doc(hidden)]
pub use masking::xor;
pub use masking::{BulkBackend, BulkClosure, Masking};
pub use wipe::wipe_stack;

/// What `sm4-aead` asks about the CPU; not for others.
#[doc(hidden)]
#[cfg(target_feature = "sse2")]
pub use x86::cpuid;

use core::fmt;

use backend::Visitor;
use cipher::{
    AlgorithmName, Block, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncClosure,
    BlockCipherEncrypt, BlockSizeUser, Key, KeyInit, KeySizeUser, consts::U16,
};
use engine::{Call, Closure, Decrypt, Encrypt, Moderate};
use kernel::InstructionSet;
use schedule::RoundKeys;
use wipe::AfterKeySetup;

/// An SM4 key (16 bytes), ready to encrypt and decrypt blocks of 16 bytes.
#[derive(Clone)]
pub struct Sm4 {
    keys: RoundKeys,
    /// An available one: this is what the `unsafe` blocks that call it rest on.
    backend: Backend,
    /// Instead of padding, in which a move may take along what lies on the stack.
    _filling: [u8; 3],
}

impl Sm4 {
    /// Sets up a key (16 bytes) for a certain backend.
    ///
    /// # Errors
    /// If this CPU or this build does not have the backend.
    ///
    /// ```
    /// use sm4::{Backend, Sm4};
    ///
    /// let sm4 = Sm4::with_backend(&[0x42; 16].into(), Backend::Soft)?;
    /// assert_eq!(sm4.backend().name(), "soft");
    /// # Ok::<(), sm4::UnavailableBackend>(())
    /// ```
    pub fn with_backend(key: &Key<Self>, backend: Backend) -> Result<Self, UnavailableBackend> {
        let _wipe = AfterKeySetup;
        Self::expand_if_available(key, backend, None)
    }

    /// Not inlined: its frame, in which the key is made, lies below that of whoever wipes.
    #[inline(never)]
    fn expand_if_available(
        key: &Key<Self>,
        backend: Backend,
        block: Option<&mut [u8; 16]>,
    ) -> Result<Self, UnavailableBackend> {
        if !backend.is_available() {
            return Err(UnavailableBackend(backend));
        }
        // SAFETY: it is available
        Ok(unsafe { Self::expand(key, backend, block) })
    }

    /// Sets up a key (16 bytes) and encrypts a block with it: many modes begin with that. Backends
    /// without SM4 instructions do both side by side, which takes less time than one after the other.
    ///
    /// ```
    /// use sm4::{Sm4, cipher::{BlockCipherEncrypt, KeyInit}};
    ///
    /// let key = [0x42; 16].into();
    /// let mut block = [0; 16].into();
    /// let sm4 = Sm4::new_and_encrypt(&key, &mut block);
    ///
    /// let mut other = [0; 16].into();
    /// sm4.encrypt_block(&mut other);
    /// assert_eq!(block, other);
    /// ```
    #[must_use]
    pub fn new_and_encrypt(key: &Key<Self>, block: &mut Block<Self>) -> Self {
        let _wipe = AfterKeySetup;
        // SAFETY: the best of the available backends is available
        unsafe { Self::expand(key, Backend::best(), Some(block.as_mut())) }
    }

    /// The same for a certain backend.
    ///
    /// # Errors
    /// If this CPU or this build does not have the backend. The block is not changed then.
    pub fn with_backend_and_encrypt(
        key: &Key<Self>,
        backend: Backend,
        block: &mut Block<Self>,
    ) -> Result<Self, UnavailableBackend> {
        let _wipe = AfterKeySetup;
        Self::expand_if_available(key, backend, Some(block.as_mut()))
    }

    /// Sets up a key for a backend, and encrypts a block if there is one.
    ///
    /// # Safety
    /// The backend is available.
    #[inline(never)]
    unsafe fn expand(key: &Key<Self>, backend: Backend, block: Option<&mut [u8; 16]>) -> Self {
        struct Expand<'a> {
            key: &'a [u8; 16],
            keys: &'a mut RoundKeys,
            block: Option<&'a mut [u8; 16]>,
        }
        impl Visitor for Expand<'_> {
            type Output = ();

            #[inline(always)]
            unsafe fn visit<I: InstructionSet>(self) {
                // SAFETY: the same condition
                unsafe {
                    match self.block {
                        None => I::expand_key(self.key, self.keys),
                        Some(block) => I::expand_key_and_encrypt(self.key, self.keys, block),
                    }
                }
            }
        }

        let mut sm4 = Self {
            keys: RoundKeys::EMPTY,
            backend,
            _filling: [0; 3],
        };
        // SAFETY: the same condition
        unsafe {
            backend.visit(Expand {
                key: key.as_ref(),
                keys: &mut sm4.keys,
                block,
            });
        }
        sm4
    }

    /// Calls a closure with the backend of the key.
    #[inline(always)]
    fn call(&self, closure: impl Closure) {
        // SAFETY: a key's backend is available
        unsafe { self.backend.visit(Call::new(&self.keys, closure)) };
    }

    /// The backend that this key uses.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The same key with the widest kernels: for callers that hand over large batches, and what is
    /// left in one piece.
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
        let _wipe = AfterKeySetup;
        // SAFETY: the best of the available backends is available
        unsafe { Self::expand(key, Backend::best(), None) }
    }
}

impl BlockCipherEncrypt for Sm4 {
    #[inline]
    fn encrypt_with_backend(&self, f: impl BlockCipherEncClosure<BlockSize = U16>) {
        self.call(Encrypt::<_, Moderate>::new(f));
    }
}

impl BlockCipherDecrypt for Sm4 {
    #[inline]
    fn decrypt_with_backend(&self, f: impl BlockCipherDecClosure<BlockSize = U16>) {
        self.call(Decrypt::<_, Moderate>::new(f));
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
        self.keys.wipe();
    }
}

#[cfg(feature = "zeroize")]
impl zeroize::ZeroizeOnDrop for Sm4 {}
