//! The generic crates, over the same cipher, give the same.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use sm4_aead::{
    Sm4Ccm, Sm4Eax, Sm4Gcm, Sm4GcmSiv, Sm4Ocb3,
    aead::{
        AeadInOut, Key, KeyInit, Nonce,
        array::typenum::Unsigned,
        consts::{U4, U7, U8, U12, U13, U15, U16},
    },
    sm4::Sm4,
};

/// Not random, but without a pattern that matters here.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        self.0 >> 33
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    fn len(&mut self, most: usize) -> usize {
        usize::try_from(self.next()).unwrap() % (most + 1)
    }
}

/// The messages of these lengths, with associated data of other lengths
fn same<A, B>(seed: u64)
where
    A: AeadInOut + KeyInit,
    B: AeadInOut<NonceSize = A::NonceSize, TagSize = A::TagSize> + KeyInit<KeySize = A::KeySize>,
{
    let mut numbers = Numbers(seed);
    let lengths = (0..=2100)
        .step_by(7)
        .chain([15, 16, 17, 2047, 2048, 2049, 2063, 2064, 2065]);
    for len in lengths {
        let key: Key<A> = numbers
            .bytes(A::KeySize::USIZE)
            .as_slice()
            .try_into()
            .unwrap();
        let nonce: Nonce<A> = numbers
            .bytes(A::NonceSize::USIZE)
            .as_slice()
            .try_into()
            .unwrap();
        let (ours, theirs) = (A::new(&key), B::new(&key));
        let most = if len % 2 == 0 { 2100 } else { 40 };
        let aad_len = numbers.len(most);
        let aad = numbers.bytes(aad_len);
        let plain = numbers.bytes(len);

        let (mut a, mut b) = (plain.clone(), plain.clone());
        let tag = ours
            .encrypt_inout_detached(&nonce, &aad, a.as_mut_slice().into())
            .unwrap();
        let expected = theirs
            .encrypt_inout_detached(&nonce, &aad, b.as_mut_slice().into())
            .unwrap();
        assert!(a == b && tag == expected, "{len} {aad_len}");
        ours.decrypt_inout_detached(&nonce, &aad, a.as_mut_slice().into(), &tag)
            .unwrap();
        assert!(a == plain, "{len} {aad_len}");
    }
}

#[test]
fn gcm() {
    same::<Sm4Gcm, aes_gcm::AesGcm<Sm4, U12>>(1);
    same::<Sm4Gcm<U8, U12>, aes_gcm::AesGcm<Sm4, U8, U12>>(2);
    same::<Sm4Gcm<U16>, aes_gcm::AesGcm<Sm4, U16>>(3);
}

#[test]
fn ccm() {
    same::<Sm4Ccm, ccm::Ccm<Sm4, U16, U12>>(4);
    same::<Sm4Ccm<U4, U7>, ccm::Ccm<Sm4, U4, U7>>(5);
    same::<Sm4Ccm<U8, U13>, ccm::Ccm<Sm4, U8, U13>>(6);
}

#[test]
fn eax() {
    same::<Sm4Eax, eax::Eax<Sm4>>(7);
    same::<Sm4Eax<U16, U8>, eax::Eax<Sm4, U8>>(8);
}

#[test]
fn ocb3() {
    same::<Sm4Ocb3, ocb3::Ocb3<Sm4>>(9);
    same::<Sm4Ocb3<U15, U8>, ocb3::Ocb3<Sm4, U15, U8>>(10);
    same::<Sm4Ocb3<U7, U12>, ocb3::Ocb3<Sm4, U7, U12>>(11);
}

#[test]
fn gcm_siv() {
    same::<Sm4GcmSiv, aes_gcm_siv::AesGcmSiv<Sm4>>(12);
}
