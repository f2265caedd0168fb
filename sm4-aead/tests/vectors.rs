//! Known answers of standards, of other implementations and of an independent one, on every backend.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/modes.rs"]
mod modes;
#[path = "support/vectors.rs"]
mod vectors;

use modes::with_key;
use sm4_aead::{
    AnySize, Ccm, Eax, Error, Gcm, GcmSiv, Ocb3, Siv, Sm4Gmac, Sm4Kw, Sm4Kwp, sm4::Backend,
};
use vectors::{Vector, read};

/// The tag lengths of GCM that need a feature.
fn is_short(tag: &[u8]) -> bool {
    !cfg!(feature = "hazmat") && matches!(tag.len(), 4 | 8)
}

/// Seals and opens in place and from buffer to buffer.
fn check(mode: &impl AnySize, vector: &Vector) {
    let Vector {
        iv,
        aad,
        pt,
        ct,
        tag,
        ..
    } = vector;
    let mut opened = vec![0xaa; ct.len()];
    let result = mode.open_to(iv, aad, ct, &mut opened, tag);
    let mut in_place = ct.clone();
    assert_eq!(mode.open_in_place(iv, aad, &mut in_place, tag), result);

    match (result, &vector.invalid) {
        (Err(Error::Authentication), Some(_)) => {
            assert!(opened.iter().chain(&in_place).all(|&byte| byte == 0));
        }
        (Err(Error::NonceLength), Some(reason)) => {
            assert!(reason.contains("empty IV"), "{vector:?}");
            assert!(opened.iter().all(|&byte| byte == 0xaa) && in_place == *ct);
        }
        (Ok(()), None) => {
            assert!(opened == *pt && in_place == *pt, "{vector:?}");
            let mut sealed = vec![0; pt.len()];
            let mut made = vec![0; tag.len()];
            mode.seal_to(iv, aad, pt, &mut sealed, &mut made).unwrap();
            assert!(sealed == *ct && made == *tag, "{vector:?}");
            mode.seal_in_place(iv, aad, &mut in_place, &mut made)
                .unwrap();
            assert!(in_place == *ct && made == *tag, "{vector:?}");
        }
        _ => panic!("{result:?} {vector:?}"),
    }
}

/// All records on all backends.
fn check_all<A: AnySize + modes::Mode>(vectors: &[Vector]) {
    for backend in Backend::available() {
        for vector in vectors {
            check(&with_key::<A>(&vector.key, backend), vector);
        }
    }
}

#[test]
fn gcm() {
    let vectors = read(include_str!("vectors/gcm.txt"), 165);
    let (short, other): (Vec<_>, Vec<_>) = vectors
        .into_iter()
        .partition(|vector| is_short(&vector.tag));
    check_all::<Gcm>(&other);
    // Refused as they are, but the beginnings of longer tags
    for vector in short {
        let gcm = with_key::<Gcm>(&vector.key, Backend::available().next().unwrap());
        let mut buffer = vector.pt.clone();
        let mut tag = vector.tag.clone();
        let refused = Err(Error::TagLength);
        assert_eq!(
            gcm.seal_in_place(&vector.iv, &vector.aad, &mut buffer, &mut tag),
            refused
        );
        assert_eq!(buffer, vector.pt);
        let mut tag = [0; 16];
        gcm.seal_in_place(&vector.iv, &vector.aad, &mut buffer, &mut tag)
            .unwrap();
        assert!(buffer == vector.ct && tag.starts_with(&vector.tag));
    }
}

#[test]
fn ccm() {
    check_all::<Ccm>(&read(include_str!("vectors/ccm.txt"), 179));
}

#[test]
fn eax() {
    check_all::<Eax>(&read(include_str!("vectors/eax.txt"), 46));
}

#[test]
fn ocb3() {
    check_all::<Ocb3>(&read(include_str!("vectors/ocb.txt"), 24));
}

