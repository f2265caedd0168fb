//! The backend that a mode lends to a caller's closure, against the mode's own way, for every mode on
//! blocks: one block, full batches and what is left.

use sm4_modes::{
    Chained, Sm4,
    cbc::{CbcDec, CbcEnc},
    cfb::{CfbDec, CfbEnc},
    cipher::{
        Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
        BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InOutBuf, InnerIvInit,
        common::InnerInit, consts::U16,
    },
    ecb::{self, Ecb},
    gb::{BcDec, BcEnc, OfbnlfDec, OfbnlfEnc},
};

use crate::support::{Random, ciphers};

/// Uses a backend for the first block, for full batches and for the rest.
struct ByBackend<'a>(InOutBuf<'a, 'a, Block<Sm4>>);

impl BlockSizeUser for ByBackend<'_> {
    type BlockSize = U16;
}

impl BlockModeEncClosure for ByBackend<'_> {
    fn call<B: BlockModeEncBackend<BlockSize = U16>>(self, backend: &mut B) {
        let (first, rest) = self.0.split_at(1);
        for block in first {
            backend.encrypt_block(block);
        }
        let (batches, tail) = rest.into_chunks();
        for batch in batches {
            backend.encrypt_par_blocks(batch);
        }
        backend.encrypt_tail_blocks(tail);
    }
}

impl BlockModeDecClosure for ByBackend<'_> {
    fn call<B: BlockModeDecBackend<BlockSize = U16>>(self, backend: &mut B) {
        let (first, rest) = self.0.split_at(1);
        for block in first {
            backend.decrypt_block(block);
        }
        let (batches, tail) = rest.into_chunks();
        for batch in batches {
            backend.decrypt_par_blocks(batch);
        }
        backend.decrypt_tail_blocks(tail);
    }
}

fn encrypt<M: BlockModeEncrypt<BlockSize = U16>>(start: impl Fn() -> M, data: &[Block<Sm4>]) {
    let (mut expected, mut lent) = (data.to_vec(), data.to_vec());
    let (mut mode, mut lender) = (start(), start());
    mode.encrypt_blocks(&mut expected);
    lender.encrypt_with_backend(ByBackend(lent.as_mut_slice().into()));
    assert_eq!(lent, expected);
    assert_ne!(lent, data);
    // and both go on alike
    mode.encrypt_blocks(&mut expected);
    lender.encrypt_blocks(&mut lent);
    assert_eq!(lent, expected);
}

fn decrypt<M: BlockModeDecrypt<BlockSize = U16>>(start: impl Fn() -> M, data: &[Block<Sm4>]) {
    let (mut expected, mut lent) = (data.to_vec(), data.to_vec());
    let (mut mode, mut lender) = (start(), start());
    mode.decrypt_blocks(&mut expected);
    lender.decrypt_with_backend(ByBackend(lent.as_mut_slice().into()));
    assert_eq!(lent, expected);
    assert_ne!(lent, data);
    mode.decrypt_blocks(&mut expected);
    lender.decrypt_blocks(&mut lent);
    assert_eq!(lent, expected);
}

#[test]
fn lent_backends() {
    let mut random = Random(20);
    for cipher in &ciphers(&random.array::<16>()) {
        for blocks in [1, 2, 6, 70, 300] {
            let iv = random.array().into();
            let data: Vec<Block<Sm4>> = (0..blocks).map(|_| random.array().into()).collect();
            encrypt(|| Ecb::<ecb::Encrypt, _>::inner_init(cipher), &data);
            decrypt(|| Ecb::<ecb::Decrypt, _>::inner_init(cipher), &data);
            encrypt(|| Chained::<CbcEnc, _>::inner_iv_init(cipher, &iv), &data);
            decrypt(|| Chained::<CbcDec, _>::inner_iv_init(cipher, &iv), &data);
            encrypt(|| Chained::<CfbEnc, _>::inner_iv_init(cipher, &iv), &data);
            decrypt(|| Chained::<CfbDec, _>::inner_iv_init(cipher, &iv), &data);
            encrypt(|| Chained::<BcEnc, _>::inner_iv_init(cipher, &iv), &data);
            decrypt(|| Chained::<BcDec, _>::inner_iv_init(cipher, &iv), &data);
            encrypt(
                || Chained::<OfbnlfEnc, _>::inner_iv_init(cipher, &iv),
                &data,
            );
            decrypt(
                || Chained::<OfbnlfDec, _>::inner_iv_init(cipher, &iv),
                &data,
            );
        }
    }
}
