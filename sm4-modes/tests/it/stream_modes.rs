//! CTR, OFB and CFB: modes for data of any length.

use sm4_modes::{
    Ctr, Sm4, Sm4Ofb,
    cfb::{Buffered, CfbDec, CfbEnc},
    cipher::{
        InOutBuf, InnerIvInit, IvState, KeyIvInit, SetIvState, StreamCipher,
        StreamCipherCoreWrapper, StreamCipherSeek,
    },
    counter::{Be32, Be128, Flavour, Le32},
};

use crate::support::{
    Random, ciphers, derive, everywhere, everywhere_ok, lengths, sweep, sweep_key, vectors,
};

const CTR: &str = include_str!("../vectors/ctr.txt");
const CTR32LE: &str = include_str!("../vectors/ctr32le.txt");
const OFB: &str = include_str!("../vectors/ofb.txt");
const CFB: &str = include_str!("../vectors/cfb128.txt");

fn ctr<F: Flavour>(cipher: &Sm4, iv: &[u8]) -> Ctr<F, Sm4> {
    Ctr::inner_iv_init(cipher.clone(), iv.try_into().unwrap())
}

fn ofb(cipher: &Sm4, iv: &[u8]) -> Sm4Ofb {
    Sm4Ofb::inner_iv_init(cipher.clone(), iv.try_into().unwrap())
}

/// A known answer of a stream cipher: both directions are the same.
fn check_stream<S: StreamCipher>(file: &str, new: impl Fn(&Sm4, &[u8]) -> S) {
    for vector in vectors(file) {
        let (iv, pt, ct) = (vector.bytes("iv"), vector.bytes("pt"), vector.bytes("ct"));
        for cipher in ciphers(&vector.bytes("key")) {
            let run =
                |data: InOutBuf<'_, '_, u8>| new(&cipher, &iv).try_apply_keystream_inout(data);
            assert_eq!(everywhere(&pt, run).unwrap(), ct, "{}", vector.text("id"));
            assert_eq!(everywhere(&ct, run).unwrap(), pt, "{}", vector.text("id"));
        }
    }
}

#[test]
fn ctr_known_answers() {
    check_stream(CTR, ctr::<Be128>);
    check_stream(CTR32LE, ctr::<Le32>);
}

#[test]
fn ofb_known_answers() {
    check_stream(OFB, ofb);
}

#[test]
fn ctr_sweeps() {
    fn run<F: Flavour>(cipher: &Sm4, iv: &[u8], plaintext: &[u8]) -> Vec<u8> {
        let mut data = plaintext.to_vec();
        ctr::<F>(cipher, iv).apply_keystream(&mut data);
        data
    }
    fn lengths<F: Flavour>(cipher: &Sm4, file: &str, id: &str) {
        let (p, n) = (
            derive(&format!("{id}/pt"), 1100),
            derive(&format!("{id}/iv"), 16),
        );
        sweep(
            file,
            id,
            (0..=1100).map(|len| run::<F>(cipher, &n, &p[..len])),
        );
    }
    fn wrap(cipher: &Sm4, id: &str, bits: u32) {
        let (p, n) = (
            derive(&format!("{id}/pt"), 700),
            derive(&format!("{id}/iv"), 16),
        );
        let last = u128::MAX >> (128 - bits);
        let outputs = (0..=40).map(|d| {
            let iv = u128::from_be_bytes(n.as_slice().try_into().unwrap()) & !last | (last - d);
            run::<Be128>(cipher, &iv.to_be_bytes(), &p)
        });
        sweep(CTR, id, outputs);
    }
    for cipher in &ciphers(&sweep_key::<16>()) {
        lengths::<Be128>(cipher, CTR, "ctr-len-a");
        lengths::<Le32>(cipher, CTR32LE, "ctr32le-len-a");
        wrap(cipher, "ctr-wrap32", 32);
        wrap(cipher, "ctr-wrap128", 128);
        let p = derive("ctr32le-carry/pt", 200);
        let outputs = [0xfe_u32, 0xfffe, 0x00ff_fffe, 0xffff_fffe].map(|low| {
            let mut iv = [0xff; 16];
            iv[..4].copy_from_slice(&low.to_le_bytes());
            run::<Le32>(cipher, &iv, &p)
        });
        sweep(CTR32LE, "ctr32le-carry", outputs);
    }
}

