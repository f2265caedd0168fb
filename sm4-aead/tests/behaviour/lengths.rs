//! Lengths that the standards allow, and those that they do not.

use sm4_aead::{AnySize, Ccm, Eax, Error, Gcm, GcmSiv, Ocb3, Siv};

use crate::{
    modes::Mode,
    support::{bytes, mode},
};

/// Lengths that a standard does not allow are refused before anything is written.
fn lengths<M: Mode + AnySize>(nonces: impl Fn(usize) -> bool, tags: impl Fn(usize) -> bool) {
    let mode = mode::<M>();
    for nonce in 0..=40 {
        for tag in 0..=20 {
            let mut buffer = [0xaa; 30];
            let mut made = vec![0xaa; tag];
            let sealed = mode.seal_in_place(&bytes(1, nonce), b"", &mut buffer, &mut made);
            if nonces(nonce) && tags(tag) {
                assert_eq!(sealed, Ok(()));
                continue;
            }
            assert!(matches!(sealed, Err(Error::NonceLength | Error::TagLength)));
            if nonces(nonce) {
                assert_eq!(sealed, Err(Error::TagLength), "{tag}");
            } else if tags(tag) {
                assert_eq!(sealed, Err(Error::NonceLength), "{nonce}");
            }
            let opened = mode.open_in_place(&bytes(1, nonce), b"", &mut buffer, &made);
            assert_eq!(opened, sealed);
            assert!(buffer == [0xaa; 30] && made.iter().all(|&byte| byte == 0xaa));
        }
    }
    let mut output = [0xaa; 9];
    let refused = Err(Error::MessageLength);
    let nonce = bytes(1, 12);
    assert_eq!(
        mode.seal_to(&nonce, b"", &[0; 10], &mut output, &mut [0; 16]),
        refused
    );
    assert_eq!(
        mode.open_to(&nonce, b"", &[0; 10], &mut output, &[0; 16]),
        refused
    );
    assert_eq!(output, [0xaa; 9]);
}

#[test]
fn lengths_are_checked() {
    let short = cfg!(feature = "hazmat");
    lengths::<Gcm>(
        |n| n > 0,
        |t| (12..=16).contains(&t) || (short && matches!(t, 4 | 8)),
    );
    lengths::<Ccm>(
        |n| (7..=13).contains(&n),
        |t| (4..=16).contains(&t) && t % 2 == 0,
    );
    lengths::<Eax>(|_| true, |t| (1..=16).contains(&t));
    lengths::<Ocb3>(|n| (1..=15).contains(&n), |t| matches!(t, 8 | 12 | 16));
    lengths::<GcmSiv>(|n| n == 12, |t| t == 16);
    lengths::<Siv>(|n| n > 0, |t| t == 16);
}

#[test]
fn ccm_message_lengths() {
    let ccm = mode::<Ccm>();
    let mut buffer = vec![0; 1 << 16];
    let refused = Err(Error::MessageLength);
    assert_eq!(
        ccm.seal_in_place(&[0; 13], b"", &mut buffer, &mut [0; 16]),
        refused
    );
    assert_eq!(
        ccm.open_in_place(&[0; 13], b"", &mut buffer, &[0; 16]),
        refused
    );
    assert!(buffer.iter().all(|&byte| byte == 0));
    assert_eq!(
        ccm.seal_in_place(&[0; 13], b"", &mut buffer[1..], &mut [0; 16]),
        Ok(())
    );
}

/// Long associated data, for which CCM has other encodings
#[test]
fn ccm_long_associated_data() {
    // GCM's hash is no part of this; the lengths' encoding is, against a chain by hand.
    use sm4_aead::sm4::cipher::BlockCipherEncrypt;
    for len in [0xfeff, 0xff00, 0xffff, 0x1_0000] {
        let ccm = mode::<Ccm>();
        let aad = bytes(5, len);
        let mut tag = [0; 16];
        ccm.seal_in_place(&[9; 12], &aad, &mut [], &mut tag)
            .unwrap();

        let mut text = vec![0x40 | 7 << 3 | 2];
        text.extend([9; 12]);
        text.extend([0; 3]);
        if len < 0xff00 {
            text.extend(u16::try_from(len).unwrap().to_be_bytes());
        } else {
            text.extend([0xff, 0xfe]);
            text.extend(u32::try_from(len).unwrap().to_be_bytes());
        }
        text.extend(&aad);
        text.resize(text.len().next_multiple_of(16), 0);
        let mut state = [0; 16];
        for block in text.chunks(16) {
            state
                .iter_mut()
                .zip(block)
                .for_each(|(byte, other)| *byte ^= other);
            let mut block = state.into();
            ccm.cipher().encrypt_block(&mut block);
            state = block.0;
        }
        let mut mask = [0; 16];
        mask[0] = 2;
        mask[1..13].fill(9);
        let mut mask = mask.into();
        ccm.cipher().encrypt_block(&mut mask);
        state
            .iter_mut()
            .zip(mask)
            .for_each(|(byte, other)| *byte ^= other);
        assert_eq!(tag, state, "{len:x}");
    }
}

#[test]
fn siv_has_a_limit_for_strings() {
    let siv = mode::<Siv>();
    let strings = [&b"string"[..]; 127];
    let mut buffer = [0xaa; 20];
    let refused = siv.seal_strings(&strings, buffer.as_mut_slice().into());
    assert_eq!(refused, Err(Error::MessageLength));
    assert_eq!(buffer, [0xaa; 20]);
    let tag = siv
        .seal_strings(&strings[1..], buffer.as_mut_slice().into())
        .unwrap();
    let opened = siv.open_strings(&strings[2..], buffer.clone().as_mut_slice().into(), &tag);
    assert_eq!(opened, Err(Error::Authentication));
    let opened = siv.open_strings(&strings[1..], buffer.as_mut_slice().into(), &tag);
    assert_eq!((opened, buffer), (Ok(()), [0xaa; 20]));
}
