//! Every AEAD against the generic crate, or where there is none, against itself on the portable
//! backend; and back.
#![no_main]

use aes_gcm::aead::{AeadInOut, KeyInit, consts::U12, consts::U16};
use assurance::operations::{AEADS, KeyBytes};
use libfuzzer_sys::{arbitrary, arbitrary::Arbitrary, fuzz_target};
use sm4::{Backend, Sm4, cipher::InOutBuf};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    key: KeyBytes,
    nonce: [u8; 16],
    aead: u8,
    backend: u8,
    /// So many bytes of the data are associated data, if there are as many.
    associated: u8,
    data: &'a [u8],
}

/// The generic crate's result, if there is a crate.
fn generic(
    name: &str,
    input: &Input<'_>,
    nonce: &[u8],
    associated: &[u8],
    data: &mut [u8],
) -> Option<[u8; 16]> {
    macro_rules! seal {
        ($type:ty, $size:literal) => {{
            let nonce: &[u8; $size] = nonce.try_into().ok()?;
            let (key, _) = input.key.split_first_chunk::<16>()?;
            let tag = <$type>::new(key.into())
                .encrypt_inout_detached(nonce.into(), associated, data.into())
                .ok()?;
            Some(tag.into())
        }};
    }
    // The same in all ways
    match name.split_whitespace().next()? {
        "GCM" => seal!(aes_gcm::AesGcm<Sm4, U12>, 12),
        "CCM" => seal!(ccm::Ccm<Sm4, U16, U12>, 12),
        "EAX" => seal!(eax::Eax<Sm4>, 16),
        "OCB3" => seal!(ocb3::Ocb3<Sm4, U12>, 12),
        _ => None,
    }
}

fuzz_target!(|input: Input<'_>| {
    let backends: Vec<_> = Backend::available().collect();
    let backend = backends[usize::from(input.backend) % backends.len()];
    let aead = &AEADS[usize::from(input.aead) % AEADS.len()];
    let nonces = aead.nonces;
    let nonce = &input.nonce[..nonces[usize::from(input.aead) / AEADS.len() % nonces.len()]];
    let mode = (aead.make)(backend, &input.key);
    let (associated, data) = input
        .data
        .split_at(usize::from(input.associated).min(input.data.len()));

    let mut expected = data.to_vec();
    let expected_tag =
        generic(aead.name, &input, nonce, associated, &mut expected).unwrap_or_else(|| {
            let mut tag = [0; 16];
            expected.copy_from_slice(data);
            (aead.make)(Backend::Soft, &input.key)
                .seal(nonce, associated, (&mut *expected).into(), &mut tag)
                .unwrap();
            tag
        });
    let (mut sealed, mut tag) = (vec![0; data.len()], [0; 16]);
    let both = InOutBuf::new(data, &mut sealed).unwrap();
    mode.seal(nonce, associated, both, &mut tag).unwrap();
    assert_eq!(
        (&sealed, tag),
        (&expected, expected_tag),
        "{backend}, {}",
        aead.name
    );
    let mut opened = vec![0; sealed.len()];
    let both = InOutBuf::new(&sealed, &mut opened).unwrap();
    mode.open(nonce, associated, both, &tag).unwrap();
    assert_eq!(opened, data, "{backend}, {}", aead.name);
    mode.open(nonce, associated, (&mut *sealed).into(), &tag)
        .unwrap();
    assert_eq!(sealed, data, "{backend}, {}, in place", aead.name);
});
