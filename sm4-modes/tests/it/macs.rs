//! CMAC and CBC-MAC.

use digest::Mac;
use sm4_modes::{
    CbcMacKey, CmacKey, MacKey, Sm4, Sm4CbcMac, Sm4CbcMacKey, Sm4Cmac,
    cipher::{KeyInit, common::InnerInit},
    mac::{Method1, Method2, Method3, Padding, StreamKey, Streaming},
};

use crate::support::{Random, ciphers, derive, lengths, sweep, sweep_key, vectors};

const CMAC: &str = include_str!("../vectors/cmac.txt");
const CBC_MAC: &str = include_str!("../vectors/cbc-mac.txt");

#[test]
fn cmac_known_answers() {
    for vector in vectors(CMAC) {
        let (message, tag) = (vector.bytes("pt"), vector.bytes("tag"));
        for cipher in ciphers(&vector.bytes("key")) {
            let key = CmacKey::inner_init(cipher);
            let valid = vector.is_valid();
            assert_eq!(
                key.mac(&message)[..] == tag[..],
                valid,
                "{}",
                vector.text("id")
            );
            assert_eq!(key.verify(&message, &tag).is_ok(), valid);
            let streaming = Streaming::from_key(key).chain_update(&message);
            assert_eq!(streaming.verify_slice(&tag).is_ok(), valid);
        }
    }
}

#[test]
fn cbc_mac_known_answers() {
    fn mac<P: Padding>(cipher: Sm4, message: &[u8]) -> [u8; 16] {
        CbcMacKey::<P, _>::inner_init(cipher).mac(message)
    }
    for vector in vectors(CBC_MAC) {
        let (message, tag) = (vector.bytes("pt"), vector.bytes("tag"));
        for cipher in ciphers(&vector.bytes("key")) {
            let computed = match vector.text("padding") {
                "none" => CbcMacKey::<Method1, _>::inner_init(cipher)
                    .mac_unpadded(&message)
                    .unwrap(),
                "zero" => mac::<Method1>(cipher, &message),
                "iso9797-m2" => mac::<Method2>(cipher, &message),
                "iso9797-m3" => mac::<Method3>(cipher, &message),
                other => panic!("unknown padding {other}"),
            };
            assert_eq!(computed[..], tag, "{}", vector.text("id"));
        }
    }
}

#[test]
fn sweeps() {
    for cipher in &ciphers(&sweep_key::<16>()) {
        let p = derive("cmac-len-a/pt", 1100);
        let key = CmacKey::inner_init(cipher);
        sweep(
            CMAC,
            "cmac-len-a",
            (0..=1100).map(|len| key.mac(&p[..len]).to_vec()),
        );
        let p = derive("cbcmac-len-a/pt", 200);
        let method1 = CbcMacKey::<Method1, _>::inner_init(cipher);
        let method2 = CbcMacKey::<Method2, _>::inner_init(cipher);
        let outputs = (1..=200).map(|len| {
            let mut output = method1.mac(&p[..len]).to_vec();
            if len % 16 == 0 {
                assert_eq!(method1.mac_unpadded(&p[..len]).unwrap()[..], output);
            }
            output.extend(method2.mac(&p[..len]));
            output
        });
        sweep(CBC_MAC, "cbcmac-len-a", outputs);
    }
}

#[test]
fn cmac_is_like_the_generic_one() {
    let mut random = Random(11);
    for cipher in ciphers(&random.array::<16>()) {
        for len in lengths() {
            let message = random.bytes(len);
            let expected = cmac::Cmac::<Sm4>::inner_init(cipher.clone())
                .chain_update(&message)
                .finalize()
                .into_bytes();
            let key = CmacKey::inner_init(cipher.clone());
            assert_eq!(key.mac(&message), expected.0, "{len} bytes");
            in_pieces(&mut random, key, &message);
            in_pieces(
                &mut random,
                CbcMacKey::<Method1, _>::inner_init(cipher.clone()),
                &message,
            );
            in_pieces(
                &mut random,
                CbcMacKey::<Method2, _>::inner_init(cipher.clone()),
                &message,
            );
        }
    }
}

/// In pieces is the same as at once, again and again.
fn in_pieces<K: StreamKey>(random: &mut Random, key: K, message: &[u8]) {
    let expected = key.mac(message);
    let mut streaming = Streaming::from_key(key);
    for _ in 0..2 {
        let mut start = 0;
        for piece in random.pieces(message.len()) {
            streaming.update(&message[start..start + piece]);
            start += piece;
        }
        assert_eq!(streaming.finalize_reset().into_bytes().0, expected);
    }
    streaming.update(b"something else");
    streaming.reset();
    streaming.update(message);
    assert!(streaming.verify_slice(&expected).is_ok());
}

#[test]
fn truncation_is_checked() {
    let key = CmacKey::inner_init(ciphers(&[3; 16]).remove(0));
    let whole = key.mac(b"message");
    for len in 0..40 {
        let mut tag = vec![0x99; len];
        let result = key.mac_truncated(b"message", &mut tag);
        if (4..=16).contains(&len) {
            result.unwrap();
            assert_eq!(tag, whole[..len]);
            key.verify(b"message", &tag).unwrap();
            for bit in 0..8 * len {
                tag[bit / 8] ^= 1 << (bit % 8);
                assert!(key.verify(b"message", &tag).is_err());
                tag[bit / 8] ^= 1 << (bit % 8);
            }
        } else {
            assert!(result.is_err());
            assert_eq!(tag, vec![0x99; len]);
            let mut long = whole.to_vec();
            long.resize(len, 0);
            assert!(key.verify(b"message", &long).is_err());
        }
    }
    let key = CbcMacKey::<Method1, _>::inner_init(ciphers(&[3; 16]).remove(0));
    for len in [0, 1, 15, 17, 31, 33] {
        assert!(key.mac_unpadded(&vec![0; len]).is_err());
    }
}

#[test]
fn by_key() {
    let a = Sm4Cmac::new(&[1; 16].into()).chain_update("message");
    let b = Sm4Cmac::new_from_slice(&[1; 16]).unwrap();
    assert_eq!(a.finalize(), b.chain_update("message").finalize());
    let a = Sm4CbcMac::<Method2>::new(&[1; 16].into()).chain_update("message");
    let b = Sm4CbcMacKey::<Method2>::new(&[1; 16].into());
    assert_eq!(a.finalize().into_bytes().0, b.mac(b"message"));
}
