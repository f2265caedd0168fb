//! What modes do beyond known answers: refuse what was changed and leave nothing behind, work on
//! pieces and on many messages, keep secrets out of `Debug`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "support/modes.rs"]
mod modes;

use modes::{Mode, with_key};
use sm4_aead::{
    AnySize, Buffered, Ccm, Decryptor, Eax, Encryptor, Error, Gcm, GcmSiv, Message, Ocb3, Siv,
    State, sm4::Backend,
};

fn bytes(seed: usize, len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| {
            let product = i.wrapping_mul(5 * i + seed);
            product.wrapping_add(seed / 3 + i / 11).to_le_bytes()[0]
        })
        .collect()
}

fn key<M: Mode>() -> Vec<u8> {
    bytes(77, M::KEY_LEN)
}

fn mode<M: Mode>() -> M {
    with_key(&key::<M>(), Backend::available().next().unwrap())
}

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

/// Pieces of these lengths, over and over
const PIECES: [&[usize]; 8] = [
    &[1],
    &[16],
    &[15, 1],
    &[5, 11, 33],
    &[0, 17, 3],
    &[64, 32],
    &[2047, 1, 2049],
    &[256, 0, 257, 7],
];

fn cut<'d>(data: &'d mut [u8], lengths: &[usize]) -> Vec<&'d mut [u8]> {
    let mut pieces = Vec::new();
    let mut rest = data;
    for &len in lengths.iter().cycle() {
        if rest.is_empty() {
            return pieces;
        }
        let (piece, after) = rest.split_at_mut(len.min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Encrypts in pieces.
fn seal_pieces<S: State>(
    mut encryptor: Encryptor<S>,
    buffer: &mut [u8],
    lengths: &[usize],
    tag: &mut [u8],
) -> Result<(), Error> {
    for piece in cut(buffer, lengths) {
        encryptor.update(piece.into())?;
    }
    encryptor.finish(tag)
}

/// Decrypts in pieces; what is unverified in the end is dropped.
fn open_pieces<S: State>(
    mut decryptor: Decryptor<S>,
    buffer: &mut [u8],
    lengths: &[usize],
    tag: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut unverified = Vec::new();
    for piece in cut(buffer, lengths) {
        unverified.push(decryptor.update(piece.into())?);
    }
    let verified = decryptor.finish(tag)?;
    let released = unverified
        .into_iter()
        .map(|piece| &*piece.release(&verified));
    Ok(released.collect::<Vec<_>>().concat())
}

/// Pieces against the whole, for the mode with this `encryptor` and `decryptor`.
macro_rules! pieces {
    ($mode:ty, $tag_len:expr, $granularity:expr, |$new:ident, $len:ident| $sizes:tt) => {
        let mode = mode::<$mode>();
        let mut count = 0;
        for lengths in PIECES {
            if !lengths.iter().all(|len| len.is_multiple_of($granularity)) {
                continue;
            }
            for $len in [0_usize, 1, 15, 16, 17, 100, 255, 256, 257, 1000, 4500] {
                count += 1;
                let (nonce, aad, plain) = (bytes(1, 12), bytes(2, $len % 50), bytes(3, $len));
                let mut sealed = plain.clone();
                let mut tag = [0; $tag_len];
                mode.seal_in_place(&nonce, &aad, &mut sealed, &mut tag).unwrap();

                let begin = || pieces!(@ mode.encryptor(&nonce, &aad, $len) $sizes).unwrap();
                let mut buffer = plain.clone();
                let mut made = [0; $tag_len];
                seal_pieces(begin(), &mut buffer, lengths, &mut made).unwrap();
                assert!(buffer == sealed && made == tag, "{lengths:?} {}", $len);
                let short = begin().finish(&mut [0; $tag_len - 1]);
                assert_eq!(short, Err(Error::TagLength));

                let begin = || pieces!(@ mode.decryptor(&nonce, &aad, $len) $sizes).unwrap();
                let opened = open_pieces(begin(), &mut buffer, lengths, &tag);
                assert!(opened.as_ref() == Ok(&plain) && buffer == plain, "{lengths:?} {}", $len);

                tag[0] ^= 0x80;
                let opened = open_pieces(begin(), &mut sealed, lengths, &tag);
                assert_eq!(opened, Err(Error::Authentication));
                assert!(sealed.iter().all(|&byte| byte == 0));
            }
        }
        assert_eq!(count, 11 * if $granularity == 16 { 2 } else { PIECES.len() });
    };
    (@ $mode:ident.$new:ident($nonce:expr, $aad:expr, $len:ident) (tag $tag:expr)) => {
        $mode.$new($nonce, $aad, $tag)
    };
    (@ $mode:ident.$new:ident($nonce:expr, $aad:expr, $len:ident) (both $tag:expr)) => {
        $mode.$new($nonce, $aad, $len as u64, $tag)
    };
}

#[test]
fn pieces_are_as_good_as_the_whole() {
    pieces!(Gcm, 16, 1, |new, len| (tag 16));
    pieces!(Ccm, 8, 1, |new, len| (both 8));
    pieces!(Eax, 16, 1, |new, len| (tag 16));
    pieces!(Ocb3, 12, 16, |new, len| (tag 12));
}

#[test]
fn pieces_of_wrong_lengths() {
    let refused = Err(Error::MessageLength);
    let mut buffer = [0xaa; 20];

    let ccm = mode::<Ccm>();
    let mut encryptor = ccm.encryptor(&[0; 12], b"", 19, 16).unwrap();
    assert_eq!(encryptor.update(buffer.as_mut_slice().into()), refused);
    assert_eq!(buffer, [0xaa; 20]);
    assert_eq!(encryptor.update(buffer[..18].as_mut().into()), Ok(()));
    assert_eq!(encryptor.clone().finish(&mut [0; 16]), refused);
    assert_eq!(encryptor.update(buffer[..1].as_mut().into()), Ok(()));
    assert_eq!(encryptor.finish(&mut [0; 16]), Ok(()));

    let ocb = mode::<Ocb3>();
    let mut buffer = [0xaa; 20];
    let mut encryptor = ocb.encryptor(&[0; 12], b"", 16).unwrap();
    assert_eq!(encryptor.update(buffer[..17].as_mut().into()), Ok(()));
    assert_eq!(encryptor.update(buffer[17..].as_mut().into()), refused);
    assert_eq!(buffer[17..], [0xaa; 3]);
    assert_eq!(encryptor.update(buffer[..0].as_mut().into()), Ok(()));
}

#[test]
fn buffered() {
    let eax = mode::<Eax>();
    let mut message = bytes(1, 100);
    let mut tag = [0; 16];
    eax.seal_in_place(b"nonce", b"aad", &mut message, &mut tag)
        .unwrap();
    let open = |tag: &[u8]| {
        let mut buffered = Buffered::new(&eax, b"nonce", b"aad");
        message.chunks(7).for_each(|piece| buffered.update(piece));
        buffered.finish(tag)
    };
    assert_eq!(open(&tag), Ok(bytes(1, 100)));
    tag[15] ^= 1;
    assert_eq!(open(&tag), Err(Error::Authentication));
}

/// Many messages at once against one after the other, with some that are refused among them
fn many<M: Mode + AnySize>(tag_len: usize) {
    for backend in Backend::available() {
        let mode: M = with_key(&key::<M>(), backend);
        for count in [0, 1, 2, 15, 16, 17, 40] {
            let lens = |i: usize| [0, 1, 16, 64, 100, 256, 3000][(i + count) % 7];
            let nonce = |i: usize| bytes(i, 12);
            let aad = |i: usize| bytes(i + 1, i % 40);
            let plain: Vec<_> = (0..count).map(|i| bytes(i + 2, lens(i))).collect();
            let mut expected = plain.clone();
            let mut expected_tags = vec![vec![0; tag_len]; count];
            for (i, (buffer, tag)) in expected.iter_mut().zip(&mut expected_tags).enumerate() {
                mode.seal_in_place(&nonce(i), &aad(i), buffer, tag).unwrap();
            }
            // One tag of a length that no mode has
            let bad = count / 2;
            let mut tags = vec![vec![0; tag_len]; count];
            if count > 0 {
                tags[bad] = vec![0; 17];
                expected_tags[bad] = vec![0; 17];
                expected[bad].clone_from(&plain[bad]);
            }

            let nonces: Vec<_> = (0..count).map(nonce).collect();
            let aads: Vec<_> = (0..count).map(aad).collect();
            let run = |buffers: &mut [Vec<u8>], tags: &mut [Vec<u8>], open: bool| {
                let mut messages: Vec<_> = nonces
                    .iter()
                    .zip(&aads)
                    .zip(buffers.iter_mut().zip(tags))
                    .map(|((nonce, aad), (buffer, tag))| Message::new(nonce, aad, buffer, tag))
                    .collect();
                let all = if open {
                    mode.open_many(&mut messages)
                } else {
                    mode.seal_many(&mut messages)
                };
                let results: Vec<_> = messages.iter().map(|message| message.result).collect();
                assert_eq!(
                    all,
                    results
                        .iter()
                        .copied()
                        .find(Result::is_err)
                        .unwrap_or(Ok(()))
                );
                results
            };

            let mut buffers = plain.clone();
            let results = run(&mut buffers, &mut tags, false);
            assert!(
                buffers == expected && tags == expected_tags,
                "{backend} {count}"
            );
            for (i, result) in results.iter().enumerate() {
                let right = if i == bad {
                    Err(Error::TagLength)
                } else {
                    Ok(())
                };
                assert_eq!(*result, right);
            }

            let changed = count / 3;
            if count > 2 {
                tags[changed][0] ^= 1;
            }
            let results = run(&mut buffers, &mut tags, true);
            for (i, (result, buffer)) in results.iter().zip(&buffers).enumerate() {
                if i == bad {
                    assert_eq!(*result, Err(Error::TagLength));
                    assert_eq!(*buffer, plain[i]);
                } else if i == changed && count > 2 {
                    assert_eq!(*result, Err(Error::Authentication));
                    assert!(buffer.iter().all(|&byte| byte == 0));
                } else {
                    assert_eq!(*result, Ok(()), "{backend} {count} {i}");
                    assert_eq!(*buffer, plain[i]);
                }
            }
        }
    }
}

#[test]
fn many_messages() {
    many::<Gcm>(16);
    many::<Ccm>(8);
    many::<Eax>(16);
    many::<Ocb3>(12);
    many::<GcmSiv>(16);
    many::<Siv>(16);
}

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
