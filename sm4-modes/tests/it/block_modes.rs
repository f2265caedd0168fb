//! ECB and CBC: modes for whole blocks.

use sm4_modes::{
    Chained, Sm4,
    cbc::{CbcDec, CbcEnc},
    cfb::{CfbDec, CfbEnc},
    cipher::{
        BlockModeDecrypt, BlockModeEncrypt, InOutBuf, InnerIvInit, IvState, SetIvState,
        block_padding::Padding, common::InnerInit,
    },
    ecb::{Decrypt, Ecb, Encrypt},
    padding::Pkcs7,
};

use crate::support::{Random, ciphers, derive, everywhere_ok, lengths, sweep, sweep_key, vectors};

const ECB: &str = include_str!("../vectors/ecb.txt");
const CBC: &str = include_str!("../vectors/cbc.txt");
const CBC_PKCS7: &str = include_str!("../vectors/cbc-pkcs7.txt");

fn encryptor(cipher: &Sm4, iv: &[u8]) -> Chained<CbcEnc> {
    Chained::inner_iv_init(cipher.clone(), iv.try_into().unwrap())
}

fn decryptor(cipher: &Sm4, iv: &[u8]) -> Chained<CbcDec> {
    Chained::inner_iv_init(cipher.clone(), iv.try_into().unwrap())
}

/// Runs a mode on whole blocks.
fn encrypt<M: BlockModeEncrypt<BlockSize = cipher::consts::U16>>(
    mut mode: M,
    data: InOutBuf<'_, '_, u8>,
) {
    let (blocks, end) = data.into_chunks();
    assert!(end.is_empty());
    mode.encrypt_blocks_inout(blocks);
}

/// Runs a mode on whole blocks.
fn decrypt<M: BlockModeDecrypt<BlockSize = cipher::consts::U16>>(
    mut mode: M,
    data: InOutBuf<'_, '_, u8>,
) {
    let (blocks, end) = data.into_chunks();
    assert!(end.is_empty());
    mode.decrypt_blocks_inout(blocks);
}

#[test]
fn known_answers() {
    for vector in vectors(ECB) {
        let (pt, ct) = (vector.bytes("pt"), vector.bytes("ct"));
        for cipher in ciphers(&vector.bytes("key")) {
            let run =
                |data: InOutBuf<'_, '_, u8>| encrypt(Ecb::<Encrypt, _>::inner_init(&cipher), data);
            assert_eq!(everywhere_ok(&pt, run), ct, "{}", vector.text("id"));
            let run =
                |data: InOutBuf<'_, '_, u8>| decrypt(Ecb::<Decrypt, _>::inner_init(&cipher), data);
            assert_eq!(everywhere_ok(&ct, run), pt, "{}", vector.text("id"));
        }
    }
    for vector in vectors(CBC) {
        let (iv, pt, ct) = (vector.bytes("iv"), vector.bytes("pt"), vector.bytes("ct"));
        for cipher in ciphers(&vector.bytes("key")) {
            let run = |data: InOutBuf<'_, '_, u8>| encrypt(encryptor(&cipher, &iv), data);
            assert_eq!(everywhere_ok(&pt, run), ct, "{}", vector.text("id"));
            let run = |data: InOutBuf<'_, '_, u8>| decrypt(decryptor(&cipher, &iv), data);
            assert_eq!(everywhere_ok(&ct, run), pt, "{}", vector.text("id"));
        }
    }
}

