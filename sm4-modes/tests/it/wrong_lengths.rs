//! Every wrong length of key, IV and data, for all types: an error, nothing written, no panic.

use sm4_modes::{
    DataUnit, Message, Sm4BcDec, Sm4BcEnc, Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3, Sm4CbcDec, Sm4CbcEnc,
    Sm4CbcMac, Sm4CbcMacKey, Sm4Cfb8Dec, Sm4Cfb8Enc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec,
    Sm4CfbEnc, Sm4Cmac, Sm4CmacKey, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le, Sm4EcbDec, Sm4EcbEnc, Sm4Hctr,
    Sm4Ofb, Sm4OfbnlfDec, Sm4OfbnlfEnc, Sm4XtsGb, Sm4XtsIeee, cbc_encrypt_messages,
    cipher::{
        Block, BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher,
        block_padding::NoPadding, common::TryKeyInit, consts::U16,
    },
    mac::{Method1, Method2, Method3},
    padding::Pkcs7,
    sm4::Sm4,
};

/// As many different bytes as wanted, so that the halves of a key differ.
fn bytes(len: usize) -> Vec<u8> {
    (0..=255).cycle().take(len).collect()
}

type Names<F> = Vec<(&'static str, F)>;

/// Whether a key and an IV are taken.
type TwoSlices = fn(&[u8], &[u8]) -> bool;

macro_rules! table {
    ($($mode:ty),* $(,)?; $new:expr) => {
        vec![$((stringify!($mode), {
            type Mode = $mode;
            $new
        })),*]
    };
}

#[test]
fn keys_and_ivs() {
    let with_iv: Names<TwoSlices> = table![
        Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le, Sm4Ofb, Sm4CbcEnc, Sm4CbcDec, Sm4CfbEnc, Sm4CfbDec,
        Sm4CfbBufEnc, Sm4CfbBufDec, Sm4Cfb8Enc, Sm4Cfb8Dec, Sm4BcEnc, Sm4BcDec, Sm4OfbnlfEnc,
        Sm4OfbnlfDec;
        |key, iv| <Mode as KeyIvInit>::new_from_slices(key, iv).is_ok()
    ];
    for (name, new) in with_iv {
        for len in 0..=100 {
            let right = len == 16;
            assert_eq!(new(&bytes(len), &bytes(16)), right, "{name}, key of {len}");
            assert_eq!(new(&bytes(16), &bytes(len)), right, "{name}, IV of {len}");
        }
    }
    let without_iv: Names<fn(&[u8]) -> bool> = table![
        Sm4EcbEnc, Sm4EcbDec, Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3, Sm4Cmac, Sm4CmacKey,
        Sm4CbcMac<Method1>, Sm4CbcMac<Method2>, Sm4CbcMacKey<Method3>;
        |key| <Mode as KeyInit>::new_from_slice(key).is_ok()
    ];
    for (name, new) in without_iv {
        for len in 0..=100 {
            assert_eq!(new(&bytes(len)), len == 16, "{name}, key of {len}");
        }
    }
    let two_keys: Names<fn(&[u8]) -> bool> = vec![
        ("Sm4XtsIeee", |key| Sm4XtsIeee::new_from_slice(key).is_ok()),
        ("Sm4XtsGb", |key| Sm4XtsGb::new_from_slice(key).is_ok()),
        ("Sm4Hctr", |key| Sm4Hctr::new_from_slice(key).is_ok()),
    ];
    for (name, new) in two_keys {
        for len in 0..=100 {
            assert_eq!(new(&bytes(len)), len == 32, "{name}, key of {len}");
        }
    }
}

/// Data that must not change.
fn untouched(len: usize, run: impl FnOnce(&mut [u8])) {
    let mut data = bytes(len);
    run(&mut data);
    assert_eq!(data, bytes(len));
}

#[test]
fn data_units() {
    let key = &bytes(32);
    let modes: Names<Box<dyn DataUnit>> = vec![
        (
            "XTS, IEEE",
            Box::new(Sm4XtsIeee::new_from_slice(key).unwrap()),
        ),
        ("XTS, GB", Box::new(Sm4XtsGb::new_from_slice(key).unwrap())),
        ("HCTR", Box::new(Sm4Hctr::new_from_slice(key).unwrap())),
        (
            "CS1",
            Box::new(Sm4CbcCs1::new_from_slice(&key[..16]).unwrap()),
        ),
        (
            "CS2",
            Box::new(Sm4CbcCs2::new_from_slice(&key[..16]).unwrap()),
        ),
        (
            "CS3",
            Box::new(Sm4CbcCs3::new_from_slice(&key[..16]).unwrap()),
        ),
    ];
    let tweak = [9; 16];
    for (name, mode) in modes {
        for len in 0..100 {
            let wrong = len < 16;
            if wrong {
                untouched(len, |data| {
                    assert!(mode.encrypt(&tweak, data).is_err(), "{name}");
                });
                untouched(len, |data| {
                    assert!(mode.decrypt(&tweak, data).is_err(), "{name}");
                });
            } else {
                assert!(mode.encrypt(&tweak, &mut bytes(len)).is_ok(), "{name}");
                assert!(mode.decrypt(&tweak, &mut bytes(len)).is_ok(), "{name}");
            }
            for other in [0, 1, 15, 16, 17, 31, 32, 33, 99, 200] {
                if wrong || other != len {
                    untouched(other, |output| {
                        assert!(mode.encrypt_b2b(&tweak, &bytes(len), output).is_err());
                        assert!(mode.decrypt_b2b(&tweak, &bytes(len), output).is_err());
                    });
                }
            }
        }
    }
}

fn stream(mut stream: impl StreamCipher) {
    for (input, output) in [(0, 1), (1, 0), (16, 15), (16, 17), (1000, 999)] {
        untouched(output, |output| {
            assert!(
                stream
                    .try_apply_keystream_b2b(&bytes(input), output)
                    .is_err()
            );
        });
    }
}

fn encryptor<M: BlockModeEncrypt<BlockSize = U16>>(new: impl Fn() -> M) {
    let blocks = vec![Block::<M>::default(); 300];
    for (input, output) in [(0, 1), (1, 0), (16, 17), (300, 299), (64, 65)] {
        let mut written = vec![Block::<M>::default(); output];
        let result = new().encrypt_blocks_b2b(&blocks[..input], &mut written);
        assert!(result.is_err());
        assert!(written.iter().all(|block| *block == Block::<M>::default()));
    }
    for len in 0..70 {
        if len % 16 != 0 {
            untouched(len, |data| {
                let len = data.len();
                assert!(new().encrypt_padded::<NoPadding>(data, len).is_err());
            });
        }
        // no room for the padding
        untouched(len, |data| {
            let len = data.len();
            assert!(new().encrypt_padded::<Pkcs7>(data, len).is_err());
            assert!(new().encrypt_padded::<Pkcs7>(data, len + 1).is_err());
            assert!(
                new()
                    .encrypt_padded_b2b::<Pkcs7>(&bytes(len), data)
                    .is_err()
            );
        });
    }
}

fn decryptor<M: BlockModeDecrypt<BlockSize = U16>>(new: impl Fn() -> M) {
    let blocks = vec![Block::<M>::default(); 300];
    for (input, output) in [(0, 1), (1, 0), (16, 17), (300, 299), (64, 65)] {
        let mut written = vec![Block::<M>::default(); output];
        let result = new().decrypt_blocks_b2b(&blocks[..input], &mut written);
        assert!(result.is_err());
        assert!(written.iter().all(|block| *block == Block::<M>::default()));
    }
    for len in (0..70).filter(|len| len % 16 != 0 || *len == 0) {
        untouched(len, |data| {
            assert!(new().decrypt_padded::<Pkcs7>(data).is_err());
        });
        untouched(len, |data| {
            assert!(
                new()
                    .decrypt_padded_b2b::<Pkcs7>(&bytes(len), data)
                    .is_err()
            );
        });
    }
    untouched(31, |data| {
        assert!(new().decrypt_padded_b2b::<Pkcs7>(&bytes(32), data).is_err());
    });
}

#[test]
fn buffers_and_paddings() {
    let (key, iv) = (&[1; 16].into(), &[2; 16].into());
    stream(Sm4Ctr::new(key, iv));
    stream(Sm4Ctr32Be::new(key, iv));
    stream(Sm4Ctr32Le::new(key, iv));
    stream(Sm4Ofb::new(key, iv));
    encryptor(|| Sm4EcbEnc::new(key));
    encryptor(|| Sm4CbcEnc::new(key, iv));
    encryptor(|| Sm4CfbEnc::new(key, iv));
    encryptor(|| Sm4BcEnc::new(key, iv));
    encryptor(|| Sm4OfbnlfEnc::new(key, iv));
    decryptor(|| Sm4EcbDec::new(key));
    decryptor(|| Sm4CbcDec::new(key, iv));
    decryptor(|| Sm4CfbDec::new(key, iv));
    decryptor(|| Sm4BcDec::new(key, iv));
    decryptor(|| Sm4OfbnlfDec::new(key, iv));
    for (input, output) in [(0, 1), (1, 0), (16, 15), (16, 17), (1000, 999)] {
        let input = &bytes(input);
        untouched(output, |output| {
            assert!(
                Sm4CfbBufEnc::new(key, iv)
                    .encrypt_b2b(input, output)
                    .is_err()
            );
            assert!(
                Sm4CfbBufDec::new(key, iv)
                    .decrypt_b2b(input, output)
                    .is_err()
            );
            assert!(Sm4Cfb8Enc::new(key, iv).encrypt_b2b(input, output).is_err());
            assert!(Sm4Cfb8Dec::new(key, iv).decrypt_b2b(input, output).is_err());
        });
    }
    for len in (1..100).filter(|len| len % 16 != 0) {
        untouched(len, |data| {
            let mut messages = [Message { iv: [0; 16], data }];
            assert!(cbc_encrypt_messages(&Sm4::new(key), &mut messages).is_err());
        });
    }
}

/// What is shown of an object says its name and nothing of its key.
#[test]
fn debug_output() {
    let (key, iv) = (&[0xa7; 16].into(), &[0xb3; 16].into());
    let mut shown = vec![
        format!("{:?}", Sm4Ctr::new(key, iv)),
        format!("{:?}", Sm4CbcDec::new(key, iv)),
        format!("{:?}", Sm4CfbEnc::new(key, iv)),
        format!("{:?}", Sm4CfbBufDec::new(key, iv)),
        format!("{:?}", Sm4Cfb8Enc::new(key, iv)),
        format!("{:?}", Sm4EcbEnc::new(key)),
        format!("{:?}", Sm4OfbnlfEnc::new(key, iv)),
        format!("{:?}", Sm4BcEnc::new(key, iv)),
        format!("{:?}", Sm4CbcCs3::new(key)),
        format!("{:?}", Sm4Cmac::new(key)),
        format!("{:?}", Sm4CmacKey::new(key)),
        format!("{:?}", Sm4CbcMacKey::<Method1>::new(key)),
    ];
    let key = &bytes(32);
    shown.push(format!("{:?}", Sm4XtsGb::new_from_slice(key).unwrap()));
    shown.push(format!("{:?}", Sm4Hctr::new_from_slice(key).unwrap()));
    for text in shown {
        assert!(text.len() < 40, "{text}");
        for secret in ["a7", "167", "b3", "179", "[", "0,"] {
            assert!(!text.contains(secret), "{text}");
        }
    }
}
