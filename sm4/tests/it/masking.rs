//! Masks on every backend of this machine, against a plain model of the standard.

use crate::model::{Model, bytes};
use sm4::{
    Backend, BulkBackend, BulkClosure, Masking, Sm4,
    cipher::{Block, BlockSizeUser, InOutBuf, KeyInit, consts::U16, typenum::Unsigned},
};

type Sm4Block = Block<Sm4>;

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

const MASKINGS: [Masking; 3] = [Masking::KeyStream, Masking::Output, Masking::Both];

/// Batches, and what is left over, with masks.
struct Batches<'a> {
    masking: Masking,
    decrypts: bool,
    masks: &'a mut [Sm4Block],
    blocks: InOutBuf<'a, 'a, Sm4Block>,
}

impl BlockSizeUser for Batches<'_> {
    type BlockSize = U16;
}

impl BulkClosure for Batches<'_> {
    fn call<B: BulkBackend>(self, backend: &B) {
        let width = B::ParBlocksSize::USIZE;
        let mut rest = self.blocks;
        for masks in self.masks.chunks_mut(width) {
            let (blocks, after) = rest.split_at(masks.len());
            if self.decrypts {
                backend.decrypt_masked(self.masking, masks, blocks);
            } else {
                backend.encrypt_masked(self.masking, masks, blocks);
            }
            rest = after;
        }
    }
}

fn expected(masking: Masking, decrypts: bool, masks: &[u8], input: &[u8]) -> Vec<u8> {
    let model = Model::new(KEY);
    let sum = |a: [u8; 16], b: &[u8; 16]| core::array::from_fn(|i| a[i] ^ b[i]);
    let cipher = |block| match decrypts {
        true => model.decrypt(block),
        false => model.encrypt(block),
    };
    let mut output = Vec::new();
    for (block, mask) in input.as_chunks().0.iter().zip(masks.as_chunks().0) {
        output.extend(match masking {
            Masking::KeyStream => sum(cipher(*mask), block),
            Masking::Output => sum(cipher(*block), mask),
            Masking::Both => sum(cipher(sum(*block, mask)), mask),
        });
    }
    output
}

/// Every number of blocks around the widths, in and out of place, unaligned, with nothing written
/// beside.
#[test]
fn like_the_definitions() {
    const MOST: usize = 260;
    let input = bytes(6, 16 * MOST);
    let masks = bytes(7, 16 * MOST);
    let all: Vec<_> = MASKINGS
        .iter()
        .flat_map(|masking| [(*masking, false), (*masking, true)])
        .map(|(masking, decrypts)| {
            let output = expected(masking, decrypts, &masks, &input);
            (masking, decrypts, output)
        })
        .collect();
    for backend in Backend::available() {
        println!("backend {backend}");
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        for (masking, decrypts, output) in &all {
            let (masking, decrypts) = (*masking, *decrypts);
            for count in (0..=9).chain([31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 260]) {
                let context = format!("{backend}, {masking:?}, {decrypts}, {count} blocks");
                let output = &output[..16 * count];
                let run = |blocks: InOutBuf<'_, '_, Sm4Block>| {
                    let (masks, _) = Sm4Block::slice_as_chunks(&masks[..16 * count]);
                    sm4.bulk().run(Batches {
                        masking,
                        decrypts,
                        masks: &mut masks.to_vec(),
                        blocks,
                    });
                };

                let (from, to) = (count % 16, (count * 7 + 3) % 16);
                let mut source = vec![0x55; 16 * count + 32];
                source[from..][..16 * count].copy_from_slice(&input[..16 * count]);
                let before = source.clone();
                let mut target = vec![0xaa; 16 * count + 32];
                let (source_blocks, _) = Sm4Block::slice_as_chunks(&source[from..][..16 * count]);
                let (blocks, _) = Sm4Block::slice_as_chunks_mut(&mut target[to..][..16 * count]);
                run(InOutBuf::new(source_blocks, blocks).unwrap());
                assert_eq!(source, before, "input changed: {context}");
                assert_eq!(
                    &target[to..][..16 * count],
                    output,
                    "out of place: {context}"
                );
                target[to..][..16 * count].fill(0xaa);
                assert!(target.iter().all(|byte| *byte == 0xaa), "beside: {context}");

                let (blocks, _) = Sm4Block::slice_as_chunks_mut(&mut source[from..][..16 * count]);
                run(blocks.into());
                assert_eq!(&source[from..][..16 * count], output, "in place: {context}");
                source[from..][..16 * count].fill(0x55);
                assert!(source.iter().all(|byte| *byte == 0x55), "beside: {context}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "left == right")]
fn as_many_masks_as_blocks() {
    struct Unequal;

    impl BlockSizeUser for Unequal {
        type BlockSize = U16;
    }

    impl BulkClosure for Unequal {
        fn call<B: BulkBackend>(self, backend: &B) {
            let mut masks = [Sm4Block::default(); 2];
            backend.encrypt_masked(
                Masking::Both,
                &mut masks,
                (&mut [Sm4Block::default()][..]).into(),
            );
        }
    }

    Sm4::new(&KEY.into()).bulk().run(Unequal);
}
