//! The portable backend: bit-sliced, without a table and without a branch on anything secret.
//!
//! Bit `i` of many bytes is a register of its own, a *plane*, and the S-box is a circuit whose gates
//! are CPU instructions. All of it is generic over the type of a plane, of which a target may have
//! two: integers of its machine word, and vector registers that all of its CPUs have.
//!
//! A plane that is not full costs as much as a full one. Measured on a Zen 5, x86-64, in cycles:
//!
//! | kernel | blocks | cycles | per byte |
//! | --- | --- | --- | --- |
//! | one block, 32-bit integers | 1 | 2100 | 131 |
//! | `soft_word`, 64-bit integers | 16 | 2700 | 10.4 |
//! | `soft_wide`, SSE2 | 32 | 3600 | 7.0 |
//! | `soft_twice`, the same twice | 64 | 7200 | 7.0 |
//! | `soft_sliced`, SSE2 | 128 | 9200 | 4.5 |
//! | key schedule | | 3300 | |
//!
//! `ParBlocks` is the narrowest of the batches: as one block by itself takes three quarters of its
//! time, modes that do the blocks after the last full batch one by one would lose more there than
//! they would win by a wider batch, up to messages of 5 KiB.

mod integer;
mod inversion;
mod maps;
mod plane;
mod planes;
mod sliced;
mod transpose;

#[cfg(target_feature = "simd128")]
mod simd128;
#[cfg(target_feature = "sse2")]
mod sse2;

use cipher::{consts::U4, typenum::Quot};

use crate::{
    groups::Groups,
    kernel::define_instruction_set,
    round::Rounds,
    shape::{Packed, Single},
    vector::Vector,
};
use integer::{Word, WordBlocks};
use planes::Planes;
pub(crate) use sliced::Sliced;

#[cfg(not(any(target_feature = "sse2", target_feature = "simd128")))]
use integer::{Word as Wide, WordBlocks as WideBlocks};
#[cfg(target_feature = "simd128")]
use simd128::{Wide, WideBlocks};
#[cfg(target_feature = "sse2")]
use sse2::{Wide, WideBlocks};

define_instruction_set! {
    /// Planes of bits.
    ///
    /// Without wide planes the second batch is the first once more, and never used.
    Soft,
    target_features: #[cfg(all())],
    par_blocks: Quot<WordBlocks, U4>, bulk_blocks: WideBlocks,
    schedule: Planes<u32>, block: Rounds<Single<Planes<u32>>>,
    batches: [
        soft_word: Rounds<Packed<Planes<Word>>>,
        soft_wide: Rounds<Packed<Planes<Wide>>>,
        soft_twice: Groups<Rounds<Packed<Planes<Wide>>>, { 2 * <Planes<Wide> as Vector>::WORDS }>,
        soft_sliced: Sliced<Wide>,
    ],
}

#[cfg(test)]
mod tests {
    use crate::{
        kernel::Kernel,
        round::{Direction, Rounds},
        schedule::{RoundKeys, Schedule},
        shape,
        span::Span,
    };

    use super::{Groups, Packed, Planes, Single, Sliced, Wide};

    fn expand<S: Schedule>(key: &[u8; 16]) -> RoundKeys {
        let mut keys = RoundKeys::EMPTY;
        // SAFETY: no instructions are needed
        unsafe { S::expand(key, &mut keys) };
        keys
    }

    /// A kernel against the one for a single block, which known answers check.
    #[track_caller]
    fn check<K: Kernel>() {
        let key = core::array::from_fn(|i| (i * 29 % 251).to_le_bytes()[0]);
        let mut blocks = [[0_u8; 16]; 128];
        for (byte, i) in blocks.as_flattened_mut().iter_mut().zip(0_usize..) {
            *byte = (i * i / 7 % 251).to_le_bytes()[0];
        }
        let keys = expand::<Planes<u32>>(&key);
        let run =
            |crypt: unsafe fn(&RoundKeys, Direction, Span), direction, blocks: &mut [[u8; 16]]| {
                let start = blocks.as_mut_ptr().cast::<u8>();
                // SAFETY: the blocks are there, and as many as the kernel takes
                unsafe { crypt(&keys, direction, Span::new(start, start, blocks.len())) };
            };
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut expected = blocks;
            for block in &mut expected {
                run(
                    Rounds::<Single<Planes<u32>>>::crypt,
                    direction,
                    core::slice::from_mut(block),
                );
            }
            for count in K::LEAST..=K::BLOCKS {
                let mut output = blocks;
                run(K::crypt, direction, &mut output[..count]);
                assert_eq!(output[..count], expected[..count], "{direction:?}, {count}");
                assert_eq!(output[count..], blocks[count..], "{direction:?}, {count}");
            }
        }
    }

    #[test]
    fn kernels_agree() {
        check::<Rounds<Single<Planes<u64>>>>();
        check::<Rounds<Single<Planes<Wide>>>>();
        check::<Rounds<Packed<Planes<u32>>>>();
        check::<Rounds<Packed<Planes<u64>>>>();
        check::<Rounds<Packed<Planes<Wide>>>>();
        check::<Groups<Rounds<Packed<Planes<u64>>>, 48>>();
        check::<Sliced<u32>>();
        check::<Sliced<u64>>();
        check::<Sliced<Wide>>();
    }

    #[test]
    fn kernel_and_shape_agree() {
        check::<Rounds<shape::Sliced<Planes<u32>>>>();
        check::<Rounds<shape::Sliced<Planes<u64>>>>();
        check::<Rounds<shape::Sliced<Planes<Wide>>>>();
    }

    #[test]
    fn schedules_agree() {
        let key = core::array::from_fn(|i| (i * 29 + 3).to_le_bytes()[0]);
        let narrow = expand::<Planes<u32>>(&key);
        let (word, wide) = (expand::<Planes<u64>>(&key), expand::<Planes<Wide>>(&key));
        assert_eq!((narrow.words, narrow.bytes), (word.words, word.bytes));
        assert_eq!((narrow.words, narrow.bytes), (wide.words, wide.bytes));
    }
}
