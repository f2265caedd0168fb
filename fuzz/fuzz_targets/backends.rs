//! Every backend against the portable one: any number of blocks, from buffer to buffer at any
//! offsets, and in place.
#![no_main]

use assurance::operations::{KeyBytes, cipher};
use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4::{
    Backend, Sm4,
    cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, InOutBuf},
};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: KeyBytes,
    offsets: (u8, u8),
    decrypt: bool,
    bulk: bool,
    data: &'a [u8],
}

fn crypt(input: &Input<'_>, cipher: &Sm4, data: InOutBuf<'_, '_, u8>) {
    let (blocks, _) = data.into_chunks();
    match (input.decrypt, input.bulk) {
        (false, false) => cipher.encrypt_blocks_inout(blocks),
        (false, true) => cipher.bulk().encrypt_blocks_inout(blocks),
        (true, false) => cipher.decrypt_blocks_inout(blocks),
        (true, true) => cipher.bulk().decrypt_blocks_inout(blocks),
    }
}

fuzz_target!(|input: Input<'_>| {
    let portable = cipher(Backend::Soft, &input.key, 0);
    // Few bytes make many blocks.
    let data: Vec<u8> = input
        .data
        .iter()
        .flat_map(|&b| [b, !b, b ^ 0x35, 7])
        .collect();
    let data = &data[..data.len() / 16 * 16];
    let mut expected = data.to_vec();
    for block in Array::slice_as_chunks_mut(&mut expected).0 {
        if input.decrypt {
            portable.decrypt_block(block);
        } else {
            portable.encrypt_block(block);
        }
    }
    let (from, to) = (
        usize::from(input.offsets.0 % 65),
        usize::from(input.offsets.1 % 65),
    );
    for backend in Backend::available() {
        let key = cipher(backend, &input.key, 0);
        let mut source = vec![0xc5; from + data.len()];
        source[from..].copy_from_slice(data);
        let mut target = vec![0xc5; to + data.len() + 64];
        let end = to + data.len();
        crypt(
            &input,
            &key,
            InOutBuf::new(&source[from..], &mut target[to..end]).unwrap(),
        );
        assert_eq!(target[to..end], expected, "{backend}");
        assert!(
            target[..to]
                .iter()
                .chain(&target[end..])
                .all(|&byte| byte == 0xc5),
            "{backend}"
        );
        crypt(&input, &key, (&mut source[from..]).into());
        assert_eq!(source[from..], expected, "{backend}, in place");
    }
});
