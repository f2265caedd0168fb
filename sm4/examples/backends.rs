//! Prints what every backend that this CPU can run makes of the standard's example (GB/T
//! 32907-2016, appendix A.1), the best backend first, and which one a new key uses.

use sm4::{
    Backend, Sm4,
    cipher::{BlockCipherEncrypt, KeyInit},
};

fn main() -> Result<(), sm4::UnavailableBackend> {
    let key = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
    for backend in Backend::available() {
        let mut block = key.into();
        Sm4::with_backend(&key.into(), backend)?.encrypt_block(&mut block);
        println!("{:032x} {backend}", u128::from_be_bytes(block.into()));
    }
    println!("{}", Sm4::new(&key.into()).backend());
    Ok(())
}
