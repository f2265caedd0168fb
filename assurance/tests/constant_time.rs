//! No branch and no address depends on a secret: shown by valgrind's memcheck for every backend
//! that valgrind can run, by `.ci/valgrind`.
//!
//! Secrets are keys, everything computed from them, plaintexts, ciphertexts and associated data;
//! public are lengths, nonces, IVs and tweaks. Two answers become public by being given, and each
//! is one branch that memcheck reports: whether a tag is the message's, and whether padding is well
//! formed. So there must be exactly as many reports as answers, and none from anything else.

#![allow(clippy::unwrap_used, reason = "a test")]

use assurance::{
    memcheck::{self, count_secret, errors, make_public, make_secret},
    operations::{AEADS, KeyBytes, MACS, MODES, cipher},
};
use sm4::{
    Backend,
    cipher::{Array, Block, BlockCipherDecrypt, BlockCipherEncrypt},
};
use sm4_aead::{Sm4Gmac, Sm4Kw, Sm4Kwp};
use sm4_modes::{
    Sm4XtsIeee,
    cipher::{block_padding::Padding, common::TryKeyInit},
    padding::Pkcs7,
};

/// Lengths of messages, so that every kernel of every backend has its turn.
const LENGTHS: &[usize] = &[
    0, 1, 15, 16, 17, 33, 48, 64, 79, 128, 130, 256, 272, 511, 512, 1024, 1040, 2048, 2100,
];

/// Runs the operation and says how many branches and addresses depended on secrets.
fn reports(operation: impl FnOnce()) -> usize {
    let before = errors();
    operation();
    errors() - before
}

/// How many branches it takes to answer a question with yes or no, and the answer. If nothing has
/// branched on it yet, whoever asks will, so that is one.
fn answers(question: impl FnOnce() -> bool) -> (usize, bool) {
    let mut answer = [0];
    let reports = reports(|| answer[0] = u8::from(question()));
    let open = count_secret(&answer);
    make_public(&mut answer);
    (reports + open, answer[0] == 1)
}

/// The same for an operation that must not have any.
#[track_caller]
fn constant_time(what: &dyn core::fmt::Debug, operation: impl FnOnce()) {
    let reports = reports(operation);
    assert_eq!(reports, 0, "{what:?}: depends on secrets");
}

fn secret_key() -> KeyBytes {
    let mut key = core::array::from_fn(|i| u8::try_from(7 * i).unwrap());
    make_secret(&mut key);
    key
}

fn secret(len: usize) -> Vec<u8> {
    let mut bytes = vec![0xa5; len];
    make_secret(&mut bytes);
    bytes
}

/// Secrets have arrived everywhere in the output; if not, there was nothing to be seen.
#[track_caller]
fn all_secret(what: &dyn core::fmt::Debug, bytes: &[u8]) {
    assert_eq!(count_secret(bytes), bytes.len(), "{what:?}: lost secrets");
}

