//! Inversion by AES instructions: `SubBytes` contains an inversion in the field of AES.
//!
//! What the instructions make of a register is `ShiftRows(SubBytes(x))`. A byte shuffle undoes
//! `ShiftRows`; the affine step of `SubBytes` is taken back by the maps, which look up each half of
//! a byte in a table of 16 bytes that sits in a register.

use core::marker::PhantomData;

use super::{
    Lanes,
    bytes::Inversion,
    halves::{self, Halves},
};
use crate::{
    domain::{AES_FIELD, Domain},
    matrix::Matrix,
};

/// The linear part of `SubBytes` (FIPS 197, 5.1.1): output bit `i` is the sum of bits `i`, `i + 4`,
/// `i + 5`, `i + 6` and `i + 7`.
const SUB_BYTES: Matrix = Matrix([0xf1, 0xe3, 0xc7, 0x8f, 0x1f, 0x3e, 0x7c, 0xf8]);

/// The constant that `SubBytes` adds.
pub(crate) const SUB_BYTES_CONSTANT: u8 = 0x63;

/// Brings every byte back to where it was before `ShiftRows`.
const UNDO_SHIFT_ROWS: [u8; 16] = [0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3];

/// AES instructions for a register, be it in parts.
pub(crate) trait AesInstructions<R>: Copy {
    /// What [`sub_bytes_shift_rows`](Self::sub_bytes_shift_rows) has added to every byte: nothing
    /// where the instruction can take [`SUB_BYTES_CONSTANT`] back for free.
    const CONSTANT: u8;

    /// `ShiftRows(SubBytes(register))` in every lane, but with [`Self::CONSTANT`].
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn sub_bytes_shift_rows(register: R) -> R;
}

/// Inversion by AES instructions.
///
/// With `REPEATED`, all words of a lane are equal; then `ShiftRows` changes nothing, and there is
/// nothing to undo on the way from one round of a single block to the next.
#[derive(Clone, Copy)]
pub(crate) struct Aes<A, const REPEATED: bool = false>(PhantomData<A>);

impl<R: Lanes, A: AesInstructions<R>, const REPEATED: bool> Inversion<R> for Aes<A, REPEATED> {
    const DOMAIN: Domain = AES_FIELD;

    /// Not quite the inverses: their images under the affine step of `SubBytes`.
    type Inverse = Halves<R>;

    #[inline(always)]
    unsafe fn invert(bytes: R) -> Halves<R> {
        // SAFETY: the same condition
        let bytes = unsafe { A::sub_bytes_shift_rows(bytes) };
        Halves::of(if REPEATED {
            bytes
        } else {
            bytes.shuffle(const { &UNDO_SHIFT_ROWS })
        })
    }

    #[inline(always)]
    unsafe fn map<const MAP: usize>(inverse: Halves<R>) -> R {
        let (low, high) = const {
            let map = AES_FIELD.maps[MAP].after(SUB_BYTES.inverse());
            &halves::affine_tables(map, map.apply(A::CONSTANT))
        };
        inverse.look_up(low, high)
    }

    #[inline(always)]
    unsafe fn linear<const MAP: usize>(bytes: R) -> R {
        let (low, high) = const { &halves::tables(AES_FIELD.maps[MAP]) };
        Halves::of(bytes).look_up(low, high)
    }
}
