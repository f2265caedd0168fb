//! XTS in both standards.

use sm4_modes::{
    DataUnit, Sm4, Sm4XtsGb, Sm4XtsIeee, Xts,
    cipher::{InOutBuf, InvalidLength, common::TryKeyInit},
    doubling::{Field, Gb, Ieee},
};

use crate::support::{Random, ciphers, derive, everywhere, lengths, sweep, sweep_key, vectors};

const IEEE: &str = include_str!("../vectors/xts-ieee.txt");
const GB: &str = include_str!("../vectors/xts-gb.txt");

/// The key on every backend.
fn all<F: Field>(key: &[u8]) -> Vec<Xts<F>> {
    let tweak = ciphers(&key[16..]);
    ciphers(&key[..16])
        .into_iter()
        .zip(tweak)
        .map(|(data, tweak)| Xts::from_ciphers(data, tweak))
        .collect()
}

fn check<F: Field>(file: &str) {
    for vector in vectors(file) {
        let tweak = vector.bytes("iv").try_into().unwrap();
        let (pt, ct) = (vector.bytes("pt"), vector.bytes("ct"));
        for xts in all::<F>(&vector.bytes("key")) {
            let decrypted = everywhere(&ct, |data| xts.decrypt_inout(&tweak, data));
            if vector.is_valid() {
                assert_eq!(decrypted.unwrap(), pt, "{}", vector.text("id"));
                let encrypted = everywhere(&pt, |data| xts.encrypt_inout(&tweak, data));
                assert_eq!(encrypted.unwrap(), ct, "{}", vector.text("id"));
            } else {
                assert!(decrypted.is_err(), "{}", vector.text("id"));
            }
        }
    }
}

#[test]
fn known_answers() {
    check::<Ieee>(IEEE);
    check::<Gb>(GB);
}

fn sweeps<F: Field>(file: &str, enc: &str, dec: &str) {
    for xts in all::<F>(&sweep_key::<32>()) {
        for (id, encrypts) in [(enc, true), (dec, false)] {
            let p = derive(&format!("{id}/pt"), 600);
            let n = derive(&format!("{id}/iv"), 16).try_into().unwrap();
            let outputs = (16..=600).map(|len| {
                let mut data = p[..len].to_vec();
                if encrypts {
                    xts.encrypt(&n, &mut data).unwrap();
                    let mut output = vec![0; len];
                    xts.decrypt_b2b(&n, &data, &mut output).unwrap();
                    assert_eq!(output, p[..len]);
                } else {
                    xts.decrypt(&n, &mut data).unwrap();
                    let mut output = vec![0; len];
                    xts.encrypt_b2b(&n, &data, &mut output).unwrap();
                    assert_eq!(output, p[..len]);
                }
                data
            });
            sweep(file, id, outputs);
        }
    }
}

#[test]
fn sweeps_of_both_standards() {
    sweeps::<Ieee>(IEEE, "xtsieee-enc-a", "xtsieee-dec-a");
    sweeps::<Gb>(GB, "xtsgb-enc-a", "xtsgb-dec-a");
}

#[test]
fn ieee_is_like_the_generic_one() {
    let mut random = Random(7);
    let key = random.array::<32>();
    let (data, tweaks) = (ciphers(&key[..16]), ciphers(&key[16..]));
    let generic = xts_mode::Xts128::new(data[0].clone(), tweaks[0].clone());
    for xts in all::<Ieee>(&key) {
        for len in lengths().filter(|&len| len >= 16) {
            let (tweak, plaintext) = (random.array::<16>(), random.bytes(len));
            let mut expected = plaintext.clone();
            generic.encrypt_sector(&mut expected, tweak.into());
            let ciphertext =
                everywhere(&plaintext, |data| xts.encrypt_inout(&tweak, data)).unwrap();
            assert_eq!(ciphertext, expected, "{len} bytes");
            let decrypted = everywhere(&ciphertext, |data| xts.decrypt_inout(&tweak, data));
            assert_eq!(decrypted.unwrap(), plaintext, "{len} bytes");
        }
    }
}

