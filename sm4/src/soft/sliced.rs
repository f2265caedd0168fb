//! The kernel for many blocks: a plane for each of their 128 bits.

use core::{
    hint::black_box,
    marker::PhantomData,
    mem::MaybeUninit,
    sync::atomic::{Ordering, compiler_fence},
};

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
/// Planes that are better [stored](Plane::STORED) go back to memory after every S-box; then the sum of
/// a round's words is kept there, too.
///
/// 64-bit integers as planes: 7.7 cycles per byte on the same CPU.
pub(crate) struct Sliced<P>(PhantomData<P>);

impl<P: Plane> Kernel for Sliced<P> {
    const BLOCKS: usize = P::LANES;
    const LEAST: usize = 8;
    const DOMAIN: Option<Domain> = Some(TOWER);

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        let mut state = State {
            x: MaybeUninit::uninit(),
            sums: MaybeUninit::uninit(),
            images: [[[MaybeUninit::uninit(); 2]; 4]; 8],
        };
        let mut state = &mut state;
        if P::STORED {
            state = black_box(state);
        }
        let State { x, sums, images } = state;
        // SAFETY: the same conditions
        let x = unsafe { load_bytes::<P>(span, x) };
        linear::<P, ENTER>(x);
        let mut sums = if P::STORED {
            Some(sums.write([
                sum_of(&x[4], &x[8], &x[12]),
                sum_of(&x[5], &x[9], &x[13]),
                sum_of(&x[6], &x[10], &x[14]),
                sum_of(&x[7], &x[11], &x[15]),
            ]))
        } else {
            None
        };
        let mut round = 0;
        while round < 32 {
            let key = P::splat_bytes(&keys.bytes[direction.key_index(round)]);
            substitute::<P, 0>(x, sums.as_deref(), round, key[0], images);
            substitute::<P, 1>(x, sums.as_deref(), round, key[1], images);
            substitute::<P, 2>(x, sums.as_deref(), round, key[2], images);
            substitute::<P, 3>(x, sums.as_deref(), round, key[3], images);
            // SAFETY: the four calls above have written all images
            unsafe {
                add::<P, 0>(x, sums.as_deref_mut(), round, images);
                add::<P, 1>(x, sums.as_deref_mut(), round, images);
                add::<P, 2>(x, sums.as_deref_mut(), round, images);
                add::<P, 3>(x, sums.as_deref_mut(), round, images);
                add::<P, 4>(x, sums.as_deref_mut(), round, images);
                add::<P, 5>(x, sums.as_deref_mut(), round, images);
                add::<P, 6>(x, sums.as_deref_mut(), round, images);
                add::<P, 7>(x, sums.as_deref_mut(), round, images);
            }
            round += 1;
        }
        linear::<P, LEAVE>(x);
        // SAFETY: the same conditions
        unsafe { store_bytes_reversed(x, span) };
    }
}

/// What a round works on.
struct State<P> {
    x: MaybeUninit<Bytes<P>>,
    /// If [`Plane::STORED`], the sum of the three words that go into the round.
    sums: MaybeUninit<Sums<P>>,
    /// Of every plane of the four bytes the images `a` and `c`.
    images: Images<P>,
}

type Sums<P> = [[P; 8]; 4];
type Images<P> = [[[MaybeUninit<P>; 2]; 4]; 8];

/// The images of byte `J` of a round's input, which is the sum of three words and the round key.
#[inline(always)]
fn substitute<P: Plane, const J: usize>(
    x: &Bytes<P>,
    sums: Option<&Sums<P>>,
    round: usize,
    key: [P; 8],
    images: &mut Images<P>,
) {
    let word = |n| &x[4 * ((round + n) % 4) + J];
    let sum = match sums {
        Some(sums) => sums[J],
        None => sum_of(word(1), word(2), word(3)),
    };
    let (a, c) = a_and_c(invert(Planes(sum).xor(Planes(key)).0));
    let mut i = 0;
    while i < 8 {
        images[i][J] = [MaybeUninit::new(a[i]), MaybeUninit::new(c[i])];
        i += 1;
    }
    if P::STORED {
        compiler_fence(Ordering::SeqCst);
    }
}

#[inline(always)]
fn sum_of<P: Plane>(x: &[P; 8], y: &[P; 8], z: &[P; 8]) -> [P; 8] {
    Planes(*x).xor(Planes(*y)).xor(Planes(*z)).0
}

/// Plane `I` of the new word: with d_j = c·i_j + a·i_{j+3} as in the shape, x0_j gains the other three.
///
/// # Safety
///
/// The images of that plane are there.
#[inline(always)]
unsafe fn add<P: Plane, const I: usize>(
    x: &mut Bytes<P>,
    mut sums: Option<&mut Sums<P>>,
    round: usize,
    images: &Images<P>,
) {
    let image = |j: usize, map: usize| {
        // SAFETY: it is there
        unsafe { images[I][j][map].assume_init() }
    };
    let (a0, a1, a2, a3) = (image(0, 0), image(1, 0), image(2, 0), image(3, 0));
    let (c0, c1, c2, c3) = (image(0, 1), image(1, 1), image(2, 1), image(3, 1));
    let (d0, d1) = (c0.xor(a3), c1.xor(a0));
    let (d2, d3) = (c2.xor(a1), c3.xor(a2));
    let (d01, d23) = (d0.xor(d1), d2.xor(d3));
    let gains = [d1.xor(d23), d0.xor(d23), d3.xor(d01), d2.xor(d01)];
    let (x0, x1) = (4 * (round % 4), 4 * ((round + 1) % 4));
    let mut j = 0;
    while j < 4 {
        let new = x[x0 + j][I].xor(gains[j]);
        x[x0 + j][I] = new;
        if let Some(sums) = &mut sums {
            sums[j][I] = sums[j][I].xor(x[x1 + j][I]).xor(new);
        }
        j += 1;
    }
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
