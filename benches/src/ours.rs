//! The modes of this workspace, as they are called by `sm4-bench`.

use core::hint::black_box;

use aead::AeadInOut;
use cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, Key,
    StreamCipher,
};
use sm4::{Backend, Sm4};
use sm4_modes::{
    Chained,
    cbc::CbcDec,
    cfb::{CfbDec, CfbEnc},
    counter::Flavour,
};

use crate::{
    generic::{self, Iv, array, blocks, in_place},
    job::{Input, Operation, Prepared, job},
};

/// A key of a backend.
///
/// # Panics
/// If the CPU does not have the backend.
#[must_use]
pub fn sm4(backend: Backend, key: &[u8]) -> Sm4 {
    Sm4::with_backend(&array(key), backend).expect("one of the available backends")
}

/// Both keys of a mode that has two.
pub(crate) fn two(backend: Backend, key: &[u8]) -> [Sm4; 2] {
    let (first, second) = key.split_at(16);
    [sm4(backend, first), sm4(backend, second)]
}

/// Setting up a key, with what the mode derives from it.
pub(crate) fn setup<M>(
    backend: Backend,
    input: &Input,
    derive: impl Fn(Sm4) -> M + 'static,
) -> Prepared {
    let key: Key<Sm4> = array(&input.key);
    Some(job(&[], move |_| {
        black_box(derive(sm4(backend, black_box(&key))));
    }))
}

pub(crate) fn ecb(backend: Backend, operation: Operation, input: &Input) -> Prepared {
    if operation == Operation::Setup {
        return setup(backend, input, |cipher| cipher);
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
        |c, iv, text| ::cbc::Encryptor::inner_iv_init(c, iv).encrypt_blocks(blocks(text)),
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

/// An AEAD made from a key.
pub(crate) fn aead<A: AeadInOut + 'static>(
    backend: Backend,
    operation: Operation,
    input: &Input,
    derive: impl Fn(Sm4) -> A + 'static,
) -> Prepared {
    if operation == Operation::Setup {
        return setup(backend, input, derive);
    }
    generic::aead(derive(sm4(backend, &input.key)), operation, input)
}
