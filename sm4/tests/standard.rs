//! Known answers of GB/T 32907-2016, appendix A.

use cipher::{BlockCipherDecrypt, BlockCipherEncrypt};
use hex_literal::hex;
use sm4::{Backend, Sm4, cipher};

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

#[test]
fn one_block() {
    for backend in Backend::available() {
        println!("{backend}");
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        let mut block = KEY.into();
        sm4.encrypt_block(&mut block);
        assert_eq!(block, hex!("681edf34d206965e86b3e94f536e4246"), "{backend}");
        sm4.decrypt_block(&mut block);
        assert_eq!(block, KEY, "{backend}");
    }
}
