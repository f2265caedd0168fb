//! The kernel for many blocks: a plane for each of their 128 bits.

use core::{marker::PhantomData, mem::MaybeUninit};

use crate::{
    domain::{
        Domain,
        map::{ENTER, LEAVE},
    },
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
    planes::{Planes, TOWER},
    transpose::{Bytes, load_bytes, store_bytes_reversed},
};

/// [`Plane::LANES`] blocks at once.
///
/// It is the round of the shape [`Sliced`](crate::shape::Sliced), of which the compiler makes twice
/// as many instructions: 128 planes are in no CPU's registers, and it spreads them over the stack
/// and moves them about. Here the state is an array, of which a round loads every plane once, as an
/// operand, and changes a quarter.
///
/// | gates in a round | for each byte of a word | |
/// | --- | --- | --- |
/// | sum of three words and the round key | 24 | 96 |
/// | [inversion](invert) | 69 | 276 |
/// | [maps `a` and `c`](a_and_c) | 32 | 128 |
/// | sums of the maps and the old word | 28 | 112 |
/// | in all | 153 | **612** |
///
/// With SSE2, another 47 instructions spread the round key. At four of these 659 in a cycle, which
/// is the limit of a Zen 5, the rounds take 2.6 cycles per byte and at three 3.4. Measured on a Zen 5:
/// 3.7, and with the transpositions 4.5. The rest of the way to the limit is latency, two cycles for
/// every gate there, against the 500 moves that two-operand instructions and sixteen registers ask
/// for in a round. What did not help: two S-boxes interleaved gate by gate (5.1, for more spills), two
/// groups of blocks (no difference), the four S-boxes in a loop (5.2), the shape (8.1).
///
/// 64-bit integers as planes: 7.7 cycles per byte on the same CPU.
pub(super) struct Sliced<P>(PhantomData<P>);

impl<P: Plane> Kernel for Sliced<P> {
    const BLOCKS: usize = P::LANES;
    const LEAST: usize = 8;
    const DOMAIN: Option<Domain> = Some(TOWER);

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        let mut x = MaybeUninit::uninit();
        // SAFETY: the same conditions
        let x = unsafe { load_bytes::<P>(span, &mut x) };
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
                // With d_j = c·i_j + a·i_{j+3} as in the shape, x0_j gains the other three.
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
        unsafe { store_bytes_reversed(x, span) };
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