#[test]
fn ofb_sweep() {
    for cipher in ciphers(&sweep_key::<16>()) {
        let (p, n) = (derive("ofb-len-a/pt", 600), derive("ofb-len-a/iv", 16));
        let outputs = (0..=600).map(|len| {
            let mut data = p[..len].to_vec();
            ofb(&cipher, &n).apply_keystream(&mut data);
            data
        });
        sweep(OFB, "ofb-len-a", outputs);
    }
}

/// Every length, chunking and position, against the generic crate.
fn like_the_generic_one<F: Flavour, G: ctr::CtrFlavor<cipher::consts::U16>>(seed: u64) {
    let mut random = Random(seed);
    let key = random.array::<16>();
    for cipher in ciphers(&key) {
        let mut ivs = vec![random.array::<16>(), [0xff; 16]];
        for at in [2, 6, 10, 14] {
            let mut iv = random.array();
            iv[at..].fill(0xff);
            ivs.push(iv);
            let mut iv = random.array();
            iv[..at].fill(0xff);
            ivs.push(iv);
        }
        for iv in ivs {
            let plaintext = random.bytes(5000);
            let mut expected = plaintext.clone();
            StreamCipherCoreWrapper::from_core(ctr::CtrCore::<_, G>::inner_iv_init(
                cipher.clone(),
                &iv.into(),
            ))
            .apply_keystream(&mut expected);
            let mut stream = ctr::<F>(&cipher, &iv);
            for _ in 0..20 {
                let start = random.below(5001);
                stream.seek(start);
                assert_eq!(stream.current_pos::<usize>(), start);
                let len = random.below(5001 - start);
                let mut data = plaintext[start..start + len].to_vec();
                let mut position = start;
                for piece in random.pieces(len) {
                    stream.apply_keystream(&mut data[position - start..][..piece]);
                    position += piece;
                    assert_eq!(stream.current_pos::<usize>(), position);
                }
                assert_eq!(data, expected[start..start + len]);
                // and on from the state
                let mut next = ctr::<F>(&cipher, &stream.iv_state());
                next.seek(position % 16);
                let rest = &mut plaintext[position..].to_vec();
                next.apply_keystream(rest);
                assert_eq!(rest[..], expected[position..]);
                // and another message on the same object
                next.set_iv(&iv.into());
                assert_eq!(next.current_pos::<usize>(), 0);
                let again = &mut plaintext[..len].to_vec();
                next.apply_keystream(again);
                assert_eq!(again[..], expected[..len]);
            }
            for len in lengths().filter(|&len| len <= 5000) {
                let output = everywhere_ok(&plaintext[..len], |data| {
                    ctr::<F>(&cipher, &iv).apply_keystream_inout(data);
                });
                assert_eq!(output, expected[..len]);
                let mut key_stream = vec![0x77; len];
                ctr::<F>(&cipher, &iv).write_keystream(&mut key_stream);
                for (k, (p, c)) in key_stream.iter().zip(plaintext.iter().zip(&expected)) {
                    assert_eq!(k ^ p, *c);
                }
            }
        }
    }
}

#[test]
fn ctr_is_like_the_generic_one() {
    like_the_generic_one::<Be128, ctr::flavors::Ctr128BE>(1);
    like_the_generic_one::<Be32, ctr::flavors::Ctr32BE>(2);
    like_the_generic_one::<Le32, ctr::flavors::Ctr32LE>(3);
}

/// Every length and chunking, against the generic crate.
#[test]
fn ofb_is_like_the_generic_one() {
    let mut random = Random(4);
    for cipher in ciphers(&random.array::<16>()) {
        let iv = random.array::<16>();
        let plaintext = random.bytes(5000);
        for len in lengths().filter(|&len| len <= 5000) {
            let mut expected = plaintext[..len].to_vec();
            let core = ofb::OfbCore::inner_iv_init(&cipher, &iv.into());
            StreamCipherCoreWrapper::from_core(core).apply_keystream(&mut expected);
            let output = everywhere_ok(&plaintext[..len], |data| {
                ofb(&cipher, &iv).apply_keystream_inout(data);
            });
            assert_eq!(output, expected);
            let (mut stream, mut data) = (ofb(&cipher, &iv), plaintext[..len].to_vec());
            let mut position = 0;
            for piece in random.pieces(len) {
                stream.apply_keystream(&mut data[position..][..piece]);
                position += piece;
            }
            assert_eq!(data, expected);
            let mut key_stream = vec![0x77; len];
            ofb(&cipher, &iv).write_keystream(&mut key_stream);
            for (k, (p, c)) in key_stream.iter().zip(plaintext.iter().zip(&expected)) {
                assert_eq!(k ^ p, *c);
            }
        }
    }
}

