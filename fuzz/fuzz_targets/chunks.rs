//! A message in pieces of any length, and seeks, against the message in one piece.
#![no_main]

use assurance::operations::{KeyBytes, cipher};
use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4::{Backend, Sm4};
use sm4_aead::{Gcm, Sm4Gmac};
use sm4_modes::{
    CmacKey, Sm4Cfb8Dec, Sm4Cfb8Enc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4Ctr, Sm4Ctr32Be, Sm4Ctr32Le,
    cipher::{InnerIvInit, StreamCipher, StreamCipherSeek, common::InnerInit},
    mac::{MacKey, Streaming},
};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: KeyBytes,
    iv: [u8; 16],
    mode: u8,
    backend: u8,
    pieces: Vec<u8>,
    seeks: Vec<(u16, u8)>,
    data: &'a [u8],
}

/// Calls the function with the data in pieces.
fn in_pieces(mut data: &mut [u8], pieces: &[u8], mut update: impl FnMut(&mut [u8])) {
    for &len in pieces {
        // Short pieces, and some that span batches.
        let len = if len < 200 {
            usize::from(len) % 40
        } else {
            16 * usize::from(len - 190) + 3
        };
        let (piece, rest) = data.split_at_mut(len.min(data.len()));
        update(piece);
        data = rest;
    }
    update(data);
}

fn seek(mut ctr: impl StreamCipher + StreamCipherSeek, input: &Input<'_>) {
    let mut stream = vec![0; 1 << 16];
    ctr.apply_keystream(&mut stream);
    for &(position, len) in &input.seeks {
        let position = usize::from(position);
        let len = usize::from(len).min(stream.len() - position);
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
    macro_rules! compare {
        ($type:ty, $method:ident) => {{
            <$type>::inner_iv_init(one(), iv).$method(&mut whole);
            let mut mode = <$type>::inner_iv_init(one(), iv);
            in_pieces(&mut parts, &input.pieces, |piece| mode.$method(piece));
            assert_eq!(parts, whole, "{backend}, {}", stringify!($type));
        }};
    }
    match input.mode % 12 {
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
            in_pieces(&mut parts, &input.pieces, |piece| mac.update(piece));
            mac.finish(&mut tag).unwrap();
            assert_eq!(tag, expected);
        }
        _ => {
            use sm4_modes::digest::{FixedOutput, Update};
            let expected = CmacKey::<Sm4>::inner_init(one()).mac(&whole);
            let mut mac = Streaming::from_key(CmacKey::<Sm4>::inner_init(one()));
            in_pieces(&mut parts, &input.pieces, |piece| mac.update(piece));
            assert_eq!(mac.finalize_fixed().as_slice(), expected);
        }
    }
});
