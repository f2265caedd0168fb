//! The test vectors of Project Wycheproof, all of them: the interface that takes slices admits every
//! size they have.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use sm4_aead::{AnySize, Ccm, Error, Gcm, aead::KeyInit};
use wycheproof::{
    TestResult,
    aead::{Test, TestName, TestSet},
};

fn run<A: AnySize + KeyInit>(name: TestName, expected: usize) {
    let mut count = 0;
    for group in TestSet::load(name).unwrap().test_groups {
        for test in &group.tests {
            check(
                &A::new_from_slice(&test.key).unwrap(),
                group.tag_size / 8,
                test,
            );
            count += 1;
        }
    }
    assert_eq!(count, expected);
}

fn check(mode: &impl AnySize, tag_size: usize, test: &Test) {
    let id = test.tc_id;
    let mut buffer = test.ct.to_vec();
    let opened = mode.open_in_place(&test.nonce, &test.aad, &mut buffer, &test.tag);
    let mut sealed = test.pt.to_vec();
    let mut tag = vec![0; tag_size];
    let made = mode.seal_in_place(&test.nonce, &test.aad, &mut sealed, &mut tag);
    match test.result {
        TestResult::Valid => {
            assert_eq!((made, opened), (Ok(()), Ok(())), "{id}");
            assert_eq!(sealed, *test.ct, "{id}");
            assert_eq!(tag, *test.tag, "{id}");
            assert_eq!(buffer, *test.pt, "{id}");
        }
        TestResult::Invalid if opened == Err(Error::Authentication) => {
            assert!(buffer.iter().all(|&byte| byte == 0), "{id}");
        }
        // Not even tried, because the standard does not allow the size.
        TestResult::Invalid => {
            assert!(opened.is_err() && made == opened, "{id}");
            assert_eq!(buffer, *test.ct, "{id}");
        }
        TestResult::Acceptable => unreachable!("there are none"),
    }
}

#[test]
fn gcm() {
    run::<Gcm>(TestName::Sm4Gcm, 104);
}

#[test]
fn ccm() {
    run::<Ccm>(TestName::Sm4Ccm, 184);
}