#[test]
fn sweeps() {
    fn run(file: &str, id: &str, run: impl Fn(&[u8], InOutBuf<'_, '_, u8>)) {
        let (p, n) = (
            derive(&format!("{id}/pt"), 16 * 160),
            derive(&format!("{id}/iv"), 16),
        );
        let outputs = (0..=160).map(|blocks| {
            let mut data = p[..16 * blocks].to_vec();
            run(&n, data.as_mut_slice().into());
            data
        });
        sweep(file, id, outputs);
    }
    for cipher in ciphers(&sweep_key::<16>()) {
        run(ECB, "ecb-enc-a", |_, data| {
            encrypt(Ecb::<Encrypt, _>::inner_init(&cipher), data);
        });
        run(ECB, "ecb-dec-a", |_, data| {
            decrypt(Ecb::<Decrypt, _>::inner_init(&cipher), data);
        });
        run(CBC, "cbc-enc-a", |iv, data| {
            encrypt(encryptor(&cipher, iv), data);
        });
        run(CBC, "cbc-dec-a", |iv, data| {
            decrypt(decryptor(&cipher, iv), data);
        });
        let id = "cbcpkcs7-len-a";
        let (p, n) = (
            derive("cbcpkcs7-len-a/pt", 300),
            derive("cbcpkcs7-len-a/iv", 16),
        );
        let outputs = (0..=300).map(|len| {
            let mut output = [0; 320];
            let ciphertext = encryptor(&cipher, &n)
                .encrypt_padded_b2b::<Pkcs7>(&p[..len], &mut output)
                .unwrap();
            let mut message = ciphertext.to_vec();
            let message = decryptor(&cipher, &n).decrypt_padded::<Pkcs7>(&mut message);
            assert_eq!(message.unwrap(), &p[..len]);
            ciphertext.to_vec()
        });
        sweep(CBC_PKCS7, id, outputs);
    }
}

#[test]
fn padded_known_answers() {
    for vector in vectors(CBC_PKCS7) {
        let (iv, pt, ct) = (vector.bytes("iv"), vector.bytes("pt"), vector.bytes("ct"));
        for cipher in ciphers(&vector.bytes("key")) {
            let mut buffer = ct.clone();
            let decrypted = decryptor(&cipher, &iv).decrypt_padded::<Pkcs7>(&mut buffer);
            if !vector.is_valid() {
                assert!(decrypted.is_err(), "{}", vector.text("id"));
                continue;
            }
            assert_eq!(decrypted.unwrap(), pt, "{}", vector.text("id"));
            let mut buffer = vec![0; pt.len() + 16];
            let encrypted = encryptor(&cipher, &iv).encrypt_padded_b2b::<Pkcs7>(&pt, &mut buffer);
            assert_eq!(encrypted.unwrap(), ct, "{}", vector.text("id"));
        }
    }
}

/// The removal of padding against its definition: every block that ends like a padding, and many
/// that nearly do.
#[test]
fn unpadding() {
    let mut random = Random(5);
    let check = |block: [u8; 16]| {
        let last = usize::from(block[15]);
        let good = (1..=16).contains(&last) && block[16 - last..].iter().all(|&b| b == block[15]);
        let expected = good.then(|| &block[..16 - last]);
        assert_eq!(Pkcs7::raw_unpad(&block).ok(), expected, "{block:?}");
        good
    };
    let mut good = 0;
    for last in 0..=255_u8 {
        for length in 0..=16 {
            let mut block = random.array::<16>();
            block[16 - length..].fill(last);
            block[15] = last;
            good += usize::from(check(block));
            for changed in 0..16 {
                let mut block = block;
                block[changed] ^= 1 << random.below(8);
                check(block);
            }
        }
    }
    assert!(good >= 16 * 17 / 2);
    assert!(Pkcs7::raw_unpad(&[]).is_err());
}

/// Every way to call a mode of whole blocks gives the same, however the message is cut.
#[test]
fn calls_go_on_where_the_last_one_ended() {
    let mut random = Random(6);
    for cipher in ciphers(&random.array::<16>()) {
        for len in lengths().map(|len| len / 16 * 16) {
            let iv = random.array::<16>();
            let plaintext = random.bytes(len);
            let mut cbc = plaintext.clone();
            let generic = cbc::Encryptor::<&Sm4>::inner_iv_init(&cipher, &iv.into());
            encrypt(generic, cbc.as_mut_slice().into());
            let mut cfb = plaintext.clone();
            cfb_mode::BufEncryptor::inner_iv_init(&cipher, &iv.into()).encrypt(&mut cfb);

            let mut mode = Chained::<CbcEnc, _>::inner_iv_init(&cipher, &iv.into());
            check_pieces(&mut random, &plaintext, &cbc, |style, input, output| {
                encrypt_piece(&mut mode, style, input, output);
                last_block(output, mode.iv_state().0)
            });
            let mut mode = Chained::<CbcDec, _>::inner_iv_init(&cipher, &iv.into());
            check_pieces(&mut random, &cbc, &plaintext, |style, input, output| {
                decrypt_piece(&mut mode, style, input, output);
                mode.iv_state().0
            });
            let mut mode = Chained::<CfbDec, _>::inner_iv_init(&cipher, &iv.into());
            check_pieces(&mut random, &cfb, &plaintext, |style, input, output| {
                decrypt_piece(&mut mode, style, input, output);
                mode.iv_state().0
            });
            let mut mode = Chained::<CfbEnc, _>::inner_iv_init(&cipher, &iv.into());
            mode.set_iv(&iv.into());
            check_pieces(&mut random, &plaintext, &cfb, |style, input, output| {
                encrypt_piece(&mut mode, style, input, output);
                last_block(output, mode.iv_state().0)
            });
        }
    }
}

