//! The modes of the generic crates `cbc`, `ctr`, … over any block cipher.

use core::hint::black_box;

use aead::{AeadInOut, inout::InOutBuf};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InnerIvInit, KeyInit, KeySizeUser, StreamCipher, StreamCipherCoreWrapper,
    array::ArraySize, consts::U16,
};
use cmac::{Mac, digest::OutputSizeUser};
use ctr::CtrFlavor;

use crate::job::{self, Input, Operation, Prepared, job};

/// A block cipher as the generic crates need it.
pub trait Cipher:
    BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static
{
}

impl<C> Cipher for C where
    C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + 'static
{
}

/// From bytes, whose number is known to be right, to an array.
///
/// # Panics
/// If it is another number.
pub fn array<N: ArraySize>(bytes: &[u8]) -> Array<u8, N> {
    Array::try_from(bytes).expect("the mode's entry says this size")
}

/// The blocks of a text of whole blocks.
pub fn blocks(text: &mut [u8]) -> &mut [Array<u8, U16>] {
    Array::slice_as_chunks_mut(text).0
}

/// Setting up a key, and dropping it.
///
/// # Panics
/// The job does if the mode's entry says another size.
pub fn setup<K: KeyInit + KeySizeUser + 'static>(input: &Input) -> Prepared {
    Some(job::setup(input, |key| {
        let key = K::new(key.try_into().expect("the mode's entry says this size"));
        black_box(&key);
    }))
}

/// An initial value, a counter block or a tweak.
pub type Iv = Array<u8, U16>;

/// What works on messages in place: a key, and how it encrypts and decrypts.
pub fn in_place<K: 'static>(
    key: K,
    operation: Operation,
    input: &Input,
    encrypt: impl Fn(&K, &Iv, &mut [u8]) + 'static,
    decrypt: impl Fn(&K, &Iv, &mut [u8]) + 'static,
) -> Prepared {
    let mut iv = Iv::default();
    iv[..input.iv.len()].copy_from_slice(&input.iv);
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| encrypt(&key, &iv, b.output())),
        Operation::Decrypt => job(&input.text, move |b| decrypt(&key, &iv, b.output())),
        Operation::Authenticate | Operation::Setup => return None,
    })
}

/// The first block only: the latency of one, as each is the result of the one before.
pub fn chain<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    in_place(
        cipher,
        operation,
        input,
        |cipher, _, text| cipher.encrypt_block(&mut blocks(text)[0]),
        |cipher, _, text| cipher.decrypt_block(&mut blocks(text)[0]),
    )
}

/// Blocks independent of each other.
pub fn ecb<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    in_place(
        cipher,
        operation,
        input,
        |cipher, _, text| cipher.encrypt_blocks(blocks(text)),
        |cipher, _, text| cipher.decrypt_blocks(blocks(text)),
    )
}

/// Crate `cbc`.
pub fn cbc<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    in_place(
        cipher,
        operation,
        input,
        |c, iv, text| cbc::Encryptor::inner_iv_init(c, iv).encrypt_blocks(blocks(text)),
        |c, iv, text| cbc::Decryptor::inner_iv_init(c, iv).decrypt_blocks(blocks(text)),
    )
}

/// Crate `cfb-mode`.
pub fn cfb<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    in_place(
        cipher,
        operation,
        input,
        |c, iv, text| cfb_mode::Encryptor::inner_iv_init(c, iv).encrypt(text),
        |c, iv, text| cfb_mode::Decryptor::inner_iv_init(c, iv).decrypt(text),
    )
}

/// Crate `cfb8`.
pub fn cfb8<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    in_place(
        cipher,
        operation,
        input,
        |c, iv, text| cfb8::Encryptor::inner_iv_init(c, iv).encrypt(text),
        |c, iv, text| cfb8::Decryptor::inner_iv_init(c, iv).decrypt(text),
    )
}

