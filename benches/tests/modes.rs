//! Every entry of the list of modes does what it says: the same on all backends, and back again.

use sm4::Backend;
use sm4_bench::{
    job::{
        Input,
        Operation::{Authenticate, Decrypt, Encrypt, Setup},
    },
    modes::{BLOCK, MODES},
    run::input,
};

#[test]
fn every_entry_runs_on_every_backend() {
    let mut count = 0;
    for mode in MODES {
        for size in [16, 48, 1024, 4112] {
            let plain = input(mode, size);
            let mut expected = vec![None; mode.operations.len()];
            for backend in Backend::available() {
                let run = |operation, input: &Input| {
                    let job = mode.prepare(backend, operation, input);
                    let what = format!("{} {} on {backend}", mode.name, operation.name());
                    job.unwrap_or_else(|| panic!("{what}")).first_result()
                };
                for (&operation, expected) in mode.operations.iter().zip(&mut expected) {
                    let what = format!("{} {} {size} {backend}", mode.name, operation.name());
                    let mut given = plain.clone();
                    if operation == Decrypt {
                        let sealed = run(Encrypt, &plain);
                        let (text, tag) = sealed.split_last_chunk().expect("a tag, or zeros");
                        (given.text, given.tag) = (text.to_vec(), *tag);
                    }
                    let result = run(operation, &given);
                    let (text, tag) = result.split_at(if operation == Setup { 0 } else { size });
                    match operation {
                        Decrypt => assert!(text == plain.text, "{what}: another plaintext"),
                        Encrypt => {
                            let changed = if mode.name == BLOCK { 16 } else { size };
                            assert!(text[..changed] != plain.text[..changed], "{what}");
                            assert_eq!(tag != [0; 16], mode.is_aead, "{what}: tag");
                        }
                        Authenticate => assert!(tag != [0; 16], "{what}: no tag"),
                        Setup => {}
                    }
                    let expected = expected.get_or_insert_with(|| result.clone());
                    assert!(*expected == result, "{what}: not as on another backend");
                    count += 1;
                }
            }
        }
    }
    let operations: usize = MODES.iter().map(|mode| mode.operations.len()).sum();
    assert_eq!(count, operations * 4 * Backend::available().count());
}
