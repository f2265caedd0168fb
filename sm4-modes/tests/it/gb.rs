//! BC and OFBNLF of GB/T 17964-2021, and CFB with a feedback of 8 bits.

use sm4_modes::{
    Chained, Sm4,
    cfb8::{Cfb8, Decrypt, Encrypt},
    cipher::{BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, IvState, SetIvState},
    gb::{BcDec, BcEnc, OfbnlfDec, OfbnlfEnc},
};

use crate::support::{Random, ciphers, derive, everywhere_ok, lengths, sweep, sweep_key, vectors};

const BC: &str = include_str!("../vectors/bc.txt");
const OFBNLF: &str = include_str!("../vectors/ofbnlf.txt");
const CFB8: &str = include_str!("../vectors/cfb8.txt");

type Run = fn(&Sm4, &[u8], InOutBuf<'_, '_, u8>);

fn bc_encrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    let mut mode = Chained::<BcEnc, _>::inner_iv_init(cipher, iv.try_into().unwrap());
    mode.encrypt_blocks_inout(data.into_chunks().0);
}

fn bc_decrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    let mut mode = Chained::<BcDec, _>::inner_iv_init(cipher, iv.try_into().unwrap());
    mode.decrypt_blocks_inout(data.into_chunks().0);
}

fn ofbnlf_encrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    let mut mode = Chained::<OfbnlfEnc, _>::inner_iv_init(cipher, iv.try_into().unwrap());
    mode.encrypt_blocks_inout(data.into_chunks().0);
}

fn ofbnlf_decrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    let mut mode = Chained::<OfbnlfDec, _>::inner_iv_init(cipher, iv.try_into().unwrap());
    mode.decrypt_blocks_inout(data.into_chunks().0);
}

fn cfb8_encrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    Cfb8::<Encrypt, _>::inner_iv_init(cipher, iv.try_into().unwrap()).encrypt_inout(data);
}

fn cfb8_decrypt(cipher: &Sm4, iv: &[u8], data: InOutBuf<'_, '_, u8>) {
    Cfb8::<Decrypt, _>::inner_iv_init(cipher, iv.try_into().unwrap()).decrypt_inout(data);
}

const MODES: [(&str, &str, usize, usize, Run, Run); 3] = [
    (BC, "bc-len-a", 64, 16, bc_encrypt, bc_decrypt),
    (
        OFBNLF,
        "ofbnlf-len-a",
        64,
        16,
        ofbnlf_encrypt,
        ofbnlf_decrypt,
    ),
    (CFB8, "cfb8-len-a", 100, 1, cfb8_encrypt, cfb8_decrypt),
];

#[test]
fn known_answers() {
    for (file, _, _, _, encrypt, decrypt) in MODES {
        for vector in vectors(file) {
            let (iv, pt, ct) = (vector.bytes("iv"), vector.bytes("pt"), vector.bytes("ct"));
            for cipher in ciphers(&vector.bytes("key")) {
                let encrypted = everywhere_ok(&pt, |data| encrypt(&cipher, &iv, data));
                assert_eq!(encrypted, ct, "{}", vector.text("id"));
                let decrypted = everywhere_ok(&ct, |data| decrypt(&cipher, &iv, data));
                assert_eq!(decrypted, pt, "{}", vector.text("id"));
            }
        }
    }
}

#[test]
fn sweeps() {
    for (file, id, last, unit, encrypt, decrypt) in MODES {
        let p = derive(&format!("{id}/pt"), last * unit);
        let n = derive(&format!("{id}/iv"), 16);
        for cipher in ciphers(&sweep_key::<16>()) {
            let outputs = (0..=last).flat_map(|count| {
                let (mut encrypted, mut decrypted) =
                    (p[..unit * count].to_vec(), p[..unit * count].to_vec());
                encrypt(&cipher, &n, encrypted.as_mut_slice().into());
                decrypt(&cipher, &n, decrypted.as_mut_slice().into());
                [encrypted, decrypted]
            });
            sweep(file, id, outputs);
        }
    }
}

/// BC of many lengths against its definition, and in pieces.
#[test]
fn bc_by_its_definition() {
    let mut random = Random(15);
    for cipher in ciphers(&random.array::<16>()) {
        for len in lengths().map(|len| len / 16 * 16) {
            let (iv, plaintext) = (random.array::<16>(), random.bytes(len));
            let mut feedback = u128::from_be_bytes(iv);
            let mut expected = Vec::new();
            for block in plaintext.as_chunks().0 {
                let sum = u128::from_be_bytes(*block) ^ feedback;
                let mut block = sum.to_be_bytes().into();
                cipher::BlockCipherEncrypt::encrypt_block(&cipher, &mut block);
                feedback ^= u128::from_be_bytes(block.0);
                expected.extend(block);
            }
            let encrypted = everywhere_ok(&plaintext, |data| bc_encrypt(&cipher, &iv, data));
            assert_eq!(encrypted, expected);
            let decrypted = everywhere_ok(&expected, |data| bc_decrypt(&cipher, &iv, data));
            assert_eq!(decrypted, plaintext);
            let mut mode = Chained::<BcDec, _>::inner_iv_init(&cipher, &random.array().into());
            mode.set_iv(&iv.into());
            let (mut data, mut start) = (expected, 0);
            for piece in random.pieces(len / 16) {
                let part = &mut data[16 * start..16 * (start + piece)];
                mode.decrypt_blocks(cipher::Block::<Sm4>::slice_as_chunks_mut(part).0);
                let state = mode.iv_state();
                mode.set_iv(&state);
                start += piece;
            }
            assert_eq!(data, plaintext);
        }
    }
}

#[test]
fn cfb8_is_like_the_generic_one() {
    let mut random = Random(16);
    for cipher in ciphers(&random.array::<16>()) {
        for len in (0..40).chain([127, 128, 129, 255, 256, 257, 700]) {
            let (iv, plaintext) = (random.array::<16>(), random.bytes(len));
            let mut expected = plaintext.clone();
            ::cfb8::Encryptor::inner_iv_init(&cipher, &iv.into()).encrypt(&mut expected);
            let mut encryptor = Cfb8::<Encrypt, _>::inner_iv_init(&cipher, &iv.into());
            let mut decryptor = Cfb8::<Decrypt, _>::inner_iv_init(&cipher, &iv.into());
            let (mut data, mut start) = (plaintext.clone(), 0);
            for piece in random.pieces(len) {
                let part = start..start + piece;
                encryptor.encrypt(&mut data[part.clone()]);
                assert_eq!(data[part.clone()], expected[part.clone()]);
                decryptor.decrypt(&mut data[part]);
                start += piece;
                assert_eq!(encryptor.iv_state(), decryptor.iv_state());
            }
            assert_eq!(data, plaintext);
            // another message
            encryptor.set_iv(&iv.into());
            decryptor.set_iv(&iv.into());
            encryptor.encrypt(&mut data);
            assert_eq!(data, expected);
            decryptor.decrypt(&mut data);
            assert_eq!(data, plaintext);
        }
    }
}