/// The state after a piece is its last ciphertext block, here the output.
fn last_block(output: &[u8], state: [u8; 16]) -> [u8; 16] {
    if let Some(last) = output.last_chunk::<16>() {
        assert_eq!(*last, state);
    }
    state
}

fn check_pieces(
    random: &mut Random,
    input: &[u8],
    expected: &[u8],
    mut run: impl FnMut(usize, &[u8], &mut [u8]) -> [u8; 16],
) {
    let mut start = 0;
    while start < input.len() {
        let blocks = [1, 2, 5, 17, 64, 130][random.below(6)].min((input.len() - start) / 16);
        let end = start + 16 * blocks;
        let mut output = vec![0; end - start];
        run(random.below(4), &input[start..end], &mut output);
        assert_eq!(output, expected[start..end]);
        start = end;
    }
}

fn decrypt_piece<M: BlockModeDecrypt<BlockSize = cipher::consts::U16>>(
    mode: &mut M,
    style: usize,
    input: &[u8],
    output: &mut [u8],
) {
    let (input, _) = cipher::array::Array::slice_as_chunks(input);
    let (output, _) = cipher::array::Array::slice_as_chunks_mut(output);
    match style {
        0 => {
            for (input, output) in input.iter().zip(output) {
                mode.decrypt_block_b2b(input, output);
            }
        }
        1 => mode.decrypt_blocks_b2b(input, output).unwrap(),
        2 => {
            output.copy_from_slice(input);
            mode.decrypt_blocks(output);
        }
        _ => {
            output.copy_from_slice(input);
            let (first, rest) = output.split_first_mut().unwrap();
            mode.decrypt_block(first);
            ByBackend::decrypt(mode, rest.into());
        }
    }
}

fn encrypt_piece<M: BlockModeEncrypt<BlockSize = cipher::consts::U16>>(
    mode: &mut M,
    style: usize,
    input: &[u8],
    output: &mut [u8],
) {
    let (input, _) = cipher::array::Array::slice_as_chunks(input);
    let (output, _) = cipher::array::Array::slice_as_chunks_mut(output);
    match style {
        0 => {
            for (input, output) in input.iter().zip(output) {
                mode.encrypt_block_b2b(input, output);
            }
        }
        1 => mode.encrypt_blocks_b2b(input, output).unwrap(),
        2 => {
            output.copy_from_slice(input);
            mode.encrypt_blocks(output);
        }
        _ => {
            output.copy_from_slice(input);
            let (first, rest) = output.split_first_mut().unwrap();
            mode.encrypt_block(first);
            mode.encrypt_blocks_inout(rest.into());
        }
    }
}

/// A closure that uses the backend of a mode in full batches and a tail.
struct ByBackend<'a>(InOutBuf<'a, 'a, cipher::Block<Sm4>>);

impl<'a> ByBackend<'a> {
    fn decrypt<M: BlockModeDecrypt<BlockSize = cipher::consts::U16>>(
        mode: &mut M,
        blocks: InOutBuf<'a, 'a, cipher::Block<Sm4>>,
    ) {
        mode.decrypt_with_backend(Self(blocks));
    }
}

impl cipher::BlockSizeUser for ByBackend<'_> {
    type BlockSize = cipher::consts::U16;
}

impl cipher::BlockModeDecClosure for ByBackend<'_> {
    fn call<B: cipher::BlockModeDecBackend<BlockSize = cipher::consts::U16>>(
        self,
        backend: &mut B,
    ) {
        let (batches, tail) = self.0.into_chunks();
        for batch in batches {
            backend.decrypt_par_blocks(batch);
        }
        backend.decrypt_tail_blocks(tail);
    }
}
