//! One hash over the results for many lengths, each from an independent implementation.
//!
//! Keys and data are the beginnings of `stream`: SHA-256 of a label and a counter.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/modes.rs"]
mod modes;

use modes::{Mode, with_key};
use sha2::{Digest, Sha256};
use sm4_aead::{AnySize, Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv, Sm4Gmac, Sm4Kw, Sm4Kwp, sm4::Backend};

fn stream(label: &str) -> Vec<u8> {
    (0..60_u32)
        .flat_map(|i| {
            Sha256::new()
                .chain_update(label)
                .chain_update(i.to_be_bytes())
                .finalize()
        })
        .collect()
}

/// The data of a sweep, and the hash so far.
struct Sweep {
    plaintext: Vec<u8>,
    aad: Vec<u8>,
    nonce: Vec<u8>,
    hash: Sha256,
    cases: usize,
}

impl Sweep {
    fn new(id: &str) -> Self {
        Self {
            plaintext: stream(&format!("{id}/pt")),
            aad: stream(&format!("{id}/aad")),
            nonce: stream(&format!("{id}/iv")),
            hash: Sha256::new(),
            cases: 0,
        }
    }

    fn add(&mut self, parts: &[&[u8]]) {
        parts.iter().for_each(|part| self.hash.update(part));
        self.cases += 1;
    }

    /// Seals, opens again, and adds the result.
    fn seal(&mut self, mode: &impl AnySize, nonce: usize, aad: usize, len: usize, tag: usize) {
        let (nonce, aad) = (&self.nonce[..nonce], &self.aad[..aad]);
        let plaintext = &self.plaintext[..len];
        let mut buffer = plaintext.to_vec();
        let mut made = vec![0; tag];
        mode.seal_in_place(nonce, aad, &mut buffer, &mut made)
            .unwrap();
        self.hash.update(&buffer);
        self.hash.update(&made);
        self.cases += 1;
        mode.open_in_place(nonce, aad, &mut buffer, &made).unwrap();
        assert_eq!(buffer, plaintext);
    }

    fn end(self, cases: usize, expected: &str) {
        assert_eq!(self.cases, cases);
        let hash: String = self
            .hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(hash, expected);
    }
}

/// On every backend
fn sweep<M: Mode>(id: &str, cases: usize, expected: &str, run: impl Fn(&mut Sweep, M)) {
    let key: [u8; 32] = Sha256::digest("sm4-sweep-key").into();
    for backend in Backend::available() {
        let mut sweep = Sweep::new(id);
        run(&mut sweep, with_key(&key[..M::KEY_LEN], backend));
        sweep.end(cases, expected);
    }
}

/// Messages of 0 to 1100 bytes
fn lengths<M: Mode + AnySize>(id: &str, nonce: usize, expected: &str) {
    sweep(id, 1101, expected, |sweep, mode: M| {
        for len in 0..=1100 {
            sweep.seal(&mode, nonce, 20, len, 16);
        }
    });
}

#[test]
fn gcm() {
    let expected = "0fc6a93671d733da3d7d11ce6fc16adc82e9844f51130537caaa35e0cbd05810";
    lengths::<Gcm>("gcm-len-a", 12, expected);

    let expected = "9f21f31de2e2f219cc279237afe460585f1ace31112cbff311d8155ada56d862";
    sweep("gcm-ivlen", 200, expected, |sweep, gcm: Gcm| {
        for len in 1..=200 {
            sweep.seal(&gcm, len, 20, 50, 16);
        }
    });
}

#[test]
fn gmac() {
    let expected = "9a159e288fe926b2e99f6e4468b667f509f170a3dee5961ee80bc9e09f38d124";
    sweep("gmac-len-a", 601, expected, |sweep, gcm: Gcm| {
        let gmac = Sm4Gmac::from(gcm);
        for len in 0..=600 {
            let mut tag = [0; 16];
            gmac.mac(&sweep.nonce[..12], &sweep.plaintext[..len], &mut tag)
                .unwrap();
            sweep.add(&[&tag]);
        }
    });
}

#[test]
fn ccm() {
    let expected = "414d53839ba3e8321e4b979e012dd2b6f3c1342cacfd952b7212ac16e3146096";
    lengths::<Ccm>("ccm-len-a", 12, expected);

    let expected = "e7396c27d9420f33a3b17fdedcb6bea752b674f2571e29bf3b3f764c38bac57c";
    sweep("ccm-params", 490, expected, |sweep, ccm: Ccm| {
        for nonce in 7..=13 {
            for tag in [4, 6, 8, 10, 12, 14, 16] {
                for len in [0, 1, 15, 16, 17, 31, 32, 33, 64, 100] {
                    sweep.seal(&ccm, nonce, len, len, tag);
                }
            }
        }
    });
}

#[test]
fn eax() {
    let expected = "9bb9ce3f22605d2f17e7e0ec66ad8ea73b4f058225f7d531d97235c2fb759e40";
    lengths::<Eax>("eax-len-a", 16, expected);

    let expected = "44eff151820dfdd92b9b4cb29fe3b2aa5408a255b2e3480761fc7267454e378f";
    sweep("eax-nonce", 65, expected, |sweep, eax: Eax| {
        for nonce in 0..=64 {
            sweep.seal(&eax, nonce, 5, 40, 16);
        }
    });
}

#[test]
fn ocb3() {
    let expected = "aa8e768ef1c22a1d688dacd1b89c3c4c6201850fd2cbd74285780a3a944431d3";
    lengths::<Ocb3>("ocb-len-a", 12, expected);

    let expected = "2d8fedd481c986236dd89734923e6f6e02a87cd6803232da4937b96083de2bf8";
    sweep("ocb-params", 270, expected, |sweep, ocb: Ocb3| {
        for nonce in 1..=15 {
            for tag in [8, 12, 16] {
                for len in [0, 1, 15, 16, 17, 40] {
                    sweep.seal(&ocb, nonce, len, len, tag);
                }
            }
        }
    });
}

#[test]
fn gcm_siv() {
    let expected = "6d1f1976cef0d3d933d7e77b624d8858cdc7ba4834f4cec4fb3eb216e88216e1";
    lengths::<GcmSiv>("gcmsiv-len-a", 12, expected);
}

#[test]
fn siv() {
    let expected = "933c69d0f4f502d87fe26ff877806b89616d74ba5d65c8e01fe1e7b14217e263";
    sweep("siv-len-a", 301, expected, |sweep, siv: Siv| {
        for len in 0..=300 {
            let mut buffer = sweep.plaintext[..len].to_vec();
            let strings = [&sweep.aad[..20]];
            let tag = siv
                .seal_strings(&strings, buffer.as_mut_slice().into())
                .unwrap();
            sweep.add(&[&buffer, &tag]);
        }
    });
}

#[test]
fn key_wrap() {
    let expected = "4b4f94c3c30a497305ea3a381a2e18ba8676e7eaa6bf8c855cdaf6cb81a93a52";
    sweep("kw-len-a", 115, expected, |sweep, kw: Sm4Kw| {
        for len in (16..=128).step_by(8) {
            let mut wrapped = vec![0; len + 8];
            kw.wrap(&sweep.plaintext[..len], &mut wrapped).unwrap();
            sweep.add(&[&wrapped]);
        }
        let kwp = Sm4Kwp::from_cipher(kw.cipher().clone());
        for len in 1..=100 {
            let mut wrapped = vec![0; Sm4Kwp::wrapped_len(len)];
            kwp.wrap(&sweep.plaintext[..len], &mut wrapped).unwrap();
            sweep.add(&[&wrapped]);
        }
    });
}
