//! The modes of the generic crates `cbc`, `ctr`, … over any block cipher.

use core::hint::black_box;

use aead::{AeadInOut, inout::InOutBuf};
use cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt,
    BlockSizeUser, InnerIvInit, KeyInit, KeySizeUser, StreamCipher, StreamCipherCoreWrapper,
    array::ArraySize, common::InnerInit, consts::U16,
};
use cmac::{Cmac, Mac};
use ctr::CtrFlavor;

use crate::job::{Input, Operation, Prepared, job};

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

/// Setting up a key.
pub fn setup<K: KeyInit + KeySizeUser + 'static>(input: &Input) -> Prepared {
    let key = array(&input.key);
    Some(job(&[], move |_| {
        black_box(K::new(black_box(&key)));
    }))
}

/// One block after the other, each the result of the one before.
pub fn chain<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            cipher.encrypt_block(&mut blocks(b.output())[0]);
        }),
        Operation::Decrypt => job(&input.text, move |b| {
            cipher.decrypt_block(&mut blocks(b.output())[0]);
        }),
        _ => return None,
    })
}

/// Blocks independent of each other.
pub fn ecb<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            cipher.encrypt_blocks(blocks(b.output()));
        }),
        Operation::Decrypt => job(&input.text, move |b| {
            cipher.decrypt_blocks(blocks(b.output()));
        }),
        _ => return None,
    })
}

/// Crate `cbc`.
pub fn cbc<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    let iv = array(&input.iv);
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            cbc::Encryptor::inner_iv_init(&cipher, &iv).encrypt_blocks(blocks(b.output()));
        }),
        Operation::Decrypt => job(&input.text, move |b| {
            cbc::Decryptor::inner_iv_init(&cipher, &iv).decrypt_blocks(blocks(b.output()));
        }),
        _ => return None,
    })
}

/// Crate `cfb-mode`.
pub fn cfb<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    let iv = array(&input.iv);
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            cfb_mode::Encryptor::inner_iv_init(&cipher, &iv).encrypt(b.output());
        }),
        Operation::Decrypt => job(&input.text, move |b| {
            cfb_mode::Decryptor::inner_iv_init(&cipher, &iv).decrypt(b.output());
        }),
        _ => return None,
    })
}

/// Crate `ofb`.
pub fn ofb<C: Cipher>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    keystream(operation, input, move |iv, text| {
        let core = ofb::OfbCore::inner_iv_init(&cipher, iv);
        StreamCipherCoreWrapper::from_core(core).apply_keystream(text);
    })
}

/// Crate `ctr` with one of its kinds of counters.
pub fn ctr<F: CtrFlavor<U16> + 'static>(
    cipher: impl Cipher,
    operation: Operation,
    input: &Input,
) -> Prepared {
    keystream(operation, input, move |iv, text| {
        let core = ctr::CtrCore::<_, F>::inner_iv_init(&cipher, iv);
        StreamCipherCoreWrapper::from_core(core).apply_keystream(text);
    })
}

fn keystream(
    operation: Operation,
    input: &Input,
    apply: impl Fn(&Array<u8, U16>, &mut [u8]) + 'static,
) -> Prepared {
    let iv = array(&input.iv);
    match operation {
        Operation::Encrypt | Operation::Decrypt => {
            Some(job(&input.text, move |b| apply(&iv, b.output())))
        }
        _ => None,
    }
}

/// Crate `xts-mode`.
pub fn xts_ieee<C: Cipher>(
    cipher: C,
    tweak_cipher: C,
    operation: Operation,
    input: &Input,
) -> Prepared {
    let tweak = array(&input.iv);
    let xts = xts_mode::Xts128::new(cipher, tweak_cipher);
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            xts.encrypt_sector(b.output(), tweak);
        }),
        Operation::Decrypt => job(&input.text, move |b| {
            xts.decrypt_sector(b.output(), tweak);
        }),
        _ => return None,
    })
}

/// Crate `cmac`.
pub fn cmac<C: Cipher + Clone>(cipher: C, operation: Operation, input: &Input) -> Prepared {
    let mac = Cmac::inner_init(cipher);
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
    let nonce = array(&input.iv);
    Some(match operation {
        Operation::Encrypt => job(&input.text, move |b| {
            let tag = aead
                .encrypt_inout_detached(&nonce, &[], b.output().into())
                .expect("a message of this size is allowed");
            b.tag.copy_from_slice(&tag);
        }),
        Operation::Decrypt => {
            let tag = array(&input.tag);
            job(&input.text, move |b| {
                let (sealed, text) = b.input_and_output();
                let buffers = InOutBuf::new(sealed, text).expect("of equal sizes");
                aead.decrypt_inout_detached(&nonce, &[], buffers, &tag)
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

/// Crate `ghash`, keyed with a block of zeros encrypted, as GCM does.
pub fn ghash<C: Cipher>(cipher: &C, operation: Operation, input: &Input) -> Prepared {
    use ghash::{GHash, universal_hash::UniversalHash};

    let mut hash_key = Array::default();
    cipher.encrypt_block(&mut hash_key);
    let ghash = GHash::new(&hash_key);
    match operation {
        Operation::Authenticate => Some(job(&input.text, move |b| {
            let mut hash = ghash.clone();
            hash.update_padded(b.input());
            b.tag.copy_from_slice(&hash.finalize());
        })),
        _ => None,
    }
}
