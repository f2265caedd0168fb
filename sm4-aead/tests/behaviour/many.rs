//! Many messages at once.

use sm4_aead::{AnySize, Ccm, Eax, Error, Gcm, GcmSiv, Message, Ocb3, Siv, sm4::Backend};

use crate::{
    modes::{Mode, with_key},
    support::{bytes, key},
};

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
