//! The crate `sm4` of RustCrypto, with the generic mode crates.

use aead::consts::{U12, U16};
use cipher::KeyInit;
use ctr::flavors::{Ctr32BE, Ctr32LE, Ctr128BE};
use sm4_rustcrypto::Sm4;

use super::Peer;
use crate::{
    generic::{self, array},
    implementation::Implementation,
    job::{Input, Operation, Prepared},
    modes::Mode,
};

struct RustCrypto;

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
            ("OFB", _) => generic::ofb(sm4, op, input),
            ("CTR", _) => generic::ctr::<Ctr128BE>(sm4, op, input),
            ("CTR32BE", _) => generic::ctr::<Ctr32BE>(sm4, op, input),
            ("CTR32LE", _) => generic::ctr::<Ctr32LE>(sm4, op, input),
            ("XTS-IEEE", _) => {
                generic::xts_ieee([sm4, Sm4::new(&array(&input.key[16..]))], op, input)
            }
            ("CCM", _) => generic::aead(ccm::Ccm::<_, U16, U12>::from(sm4), op, input),
            ("EAX", _) => generic::aead(eax::Eax::<Sm4>::new(&array(&input.key)), op, input),
            ("GCM", _) => generic::aead(Gcm::from(sm4), op, input),
            ("OCB", _) => generic::aead(ocb3::Ocb3::<_>::from(sm4), op, input),
            ("GCM-SIV", _) => generic::aead(aes_gcm_siv::AesGcmSiv::from(sm4), op, input),
            ("CMAC", _) => generic::cmac(sm4, op, input),
            _ => None,
        }
    }
}