/// Many sectors at once are the same as one by one, whatever their size.
fn sectors<F: Field>(seed: u64) {
    let mut random = Random(seed);
    for xts in all::<F>(&random.array::<32>()) {
        for size in [
            16, 17, 31, 32, 48, 100, 496, 512, 520, 528, 2048, 4096, 4224,
        ] {
            for count in [0, 1, 2, 3, 5, 8, 9, 40] {
                let first = u128::from(random.number()) << (8 * random.below(8));
                let plaintext = random.bytes(size * count);
                let mut expected = plaintext.clone();
                for (number, sector) in (first..).zip(expected.chunks_mut(size)) {
                    xts.encrypt(&number.to_le_bytes(), sector).unwrap();
                }
                let ciphertext = everywhere(&plaintext, |area: InOutBuf<'_, '_, u8>| {
                    xts.encrypt_sectors_inout(area, size, first)
                })
                .unwrap();
                assert_eq!(ciphertext, expected, "{count} of {size}");
                let decrypted = everywhere(&ciphertext, |area: InOutBuf<'_, '_, u8>| {
                    xts.decrypt_sectors_inout(area, size, first)
                });
                assert_eq!(decrypted.unwrap(), plaintext, "{count} of {size}");
            }
        }
        // more sectors than have their tweaks encrypted at once
        let plaintext = random.bytes(16 * 300);
        let (mut at_once, mut one_by_one) = (plaintext.clone(), plaintext.clone());
        xts.encrypt_sectors(&mut at_once, 16, u128::MAX - 400)
            .unwrap();
        for (number, sector) in (u128::MAX - 400..).zip(one_by_one.chunks_mut(16)) {
            xts.encrypt(&number.to_le_bytes(), sector).unwrap();
        }
        assert_eq!(at_once, one_by_one);
        xts.decrypt_sectors(&mut at_once, 16, u128::MAX - 400)
            .unwrap();
        assert_eq!(at_once, plaintext);
        // The very last sectors that have numbers.
        let last = u128::MAX - (plaintext.len() as u128 / 16 - 1);
        xts.encrypt_sectors(&mut at_once, 16, last).unwrap();
        xts.decrypt_sectors(&mut at_once, 16, last).unwrap();
        assert_eq!(at_once, plaintext);
        let mut area = plaintext.clone();
        for (size, first) in [
            (0, 0),
            (1, 0),
            (15, 0),
            (17, 0),
            (4801, 0),
            (16, u128::MAX - 298),
        ] {
            assert_eq!(
                xts.encrypt_sectors(&mut area, size, first),
                Err(InvalidLength)
            );
            assert_eq!(
                xts.decrypt_sectors(&mut area, size, first),
                Err(InvalidLength)
            );
            assert_eq!(area, plaintext);
        }
    }
}

/// Every bit of a sector's number counts, in the bytes of the tweak from the first on (IEEE 1619,
/// 5.1): sector `n` is the data unit whose tweak is `n`, and no other number gives the same.
#[test]
fn numbers_of_sectors() {
    fn check<F: Field>() {
        let xts = &all::<F>(&core::array::from_fn::<_, 32, _>(|i| {
            u8::try_from(i * 7).unwrap()
        }))[0];
        let mut seen = std::collections::HashSet::new();
        for bit in 0..128 {
            for number in [1_u128 << bit, (1 << bit) - 1, 5 << bit] {
                let (mut sectors, mut unit) = ([0x5a; 32], [0x5a; 16]);
                if xts.encrypt_sectors(&mut sectors, 16, number).is_err() {
                    assert_eq!(number, u128::MAX);
                    continue;
                }
                let mut tweak = [0; 16];
                for (i, byte) in tweak.iter_mut().enumerate() {
                    *byte = u8::try_from(number >> (8 * i) & 0xff).unwrap();
                }
                xts.encrypt(&tweak, &mut unit).unwrap();
                assert_eq!(sectors[..16], unit, "{number}");
                seen.insert((number, unit));
            }
        }
        let ciphertexts: std::collections::HashSet<_> = seen.iter().map(|(_, unit)| unit).collect();
        assert_eq!(ciphertexts.len(), seen.len());
    }
    check::<Ieee>();
    check::<Gb>();
}

#[test]
fn sectors_at_once() {
    sectors::<Ieee>(8);
    sectors::<Gb>(9);
}

#[test]
fn equal_keys_are_refused() {
    let mut key = [7; 32];
    assert!(Sm4XtsIeee::new(&key.into()).is_err());
    assert!(Sm4XtsGb::new(&key.into()).is_err());
    assert!(Sm4XtsGb::new_from_slice(&key[..31]).is_err());
    key[31] ^= 1;
    assert!(Sm4XtsIeee::new(&key.into()).is_ok());
    assert!(Sm4XtsGb::new_from_slice(&key).is_ok());
}

/// One block does not tell the standards apart, two do.
#[test]
fn the_standards_differ_from_the_second_block_on() {
    let key = derive("two standards", 32);
    let sm4 =
        |key: &[u8]| Sm4::with_backend(key.try_into().unwrap(), ciphers(key)[0].backend()).unwrap();
    let ieee = Xts::<Ieee>::from_ciphers(sm4(&key[..16]), sm4(&key[16..]));
    let gb = Xts::<Gb>::from_ciphers(sm4(&key[..16]), sm4(&key[16..]));
    let (mut a, mut b) = ([0; 32], [0; 32]);
    ieee.encrypt(&[1; 16], &mut a).unwrap();
    gb.encrypt(&[1; 16], &mut b).unwrap();
    assert_eq!(a[..16], b[..16]);
    assert_ne!(a[16..], b[16..]);
}
