//! The portable backend: bit-sliced, without a table and without a branch on anything secret.
//!
//! Bit `i` of many bytes is a register of its own, a *plane*, and the S-box is a circuit whose gates
//! are CPU instructions. All of it is generic over the type of a plane, of which a target may have
//! two: integers of its machine word, and vector registers that all of its CPUs have.

mod integer;
mod inversion;
mod maps;
mod plane;
mod planes;
mod sliced;
mod transpose;

#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod sse2;

use cipher::{consts::U4, typenum::Quot};

use crate::{
    kernel::define_instruction_set,
    round::{Chain, Rounds},
    shape::{Packed, Single},
};
use integer::{Word, WordBlocks};
use planes::Planes;
use sliced::Sliced;

#[cfg(not(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
)))]
use integer::{Word as Wide, WordBlocks as WideBlocks};
#[cfg(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
use sse2::{Wide, WideBlocks};

define_instruction_set! {
    /// Planes of bits.
    ///
    /// Without wide planes the second batch is the first once more, and never used.
    Soft,
    target_features: #[cfg(all())],
    par_blocks: Quot<WordBlocks, U4>, bulk_blocks: WideBlocks,
    schedule: Planes<u32>, block: Chain<Single<Planes<u32>>>,
    batches: [
        soft_word: Rounds<Packed<Planes<Word>>>,
        soft_wide: Rounds<Packed<Planes<Wide>>>,
        soft_sliced: Sliced<Wide>,
    ],
}

#[cfg(test)]
mod tests {
    use cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt};

    use crate::{Backend, Sm4};

    /// Every kernel against the one for single blocks, which known answers check.
    #[test]
    fn kernels_agree() {
        let sm4 = Sm4::with_backend(&[0x5a; 16].into(), Backend::Soft).unwrap();
        let mut blocks = [Block::<Sm4>::default(); 300];
        for n in 0..blocks.len() {
            for (byte, i) in blocks[n].iter_mut().zip(0..) {
                *byte = (n * 37 + i * 101 + n * i) as u8;
            }
        }
        let mut expected = blocks;
        for block in &mut expected {
            sm4.encrypt_block(block);
        }
        for n in 0..=blocks.len() {
            let mut several = blocks;
            sm4.bulk().encrypt_blocks(&mut several[..n]);
            assert_eq!(several[..n], expected[..n], "{n}");
            assert_eq!(several[n..], blocks[n..], "{n}");
            sm4.bulk().decrypt_blocks(&mut several[..n]);
            assert_eq!(several, blocks, "{n}");
        }
    }
}
