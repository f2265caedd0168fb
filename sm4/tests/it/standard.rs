//! Known answers, on every backend that this machine has.

use crate::model::Model;
use hex_literal::hex;
use sm4::{
    Backend, Sm4,
    cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit},
};

/// The key and the plaintext of GB/T 32907-2016, appendix A.
const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

/// All backends, by name in the output; at least the portable one.
fn backends() -> impl Iterator<Item = Backend> {
    assert!(Backend::available().next().is_some());
    Backend::available().inspect(|backend| println!("backend {backend}"))
}

/// (source, key, plaintext, ciphertext)
type Example = (&'static str, [u8; 16], [u8; 16], [u8; 16]);

const BLOCKS: [Example; 2] = [
    (
        "GB/T 32907-2016, A.1",
        KEY,
        KEY,
        hex!("681edf34d206965e86b3e94f536e4246"),
    ),
    (
        "draft-ribose-cfrg-sm4-10, A.1.4",
        hex!("fedcba98765432100123456789abcdef"),
        hex!("000102030405060708090a0b0c0d0e0f"),
        hex!("f766678f13f01adeac1b3ea955adb594"),
    ),
];

#[test]
fn one_block() {
    for backend in backends() {
        for (source, key, plaintext, ciphertext) in &BLOCKS {
            let sm4 = Sm4::with_backend(key.into(), backend).unwrap();
            let mut block = (*plaintext).into();
            sm4.encrypt_block(&mut block);
            assert_eq!(block, *ciphertext, "{backend}, {source}");
            sm4.decrypt_block(&mut block);
            assert_eq!(block, *plaintext, "{backend}, {source}");
        }
    }
}

/// GB/T 32907-2016, A.2: a million encryptions, and back.
#[test]
fn a_million_iterations() {
    for backend in backends() {
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        let mut block = KEY.into();
        for _ in 0..1_000_000 {
            sm4.encrypt_block(&mut block);
        }
        assert_eq!(block, hex!("595298c7c6fd271f0402f804c33d3f66"), "{backend}");
        for _ in 0..1_000_000 {
            sm4.decrypt_block(&mut block);
        }
        assert_eq!(block, KEY, "{backend}");
    }
}

// `data/README.md` names the sources.
sm4::cipher::block_cipher_test!(sm4, Sm4);

#[test]
fn the_model_knows_the_standard() {
    for (source, key, plaintext, ciphertext) in &BLOCKS {
        let model = Model::new(*key);
        assert_eq!(model.encrypt(*plaintext), *ciphertext, "{source}");
        assert_eq!(model.decrypt(*ciphertext), *plaintext, "{source}");
    }
}

#[test]
fn the_best_backend_is_chosen() {
    let best = Backend::available().next().unwrap();
    assert_eq!(Sm4::new(&KEY.into()).backend(), best);
    assert_eq!(Sm4::new_from_slice(&KEY).unwrap().backend(), best);
    assert!(Sm4::new_from_slice(&KEY[1..]).is_err());
}

#[test]
fn names() {
    for backend in Backend::available() {
        assert_eq!(backend.name().parse(), Ok(backend));
        assert_eq!(backend.to_string(), backend.name());
        assert!(backend.is_available());
    }
    assert!("SOFT".parse::<Backend>().is_err());
    assert!("".parse::<Backend>().is_err());
}

#[test]
fn unavailable_backends_are_refused() {
    let names = [
        "sm4-ni",
        "gfni-avx512",
        "gfni-avx2",
        "vaes-avx2",
        "aesni-avx2",
        "aesni-avx",
        "aesni-ssse3",
        "sm4-ce",
        "neon-aes",
        "neon",
        "zvksed",
        "zksed",
        "simd128",
        "soft",
    ];
    let mut refused = 0;
    for name in names {
        let backend: Backend = name.parse().unwrap();
        match Sm4::with_backend(&KEY.into(), backend) {
            Ok(sm4) => assert_eq!(sm4.backend(), backend),
            Err(error) => {
                refused += 1;
                assert!(!backend.is_available());
                assert_eq!(error.backend(), backend);
                assert!(error.to_string().contains(name));
            }
        }
    }
    // No machine is an x86, an Arm and a RISC-V at once.
    assert!(refused > 0);
}

#[test]
fn debug_shows_no_key() {
    let text = format!(
        "{:?} {:?}",
        Sm4::new(&KEY.into()),
        Sm4::new(&KEY.into()).bulk()
    );
    assert!(text.contains("Sm4"));
    let best = Backend::available().next().unwrap();
    assert!(text.contains(&format!("{best:?}")), "{text}");
    // Nothing else that could come of the key: no list, no number.
    assert!(!text.contains('['), "{text}");
}
