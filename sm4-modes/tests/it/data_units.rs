//! CBC with ciphertext stealing and HCTR.

use sm4_modes::{
    Cts, DataUnit, Sm4, Sm4CbcCs1, Sm4CbcCs2, Sm4CbcCs3, Sm4Hctr,
    cipher::{KeyInit, common::InnerInit},
    cts::{Cs1, Cs2, Cs3},
    gb::Hctr,
};

use crate::support::{
    Random, Vector, ciphers, derive, everywhere, lengths, sweep, sweep_key, vectors,
};

const CTS: &str = include_str!("../vectors/cbc-cts.txt");
const HCTR: &str = include_str!("../vectors/hctr.txt");

fn check(vector: &Vector, mode: &dyn DataUnit) {
    let tweak = vector.bytes("iv").try_into().unwrap();
    let (pt, ct) = (vector.bytes("pt"), vector.bytes("ct"));
    let encrypted = everywhere(&pt, |data| mode.encrypt_inout(&tweak, data));
    assert_eq!(encrypted.unwrap(), ct, "{}", vector.text("id"));
    let decrypted = everywhere(&ct, |data| mode.decrypt_inout(&tweak, data));
    assert_eq!(decrypted.unwrap(), pt, "{}", vector.text("id"));
}

/// The mode of a vector.
fn cts(variant: &str, cipher: Sm4) -> Box<dyn DataUnit> {
    match variant {
        "CS1" => Box::new(Cts::<Cs1>::inner_init(cipher)),
        "CS2" => Box::new(Cts::<Cs2>::inner_init(cipher)),
        "CS3" => Box::new(Cts::<Cs3>::inner_init(cipher)),
        other => panic!("unknown variant {other}"),
    }
}

fn hctr(key: &[u8]) -> Vec<Hctr> {
    ciphers(&key[..16])
        .into_iter()
        .map(|cipher| Hctr::from_cipher(cipher, key[16..].try_into().unwrap()))
        .collect()
}

#[test]
fn known_answers() {
    for vector in vectors(CTS) {
        for cipher in ciphers(&vector.bytes("key")) {
            check(&vector, &*cts(vector.text("variant"), cipher));
        }
    }
    for vector in vectors(HCTR) {
        for hctr in hctr(&vector.bytes("key")) {
            check(&vector, &hctr);
        }
    }
}

fn encrypt(mode: &dyn DataUnit, tweak: &[u8], plaintext: &[u8]) -> Vec<u8> {
    let mut data = plaintext.to_vec();
    mode.encrypt(tweak.try_into().unwrap(), &mut data).unwrap();
    let mut output = vec![0; data.len()];
    mode.decrypt_b2b(tweak.try_into().unwrap(), &data, &mut output)
        .unwrap();
    assert_eq!(output, plaintext);
    data
}

#[test]
fn sweeps() {
    let id = "cts-len-a";
    let (p, n) = (
        derive(&format!("{id}/pt"), 300),
        derive(&format!("{id}/iv"), 16),
    );
    for cipher in &ciphers(&sweep_key::<16>()) {
        let outputs = ["CS1", "CS2", "CS3"].into_iter().flat_map(|variant| {
            let (p, n) = (&p, &n);
            (16..=300).map(move |len| encrypt(&*cts(variant, cipher.clone()), n, &p[..len]))
        });
        sweep(CTS, id, outputs);
    }
    let id = "hctr-enc-a";
    let (p, n) = (
        derive(&format!("{id}/pt"), 600),
        derive(&format!("{id}/iv"), 16),
    );
    for hctr in &hctr(&sweep_key::<32>()) {
        sweep(HCTR, id, (16..=600).map(|len| encrypt(hctr, &n, &p[..len])));
    }
}

#[test]
fn cts_is_like_the_generic_one() {
    use ::cts::{Decrypt as _, Encrypt as _};

    let mut random = Random(10);
    for cipher in ciphers(&random.array::<16>()) {
        for len in lengths().filter(|&len| len > 16) {
            let (iv, plaintext) = (random.array::<16>(), random.bytes(len));
            for variant in ["CS1", "CS2", "CS3"] {
                let mut expected = plaintext.clone();
                let iv = iv.into();
                match variant {
                    "CS1" => generic::<::cts::CbcCs1<Sm4>>(&cipher, &iv).encrypt(&mut expected),
                    "CS2" => generic::<::cts::CbcCs2<Sm4>>(&cipher, &iv).encrypt(&mut expected),
                    _ => generic::<::cts::CbcCs3<Sm4>>(&cipher, &iv).encrypt(&mut expected),
                }
                .unwrap();
                let mode = cts(variant, cipher.clone());
                let encrypted = everywhere(&plaintext, |data| mode.encrypt_inout(&iv.0, data));
                assert_eq!(encrypted.unwrap(), expected, "{variant}, {len} bytes");
                let decrypted = everywhere(&expected, |data| mode.decrypt_inout(&iv.0, data));
                assert_eq!(decrypted.unwrap(), plaintext, "{variant}, {len} bytes");
                let mut back = expected.clone();
                match variant {
                    "CS1" => generic::<::cts::CbcCs1<Sm4>>(&cipher, &iv).decrypt(&mut back),
                    "CS2" => generic::<::cts::CbcCs2<Sm4>>(&cipher, &iv).decrypt(&mut back),
                    _ => generic::<::cts::CbcCs3<Sm4>>(&cipher, &iv).decrypt(&mut back),
                }
                .unwrap();
                assert_eq!(back, plaintext);
            }
        }
    }
}

fn generic<T: cipher::InnerIvInit<Inner = Sm4, IvSize = cipher::consts::U16>>(
    cipher: &Sm4,
    iv: &cipher::Iv<T>,
) -> T {
    T::inner_iv_init(cipher.clone(), iv)
}

/// Every bit of the message changes all of its ciphertext.
#[test]
fn hctr_is_a_wide_block() {
    let hctr = &hctr(&sweep_key::<32>())[0];
    for len in [16, 17, 100, 3000] {
        let plaintext = derive("wide block", len);
        let ciphertext = encrypt(hctr, &[1; 16], &plaintext);
        for changed in [0, len / 2, len - 1] {
            let mut other = plaintext.clone();
            other[changed] ^= 1;
            let other = encrypt(hctr, &[1; 16], &other);
            for (a, b) in ciphertext.chunks(16).zip(other.chunks(16)) {
                assert!(a != b || a.len() < 3, "{len} bytes, byte {changed}");
            }
        }
    }
}

#[test]
fn by_key() {
    let modes: [Box<dyn DataUnit>; 4] = [
        Box::new(Sm4CbcCs1::new(&[1; 16].into())),
        Box::new(Sm4CbcCs2::new(&[1; 16].into())),
        Box::new(Sm4CbcCs3::new_from_slice(&[1; 16]).unwrap()),
        Box::new(Sm4Hctr::new(&[1; 32].into())),
    ];
    for mode in modes {
        let mut data = *b"a message of more than a block";
        mode.encrypt(&[0; 16], &mut data).unwrap();
        mode.decrypt(&[0; 16], &mut data).unwrap();
        assert_eq!(data, *b"a message of more than a block");
    }
}