#[test]
fn gcm_siv() {
    check_all::<GcmSiv>(&read(include_str!("vectors/gcm-siv.txt"), 39));
}

#[test]
fn gmac() {
    for vector in read(include_str!("vectors/gmac.txt"), 9) {
        for backend in Backend::available() {
            let gmac = Sm4Gmac::from(with_key::<Gcm>(&vector.key, backend));
            assert_eq!(gmac.verify(&vector.iv, &vector.pt, &vector.tag), Ok(()));
            for piece in 1..20 {
                let mut mac = gmac.start(&vector.iv).unwrap();
                vector.pt.chunks(piece).for_each(|piece| mac.update(piece));
                assert_eq!(mac.verify(&vector.tag), Ok(()), "{vector:?}");
            }
            let mut wrong = vector.tag.clone();
            wrong[0] ^= 1;
            let error = Err(Error::Authentication);
            assert_eq!(gmac.verify(&vector.iv, &vector.pt, &wrong), error);
        }
    }
}

#[test]
fn siv() {
    for vector in read(include_str!("vectors/siv.txt"), 19) {
        let strings: Vec<&[u8]> = vector.strings.iter().map(Vec::as_slice).collect();
        let tag = vector.tag.as_slice().try_into().unwrap();
        for backend in Backend::available() {
            let siv = with_key::<Siv>(&vector.key, backend);
            let mut buffer = vector.ct.clone();
            let opened = siv.open_strings(&strings, buffer.as_mut_slice().into(), tag);
            if vector.invalid.is_some() {
                assert_eq!(opened, Err(Error::Authentication), "{vector:?}");
                assert!(buffer.iter().all(|&byte| byte == 0));
                continue;
            }
            assert_eq!(opened, Ok(()), "{vector:?}");
            assert_eq!(buffer, vector.pt);
            let made = siv
                .seal_strings(&strings, buffer.as_mut_slice().into())
                .unwrap();
            assert!(buffer == vector.ct && made == *tag, "{vector:?}");
            if let [aad, nonce] = strings[..]
                && !nonce.is_empty()
            {
                siv.open_in_place(nonce, aad, &mut buffer, tag).unwrap();
                assert_eq!(buffer, vector.pt);
            }
        }
    }
}

#[test]
fn key_wrap() {
    let mut counts = [0, 0];
    for vector in read(include_str!("vectors/key-wrap.txt"), 26) {
        for backend in Backend::available() {
            let mut key = vec![0xaa; vector.ct.len().saturating_sub(8)];
            let mut wrapped = vec![0; vector.ct.len()];
            let (kw, kwp) = (
                with_key::<Sm4Kw>(&vector.key, backend),
                with_key::<Sm4Kwp>(&vector.key, backend),
            );
            let unwrapped = match vector.variant.as_str() {
                "KW" => kw.unwrap(&vector.ct, &mut key).map(|()| key.clone()),
                "KWP" => kwp.unwrap(&vector.ct, &mut key).map(|key| key.to_vec()),
                _ => panic!("{vector:?}"),
            };
            match (unwrapped, &vector.invalid) {
                (Err(Error::Authentication), Some(_)) => {
                    assert!(key.iter().all(|&byte| byte == 0), "{vector:?}");
                    counts[0] += 1;
                }
                (Err(Error::MessageLength), Some(reason)) if reason == "one byte short" => {
                    assert!(key.iter().all(|&byte| byte == 0xaa), "{vector:?}");
                    counts[1] += 1;
                }
                (Ok(key), None) => {
                    assert_eq!(key, vector.pt);
                    match vector.variant.as_str() {
                        "KW" => kw.wrap(&key, &mut wrapped).unwrap(),
                        _ => kwp.wrap(&key, &mut wrapped).unwrap(),
                    }
                    assert_eq!(wrapped, vector.ct);
                }
                (result, _) => panic!("{result:?} {vector:?}"),
            }
        }
    }
    assert_eq!(
        counts,
        [8, 2].map(|count| count * Backend::available().count())
    );
}
