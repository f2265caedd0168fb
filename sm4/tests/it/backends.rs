//! Every backend of this machine against a plain model of the standard, for every number of blocks
//! around every batch.

use crate::model::{Model, bytes};
use sm4::{
    Backend, Sm4,
    cipher::{
        Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt,
        BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InOut,
        InOutBuf, ParBlocks, ParBlocksSizeUser, array::Array, consts::U16, typenum::Unsigned,
    },
};

type Sm4Block = Block<Sm4>;

const KEY: [u8; 16] = [
    0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c,
];

/// Three times the widest batch and one block more.
const BLOCKS: usize = 3 * 128 + 1;

#[derive(Clone, Copy, Debug)]
enum Direction {
    Encrypt,
    Decrypt,
}
use Direction::{Decrypt, Encrypt};

/// The blocks in front of the unaligned position `offset` of a buffer.
fn blocks_at(buffer: &mut [u8], offset: usize, count: usize) -> &mut [Sm4Block] {
    let (blocks, _) = Sm4Block::slice_as_chunks_mut(&mut buffer[offset..][..16 * count]);
    blocks
}

fn crypt(sm4: &Sm4, bulk: bool, direction: Direction, blocks: InOutBuf<'_, '_, Sm4Block>) {
    match (bulk, direction) {
        (false, Encrypt) => sm4.encrypt_blocks_inout(blocks),
        (false, Decrypt) => sm4.decrypt_blocks_inout(blocks),
        (true, Encrypt) => sm4.bulk().encrypt_blocks_inout(blocks),
        (true, Decrypt) => sm4.bulk().decrypt_blocks_inout(blocks),
    }
}

fn expected(direction: Direction, input: &[u8]) -> Vec<u8> {
    let model = Model::new(KEY);
    let (blocks, _) = input.as_chunks::<16>();
    blocks
        .iter()
        .flat_map(|&block| match direction {
            Encrypt => model.encrypt(block),
            Decrypt => model.decrypt(block),
        })
        .collect()
}

#[test]
fn every_number_of_blocks() {
    let input = bytes(1, 16 * BLOCKS);
    for direction in [Encrypt, Decrypt] {
        let expected = expected(direction, &input);
        for backend in Backend::available() {
            println!("backend {backend}, {direction:?}");
            let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
            for bulk in [false, true] {
                for count in 0..=BLOCKS {
                    let context = format!("{backend}, {direction:?}, {bulk}, {count} blocks");
                    // Out of place, input and output unaligned in different ways.
                    let (from, to) = (count % 16, (count * 7 + 3) % 16);
                    let mut source = vec![0x55; 16 * count + 32];
                    source[from..][..16 * count].copy_from_slice(&input[..16 * count]);
                    let before = source.clone();
                    let mut target = vec![0xaa; 16 * count + 32];
                    let blocks = InOutBuf::new(
                        &*blocks_at(&mut source, from, count),
                        blocks_at(&mut target, to, count),
                    );
                    crypt(&sm4, bulk, direction, blocks.unwrap());
                    assert!(source == before, "input changed: {context}");
                    assert!(
                        target[to..][..16 * count] == expected[..16 * count],
                        "out of place: {context}"
                    );
                    let (front, back) = (&target[..to], &target[to + 16 * count..]);
                    assert!(
                        front.iter().chain(back).all(|&byte| byte == 0xaa),
                        "written beside the output: {context}"
                    );
                    // In place.
                    crypt(
                        &sm4,
                        bulk,
                        direction,
                        blocks_at(&mut source, from, count).into(),
                    );
                    assert!(
                        source[from..][..16 * count] == expected[..16 * count],
                        "in place: {context}"
                    );
                    let (front, back) = (&source[..from], &source[from + 16 * count..]);
                    assert!(
                        front.iter().chain(back).all(|&byte| byte == 0x55),
                        "written beside the buffer: {context}"
                    );
                }
            }
        }
    }
}

/// Uses the three methods of a backend directly, whichever their widths.
struct ThreeWays<'a>(&'a mut Vec<u8>);

impl BlockSizeUser for ThreeWays<'_> {
    type BlockSize = U16;
}

macro_rules! three_ways {
    ($closure:ident, $backend:ident, $block:ident, $par:ident, $tail:ident, $par_inplace:ident) => {
        impl $closure for ThreeWays<'_> {
            fn call<B: $backend<BlockSize = U16>>(self, backend: &B) {
                let width = B::ParBlocksSize::USIZE;
                let mut blocks = vec![Sm4Block::default(); 3 * width + width / 2];
                for (block, bytes) in blocks.iter_mut().zip(self.0.chunks_exact(16)) {
                    block.copy_from_slice(bytes);
                }
                let (first, rest) = blocks.split_at_mut(width);
                let (second, rest) = rest.split_at_mut(width);
                let (third, tail) = rest.split_at_mut(width);
                for block in first {
                    backend.$block(block.into());
                }
                let mut par = cipher_par_blocks::<B>(second);
                backend.$par(InOut::from(&mut par));
                for (block, par) in second.iter_mut().zip(par) {
                    *block = par;
                }
                let mut par = cipher_par_blocks::<B>(third);
                backend.$par_inplace(&mut par);
                for (block, par) in third.iter_mut().zip(par) {
                    *block = par;
                }
                backend.$tail(tail.into());
                self.0.truncate(0);
                self.0.extend(blocks.iter().flatten());
            }
        }
    };
}

fn cipher_par_blocks<B: ParBlocksSizeUser<BlockSize = U16>>(blocks: &[Sm4Block]) -> ParBlocks<B> {
    Array::from_fn(|i| blocks[i])
}