/// All of the key stream can be had, and not one byte more.
fn ends_after_2_36_bytes<F: Flavour>() {
    const END: u64 = 1 << 36;
    let cipher = Sm4::with_backend(&[5; 16].into(), ciphers(&[5; 16])[0].backend()).unwrap();
    let mut stream = ctr::<F>(&cipher, &[9; 16]);
    let mut first = [0; 4000];
    stream.apply_keystream(&mut first);
    for before in [0_u64, 1, 15, 16, 17, 31, 32, 33, 1000, 2047, 2048, 4000] {
        stream.seek(END - before);
        assert_eq!(stream.current_pos::<u64>(), END - before);
        let mut too_long = vec![0x55; usize::try_from(before).unwrap() + 1];
        assert!(stream.check_remaining(too_long.len()).is_err());
        assert!(stream.try_apply_keystream(&mut too_long).is_err());
        assert!(stream.try_write_keystream(&mut too_long).is_err());
        assert!(too_long.iter().all(|&byte| byte == 0x55));
        assert_eq!(
            stream.current_pos::<u64>(),
            END - before,
            "an error does not move"
        );
        too_long.pop();
        stream.try_apply_keystream(&mut too_long).unwrap();
        assert_eq!(stream.current_pos::<u64>(), END);
        assert!(stream.try_apply_keystream(&mut [0]).is_err());
        stream.try_apply_keystream(&mut []).unwrap();
    }
    for beyond in [1, 15, 16, 17, END] {
        stream.seek(7_u64);
        assert!(stream.try_seek(END + beyond).is_err());
        assert_eq!(stream.current_pos::<u64>(), 7, "an error does not move");
    }
    assert!(stream.try_seek(u128::MAX).is_err());
    // whoever goes on unchecked is on their own, but the checks still hold
    stream.seek(END - 8);
    stream.unchecked_apply_keystream(&mut [0; 40]);
    assert!(stream.try_apply_keystream(&mut [0; 17]).is_err());
    assert!(stream.check_remaining(1 << 20).is_err());
    stream.seek(0);
    let mut again = [0; 4000];
    stream.apply_keystream(&mut again);
    assert_eq!(first, again);
}

#[test]
fn ctr_ends() {
    ends_after_2_36_bytes::<Be32>();
    ends_after_2_36_bytes::<Le32>();
    let mut stream = ctr::<Be128>(&ciphers(&[5; 16])[0], &[9; 16]);
    stream.seek(u128::MAX - 16);
    assert!(stream.try_current_pos::<u64>().is_err());
    assert_eq!(stream.current_pos::<u128>(), u128::MAX - 16);
    let mut long = vec![0; 4096];
    stream.try_apply_keystream(&mut long).unwrap();
    assert!(stream.try_current_pos::<u128>().is_err());
}

/// Where 32 bits are not enough for the position.
#[test]
fn positions_beyond_32_bits() {
    for cipher in ciphers(&[1; 16]) {
        for (iv, position) in [([0xfe; 16], 0xffff_fff7_u64), ([0; 16], (1 << 36) - 5)] {
            let mut stream = ctr::<Be128>(&cipher, &iv);
            stream.seek(position);
            let mut data = [0; 100];
            stream.apply_keystream(&mut data);
            let block = u128::from(position / 16);
            let mut expected = [0; 116];
            ctr::<Be128>(&cipher, &(u128::from_be_bytes(iv) + block).to_be_bytes())
                .apply_keystream(&mut expected);
            assert_eq!(
                data[..],
                expected[usize::try_from(position % 16).unwrap()..][..100]
            );
        }
    }
}

type Run = fn(&Sm4, &[u8], InOutBuf<'_, '_, u8>);

fn cfb_encrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    Buffered::<CfbEnc, _>::inner_iv_init(cipher, iv.try_into().unwrap()).encrypt_inout(data);
}

fn cfb_decrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    Buffered::<CfbDec, _>::inner_iv_init(cipher, iv.try_into().unwrap()).decrypt_inout(data);
}

