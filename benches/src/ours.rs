//! The modes of this workspace, as they are called by `sm4-bench`.

use core::hint::black_box;

use aead::AeadInOut;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, Key,
    StreamCipher, common::InnerInit, consts::U16,
};
use sm4::{Backend, Sm4, UnavailableBackend};
use sm4_aead::{Gcm, Ghash, Siv, Sm4Gmac, Sm4Kw, Sm4Kwp, Sm4Siv};
use sm4_modes::{
    Chained, DataUnit, MacKey, Xts,
    cbc::{CbcDec, CbcEnc},
    cfb::{CfbDec, CfbEnc},
    cfb8::{self, Cfb8},
    counter::Flavour,
    doubling::Field,
    gb::{BcDec, BcEnc, Hctr, OfbnlfDec, OfbnlfEnc},
};

use crate::{
    generic::{self, Iv, array, blocks, in_place},
    job::{self, Input, Operation, Prepared, job},
};

const AVAILABLE: &str = "one of the available backends";

/// A key of a backend.
///
/// # Panics
/// If the CPU does not have the backend.
#[must_use]
pub fn sm4(backend: Backend, key: &[u8]) -> Sm4 {
    Sm4::with_backend(&array(key), backend).expect(AVAILABLE)
}

/// Both keys of a mode that has two.
fn two(backend: Backend, key: &[u8]) -> [Sm4; 2] {
    let (first, second) = key.split_at(16);
    [sm4(backend, first), sm4(backend, second)]
}

/// Setting up a key, with what the mode derives from it, and wiping it.
pub(crate) fn setup<M>(
    backend: Backend,
    input: &Input,
    make: impl Fn(&Key<Sm4>, Backend) -> Result<M, UnavailableBackend> + 'static,
) -> Prepared {
    Some(job::setup(input, move |key| {
        let key: &Key<Sm4> = key.try_into().expect("the mode's entry says this size");
        // Not taken out of the result, as that would be one copy more.
        let mode = make(key, backend);
        assert!(black_box(&mode).is_ok(), "{AVAILABLE}");
    }))
}

pub(crate) fn ecb(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    if operation == Operation::Setup {
        return setup(backend, input, Sm4::with_backend);
    }
    in_place(
        sm4(backend, &input.key),
        operation,
        input,
        |cipher, _, text| cipher.bulk().encrypt_blocks(blocks(text)),
        |cipher, _, text| cipher.bulk().decrypt_blocks(blocks(text)),
    )
}

pub(crate) fn cbc(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    in_place(
        sm4(backend, &input.key),
        operation,
        input,
        |c, iv, text| Chained::<CbcEnc, _>::inner_iv_init(c, iv).encrypt_blocks(blocks(text)),
        |c, iv, text| Chained::<CbcDec, _>::inner_iv_init(c, iv).decrypt_blocks(blocks(text)),
    )
}

pub(crate) fn cfb(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    in_place(
        sm4(backend, &input.key),
        operation,
        input,
        |c, iv, text| Chained::<CfbEnc, _>::inner_iv_init(c, iv).encrypt_blocks(blocks(text)),
        |c, iv, text| Chained::<CfbDec, _>::inner_iv_init(c, iv).decrypt_blocks(blocks(text)),
    )
}

pub(crate) fn ctr<F: Flavour + 'static>(
    backend: Backend,
    operation: Operation,
    input: &Input,
) -> Prepared {
    let apply = |cipher: &Sm4, iv: &Iv, text: &mut [u8]| {
        sm4_modes::Ctr::<F, _>::inner_iv_init(cipher, iv).apply_keystream(text);
    };
    in_place(sm4(backend, &input.key), operation, input, apply, apply)
}

pub(crate) fn cfb8(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    in_place(
        sm4(backend, &input.key),
        operation,
        input,
        |c, iv, text| Cfb8::<cfb8::Encrypt, _>::inner_iv_init(c, iv).encrypt(text),
        |c, iv, text| Cfb8::<cfb8::Decrypt, _>::inner_iv_init(c, iv).decrypt(text),
    )
}

pub(crate) fn ofb(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    let apply = |cipher: &Sm4, iv: &Iv, text: &mut [u8]| {
        sm4_modes::Ofb::inner_iv_init(cipher, iv).apply_keystream(text);
    };
    in_place(sm4(backend, &input.key), operation, input, apply, apply)
}

