//! The list of modes: what is measured, and how this workspace does it.

use aead::consts::{U12, U16};
use cipher::{Key, KeyInit};
use ctr::flavors::{Ctr32BE, Ctr32LE, Ctr128BE};
use sm4::{Backend, Sm4};

use crate::{
    generic::{self, array, blocks},
    job::{
        Input,
        Operation::{self, Authenticate, Decrypt, Encrypt, Setup},
        Prepared, job,
    },
};

/// A mode of operation.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// The name in tables and options.
    pub name: &'static str,
    /// What can be done with it.
    pub operations: &'static [Operation],
    /// Size of the key in bytes.
    pub key: usize,
    /// Size of the initial value, nonce or tweak in bytes.
    pub iv: usize,
    /// Whether encryption makes a tag that decryption checks.
    pub is_aead: bool,
    /// Prepares it in this workspace's implementation.
    ours: fn(Backend, Operation, &Input) -> Prepared,
}

const ENC_DEC: &[Operation] = &[Encrypt, Decrypt];
const ENC_DEC_SETUP: &[Operation] = &[Encrypt, Decrypt, Setup];
const AEAD: &[Operation] = &[Encrypt, Decrypt, Authenticate];
const AEAD_SETUP: &[Operation] = &[Encrypt, Decrypt, Authenticate, Setup];
const MAC: &[Operation] = &[Authenticate];

/// One after the other in a chain: the latency of a block, whatever the message's size.
pub const BLOCK: &str = "BLOCK";

/// All modes, in the order of the table.
#[rustfmt::skip]
pub const MODES: &[Mode] = &[
    Mode { name: BLOCK, operations: ENC_DEC, key: 16, iv: 0, is_aead: false,
        ours: |backend, op, i| generic::chain(sm4(backend, &i.key), op, i) },
    Mode { name: "ECB", operations: ENC_DEC_SETUP, key: 16, iv: 0, is_aead: false,
        ours: ecb },
    Mode { name: "CBC", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::cbc(sm4(backend, &i.key), op, i) },
    Mode { name: "CFB", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::cfb(sm4(backend, &i.key), op, i) },
    Mode { name: "OFB", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::ofb(sm4(backend, &i.key), op, i) },
    Mode { name: "CTR", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::ctr::<Ctr128BE>(sm4(backend, &i.key), op, i) },
    Mode { name: "CTR32BE", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::ctr::<Ctr32BE>(sm4(backend, &i.key), op, i) },
    Mode { name: "CTR32LE", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::ctr::<Ctr32LE>(sm4(backend, &i.key), op, i) },
    Mode { name: "XTS-IEEE", operations: ENC_DEC, key: 32, iv: 16, is_aead: false,
        ours: |backend, op, i| generic::xts_ieee(
            sm4(backend, &i.key[..16]), sm4(backend, &i.key[16..]), op, i) },
    Mode { name: "CCM", operations: AEAD, key: 16, iv: 12, is_aead: true,
        ours: |backend, op, i| generic::aead(
            ccm::Ccm::<_, U16, U12>::from(sm4(backend, &i.key)), op, i) },
    Mode { name: "EAX", operations: AEAD, key: 16, iv: 16, is_aead: true,
        ours: |backend, op, i| best(backend)
            .then(|| generic::aead(eax::Eax::<Sm4>::new(&array(&i.key)), op, i)).flatten() },
    Mode { name: "GCM", operations: AEAD_SETUP, key: 16, iv: 12, is_aead: true,
        ours: gcm },
    Mode { name: "OCB", operations: AEAD, key: 16, iv: 12, is_aead: true,
        ours: |backend, op, i| generic::aead(
            ocb3::Ocb3::<_>::from(sm4(backend, &i.key)), op, i) },
    Mode { name: "GCM-SIV", operations: AEAD, key: 16, iv: 12, is_aead: true,
        ours: |backend, op, i| best(backend)
            .then(|| generic::aead(aes_gcm_siv::AesGcmSiv::from(sm4(backend, &i.key)), op, i)).flatten() },
    Mode { name: "CMAC", operations: MAC, key: 16, iv: 0, is_aead: false,
        ours: |backend, op, i| generic::cmac(sm4(backend, &i.key), op, i) },
    Mode { name: "GHASH", operations: MAC, key: 16, iv: 0, is_aead: false,
        ours: |backend, op, i| generic::ghash(&sm4(backend, &i.key), op, i) },
];

impl Mode {
    /// The mode of this name, in any case.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        MODES
            .iter()
            .find(|mode| mode.name.eq_ignore_ascii_case(name))
    }

    /// Prepares it in this workspace's implementation; nothing if that cannot be done on this
    /// backend.
    #[must_use]
    pub fn prepare(&self, backend: Backend, operation: Operation, input: &Input) -> Prepared {
        (self.ours)(backend, operation, input)
    }
}

/// A key of a backend.
///
/// # Panics
/// If the CPU does not have the backend.
#[must_use]
pub fn sm4(backend: Backend, key: &[u8]) -> Sm4 {
    Sm4::with_backend(&array(key), backend).expect("chosen from the available backends")
}

/// Whether this is the backend of types that make keys by themselves.
fn best(backend: Backend) -> bool {
    Backend::available().next() == Some(backend)
}

fn setup(backend: Backend, input: &Input, prepare: impl Fn(Sm4) + 'static) -> Prepared {
    let key: Key<Sm4> = array(&input.key);
    Some(job(&[], move |_| {
        let key = core::hint::black_box(&key);
        prepare(Sm4::with_backend(key, backend).expect("chosen from the available backends"));
    }))
}

fn ecb(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    use cipher::{BlockCipherDecrypt, BlockCipherEncrypt};

    let cipher = sm4(backend, &input.key);
    match operation {
        Encrypt => Some(job(&input.text, move |b| {
            cipher.bulk().encrypt_blocks(blocks(b.output()));
        })),
        Decrypt => Some(job(&input.text, move |b| {
            cipher.bulk().decrypt_blocks(blocks(b.output()));
        })),
        Setup => setup(backend, input, |cipher| {
            core::hint::black_box(cipher);
        }),
        Authenticate => None,
    }
}

fn gcm(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    type Gcm = aes_gcm::AesGcm<Sm4, U12>;

    match operation {
        Setup => setup(backend, input, |cipher| {
            core::hint::black_box(Gcm::from(cipher));
        }),
        _ => generic::aead(Gcm::from(sm4(backend, &input.key)), operation, input),
    }
}
