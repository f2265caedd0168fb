//! Encrypts 16 KiB with one backend and does nothing else, for tools that look at the instructions
//! that are executed: `modes BACKEND ecb|ctr|cbc`.

use core::hint::black_box;
use std::env;

use sm4_modes::{
    Sm4CbcEnc, Sm4Ctr,
    cipher::{Array, BlockCipherEncrypt, BlockModeEncrypt, InnerIvInit, StreamCipher},
    sm4::{Backend, Sm4},
};

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [backend, mode] = &arguments[..] else {
        return Err("modes BACKEND ecb|ctr|cbc".into());
    };
    let sm4 = Sm4::with_backend(&[7; 16].into(), backend.parse::<Backend>()?)?;
    let iv = [9; 16].into();
    let mut blocks = vec![Array([0; 16]); 1024];
    let blocks = black_box(&mut blocks[..]);
    match &mode[..] {
        "ecb" => sm4.bulk().encrypt_blocks(blocks),
        "ctr" => {
            Sm4Ctr::inner_iv_init(sm4, &iv).apply_keystream(Array::slice_as_flattened_mut(blocks));
        }
        "cbc" => Sm4CbcEnc::inner_iv_init(sm4, &iv).encrypt_blocks(blocks),
        _ => return Err("ecb, ctr or cbc".into()),
    }
    Ok(())
}
