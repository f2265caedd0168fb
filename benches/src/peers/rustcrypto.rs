//! The crate `sm4` of RustCrypto, with the generic mode crates.

use aead::{
    consts::{U12, U16},
    inout::InOutBuf,
};
use aes_siv::siv::CmacSiv;
use cipher::{InnerIvInit, KeyInit, common::InnerInit};
use ctr::flavors::{Ctr32BE, Ctr32LE, Ctr128BE};
use cts::{CbcCs1, CbcCs2, CbcCs3, Decrypt, Encrypt};
use ghash::{GHash, universal_hash::UniversalHash};
use sm4_rustcrypto::Sm4;

use super::Peer;
use crate::{
    generic::{self, array},
    implementation::Implementation,
    job::{Input, Operation, Prepared, job},
    modes::Mode,
};

struct RustCrypto;

/// # Panics
/// If it is an error: the calls here are all right.
fn done<T, E>(result: &Result<T, E>) {
    assert!(result.is_ok(), "it returns an error");
}

/// Crate `aes-siv`. Its type with the trait of AEADs is for AES only; the one below that takes any
/// cipher.
fn siv(op: Operation, input: &Input) -> Prepared {
    let mut siv = CmacSiv::<Sm4>::new(&array(&input.key));
    let (nonce, aad) = (input.iv.clone(), input.aad.clone());
    Some(match op {
        Operation::Encrypt => job(&input.text, move |b| {
            let tag = siv.encrypt_inout_detached([&aad, &nonce], b.output().into());
            b.tag = tag.expect("two strings are allowed").into();
        }),
        Operation::Decrypt => {
            let tag = array(&input.tag);
            job(&input.text, move |b| {
                let (sealed, text) = b.input_and_output();
                let buffers = InOutBuf::new(sealed, text).expect("of equal sizes");
                siv.decrypt_inout_detached([&aad, &nonce], buffers, &tag)
                    .expect("sealed with the same key");
            })
        }
        Operation::Authenticate => job(&input.text, move |b| {
            let tag = siv.encrypt_inout_detached([b.input(), &nonce], (&mut [][..]).into());
            b.tag = tag.expect("two strings are allowed").into();
        }),
        Operation::Setup => return None,
    })
}

/// Crate `ghash`.
fn ghash(input: &Input) -> Prepared {
    let key = GHash::new(&array(&input.key));
    Some(job(&input.text, move |b| {
        let mut hash = key.clone();
        hash.update_padded(b.input());
        b.tag = hash.finalize().into();
    }))
}

pub(super) fn load() -> Peer {
    Ok(Box::new(RustCrypto))
}

impl Implementation for RustCrypto {
    fn name(&self) -> &'static str {
        "rustcrypto"
    }

    fn version(&self) -> String {
        "sm4 0.6".to_owned()
    }

    fn backend(&self) -> String {
        "portable, S-box table".to_owned()
    }

    fn prepare(&self, mode: &Mode, op: Operation, input: &Input) -> Prepared {
        type Gcm = aes_gcm::AesGcm<Sm4, U12>;

        let sm4 = Sm4::new(&array(&input.key[..16]));
        match (mode.name, op) {
            ("ECB", Operation::Setup) => generic::setup::<Sm4>(input),
            ("GCM", Operation::Setup) => generic::setup::<Gcm>(input),
            ("BLOCK", _) => generic::chain(sm4, op, input),
            ("ECB", _) => generic::ecb(sm4, op, input),
            ("CBC", _) => generic::cbc(sm4, op, input),
            ("CFB", _) => generic::cfb(sm4, op, input),
            ("CFB8", _) => generic::cfb8(sm4, op, input),
            ("OFB", _) => generic::ofb(sm4, op, input),
            ("CTR", _) => generic::ctr::<Ctr128BE>(sm4, op, input),
            ("CTR32BE", _) => generic::ctr::<Ctr32BE>(sm4, op, input),
            ("CTR32LE", _) => generic::ctr::<Ctr32LE>(sm4, op, input),
            ("CBC-CS1", _) => generic::in_place(
                sm4,
                op,
                input,
                |c, iv, text| done(&CbcCs1::inner_iv_init(c, iv).encrypt(text)),
                |c, iv, text| done(&CbcCs1::inner_iv_init(c, iv).decrypt(text)),
            ),
            ("CBC-CS2", _) => generic::in_place(
                sm4,
                op,
                input,
                |c, iv, text| done(&CbcCs2::inner_iv_init(c, iv).encrypt(text)),
                |c, iv, text| done(&CbcCs2::inner_iv_init(c, iv).decrypt(text)),
            ),
            ("CBC-CS3", _) => generic::in_place(
                sm4,
                op,
                input,
                |c, iv, text| done(&CbcCs3::inner_iv_init(c, iv).encrypt(text)),
                |c, iv, text| done(&CbcCs3::inner_iv_init(c, iv).decrypt(text)),
            ),
            ("XTS-IEEE", _) => {
                generic::xts_ieee([sm4, Sm4::new(&array(&input.key[16..]))], op, input)
            }
            ("CCM", _) => generic::aead(ccm::Ccm::<_, U16, U12>::from(sm4), op, input),
            ("EAX", _) => generic::aead(eax::Eax::<Sm4>::new(&array(&input.key)), op, input),
            ("GCM", _) => generic::aead(Gcm::from(sm4), op, input),
            ("OCB", _) => generic::aead(ocb3::Ocb3::<_>::from(sm4), op, input),
            ("GCM-SIV", _) => generic::aead(aes_gcm_siv::AesGcmSiv::from(sm4), op, input),
            ("SIV", _) => siv(op, input),
            ("CMAC", _) => generic::mac(cmac::Cmac::inner_init(sm4), op, input),
            ("CBC-MAC", _) => generic::mac(cbc_mac::CbcMac::inner_init(sm4), op, input),
            ("GMAC", _) => generic::aead(Gcm::from(sm4), op, input),
            ("GHASH", _) => ghash(input),
            ("KW", _) => generic::wrap(
                aes_kw::AesKw::inner_init(sm4),
                op,
                input,
                |kw, key, wrapped| done(&kw.wrap_key(key, wrapped)),
                |kw, wrapped, key| done(&kw.unwrap_key(wrapped, key)),
            ),
            ("KWP", _) => generic::wrap(
                aes_kw::AesKwp::inner_init(sm4),
                op,
                input,
                |kwp, key, wrapped| done(&kwp.wrap_key(key, wrapped)),
                |kwp, wrapped, key| done(&kwp.unwrap_key(wrapped, key)),
            ),
            _ => None,
        }
    }
}
