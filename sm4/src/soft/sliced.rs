//! The kernel for many blocks.

use core::{marker::PhantomData, mem::MaybeUninit};

use crate::{
    domain::map::{ENTER, LEAVE},
    kernel::Kernel,
    round::Direction,
    schedule::RoundKeys,
    span::Span,
    vector::Vector,
};

use super::{
    inversion::invert,
    maps::a_and_c,
    plane::Plane,
    planes::Planes,
    transpose::{Bytes, load_bytes, store_bytes_reversed},
};

/// [`Plane::LANES`] blocks, with a plane for each of their 128 bits.
///
/// It is the same round as that of the shape [`Sliced`](crate::shape::Sliced). But 128 planes are
/// in no CPU's registers, and a compiler that is left to spread them over the stack makes twice
/// as many moves as operations of it. Here the state is an array in memory, of which a round
/// loads each plane as an operand and changes a quarter.
pub(super) struct Sliced<P>(PhantomData<P>);

impl<P: Plane> Kernel for Sliced<P> {
    const BLOCKS: usize = P::LANES;

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        let mut x = MaybeUninit::uninit();
        // SAFETY: the same conditions
        let x = unsafe { load_bytes::<P>(span.input(0, 16 * P::LANES), &mut x) };
        linear::<P, ENTER>(x);
        let mut round = 0;
        while round < 32 {
            let key = P::splat_bytes(&keys.bytes[direction.key_index(round)]);
            let (a0, c0) = a_and_c(invert(input_of::<P, 0>(x, round, key[0])));
            let (a1, c1) = a_and_c(invert(input_of::<P, 1>(x, round, key[1])));
            let (a2, c2) = a_and_c(invert(input_of::<P, 2>(x, round, key[2])));
            let (a3, c3) = a_and_c(invert(input_of::<P, 3>(x, round, key[3])));
            let j = 4 * (round % 4);
            let mut i = 0;
            while i < 8 {
                // As in the shape, d_j = c·i_j + a·i_{j+3}, and x0_j gains the other three.
                let (d0, d1) = (c0[i].xor(a3[i]), c1[i].xor(a0[i]));
                let (d2, d3) = (c2[i].xor(a1[i]), c3[i].xor(a2[i]));
                let (d01, d23) = (d0.xor(d1), d2.xor(d3));
                x[j][i] = x[j][i].xor(d1.xor(d23));
                x[j + 1][i] = x[j + 1][i].xor(d0.xor(d23));
                x[j + 2][i] = x[j + 2][i].xor(d3.xor(d01));
                x[j + 3][i] = x[j + 3][i].xor(d2.xor(d01));
                i += 1;
            }
            round += 1;
        }
        linear::<P, LEAVE>(x);
        // SAFETY: the same conditions
        unsafe { store_bytes_reversed(x, span.output(0, 16 * P::LANES)) };
    }
}

/// Byte `J` of a round's input: of the sum of three words and the round key.
#[inline(always)]
fn input_of<P: Plane, const J: usize>(x: &Bytes<P>, round: usize, key: [P; 8]) -> [P; 8] {
    let x1 = &x[4 * ((round + 1) % 4) + J];
    let x2 = &x[4 * ((round + 2) % 4) + J];
    let x3 = &x[4 * ((round + 3) % 4) + J];
    let mut t = key;
    let mut i = 0;
    while i < 8 {
        t[i] = x1[i].xor(x2[i]).xor(x3[i].xor(key[i]));
        i += 1;
    }
    t
}

/// The image of all bytes under a map.
#[inline(always)]
fn linear<P: Plane, const MAP: usize>(bytes: &mut Bytes<P>) {
    let mut n = 0;
    while n < 16 {
        bytes[n] = Planes(bytes[n]).linear::<MAP>().0;
        n += 1;
    }
}
