//! Encrypts 16 KiB a number of times with one backend and does nothing else, for tools that count
//! instructions: `encrypt BACKEND TIMES [single]`, many blocks at once or one block after the other.

use core::{error::Error, hint::black_box};
use std::env;

use sm4::{Backend, Sm4, cipher::BlockCipherEncrypt};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [backend, times, rest @ ..] = &arguments[..] else {
        return Err("encrypt BACKEND TIMES [single]".into());
    };
    let sm4 = Sm4::with_backend(&[7; 16].into(), backend.parse::<Backend>()?)?;
    let mut blocks = vec![[0; 16].into(); 1024];
    for _ in 0..times.parse()? {
        if rest.is_empty() {
            sm4.bulk().encrypt_blocks(black_box(&mut blocks));
        } else {
            for block in black_box(&mut blocks) {
                sm4.encrypt_block(block);
            }
        }
    }
    Ok(())
}