#[test]
fn cfb_known_answers() {
    for vector in vectors(CFB) {
        let (iv, pt, ct) = (vector.bytes("iv"), vector.bytes("pt"), vector.bytes("ct"));
        for cipher in ciphers(&vector.bytes("key")) {
            let encrypted = everywhere_ok(&pt, |data| cfb_encrypt(&cipher, &iv, data));
            assert_eq!(encrypted, ct, "{}", vector.text("id"));
            let decrypted = everywhere_ok(&ct, |data| cfb_decrypt(&cipher, &iv, data));
            assert_eq!(decrypted, pt, "{}", vector.text("id"));
        }
    }
}

#[test]
fn cfb_sweeps() {
    for cipher in &ciphers(&sweep_key::<16>()) {
        let runs: [(&str, Run); 2] = [("cfb128-enc-a", cfb_encrypt), ("cfb128-dec-a", cfb_decrypt)];
        for (id, run) in runs {
            let (p, n) = (
                derive(&format!("{id}/pt"), 600),
                derive(&format!("{id}/iv"), 16),
            );
            let outputs = (0..=600).map(|len| {
                let mut data = p[..len].to_vec();
                run(cipher, &n, data.as_mut_slice().into());
                data
            });
            sweep(CFB, id, outputs);
        }
    }
}

#[test]
fn cfb_in_pieces_is_like_the_generic_one() {
    let mut random = Random(4);
    for cipher in ciphers(&random.array::<16>()) {
        for len in lengths() {
            let (iv, plaintext) = (random.array::<16>(), random.bytes(len));
            let mut expected = plaintext.clone();
            cfb_mode::BufEncryptor::inner_iv_init(&cipher, &iv.into()).encrypt(&mut expected);
            let mut encryptor = Buffered::<CfbEnc, _>::inner_iv_init(&cipher, &iv.into());
            let mut decryptor = Buffered::<CfbDec, _>::inner_iv_init(&cipher, &iv.into());
            let (mut data, mut start) = (plaintext.clone(), 0);
            for piece in random.pieces(len) {
                encryptor.encrypt(&mut data[start..start + piece]);
                start += piece;
            }
            assert_eq!(data, expected);
            start = 0;
            for piece in random.pieces(len) {
                let mut output = vec![0; piece];
                decryptor
                    .decrypt_b2b(&expected[start..start + piece], &mut output)
                    .unwrap();
                assert_eq!(output, plaintext[start..start + piece]);
                decryptor
                    .decrypt_b2b(&[0; 2], &mut [0; 3])
                    .expect_err("different lengths");
                start += piece;
            }
            let in_place = everywhere_ok(&expected, |data| cfb_decrypt(&cipher, &iv, data));
            assert_eq!(in_place, plaintext);
        }
    }
}

#[test]
fn by_key_and_iv() {
    let mut data = *b"by key and iv";
    sm4_modes::Sm4Ctr::new(&[1; 16].into(), &[2; 16].into()).apply_keystream(&mut data);
    sm4_modes::Sm4Ctr::new_from_slices(&[1; 16], &[2; 16])
        .unwrap()
        .apply_keystream(&mut data);
    assert_eq!(data, *b"by key and iv");
}

/// A gibibyte of key stream, against OpenSSL 3.0.19. It takes seconds when optimised:
///
/// ```sh
/// head -c 1073741824 /dev/zero | openssl enc -sm4-ctr \
///     -K 0123456789abcdeffedcba9876543210 -iv 00112233445566778899aabbfffffff0 | sha256sum
/// cargo test --release -p sm4-modes -- --ignored gibibyte
/// ```
#[test]
#[ignore = "takes long"]
fn gibibyte_like_openssl() {
    use sha2::{Digest, Sha256};

    const SHA256: &str = "3717d68b207cbe04ef2deff7c483b0153627a44d67e6adea75ed2e1e7346a32a";
    let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
    let iv = 0x0011_2233_4455_6677_8899_aabb_ffff_fff0_u128.to_be_bytes();
    let cipher = Sm4::with_backend(&key.into(), ciphers(&key)[0].backend()).unwrap();
    let mut stream = ctr::<Be128>(&cipher, &iv);
    let (mut hash, mut random) = (Sha256::new(), Random(17));
    let mut left: usize = 1 << 30;
    let mut buffer = vec![0; 1 << 20];
    while left > 0 {
        let len = (1 + random.below(buffer.len())).min(left);
        let piece = &mut buffer[..len];
        piece.fill(0);
        stream.apply_keystream(piece);
        hash.update(piece);
        left -= len;
    }
    let hash: String = hash
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(hash, SHA256);
}