fn backends() -> Vec<Backend> {
    assert!(memcheck::running(), "not under valgrind");
    let backends: Vec<_> = Backend::available().collect();
    println!("backends: {backends:?}");
    backends
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn the_backends_are_those_that_valgrind_can_run() {
    let names: Vec<_> = backends().iter().map(|backend| backend.name()).collect();
    assert_eq!(names, ["aesni-avx2", "aesni-avx", "aesni-ssse3", "soft"]);
}

/// What makes the other tests worth something: both kinds of fault are reported.
#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn faults_are_reported() {
    #[inline(never)]
    fn look_up(table: &[u8; 256], byte: u8) -> u8 {
        table[usize::from(byte)]
    }
    #[inline(never)]
    fn branch(byte: u8) -> u8 {
        if byte & 1 == 1 {
            core::hint::black_box(byte)
        } else {
            core::hint::black_box(0)
        }
    }
    assert!(memcheck::running(), "not under valgrind");
    let table = core::array::from_fn(|i| u8::try_from(255 - i).unwrap());
    let key = secret_key();
    let mut out = [0; 2];
    assert_eq!(reports(|| out[0] = look_up(&table, key[0])), 1);
    assert_eq!(reports(|| out[1] = branch(key[0])), 1);
    let xor = reports(|| out[1] = key[0] ^ key[1]);
    assert_eq!(xor, 0);
    all_secret(&"the sum", &out[1..]);
    make_public(&mut out);
    assert_eq!(count_secret(&out), 0);
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn the_cipher() {
    for backend in backends() {
        for count in (0..20).chain([31, 32, 33, 40, 48, 63, 64, 65, 80, 127, 128, 129]) {
            let what = (backend, count);
            let key = secret_key();
            let mut data = secret(16 * count);
            let blocks = Array::slice_as_chunks_mut(&mut data).0;
            constant_time(&what, || {
                let cipher = cipher(backend, &key, 0);
                for block in blocks.iter_mut().take(3) {
                    cipher.encrypt_block(block);
                    cipher.decrypt_block(block);
                }
                cipher.encrypt_blocks(blocks);
                cipher.bulk().encrypt_blocks(blocks);
                cipher.decrypt_blocks(blocks);
                cipher.bulk().decrypt_blocks(blocks);
                let mut copies = vec![Block::<sm4::Sm4>::default(); count];
                let done = cipher.bulk().encrypt_blocks_b2b(blocks, &mut copies);
                assert!(done.is_ok());
                blocks.copy_from_slice(&copies);
            });
            all_secret(&what, &data);
        }
    }
}

/// A key's bytes alone are secret, and the round keys are nevertheless all secret.
#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn the_key_schedule() {
    for backend in backends() {
        let key = secret_key();
        let mut zeros = [0; 16 * 129];
        constant_time(&backend, || {
            let blocks = Array::slice_as_chunks_mut(&mut zeros).0;
            cipher(backend, &key, 1).bulk().encrypt_blocks(blocks);
        });
        all_secret(&backend, &zeros);
    }
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn the_modes() {
    for backend in backends() {
        for mode in MODES {
            for &len in LENGTHS.iter().filter(|&&len| mode.takes(len)) {
                let what = (backend, mode.name, len);
                let (key, iv) = (secret_key(), [0x3c; 16]);
                let mut data = secret(len);
                constant_time(&what, || {
                    (mode.encrypt)(backend, &key, &iv, (&mut *data).into());
                });
                all_secret(&what, &data);
                constant_time(&what, || {
                    (mode.decrypt)(backend, &key, &iv, (&mut *data).into());
                });
                all_secret(&what, &data);
            }
        }
    }
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn the_macs() {
    for backend in backends() {
        for mac in MACS {
            for &len in LENGTHS {
                let what = (backend, mac.name, len);
                let (key, message) = (secret_key(), secret(len));
                let mut tag = [0; 16];
                constant_time(&what, || tag = (mac.tag)(backend, &key, &message));
                if len > 0 || mac.name.starts_with("CMAC") {
                    all_secret(&what, &tag);
                }
                for wrong in [0, 1, 0xff] {
                    let tag = tag.map(|byte| byte ^ wrong);
                    let answers = answers(|| (mac.verify)(backend, &key, &message, &tag));
                    assert_eq!(answers, (1, wrong == 0), "{what:?}: the answer alone");
                }
            }
        }
    }
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn the_aeads() {
    for backend in backends() {
        for aead in AEADS {
            for &len in LENGTHS {
                for &nonce in aead.nonces {
                    let what = (backend, aead.name, len, nonce);
                    let nonce = &[0x3c; 16][..nonce];
                    let (key, associated) = (secret_key(), secret(len / 3));
                    let mut data = secret(len);
                    let mut tag = [0; 16];
                    constant_time(&what, || {
                        let mode = (aead.make)(backend, &key);
                        let done = mode.seal(nonce, &associated, (&mut *data).into(), &mut tag);
                        assert!(done.is_ok());
                    });
                    all_secret(&what, &data);
                    all_secret(&what, &tag);
                    for wrong in [0, 1, 0xff] {
                        let tag = tag.map(|byte| byte ^ wrong);
                        let mut data = data.clone();
                        let answers = answers(|| {
                            let mode = (aead.make)(backend, &key);
                            mode.open(nonce, &associated, (&mut *data).into(), &tag)
                                .is_ok()
                        });
                        let expected = (aead.checks, wrong == 0);
                        assert_eq!(answers, expected, "{what:?}: the answers alone");
                    }
                }
            }
        }
    }
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn gmac() {
    for backend in backends() {
        for &len in LENGTHS {
            let (key, data) = (secret_key(), secret(len));
            let mut tag = [0; 16];
            constant_time(&(backend, len), || {
                let mac = Sm4Gmac::from(sm4_aead::Gcm::from_cipher(cipher(backend, &key, 0)));
                assert!(mac.mac(&[1; 12], &data, &mut tag).is_ok());
            });
            all_secret(&(backend, len), &tag);
            let answers = answers(|| {
                let mac = Sm4Gmac::from(sm4_aead::Gcm::from_cipher(cipher(backend, &key, 0)));
                mac.verify(&[1; 12], &data, &tag).is_ok()
            });
            assert_eq!(answers, (1, true));
        }
    }
}

#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn key_wrap() {
    for backend in backends() {
        for len in [16, 24, 32, 64, 256] {
            let what = (backend, len);
            let (key, data) = (secret_key(), secret(len));
            let mut wrapped = vec![0; len + 8];
            let mut unwrapped = vec![0; len];
            let kw = Sm4Kw::from_cipher(cipher(backend, &key, 0));
            constant_time(&what, || {
                assert!(kw.wrap(&data, &mut wrapped).is_ok());
            });
            all_secret(&what, &wrapped);
            for answer in [true, false] {
                let answers = answers(|| kw.unwrap(&wrapped, &mut unwrapped).is_ok());
                assert_eq!(answers, (1, answer), "{what:?}: the answer alone");
                wrapped[0] ^= 1;
            }

            let kwp = Sm4Kwp::from_cipher(cipher(backend, &key, 0));
            constant_time(&what, || {
                assert!(kwp.wrap(&data, &mut wrapped).is_ok());
            });
            all_secret(&what, &wrapped);
            for answer in [true, false] {
                let answers = answers(|| kwp.unwrap(&wrapped, &mut unwrapped).is_ok());
                assert_eq!(
                    answers,
                    (1 + usize::from(answer), answer),
                    "{what:?}: the answer, the length"
                );
                wrapped[0] ^= 1;
            }
        }
    }
}

/// One answer: whether it is well formed. (The length of what is left is part of it.)
#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn padding() {
    assert!(memcheck::running(), "not under valgrind");
    for last in 0..=255 {
        let mut block = [last; 16];
        make_secret(&mut block);
        let answers = answers(|| Pkcs7::raw_unpad(&block).is_ok());
        assert_eq!(answers, (1, (1..=16).contains(&last)));
    }
}

/// One answer: whether the two keys are equal.
#[test]
#[ignore = "for valgrind: .ci/valgrind"]
fn xts_keys() {
    assert!(memcheck::running(), "not under valgrind");
    let mut key = secret_key();
    for equal in [false, true] {
        let answers = answers(|| <Sm4XtsIeee as TryKeyInit>::new(&key.into()).is_err());
        assert_eq!(answers, (1, equal));
        key.copy_within(..16, 16);
    }
}
