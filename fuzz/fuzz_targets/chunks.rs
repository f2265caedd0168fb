//! A message in pieces of any length, and seeks, against the message in one piece.
#![no_main]

use assurance::operations::{KeyBytes, cipher};
use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4::{Backend, Sm4, cipher::Array};
use sm4_aead::{AnySize, Ccm, Eax, Gcm, Ocb3, Sm4Gmac};
use sm4_modes::{
    CmacKey, DataUnit, Sm4BcDec, Sm4CbcDec, Sm4CbcEnc, Sm4Cfb8Dec, Sm4Cfb8Enc, Sm4CfbBufDec,
    Sm4CfbBufEnc, Sm4CfbDec, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le, Sm4OfbnlfDec, Sm4XtsGb,
    cipher::{
        BlockModeDecrypt, BlockModeEncrypt, InnerIvInit, StreamCipher, StreamCipherSeek,
        common::InnerInit,
    },
    mac::{MacKey, Streaming},
};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: KeyBytes,
    iv: [u8; 16],
    mode: u8,
    backend: u8,
    pieces: [u8; 8],
    data: &'a [u8],
}

/// For [`in_pieces`].
const WHOLE_BLOCKS: fn(u8) -> u8 = |len| 128 + len % 64;

/// Calls the function with the data in pieces.
fn in_pieces(mut data: &mut [u8], pieces: &[u8], mut update: impl FnMut(&mut [u8])) {
    for &len in pieces {
        // Short pieces, and some that span batches.
        let len = match len {
            0..128 => usize::from(len) % 40,
            128..192 => 16 * usize::from(len - 128),
            192.. => 16 * usize::from(len - 190) + 3,
        };
        if len > data.len() {
            break;
        }
        let (piece, rest) = data.split_at_mut(len);
        update(piece);
        data = rest;
    }
    update(data);
}

/// Where to is given by two pieces, and by the next one how many bytes from there on.
fn seek(mut ctr: impl StreamCipher + StreamCipherSeek, input: &Input<'_>) {
    let mut stream = [0; 1 << 12];
    ctr.apply_keystream(&mut stream);
    for seek in input.pieces.windows(3) {
        let position = usize::from(u16::from_be_bytes([seek[0], seek[1]])) % stream.len();
        let len = (usize::from(seek[2]) * 4).min(stream.len() - position);
        ctr.seek(position);
        let mut out = vec![0; len];
        ctr.apply_keystream(&mut out);
        assert_eq!(out, stream[position..position + len]);
        assert_eq!(ctr.current_pos::<usize>(), position + len);
    }
}

