//! Key wrap: lengths that are refused, before anything is written.

use sm4_aead::{Error, Sm4Kw, Sm4Kwp};

use crate::support::{bytes, mode};

/// Every length of keys and of wrapped ones: `allowed` says which fit together.
fn lengths(
    allowed: impl Fn(usize, usize) -> bool,
    run: impl Fn(&[u8], &mut [u8]) -> Result<(), Error>,
) {
    for input in 0..=50 {
        for output in 0..=60 {
            let mut written = vec![0xaa; output];
            let result = run(&bytes(3, input), &mut written);
            if allowed(input, output) {
                assert_ne!(result, Err(Error::MessageLength), "{input} to {output}");
                assert_ne!(written, vec![0xaa; output]);
            } else {
                assert_eq!(result, Err(Error::MessageLength), "{input} to {output}");
                assert_eq!(written, vec![0xaa; output]);
            }
        }
    }
}

#[test]
fn kw_lengths() {
    let allowed = |key, wrapped| key >= 16 && key % 8 == 0 && wrapped == key + 8;
    let kw = mode::<Sm4Kw>();
    lengths(allowed, |key, wrapped| kw.wrap(key, wrapped));
    lengths(
        |wrapped, key| allowed(key, wrapped),
        |wrapped, key| kw.unwrap(wrapped, key),
    );
}

#[test]
fn kwp_lengths() {
    let kwp = mode::<Sm4Kwp>();
    lengths(
        |key, wrapped| key > 0 && wrapped == key.next_multiple_of(8) + 8,
        |key, wrapped| kwp.wrap(key, wrapped),
    );
    lengths(
        |wrapped, padded| padded > 0 && padded % 8 == 0 && wrapped == padded + 8,
        |wrapped, padded| kwp.unwrap(wrapped, padded).map(|_| ()),
    );
}

#[test]
fn the_longest_wrapped_key() {
    assert_eq!(Sm4Kwp::wrapped_len(usize::MAX - 15), usize::MAX - 7);
}

#[test]
#[should_panic(expected = "longer than a usize can say")]
fn longer_than_the_longest() {
    let _ = Sm4Kwp::wrapped_len(usize::MAX - 14);
}

/// Zeros at the end of a key are no padding.
#[test]
fn keys_of_zeros() {
    let kwp = mode::<Sm4Kwp>();
    for len in 1..=40 {
        let mut wrapped = vec![0; Sm4Kwp::wrapped_len(len)];
        kwp.wrap(&vec![0; len], &mut wrapped).unwrap();
        let mut key = vec![1; wrapped.len() - 8];
        assert_eq!(kwp.unwrap(&wrapped, &mut key), Ok(&mut *vec![0; len]));
    }
}
