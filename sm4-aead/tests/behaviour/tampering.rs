//! What was changed is refused, and leaves nothing behind.

use sm4_aead::{AnySize, Ccm, Eax, Error, Gcm, GcmSiv, Ocb3, Siv, sm4::Backend};

use crate::{
    modes::{Mode, with_key},
    support::{bytes, key, mode},
};

/// A message is refused, the output holds zeros, and the length is no reason.
fn refused(mode: &impl AnySize, nonce: &[u8], aad: &[u8], ct: &[u8], tag: &[u8]) {
    let mut output = vec![0xaa; ct.len()];
    let error = Err(Error::Authentication);
    assert_eq!(mode.open_to(nonce, aad, ct, &mut output, tag), error);
    assert!(output.iter().all(|&byte| byte == 0));
    let mut buffer = ct.to_vec();
    assert_eq!(mode.open_in_place(nonce, aad, &mut buffer, tag), error);
    assert!(buffer.iter().all(|&byte| byte == 0));
}

/// Every bit of the tag, and some of everything else
fn tampering<M: Mode + AnySize>(nonce_len: usize, tag_len: usize) {
    let right = mode::<M>();
    for len in [0, 1, 16, 40, 257, 2100] {
        let (nonce, aad, plain) = (bytes(1, nonce_len), bytes(2, 37), bytes(3, len));
        let mut ct = vec![0; len];
        let mut tag = vec![0; tag_len];
        right
            .seal_to(&nonce, &aad, &plain, &mut ct, &mut tag)
            .unwrap();
        let flip = |data: &[u8], bit: usize| {
            let mut changed = data.to_vec();
            changed[bit / 8] ^= 1 << (bit % 8);
            changed
        };
        let some = |data: &[u8]| (0..8 * data.len()).step_by(1 + data.len() / 4);

        for bit in 0..8 * tag_len {
            refused(&right, &nonce, &aad, &ct, &flip(&tag, bit));
        }
        for bit in some(&nonce) {
            refused(&right, &flip(&nonce, bit), &aad, &ct, &tag);
        }
        for bit in some(&aad) {
            refused(&right, &nonce, &flip(&aad, bit), &ct, &tag);
        }
        for bit in some(&ct) {
            refused(&right, &nonce, &aad, &flip(&ct, bit), &tag);
        }
        // Only SIV has a key for the encryption alone, and nothing is encrypted here.
        let keys = if len == 0 { 16 } else { M::KEY_LEN };
        for bit in some(&key::<M>()[..keys]) {
            let wrong: M = with_key(
                &flip(&key::<M>(), bit),
                Backend::available().next().unwrap(),
            );
            refused(&wrong, &nonce, &aad, &ct, &tag);
        }
        refused(&right, &nonce, &aad[1..], &ct, &tag);
        refused(&right, &nonce, &[], &ct, &tag);
        refused(&right, &nonce, &aad, &[&ct[..], &[0]].concat(), &tag);
        if len > 0 {
            refused(&right, &nonce, &aad, &ct[1..], &tag);
            refused(&right, &nonce, &aad, &ct[..len - 1], &tag);
        }
        // After all that, the message is still accepted.
        right.open_in_place(&nonce, &aad, &mut ct, &tag).unwrap();
        assert!(ct == plain);
    }
}

#[test]
fn changed_messages_are_refused() {
    tampering::<Gcm>(12, 16);
    tampering::<Gcm>(7, 12);
    tampering::<Ccm>(12, 16);
    tampering::<Ccm>(13, 4);
    tampering::<Eax>(16, 16);
    tampering::<Eax>(3, 5);
    tampering::<Ocb3>(12, 16);
    tampering::<Ocb3>(15, 8);
    tampering::<GcmSiv>(12, 16);
    tampering::<Siv>(16, 16);
}
