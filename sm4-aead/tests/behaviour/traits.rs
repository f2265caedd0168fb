//! The traits of `aead` and `Debug`.

use sm4_aead::{AnySize, Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv};

use crate::support::{bytes, key, mode};

/// STREAM works over every mode that has a nonce long enough.
#[test]
fn streams() {
    use aead_stream::{DecryptorBE32, EncryptorBE32};
    use sm4_aead::{
        Sm4Ccm, Sm4Eax, Sm4Gcm, Sm4GcmSiv, Sm4Ocb3, Sm4Siv,
        aead::{KeyInit, KeySizeUser},
    };

    macro_rules! stream {
        ($($mode:ty),*) => {$({
            let key = bytes(1, <$mode as KeySizeUser>::key_size());
            let new = || <$mode as KeyInit>::new_from_slice(&key).unwrap();
            let prefix = Default::default();
            let mut encryptor = EncryptorBE32::from_aead(new(), &prefix);
            let first = encryptor.encrypt_next(&b"first"[..]).unwrap();
            let last = encryptor.encrypt_last(&b"last"[..]).unwrap();
            let mut decryptor = DecryptorBE32::from_aead(new(), &prefix);
            assert_eq!(decryptor.decrypt_next(&*first).unwrap(), b"first");
            assert_eq!(decryptor.decrypt_last(&*last).unwrap(), b"last");
            let decryptor = DecryptorBE32::from_aead(new(), &prefix);
            assert!(decryptor.decrypt_last(&*first).is_err());
        })*};
    }
    stream!(Sm4Gcm, Sm4Ccm, Sm4Eax, Sm4Ocb3, Sm4GcmSiv, Sm4Siv);
}

/// RFC 5297: the tag stands before the ciphertext; in all others behind it.
#[test]
fn tag_positions() {
    use sm4_aead::{
        Sm4Gcm, Sm4Siv,
        aead::{Aead, KeyInit},
    };
    let siv: Sm4Siv = KeyInit::new_from_slice(&key::<Siv>()).unwrap();
    let sealed = siv.encrypt(&[1; 16].into(), &b"message"[..]).unwrap();
    let mut buffer = *b"message";
    let mut tag = [0; 16];
    siv.seal_in_place(&[1; 16], b"", &mut buffer, &mut tag)
        .unwrap();
    assert_eq!(sealed, [&tag[..], &buffer].concat());
    assert_eq!(siv.decrypt(&[1; 16].into(), &*sealed).unwrap(), b"message");

    let gcm: Sm4Gcm = KeyInit::new_from_slice(&key::<Gcm>()).unwrap();
    let sealed = gcm.encrypt(&[1; 12].into(), &b"message"[..]).unwrap();
    let mut buffer = *b"message";
    gcm.seal_in_place(&[1; 12], b"", &mut buffer, &mut tag)
        .unwrap();
    assert_eq!(sealed, [&buffer[..], &tag].concat());
}

#[test]
fn debug_shows_no_secrets() {
    let shown = [
        format!("{:?}", mode::<Gcm>()),
        format!("{:?}", mode::<Ccm>()),
        format!("{:?}", mode::<Eax>()),
        format!("{:?}", mode::<Ocb3>()),
        format!("{:?}", mode::<GcmSiv>()),
        format!("{:?}", mode::<Siv>()),
        format!("{:?}", mode::<Gcm>().encryptor(&[1; 12], b"", 16)),
        format!("{:?}", mode::<Gcm>().decryptor(&[1; 12], b"", 16)),
    ];
    for shown in shown {
        assert!(!shown.chars().any(|c| c == '['), "{shown}");
        assert!(shown.len() < 120, "{shown}");
    }
}
