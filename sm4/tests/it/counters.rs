//! Counter blocks that kernels make themselves, against a plain model of the standard.

use crate::model::{Model, bytes};
use sm4::{
    Backend, BulkBackend, BulkClosure, CounterBlocks, CountingByte, Sm4,
    cipher::{Block, BlockSizeUser, InOutBuf, consts::U16, typenum::Unsigned},
};

type Sm4Block = Block<Sm4>;

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// Backends whose widest kernel counts.
const COUNTING: [&str; 8] = [
    "gfni-avx512",
    "gfni-avx2",
    "vaes-avx2",
    "aesni-avx2",
    "aesni-avx",
    "aesni-ssse3",
    "neon-aes",
    "neon",
];

/// The most blocks at once, and some.
const MOST: usize = 130;

/// Adds the key stream of a full batch or half of it, in place, if the backend does that, and says of
/// how many blocks.
struct Batch<'a> {
    counters: CounterBlocks,
    half: bool,
    blocks: &'a mut [Sm4Block; MOST],
    done: &'a mut usize,
}

impl BlockSizeUser for Batch<'_> {
    type BlockSize = U16;
}

impl BulkClosure for Batch<'_> {
    fn call<B: BulkBackend>(self, backend: &B) {
        let full = B::ParBlocksSize::USIZE;
        let width = if self.half { full / 2 } else { full };
        let before = *self.blocks;
        for count in [0, 1, width - 1, width + 1] {
            let blocks = (&mut self.blocks[..count]).into();
            assert!(!backend.add_key_stream(&self.counters, blocks), "{count}");
        }
        assert_eq!(*self.blocks, before);

        let (blocks, beside) = self.blocks.split_at_mut(width);
        if backend.add_key_stream(&self.counters, blocks.into()) {
            let mut apart = [Sm4Block::default(); MOST];
            let output = InOutBuf::new(&before[..width], &mut apart[..width]);
            assert!(backend.add_key_stream(&self.counters, output.expect("equal lengths")));
            assert_eq!(blocks, &apart[..width], "in place and not");
            *self.done = width;
        }
        assert_eq!(beside, &before[width..]);
    }
}

/// A counter of some bytes, the fastest first.
struct Counter {
    first: [u8; 16],
    counting: CountingByte,
    places: Vec<usize>,
}

impl Counter {
    fn at(&self, number: usize) -> [u8; 16] {
        let (mut block, mut carry) = (self.first, number);
        for &place in &self.places {
            carry += usize::from(block[place]);
            block[place] = carry.to_le_bytes()[0];
            carry >>= 8;
        }
        block
    }
}

/// Every first value of the fastest byte, and some of all flavours that carry in different places.
fn counters() -> Vec<Counter> {
    let mut counters = Vec::new();
    for (fastest, seed) in (0..=255).zip(0..) {
        let some = [0, 1, 63, 64, 127, 128, 129, 192, 255].contains(&fastest);
        for (counting, places) in [
            (CountingByte::Last, (0..16).rev().collect::<Vec<_>>()),
            (CountingByte::Last, (12..16).rev().collect()),
            (CountingByte::Last, vec![15]),
            (CountingByte::First, (0..4).collect()),
            (CountingByte::First, (0..16).collect()),
        ]
        .into_iter()
        .take(if some { 5 } else { 1 })
        {
            for carries in [0, 1, places.len() - 1] {
                let mut first: [u8; 16] = bytes(seed, 16).try_into().expect("16 bytes");
                for &place in &places[..carries] {
                    first[place] = 0xff;
                }
                first[places[0]] = fastest;
                counters.push(Counter {
                    first,
                    counting,
                    places: places.clone(),
                });
            }
        }
    }
    counters
}

#[test]
fn like_counter_blocks_in_memory() {
    let model = Model::new(KEY);
    let input = bytes(1, 16 * MOST);
    let input: &[_; MOST] = Sm4Block::slice_as_chunks(&input).0.try_into().unwrap();
    let counters = counters();
    let expected: Vec<[Sm4Block; MOST]> = counters
        .iter()
        .map(|counter| {
            core::array::from_fn(|i| {
                let mask = model.encrypt(counter.at(i));
                core::array::from_fn(|j| mask[j] ^ input[i][j]).into()
            })
        })
        .collect();
    for backend in Backend::available() {
        println!("backend {backend}");
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        for (counter, expected) in counters.iter().zip(&expected) {
            let (first, later) = (counter.at(0).into(), counter.at(256).into());
            for half in [false, true] {
                let (mut blocks, mut done) = (*input, 0);
                sm4.bulk().run(Batch {
                    counters: CounterBlocks::new(&first, &later, counter.counting),
                    half,
                    blocks: &mut blocks,
                    done: &mut done,
                });
                let counts = COUNTING.contains(&backend.to_string().as_str());
                assert_eq!(done > 0, counts, "{backend}");
                assert_eq!(
                    blocks[..done],
                    expected[..done],
                    "{backend}, {:?}, {} bytes from {first:02x?}",
                    counter.counting,
                    counter.places.len()
                );
            }
        }
    }
}