/// Crate `ofb`.
pub fn ofb<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    let apply = |cipher: &C, iv: &Iv, text: &mut [u8]| {
        let core = ofb::OfbCore::inner_iv_init(cipher, iv);
        StreamCipherCoreWrapper::from_core(core).apply_keystream(text);
    };
    in_place(cipher, operation, input, apply, apply)
}

/// Crate `ctr` with one of its kinds of counters.
pub fn ctr<F: CtrFlavor<U16> + 'static>(
    cipher: impl Cipher,
    operation: Operation,
    input: &Input,
) -> Prepared {
    let apply = |cipher: &_, iv: &Iv, text: &mut [u8]| {
        let core = ctr::CtrCore::<_, F>::inner_iv_init(cipher, iv);
        StreamCipherCoreWrapper::from_core(core).apply_keystream(text);
    };
    in_place(cipher, operation, input, apply, apply)
}

/// Crate `xts-mode`.
pub fn xts_ieee<C: Cipher>(ciphers: [C; 2], operation: Operation, input: &Input) -> Prepared {
    let [data, tweak] = ciphers;
    in_place(
        xts_mode::Xts128::new(data, tweak),
        operation,
        input,
        |xts, tweak, text| xts.encrypt_sector(text, *tweak),
        |xts, tweak, text| xts.decrypt_sector(text, *tweak),
    )
}

/// Any MAC of `digest`'s trait, e.g. of the crates `cmac` and `cbc-mac`.
pub fn mac<M: Mac + OutputSizeUser<OutputSize = U16> + Clone + 'static>(
    mac: M,
    operation: Operation,
    input: &Input,
) -> Prepared {
    match operation {
        Operation::Authenticate => Some(job(&input.text, move |b| {
            b.tag = mac
                .clone()
                .chain_update(b.input())
                .finalize()
                .into_bytes()
                .into();
        })),
        _ => None,
    }
}

/// Any AEAD of `aead`'s trait.
///
/// # Panics
/// The job does if it refuses a message.
pub fn aead<A: AeadInOut + 'static>(aead: A, operation: Operation, input: &Input) -> Prepared {
    let (nonce, aad) = (array(&input.iv), input.aad.clone());
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            let tag = aead
                .encrypt_inout_detached(&nonce, &aad, b.output().into())
                .expect("a message of this size is allowed");
            b.tag.copy_from_slice(&tag);
        }),
        Operation::Decrypt => {
            let tag = array(&input.tag);
            job(&input.text, move |b| {
                let (sealed, text) = b.input_and_output();
                let buffers = InOutBuf::new(sealed, text).expect("of equal sizes");
                aead.decrypt_inout_detached(&nonce, &aad, buffers, &tag)
                    .expect("sealed with the same key");
            })
        }
        Operation::Authenticate => job(&input.text, move |b| {
            let tag = aead
                .encrypt_inout_detached(&nonce, b.input(), (&mut [][..]).into())
                .expect("associated data of this size is allowed");
            b.tag.copy_from_slice(&tag);
        }),
        Operation::Setup => return None,
    })
}

/// Key wrap. Its check value of 8 bytes, which precedes the wrapped key, is the tag here.
pub fn wrap<K: 'static>(
    key: K,
    operation: Operation,
    input: &Input,
    wrap: impl Fn(&K, &[u8], &mut [u8]) + 'static,
    unwrap: impl Fn(&K, &[u8], &mut [u8]) + 'static,
) -> Prepared {
    let mut wrapped = [&input.tag[..8], &input.text].concat();
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            wrap(&key, b.input(), &mut wrapped);
            let (check, text) = wrapped.split_at(8);
            b.tag[..8].copy_from_slice(check);
            b.output().copy_from_slice(text);
        }),
        Operation::Decrypt => job(&input.text, move |b| unwrap(&key, &wrapped, b.output())),
        Operation::Authenticate | Operation::Setup => return None,
    })
}
