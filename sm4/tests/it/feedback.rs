//! Feedback on every backend of this machine, against a plain model of the standard.

use crate::model::{Model, bytes};
use sm4::{
    Backend, Sm4,
    cipher::{Block, InOutBuf},
};

type Sm4Block = Block<Sm4>;

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// The output and the last state, by the definitions.
fn expected(mode: &str, state: &[u8; 16], input: &[u8]) -> (Vec<u8>, [u8; 16]) {
    let model = Model::new(KEY);
    let sum = |a: [u8; 16], b: &[u8; 16]| core::array::from_fn(|i| a[i] ^ b[i]);
    let (mut state, mut output) = (*state, Vec::new());
    for block in input.as_chunks().0 {
        let out;
        (state, out) = match mode {
            "CBC-MAC" => (model.encrypt(sum(state, block)), *block),
            "CBC" => {
                let next = model.encrypt(sum(state, block));
                (next, next)
            }
            "CFB" => {
                let next = sum(model.encrypt(state), block);
                (next, next)
            }
            _ => {
                let next = model.encrypt(state);
                (next, sum(next, block))
            }
        };
        output.extend(out);
    }
    (output, state)
}

fn run(mode: &str, sm4: &Sm4, state: &mut Sm4Block, blocks: InOutBuf<'_, '_, Sm4Block>) {
    match mode {
        "CBC-MAC" => {
            let (mut copy, mut blocks) = (Vec::new(), blocks);
            copy.extend_from_slice(blocks.get_in());
            sm4.bulk().cbc_mac_blocks(state, &copy);
            blocks.get_out().copy_from_slice(&copy);
        }
        "CBC" => sm4.bulk().cbc_encrypt_blocks(state, blocks),
        "CFB" => sm4.bulk().cfb_encrypt_blocks(state, blocks),
        "OFB" => sm4.bulk().ofb_blocks(state, blocks),
        _ => unreachable!("no such mode"),
    }
}

/// Every number of blocks up to some, in and out of place, unaligned, with nothing written beside.
#[test]
fn like_the_definitions() {
    const MOST: usize = 20;
    let input = bytes(5, 16 * MOST);
    for backend in Backend::available() {
        println!("backend {backend}");
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        for mode in ["CBC-MAC", "CBC", "CFB", "OFB"] {
            for count in 0..=MOST {
                let context = format!("{backend}, {mode}, {count} blocks");
                let start = core::array::from_fn(|i| (i * 37 + count).to_le_bytes()[0]);
                let (output, end) = expected(mode, &start, &input[..16 * count]);

                let (from, to) = (count % 16, (count * 7 + 3) % 16);
                let mut source = vec![0x55; 16 * count + 32];
                source[from..][..16 * count].copy_from_slice(&input[..16 * count]);
                let before = source.clone();
                let mut target = vec![0xaa; 16 * count + 32];
                let mut state = Sm4Block::from(start);
                let (source_blocks, _) = Sm4Block::slice_as_chunks(&source[from..][..16 * count]);
                let (blocks, _) = Sm4Block::slice_as_chunks_mut(&mut target[to..][..16 * count]);
                let blocks = InOutBuf::new(source_blocks, blocks).unwrap();
                run(mode, &sm4, &mut state, blocks);
                assert_eq!(state.0, end, "state, out of place: {context}");
                assert_eq!(source, before, "input changed: {context}");
                assert_eq!(
                    target[to..][..16 * count],
                    output,
                    "out of place: {context}"
                );
                let (front, back) = (&target[..to], &target[to + 16 * count..]);
                assert!(
                    front.iter().chain(back).all(|&byte| byte == 0xaa),
                    "written beside the output: {context}"
                );

                let mut state = Sm4Block::from(start);
                let (blocks, _) = Sm4Block::slice_as_chunks_mut(&mut source[from..][..16 * count]);
                run(mode, &sm4, &mut state, blocks.into());
                assert_eq!(state.0, end, "state, in place: {context}");
                assert_eq!(source[from..][..16 * count], output, "in place: {context}");
            }
        }
    }
}
