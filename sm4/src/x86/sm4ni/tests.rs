//! The machine code of this backend, executed wherever the CPU has AVX2.

use std::{io::Write, vec::Vec};

use cipher::{BlockCipherDecrypt, BlockCipherEncrypt};
use hex_literal::hex;

use super::emulator;
use crate::{
    Backend, Sm4,
    kernel::{InstructionSet, crypt_blocks},
    round::Direction,
    schedule::RoundKeys,
    soft::Soft,
    x86::{Sm4Ni, cpuid},
};

/// Says so past the test harness, which shows the output of failed tests only.
fn not_run(test: &str, why: &str) -> bool {
    let message = std::format!("NOT RUN: SM4-NI, {test}: {why}\n");
    let _ = std::io::stderr().write_all(message.as_bytes());
    false
}

/// Whether the code can be run, if need be by the emulator.
fn runs(test: &str) -> bool {
    if cpuid::features().sm4_ni {
        return true;
    }
    if !std::is_x86_feature_detected!("avx2") {
        return not_run(test, "this CPU has no AVX2");
    }
    emulator::install();
    true
}

const KEY: [u8; 16] = hex!("0123456789abcdeffedcba9876543210");

/// GB/T 32907-2016, appendix A.1.
#[test]
fn standard() {
    if !runs("standard") {
        return;
    }
    let before = emulator::executed();
    let mut block = KEY;
    let there = block.as_mut_ptr();
    let mut keys = RoundKeys::EMPTY;
    // SAFETY: the code can be run; one block is there
    unsafe { Sm4Ni::expand_key(&KEY, &mut keys) };
    assert_eq!(keys.words[..2], [0xf121_86f9, 0x4166_2b61]);
    assert_eq!(keys.words[31], 0x9124_a012);
    // SAFETY: the code can be run; one block is there
    unsafe { Sm4Ni::crypt_block(&keys, Direction::Encrypt, there, there) };
    assert_eq!(block, hex!("681edf34d206965e86b3e94f536e4246"));
    // SAFETY: the code can be run; one block is there
    unsafe { Sm4Ni::crypt_block(&keys, Direction::Decrypt, there, there) };
    assert_eq!(block, KEY);
    // Eight instructions each for key, encryption and decryption. (Other tests may have their own
    // executed meanwhile.)
    assert!(cpuid::features().sm4_ni || emulator::executed() - before >= 24);
}

/// The blocks' encryption or decryption with an instruction set that can be run.
fn crypt<I: InstructionSet>(key: &[u8; 16], direction: Direction, input: &[u8]) -> Vec<u8> {
    let mut output = std::vec![0x55; input.len() + 3];
    // SAFETY: the code can be run; input and output hold that many blocks
    unsafe {
        let mut keys = RoundKeys::EMPTY;
        I::expand_key(key, &mut keys);
        // An odd address for the output, and so does the caller for the input.
        let (from, to) = (input.as_ptr(), output.as_mut_ptr().add(1));
        crypt_blocks::<I>(&keys, direction, from, to, input.len() / 16);
    }
    assert_eq!(output.remove(0), 0x55, "before the output");
    assert_eq!(output.split_off(input.len()), [0x55; 2], "after the output");
    output
}

/// Every number of blocks, so every kernel.
#[test]
fn counts() {
    if !runs("counts") {
        return;
    }
    // Neither the key nor a block repeats itself.
    let bytes: Vec<u8> = (0..251).cycle().step_by(43).take(16 * 36 + 1).collect();
    for count in 0..=2 * 16 + 1 {
        let key = bytes[count..][..16].try_into().unwrap();
        let input = &bytes[33..][..16 * count];
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            assert_eq!(
                crypt::<Sm4Ni>(&key, direction, input),
                crypt::<Soft>(&key, direction, input),
                "{direction:?} {count}"
            );
        }
    }
}

/// The same as users have it: in place, by a single block, few or many, and back.
#[test]
fn interface() {
    let forced = Backend::FORCED.is_some_and(|forced| forced != Backend::Sm4Ni);
    if forced && !not_run("interface", "the build is forced to another backend")
        || !runs("interface")
    {
        return;
    }
    let mut sm4 = Sm4 {
        keys: RoundKeys::EMPTY,
        backend: Backend::Sm4Ni,
        _filling: [0; 3],
    };
    // SAFETY: the code can be run
    unsafe { Sm4Ni::expand_key(&KEY, &mut sm4.keys) };
    for count in [1, 2, 3, 16, 17, 40] {
        let input: Vec<_> = (0..count).map(|i| [i; 16].into()).collect();
        let mut blocks: Vec<cipher::Block<Sm4>> = input.clone();
        sm4.encrypt_blocks(&mut blocks);
        for (i, &block) in input.iter().enumerate() {
            let mut block = block;
            sm4.encrypt_block(&mut block);
            assert_eq!(blocks[i], block, "block {i} of {count}");
        }
        sm4.bulk().decrypt_blocks(&mut blocks);
        assert_eq!(blocks, input, "{count}");
    }
}
