//! Examples of the standards.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use hex_literal::hex;
use sm4_aead::{
    Sm4Gcm,
    aead::{Aead, AeadInOut, Payload},
};

/// RFC 8998, appendix A.1.
#[test]
fn rfc_8998_gcm() {
    let gcm = Sm4Gcm::new(&hex!("0123456789abcdeffedcba9876543210").into());
    let nonce = hex!("00001234567800000000abcd").into();
    let aad = &hex!("feedfacedeadbeeffeedfacedeadbeefabaddad2");
    let mut msg = hex!(
        "aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbccccccccccccccccdddddddddddddddd"
        "eeeeeeeeeeeeeeeeffffffffffffffffeeeeeeeeeeeeeeeeaaaaaaaaaaaaaaaa"
    );
    let sealed = gcm.encrypt(&nonce, Payload { msg: &msg, aad }).unwrap();
    let expected = hex!(
        "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735"
        "d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d"
        "83de3541e4c2b58177e065a9bf7b62ec"
    );
    assert_eq!(sealed, expected);
    let tag = gcm
        .encrypt_inout_detached(&nonce, aad, msg.as_mut_slice().into())
        .unwrap();
    assert_eq!([&msg[..], &tag].concat(), expected);
    gcm.decrypt_inout_detached(&nonce, aad, msg.as_mut_slice().into(), &tag)
        .unwrap();
    assert_eq!(
        gcm.decrypt(&nonce, Payload { msg: &sealed, aad }).unwrap(),
        msg
    );
}
