//! The list of modes: what is measured, and how this workspace does it.

use aead::consts::{U12, U16};
use cipher::common::InnerInit;
use sm4::Backend;
use sm4_aead::{Ccm, Eax, Gcm, GcmSiv, Ocb3, Sm4Ccm, Sm4Eax, Sm4Gcm, Sm4GcmSiv, Sm4Ocb3};
use sm4_modes::{
    Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3, Sm4CbcMacKey, Sm4CmacKey,
    counter::{Be32, Be128, Le32},
    doubling::{Gb, Ieee},
    mac::Method1,
};

use crate::{
    generic,
    job::{
        Input,
        Operation::{self, Authenticate, Decrypt, Encrypt, Setup},
        Prepared,
    },
    ours::{self, sm4},
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
        ours: |b, op, i| generic::chain(sm4(b, &i.key), op, i) },
    Mode { name: "ECB", operations: ENC_DEC_SETUP, key: 16, iv: 0, is_aead: false,
        ours: ours::ecb },
    Mode { name: "CBC", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::cbc },
    Mode { name: "CFB", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::cfb },
    Mode { name: "CFB8", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::cfb8 },
    Mode { name: "OFB", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::ofb },
    Mode { name: "CTR", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::ctr::<Be128> },
    Mode { name: "CTR32BE", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::ctr::<Be32> },
    Mode { name: "CTR32LE", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::ctr::<Le32> },
    Mode { name: "CBC-CS1", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |b, op, i| ours::data_unit(Sm4CbcCs1::inner_init(sm4(b, &i.key)), op, i) },
    Mode { name: "CBC-CS2", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |b, op, i| ours::data_unit(Sm4CbcCs2::inner_init(sm4(b, &i.key)), op, i) },
    Mode { name: "CBC-CS3", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: |b, op, i| ours::data_unit(Sm4CbcCs3::inner_init(sm4(b, &i.key)), op, i) },
    Mode { name: "XTS-IEEE", operations: ENC_DEC, key: 32, iv: 16, is_aead: false,
        ours: ours::xts::<Ieee> },
    Mode { name: "XTS-GB", operations: ENC_DEC, key: 32, iv: 16, is_aead: false,
        ours: ours::xts::<Gb> },
    Mode { name: "HCTR", operations: ENC_DEC, key: 32, iv: 16, is_aead: false,
        ours: ours::hctr },
    Mode { name: "BC", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::bc },
    Mode { name: "OFBNLF", operations: ENC_DEC, key: 16, iv: 16, is_aead: false,
        ours: ours::ofbnlf },
    Mode { name: "CCM", operations: AEAD, key: 16, iv: 12, is_aead: true,
        ours: |b, op, i| ours::aead(b, op, i, |k, b| Ccm::with_backend(k, b).map(Sm4Ccm::<U16, U12>::from)) },
    Mode { name: "EAX", operations: AEAD, key: 16, iv: 16, is_aead: true,
        ours: |b, op, i| ours::aead(b, op, i, |k, b| Eax::with_backend(k, b).map(Sm4Eax::<U16>::from)) },
    Mode { name: "GCM", operations: AEAD_SETUP, key: 16, iv: 12, is_aead: true,
        ours: |b, op, i| ours::aead(b, op, i, |k, b| Gcm::with_backend(k, b).map(Sm4Gcm::<U12>::from)) },
    Mode { name: "OCB", operations: AEAD, key: 16, iv: 12, is_aead: true,
        ours: |b, op, i| ours::aead(b, op, i, |k, b| Ocb3::with_backend(k, b).map(Sm4Ocb3::<U12>::from)) },
    Mode { name: "GCM-SIV", operations: AEAD, key: 16, iv: 12, is_aead: true,
        ours: |b, op, i| ours::aead(b, op, i, |k, b| GcmSiv::with_backend(k, b).map(Sm4GcmSiv::from)) },
    Mode { name: "SIV", operations: AEAD, key: 32, iv: 16, is_aead: true,
        ours: ours::siv },
    Mode { name: "CMAC", operations: MAC, key: 16, iv: 0, is_aead: false,
        ours: ours::mac::<Sm4CmacKey> },
    Mode { name: "CBC-MAC", operations: MAC, key: 16, iv: 0, is_aead: false,
        ours: ours::mac::<Sm4CbcMacKey<Method1>> },
    Mode { name: "GMAC", operations: MAC, key: 16, iv: 12, is_aead: false,
        ours: ours::gmac },
    Mode { name: "GHASH", operations: MAC, key: 16, iv: 0, is_aead: false,
        ours: ours::ghash },
    Mode { name: "KW", operations: ENC_DEC, key: 16, iv: 0, is_aead: true,
        ours: ours::kw },
    Mode { name: "KWP", operations: ENC_DEC, key: 16, iv: 0, is_aead: true,
        ours: ours::kwp },
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