fuzz_target!(|input: Input<'_>| {
    let backends: Vec<_> = Backend::available().collect();
    let backend = backends[usize::from(input.backend) % backends.len()];
    let one = || cipher(backend, &input.key, 0);
    let iv = (&input.iv).into();
    let mut whole = input.data.to_vec();
    let mut parts = whole.clone();
    let mut pieces = input.pieces;
    macro_rules! compare {
        ($type:ty, $method:ident) => {{
            <$type>::inner_iv_init(one(), iv).$method(&mut whole);
            let mut mode = <$type>::inner_iv_init(one(), iv);
            in_pieces(&mut parts, &pieces, |piece| mode.$method(piece));
            assert_eq!(parts, whole, "{backend}, {}", stringify!($type));
        }};
    }
    macro_rules! compare_blocks {
        ($type:ty, $method:ident) => {{
            let len = whole.len() / 16 * 16;
            whole.truncate(len);
            parts.truncate(len);
            pieces = pieces.map(WHOLE_BLOCKS);
            <$type>::inner_iv_init(one(), iv).$method(Array::slice_as_chunks_mut(&mut whole).0);
            let mut mode = <$type>::inner_iv_init(one(), iv);
            in_pieces(&mut parts, &pieces, |piece| {
                mode.$method(Array::slice_as_chunks_mut(piece).0);
            });
            assert_eq!(parts, whole, "{backend}, {}", stringify!($type));
        }};
    }
    // Encryption and decryption in pieces, and the tag in one piece.
    macro_rules! compare_aead {
        ($type:ty $(, $len:expr)?) => {{
            let mode = <$type>::from_cipher(one());
            let (nonce, header) = (&input.iv[..12], &input.iv[12..]);
            let (mut expected, mut tag) = ([0; 16], [0; 16]);
            mode.seal_in_place(nonce, header, &mut whole, &mut expected)
                .unwrap();
            let mut sealing = mode.encryptor(nonce, header, $($len,)? 16).unwrap();
            in_pieces(&mut parts, &pieces, |piece| {
                sealing.update(piece.into()).unwrap();
            });
            sealing.finish(&mut tag).unwrap();
            assert_eq!((&parts, tag), (&whole, expected), "{backend}, {}", stringify!($type));
            let mut opening = mode.decryptor(nonce, header, $($len,)? 16).unwrap();
            in_pieces(&mut parts, &pieces, |piece| {
                let _: &mut [u8] = opening.update(piece.into()).unwrap().expose_unverified();
            });
            opening.finish(&tag).unwrap();
            assert_eq!(parts, input.data, "{backend}, {}, back", stringify!($type));
        }};
    }
    match input.mode % 22 {
        0 => compare!(Sm4Ctr, apply_keystream),
        1 => compare!(Sm4Ctr32Be, apply_keystream),
        2 => compare!(Sm4Ctr32Le, apply_keystream),
        3 => compare!(Sm4CfbBufEnc, encrypt),
        4 => compare!(Sm4CfbBufDec, decrypt),
        5 => compare!(Sm4Cfb8Enc, encrypt),
        6 => compare!(Sm4Cfb8Dec, decrypt),
        7 => seek(Sm4Ctr::inner_iv_init(one(), iv), &input),
        8 => seek(Sm4Ctr32Be::inner_iv_init(one(), iv), &input),
        9 => seek(Sm4Ctr32Le::inner_iv_init(one(), iv), &input),
        10 => {
            let gmac = Sm4Gmac::from(Gcm::from_cipher(one()));
            let (mut expected, mut tag) = ([0; 16], [0; 16]);
            gmac.mac(&input.iv, &whole, &mut expected).unwrap();
            let mut mac = gmac.start(&input.iv).unwrap();
            in_pieces(&mut parts, &pieces, |piece| mac.update(piece));
            mac.finish(&mut tag).unwrap();
            assert_eq!(tag, expected);
        }
        11 => compare_aead!(Gcm),
        12 => compare_aead!(Ccm, input.data.len() as u64),
        13 => compare_aead!(Eax),
        14 => {
            pieces = pieces.map(WHOLE_BLOCKS);
            compare_aead!(Ocb3);
        }
        15 => compare_blocks!(Sm4CbcEnc, encrypt_blocks),
        16 => compare_blocks!(Sm4CbcDec, decrypt_blocks),
        17 => compare_blocks!(Sm4CfbDec, decrypt_blocks),
        18 => compare_blocks!(Sm4BcDec, decrypt_blocks),
        19 => compare_blocks!(Sm4OfbnlfDec, decrypt_blocks),
        20 => {
            let xts = Sm4XtsGb::from_ciphers(one(), cipher(backend, &input.key, 1));
            let size = 16 + usize::from(pieces[0]);
            let first = u128::from_be_bytes(input.iv) >> (pieces[1] % 128);
            whole.truncate(whole.len() / size * size);
            parts.truncate(whole.len());
            let done = xts.encrypt_sectors(&mut whole, size, first);
            let mut numbers = first..=u128::MAX;
            for sector in parts.chunks_mut(size) {
                let Some(number) = numbers.next() else {
                    assert!(done.is_err());
                    return;
                };
                xts.encrypt(&number.to_le_bytes(), sector).unwrap();
            }
            done.unwrap();
            assert_eq!(parts, whole, "{backend}, sectors");
        }
        _ => {
            use sm4_modes::digest::{FixedOutput, Update};
            let expected = CmacKey::<Sm4>::inner_init(one()).mac(&whole);
            let mut mac = Streaming::from_key(CmacKey::<Sm4>::inner_init(one()));
            in_pieces(&mut parts, &pieces, |piece| mac.update(piece));
            assert_eq!(mac.finalize_fixed().as_slice(), expected);
        }
    }
});