three_ways!(
    BlockCipherEncClosure,
    BlockCipherEncBackend,
    encrypt_block,
    encrypt_par_blocks,
    encrypt_tail_blocks,
    encrypt_par_blocks_inplace
);
three_ways!(
    BlockCipherDecClosure,
    BlockCipherDecBackend,
    decrypt_block,
    decrypt_par_blocks,
    decrypt_tail_blocks,
    decrypt_par_blocks_inplace
);

#[test]
fn blocks_batches_and_tails_agree() {
    let input = bytes(2, 16 * 1024);
    for backend in Backend::available() {
        println!("backend {backend}");
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        for direction in [Encrypt, Decrypt] {
            let expected = expected(direction, &input);
            for bulk in [false, true] {
                let mut data = input.clone();
                match (bulk, direction) {
                    (false, Encrypt) => sm4.encrypt_with_backend(ThreeWays(&mut data)),
                    (false, Decrypt) => sm4.decrypt_with_backend(ThreeWays(&mut data)),
                    (true, Encrypt) => sm4.bulk().encrypt_with_backend(ThreeWays(&mut data)),
                    (true, Decrypt) => sm4.bulk().decrypt_with_backend(ThreeWays(&mut data)),
                }
                assert!(!data.is_empty());
                assert!(
                    data[..] == expected[..data.len()],
                    "{backend}, {direction:?}, {bulk}"
                );
            }
        }
    }
}

/// Many keys: the schedule of every backend against the model.
#[test]
fn many_keys() {
    let keys = bytes(3, 16 * 300);
    let plaintexts = bytes(4, 16 * 300);
    for backend in Backend::available() {
        println!("backend {backend}");
        for (key, plaintext) in keys
            .as_chunks::<16>()
            .0
            .iter()
            .zip(plaintexts.as_chunks::<16>().0)
        {
            let sm4 = Sm4::with_backend(key.into(), backend).unwrap();
            let mut block = (*plaintext).into();
            sm4.encrypt_block(&mut block);
            let ciphertext = Model::new(*key).encrypt(*plaintext);
            assert_eq!(block, ciphertext, "{backend}");
            sm4.decrypt_block(&mut block);
            assert_eq!(block, *plaintext, "{backend}");

            let sm4 = Sm4::with_backend_and_encrypt(key.into(), backend, &mut block).unwrap();
            assert_eq!(block, ciphertext, "{backend}, along with the key");
            sm4.decrypt_block(&mut block);
            assert_eq!(block, *plaintext, "{backend}, with a key from there");
        }
    }
}

/// Every value of every byte of the state, in every lane of the widest batches: a wrong entry of a
/// map or a wrong lane of a shuffle cannot hide.
#[test]
fn every_byte_in_every_lane() {
    let model = Model::new(KEY);
    let mut input = Vec::new();
    for position in 0..16 {
        for byte in 0..=255 {
            let mut block = [0; 16];
            block[position] = byte;
            input.extend(block);
        }
    }
    let expected: Vec<u8> = input
        .as_chunks::<16>()
        .0
        .iter()
        .flat_map(|&block| model.encrypt(block))
        .collect();
    for backend in Backend::available() {
        println!("backend {backend}");
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        // Shifted by one block after the other, each block comes to lie in every lane.
        for shift in 0..128 {
            let mut data = input[16 * shift..].to_vec();
            let count = data.len() / 16;
            sm4.bulk().encrypt_blocks(blocks_at(&mut data, 0, count));
            assert!(data == expected[16 * shift..], "{backend}, {shift}");
        }
    }
}

#[test]
fn clones_are_keys_of_their_own() {
    for backend in Backend::available() {
        let sm4 = Sm4::with_backend(&KEY.into(), backend).unwrap();
        let clone = sm4.clone();
        drop(sm4);
        assert_eq!(clone.backend(), backend);
        let mut block = KEY.into();
        clone.encrypt_block(&mut block);
        assert_eq!(block, Model::new(KEY).encrypt(KEY));
    }
}

/// A hundred million random bytes in random pieces under many keys: all backends give the same.
#[test]
fn random_pieces() {
    const BYTES: usize = 100_000_000;
    let (mut done, mut round) = (0, 0);
    while done < BYTES {
        round += 1;
        let random = bytes(round, 16 + 4);
        let (key, length) = random.split_first_chunk::<16>().unwrap();
        let [a, b, c, d] = [length[0], length[1], length[2], length[3]].map(usize::from);
        // Mostly a few hundred blocks, sometimes few, sometimes thousands.
        let count = match d % 4 {
            0 => a % 20,
            1 => (256 * b + a) % 4000,
            _ => (256 * b + a) % 400,
        };
        let offset = c % 16;
        let input = bytes(!round, 16 * count + 16);
        for direction in [Encrypt, Decrypt] {
            let mut all = Backend::available().map(|backend| {
                let sm4 = Sm4::with_backend(key.into(), backend).unwrap();
                let mut data = input.clone();
                let blocks = blocks_at(&mut data, offset, count);
                crypt(&sm4, round % 2 == 0, direction, blocks.into());
                (backend, data)
            });
            let (first, expected) = all.next().unwrap();
            for (backend, data) in all {
                assert!(
                    data == expected,
                    "{backend}, {first}, {direction:?}, {round}"
                );
            }
        }
        done += 2 * 16 * count;
    }
    let names: Vec<_> = Backend::available().map(Backend::name).collect();
    println!("{done} bytes, {round} pieces: {}", names.join(" = "));
}