pub(crate) fn bc(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    in_place(
        sm4(backend, &input.key),
        operation,
        input,
        |c, iv, text| Chained::<BcEnc, _>::inner_iv_init(c, iv).encrypt_blocks(blocks(text)),
        |c, iv, text| Chained::<BcDec, _>::inner_iv_init(c, iv).decrypt_blocks(blocks(text)),
    )
}

/// A mode for data units with tweaks.
pub(crate) fn data_unit<M: DataUnit + 'static>(
    mode: M,
    operation: Operation,
    input: &Input,
) -> Prepared {
    in_place(
        mode,
        operation,
        input,
        |mode, tweak, text| {
            mode.encrypt(tweak.as_ref(), text)
                .expect("16 bytes or more");
        },
        |mode, tweak, text| {
            mode.decrypt(tweak.as_ref(), text)
                .expect("16 bytes or more");
        },
    )
}

pub(crate) fn xts<F: Field + 'static>(
    backend: Backend,
    operation: Operation,
    input: &Input,
) -> Prepared {
    let [data, tweak] = two(backend, &input.key);
    data_unit(Xts::<F>::from_ciphers(data, tweak), operation, input)
}

pub(crate) fn hctr(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    let (block_key, hash_key) = input.key.split_at(16);
    let hctr = Hctr::from_cipher(sm4(backend, block_key), array::<U16>(hash_key).as_ref());
    data_unit(hctr, operation, input)
}

pub(crate) fn ofbnlf(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    in_place(
        sm4(backend, &input.key),
        operation,
        input,
        |c, iv, text| Chained::<OfbnlfEnc, _>::inner_iv_init(c, iv).encrypt_blocks(blocks(text)),
        |c, iv, text| Chained::<OfbnlfDec, _>::inner_iv_init(c, iv).decrypt_blocks(blocks(text)),
    )
}

/// A tag over a message.
fn authenticate(
    operation: Operation,
    input: &Input,
    mac: impl Fn(&[u8]) -> [u8; 16] + 'static,
) -> Prepared {
    match operation {
        Operation::Authenticate => Some(job(&input.text, move |b| b.tag = mac(b.input()))),
        _ => None,
    }
}

/// A MAC made from a key.
pub(crate) fn mac<M: MacKey + InnerInit<Inner = Sm4> + 'static>(
    backend: Backend,
    operation: Operation,
    input: &Input,
) -> Prepared {
    let key = M::inner_init(sm4(backend, &input.key));
    authenticate(operation, input, move |text| key.mac(text))
}

pub(crate) fn gmac(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    let gcm = Gcm::with_backend(&array(&input.key), backend).expect(AVAILABLE);
    let (gmac, nonce) = (Sm4Gmac::from(gcm), input.iv.clone());
    authenticate(operation, input, move |text| {
        let mut tag = [0; 16];
        gmac.mac(&nonce, text, &mut tag)
            .expect("data of this size is allowed");
        tag
    })
}

pub(crate) fn ghash(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    let ghash = Ghash::new(array::<U16>(&input.key).as_ref(), backend);
    authenticate(operation, input, move |text| ghash.hash(text))
}

pub(crate) fn kw(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    generic::wrap(
        Sm4Kw::from_cipher(sm4(backend, &input.key)),
        operation,
        input,
        |kw, key, wrapped| kw.wrap(key, wrapped).expect("16 bytes or more"),
        |kw, wrapped, key| kw.unwrap(wrapped, key).expect("wrapped with it"),
    )
}

pub(crate) fn kwp(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    generic::wrap(
        Sm4Kwp::from_cipher(sm4(backend, &input.key)),
        operation,
        input,
        |kwp, key, wrapped| kwp.wrap(key, wrapped).expect("whole half blocks"),
        |kwp, wrapped, key| {
            kwp.unwrap(wrapped, key).expect("wrapped with it");
        },
    )
}

pub(crate) fn siv(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    let [mac, encryption] = two(backend, &input.key);
    let siv: Sm4Siv = Siv::from_ciphers(mac, encryption).into();
    generic::aead(siv, operation, input)
}

/// An AEAD made from a key.
pub(crate) fn aead<A: AeadInOut + 'static>(
    backend: Backend,
    operation: Operation,
    input: &Input,
    make: impl Fn(&Key<Sm4>, Backend) -> Result<A, UnavailableBackend> + 'static,
) -> Prepared {
    if operation == Operation::Setup {
        return setup(backend, input, make);
    }
    let mode = make(&array(&input.key), backend).expect(AVAILABLE);
    generic::aead(mode, operation, input)
}
