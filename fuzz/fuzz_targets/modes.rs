//! Every mode against the generic crate of that mode, or where there is none, against itself on the
//! portable backend; and back.
#![no_main]

use assurance::operations::{KeyBytes, MACS, MODES, cipher};
use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4::{
    Backend, Sm4,
    cipher::{Array, BlockCipherEncrypt, InOutBuf, InnerIvInit, StreamCipher},
};
use sm4_modes::cipher::{BlockModeEncrypt, StreamCipherCoreWrapper};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: KeyBytes,
    iv: [u8; 16],
    mode: u8,
    backend: u8,
    offset: u8,
    data: &'a [u8],
}

/// The generic crate's result, if there is a crate.
fn generic(name: &str, key: &KeyBytes, iv: &[u8; 16], data: &mut [u8]) -> bool {
    let one = || cipher(Backend::Soft, key, 0);
    macro_rules! stream {
        ($core:ty) => {
            StreamCipherCoreWrapper::from_core(<$core>::inner_iv_init(one(), iv.into()))
                .apply_keystream(data)
        };
    }
    match name {
        "ECB" => {
            for block in Array::slice_as_chunks_mut(data).0 {
                one().encrypt_block(block);
            }
        }
        "CBC" => cbc::Encryptor::<Sm4>::inner_iv_init(one(), iv.into())
            .encrypt_blocks(Array::slice_as_chunks_mut(data).0),
        "CFB" | "CFB, buffered" => {
            cfb_mode::BufEncryptor::<Sm4>::inner_iv_init(one(), iv.into()).encrypt(data);
        }
        "CFB-8" => cfb8::Encryptor::<Sm4>::inner_iv_init(one(), iv.into())
            .encrypt_blocks(Array::slice_as_chunks_mut(data).0),
        "CTR" => stream!(ctr::CtrCore<Sm4, ctr::flavors::Ctr128BE>),
        "CTR-32-BE" => stream!(ctr::CtrCore<Sm4, ctr::flavors::Ctr32BE>),
        "CTR-32-LE" => stream!(ctr::CtrCore<Sm4, ctr::flavors::Ctr32LE>),
        "XTS (IEEE)" => xts_mode::Xts128::new(one(), cipher(Backend::Soft, key, 1))
            .encrypt_sector(data, (*iv).into()),
        _ => return false,
    }
    true
}

fuzz_target!(|input: Input<'_>| {
    let backends: Vec<_> = Backend::available().collect();
    let backend = backends[usize::from(input.backend) % backends.len()];
    let count = MODES.len() + MACS.len();
    let which = usize::from(input.mode) % count;
    let Some(mode) = MODES.get(which) else {
        let mac = &MACS[which - MODES.len()];
        let tag = (mac.tag)(backend, &input.key, input.data);
        assert_eq!(tag, (mac.tag)(Backend::Soft, &input.key, input.data));
        assert!((mac.verify)(backend, &input.key, input.data, &tag));
        return;
    };
    let len = input.data.len() / mode.multiple * mode.multiple;
    if !mode.takes(len) {
        return;
    }
    let data = &input.data[..len];
    let mut expected = data.to_vec();
    if !generic(mode.name, &input.key, &input.iv, &mut expected) {
        (mode.encrypt)(
            Backend::Soft,
            &input.key,
            &input.iv,
            (&mut *expected).into(),
        );
    }
    let offset = usize::from(input.offset % 65);
    let mut output = vec![0; offset + len];
    let to = &mut output[offset..];
    (mode.encrypt)(
        backend,
        &input.key,
        &input.iv,
        InOutBuf::new(data, to).unwrap(),
    );
    assert_eq!(*to, *expected, "{backend}, {}", mode.name);
    let mut back = data.to_vec();
    (mode.encrypt)(backend, &input.key, &input.iv, (&mut *back).into());
    assert_eq!(back, expected, "{backend}, {}, in place", mode.name);
    (mode.decrypt)(
        backend,
        &input.key,
        &input.iv,
        InOutBuf::new(to, &mut back).unwrap(),
    );
    assert_eq!(back, data, "{backend}, {}, back", mode.name);
    (mode.decrypt)(backend, &input.key, &input.iv, (&mut *to).into());
    assert_eq!(*to, *data, "{backend}, {}, back in place", mode.name);
});
