//! The system's `openssl` opens what we have encrypted, and we what it has: random keys, IVs, texts
//! and lengths.

use std::process::Command;

use data_encoding::HEXLOWER;
use sm4_examples::random;
use sm4_modes::{
    Sm4CbcDec, Sm4CbcEnc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4Ctr, Sm4EcbDec, Sm4EcbEnc, Sm4Ofb,
    cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher},
    padding::Pkcs7,
};

use crate::folder::Folder;

type Bytes16 = [u8; 16];

/// A mode as both sides have it: padded to whole blocks, or not.
struct Mode {
    name: &'static str,
    encrypt: fn(&Bytes16, &Bytes16, &[u8]) -> Vec<u8>,
    decrypt: fn(&Bytes16, &Bytes16, &[u8]) -> Vec<u8>,
}

fn stream(mut cipher: impl StreamCipher, text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    cipher.apply_keystream(&mut text);
    text
}

const MODES: [Mode; 5] = [
    Mode {
        name: "ecb",
        encrypt: |key, _, text| Sm4EcbEnc::new(key.into()).encrypt_padded_vec::<Pkcs7>(text),
        decrypt: |key, _, text| {
            let ecb = Sm4EcbDec::new(key.into());
            ecb.decrypt_padded_vec::<Pkcs7>(text).unwrap()
        },
    },
    Mode {
        name: "cbc",
        encrypt: |key, iv, text| {
            Sm4CbcEnc::new(key.into(), iv.into()).encrypt_padded_vec::<Pkcs7>(text)
        },
        decrypt: |key, iv, text| {
            let cbc = Sm4CbcDec::new(key.into(), iv.into());
            cbc.decrypt_padded_vec::<Pkcs7>(text).unwrap()
        },
    },
    Mode {
        name: "cfb",
        encrypt: |key, iv, text| {
            let mut text = text.to_vec();
            Sm4CfbBufEnc::new(key.into(), iv.into()).encrypt(&mut text);
            text
        },
        decrypt: |key, iv, text| {
            let mut text = text.to_vec();
            Sm4CfbBufDec::new(key.into(), iv.into()).decrypt(&mut text);
            text
        },
    },
    Mode {
        name: "ofb",
        encrypt: |key, iv, text| stream(Sm4Ofb::new(key.into(), iv.into()), text),
        decrypt: |key, iv, text| stream(Sm4Ofb::new(key.into(), iv.into()), text),
    },
    Mode {
        name: "ctr",
        encrypt: |key, iv, text| stream(Sm4Ctr::new(key.into(), iv.into()), text),
        decrypt: |key, iv, text| stream(Sm4Ctr::new(key.into(), iv.into()), text),
    },
];

/// Messages in each mode and direction.
const MESSAGES: usize = 12;

/// A message each way: both sides encrypt to the same, and each opens what the other has encrypted.
/// What we have encrypted goes through `fault` first.
fn both_ways(folder: &Folder, mode: &Mode, fault: fn(&mut Vec<u8>)) -> Result<usize, String> {
    let (key, iv) = (random().unwrap(), random().unwrap());
    let [bits, low, high] = random().unwrap();
    // Short ones as often as long ones
    let len = usize::from(u16::from_le_bytes([low, high])) >> (bits % 16);
    let mut text = vec![0; len];
    getrandom::fill(&mut text).unwrap();

    let cipher = format!("-sm4-{}", mode.name);
    let (key_hex, iv_hex) = (HEXLOWER.encode(&key), HEXLOWER.encode(&iv));
    let mut arguments = vec!["enc", &cipher, "-K", &key_hex];
    if mode.name != "ecb" {
        arguments.extend(["-iv", &iv_hex]);
    }
    let theirs = folder.ok("openssl", &arguments, &text);
    let mut ours = (mode.encrypt)(&key, &iv, &text);
    fault(&mut ours);
    let what = |event: &str| format!("{event}: openssl {arguments:?}, {len} bytes");
    if ours != theirs {
        return Err(what("not the same ciphertext"));
    }
    if (mode.decrypt)(&key, &iv, &theirs) != text {
        return Err(what("not opened here"));
    }
    let decryption = [&arguments[..], &["-d"]].concat();
    if folder.ok("openssl", &decryption, &ours) != text {
        return Err(what("not opened there"));
    }
    Ok(len)
}

/// The modes that the system's openssl has.
fn modes() -> Vec<&'static Mode> {
    let output = |arguments: &[&str]| Command::new("openssl").args(arguments).output();
    let Ok(version) = output(&["version"]) else {
        println!("NOT COMPARED: no program openssl");
        return Vec::new();
    };
    print!("{}", String::from_utf8_lossy(&version.stdout));
    let list = output(&["list", "-cipher-algorithms"]).unwrap().stdout;
    let list = String::from_utf8_lossy(&list);
    let (has, lacks): (Vec<_>, Vec<_>) = MODES
        .iter()
        .partition(|mode| list.contains(&format!("SM4-{}", mode.name.to_uppercase())));
    for mode in lacks {
        println!("NOT COMPARED: this openssl has no sm4-{}", mode.name);
    }
    has
}

#[test]
fn messages_travel_both_ways() {
    let folder = Folder::new();
    for mode in modes() {
        let lens = [(); MESSAGES].map(|()| both_ways(&folder, mode, |_| ()).unwrap());
        let (min, max) = (lens.iter().min().unwrap(), lens.iter().max().unwrap());
        let name = mode.name.to_uppercase();
        println!("openssl    {name:<9} {MESSAGES} of {min:>2} to {max:>4} bytes: both ways");
    }
}

/// One bit of what we encrypt is wrong.
#[test]
fn a_wrong_bit_is_noticed() {
    let folder = Folder::new();
    for mode in modes() {
        // An empty ciphertext has no bit.
        let flip = |sealed: &mut Vec<u8>| match sealed.last_mut() {
            Some(last) => *last ^= 1,
            None => sealed.push(0),
        };
        let noticed = both_ways(&folder, mode, flip).unwrap_err();
        let what = format!(
            "not the same ciphertext: openssl [\"enc\", \"-sm4-{}\", ",
            mode.name
        );
        assert!(noticed.starts_with(&what), "{noticed}");
    }
}
