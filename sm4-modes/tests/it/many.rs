//! Many messages at once are the same as one by one.

use sm4_modes::{
    CbcMacKey, CmacKey, MacKey, Message, Sm4, cbc_encrypt_messages,
    cfb::{Buffered, CfbEnc},
    cfb_encrypt_messages,
    cipher::{BlockModeEncrypt, InnerIvInit, IvState, common::InnerInit},
    mac::{Method1, Method2, Method3},
    mac_messages,
};

use crate::support::{Random, ciphers};

const COUNTS: [usize; 15] = [0, 1, 2, 3, 4, 15, 16, 17, 31, 64, 100, 127, 128, 129, 300];

/// Some alike, some of all lengths, some empty.
fn messages(random: &mut Random, count: usize) -> Vec<Vec<u8>> {
    let alike = random.below(3) == 0;
    let len = random.below(300);
    (0..count)
        .map(|_| {
            let len = if alike { len } else { random.below(300) };
            random.bytes(len)
        })
        .collect()
}

#[test]
fn cbc() {
    let mut random = Random(12);
    for cipher in ciphers(&random.array::<16>()) {
        for count in COUNTS {
            let mut plaintexts = messages(&mut random, count);
            let mut expected = Vec::new();
            let mut ivs = Vec::new();
            for plaintext in &mut plaintexts {
                plaintext.truncate(plaintext.len() / 16 * 16);
                let mut data = plaintext.clone();
                let iv = random.array::<16>();
                let mut mode = cbc::Encryptor::inner_iv_init(&cipher, &iv.into());
                mode.encrypt_blocks(cipher::Block::<Sm4>::slice_as_chunks_mut(&mut data).0);
                expected.push((data, mode.iv_state().0));
                ivs.push(iv);
            }
            let mut messages: Vec<_> = ivs
                .iter()
                .zip(&mut plaintexts)
                .map(|(&iv, data)| Message { iv, data })
                .collect();
            cbc_encrypt_messages(&cipher, &mut messages).unwrap();
            for (message, (data, iv)) in messages.iter().zip(&expected) {
                assert_eq!(message.data, data);
                assert_eq!(message.iv, *iv);
            }
        }
    }
}

#[test]
fn cbc_refuses_parts_of_blocks_before_it_writes() {
    let cipher = ciphers(&[1; 16]).remove(0);
    let (mut first, mut second) = ([7; 64], [7; 33]);
    let mut messages = [
        Message {
            iv: [1; 16],
            data: &mut first,
        },
        Message {
            iv: [2; 16],
            data: &mut second,
        },
    ];
    assert!(cbc_encrypt_messages(&cipher, &mut messages).is_err());
    assert_eq!((messages[0].iv, messages[1].iv), ([1; 16], [2; 16]));
    assert_eq!((first, second), ([7; 64], [7; 33]));
}

#[test]
fn cfb() {
    let mut random = Random(13);
    for cipher in ciphers(&random.array::<16>()) {
        for count in COUNTS {
            let mut plaintexts = messages(&mut random, count);
            let ivs: Vec<_> = plaintexts.iter().map(|_| random.array::<16>()).collect();
            let mut expected = plaintexts.clone();
            for (iv, data) in ivs.iter().zip(&mut expected) {
                Buffered::<CfbEnc, _>::inner_iv_init(&cipher, iv.into()).encrypt(data);
            }
            let mut messages: Vec<_> = ivs
                .iter()
                .zip(&mut plaintexts)
                .map(|(&iv, data)| Message { iv, data })
                .collect();
            cfb_encrypt_messages(&cipher, &mut messages);
            for ((message, data), iv) in messages.iter().zip(&expected).zip(&ivs) {
                assert_eq!(message.data, data);
                // After an incomplete block the state is key stream, which nobody may see.
                if data.len() % 16 == 0 {
                    assert_eq!(message.iv, *data.last_chunk().unwrap_or(iv));
                } else {
                    assert_eq!(message.iv, [0; 16]);
                }
            }
        }
    }
}

fn check_macs(random: &mut Random, key: &impl MacKey) {
    for count in COUNTS {
        let messages = messages(random, count);
        let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        let mut tags = vec![[0x11; 16]; count];
        mac_messages(key, &messages, &mut tags).unwrap();
        for (tag, message) in tags.iter().zip(&messages) {
            assert_eq!(*tag, key.mac(message));
        }
        let mut tags = vec![[0x11; 16]; count + 1];
        assert!(mac_messages(key, &messages, &mut tags).is_err());
        assert!(tags.iter().all(|tag| *tag == [0x11; 16]));
    }
}

#[test]
fn macs() {
    let mut random = Random(14);
    for cipher in &ciphers(&random.array::<16>()) {
        check_macs(&mut random, &CmacKey::inner_init(cipher));
        check_macs(&mut random, &CbcMacKey::<Method1, _>::inner_init(cipher));
        check_macs(&mut random, &CbcMacKey::<Method2, _>::inner_init(cipher));
        check_macs(&mut random, &CbcMacKey::<Method3, _>::inner_init(cipher));
    }
}
