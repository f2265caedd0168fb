//! From blocks in memory to planes and back.
//!
//! The order of the blocks in the lanes is free. So eight neighbouring blocks are loaded into
//! eight planes, and a transposition of bits, done in all bytes at once, brings bit `i` of them
//! into plane `i`, the eight blocks side by side in every byte. The rest moves whole bytes.
//!
//! If there are fewer blocks than lanes, [`Span`] fills up with the last eight.

use core::mem::MaybeUninit;

use crate::span::Span;

use super::{plane::Plane, planes::Planes};

/// The planes of a block's 16 bytes.
pub(super) type Bytes<P> = [[P; 8]; 16];

/// Bit `k` of every byte of plane `i` becomes bit `i` of the same byte of plane `k`.
#[inline(always)]
fn transpose_bits<P: Plane>(mut planes: [P; 8]) -> [P; 8] {
    let [p0, p1, p2, p3, p4, p5, p6, p7] = &mut planes;
    P::swap_bits::<1, 0x55>(p0, p1);
    P::swap_bits::<1, 0x55>(p2, p3);
    P::swap_bits::<1, 0x55>(p4, p5);
    P::swap_bits::<1, 0x55>(p6, p7);
    P::swap_bits::<2, 0x33>(p0, p2);
    P::swap_bits::<2, 0x33>(p1, p3);
    P::swap_bits::<2, 0x33>(p4, p6);
    P::swap_bits::<2, 0x33>(p5, p7);
    P::swap_bits::<4, 0x0f>(p0, p4);
    P::swap_bits::<4, 0x0f>(p1, p5);
    P::swap_bits::<4, 0x0f>(p2, p6);
    P::swap_bits::<4, 0x0f>(p3, p7);
    planes
}

/// See [`Vector::load_words`](crate::vector::Vector::load_words).
///
/// # Safety
/// There are at least 8 blocks.
#[inline(always)]
pub(super) unsafe fn load_words<P: Plane>(span: Span) -> [Planes<P>; 4] {
    // SAFETY: there are 8 blocks
    let rows = unsafe {
        [
            P::load_words(span, 0),
            P::load_words(span, 1),
            P::load_words(span, 2),
            P::load_words(span, 3),
            P::load_words(span, 4),
            P::load_words(span, 5),
            P::load_words(span, 6),
            P::load_words(span, 7),
        ]
    };
    [
        word::<P, 0>(rows),
        word::<P, 1>(rows),
        word::<P, 2>(rows),
        word::<P, 3>(rows),
    ]
}

/// Word `I` out of what [`Plane::load_words`] gives.
#[inline(always)]
fn word<P: Plane, const I: usize>([r0, r1, r2, r3, r4, r5, r6, r7]: [[P; 4]; 8]) -> Planes<P> {
    Planes(transpose_bits([
        r0[I].gather_quarters(),
        r1[I].gather_quarters(),
        r2[I].gather_quarters(),
        r3[I].gather_quarters(),
        r4[I].gather_quarters(),
        r5[I].gather_quarters(),
        r6[I].gather_quarters(),
        r7[I].gather_quarters(),
    ]))
}

/// Undoes [`load_words`].
///
/// # Safety
/// There are at least 8 blocks.
#[inline(always)]
pub(super) unsafe fn store_words<P: Plane>([w0, w1, w2, w3]: [Planes<P>; 4], span: Span) {
    let (w0, w1) = (transpose_bits(w0.0), transpose_bits(w1.0));
    let (w2, w3) = (transpose_bits(w2.0), transpose_bits(w3.0));
    let mut k = 0;
    while k < 8 {
        let words = [
            w0[k].scatter_quarters(),
            w1[k].scatter_quarters(),
            w2[k].scatter_quarters(),
            w3[k].scatter_quarters(),
        ];
        // SAFETY: there are 8 blocks
        unsafe { P::store_words(words, span, k) };
        k += 1;
    }
}

/// See [`Vector::load_bytes`](crate::vector::Vector::load_bytes).
///
/// # Safety
/// There are at least 8 blocks.
#[inline(always)]
pub(super) unsafe fn load_bytes<P: Plane>(
    span: Span,
    bytes: &mut MaybeUninit<Bytes<P>>,
) -> &mut Bytes<P> {
    let planes = bytes.as_mut_ptr().cast::<[P; 8]>();
    let mut n = 0;
    while n < 16 {
        // Bytes `column ..` of the blocks `8 * group ..`
        let (column, group) = (n & !(P::BYTES - 1), n & (P::BYTES - 1));
        // SAFETY: eight blocks are readable, and `n` is below 16
        unsafe {
            let from = span.input(128 * group, 128).add(column);
            planes.add(n).write(transpose_bits([
                P::load(from),
                P::load(from.add(16)),
                P::load(from.add(32)),
                P::load(from.add(48)),
                P::load(from.add(64)),
                P::load(from.add(80)),
                P::load(from.add(96)),
                P::load(from.add(112)),
            ]));
        }
        n += 1;
    }
    // SAFETY: all 16 have been written
    let bytes = unsafe { bytes.assume_init_mut() };
    transpose_bytes(bytes, 0);
    bytes
}

/// Undoes [`load_bytes`], except that it stores the words in reverse order.
///
/// # Safety
/// There are at least 8 blocks.
#[inline(always)]
pub(super) unsafe fn store_bytes_reversed<P: Plane>(bytes: &mut Bytes<P>, span: Span) {
    // Byte `n` lies where `n ^ 12` should: a part of the 12 is a matter of rows within a square, the
    // other of squares.
    transpose_bytes(bytes, 12 & (P::BYTES - 1));
    let mut n = 0;
    while n < 16 {
        let (column, group) = (n & !(P::BYTES - 1), n & (P::BYTES - 1));
        let [b0, b1, b2, b3, b4, b5, b6, b7] = transpose_bits(bytes[n ^ (12 & !(P::BYTES - 1))]);
        // SAFETY: eight blocks are writable
        unsafe {
            let to = span.output(128 * group, 128).add(column);
            b0.store(to);
            b1.store(to.add(16));
            b2.store(to.add(32));
            b3.store(to.add(48));
            b4.store(to.add(64));
            b5.store(to.add(80));
            b6.store(to.add(96));
            b7.store(to.add(112));
        }
        n += 1;
    }
}

/// Transposes the squares of bytes that planes `i` make up, for every `i`.
#[inline(always)]
fn transpose_bytes<P: Plane>(bytes: &mut Bytes<P>, swap: usize) {
    let mut column = 0;
    while column < 16 {
        let mut i = 0;
        while i < 8 {
            P::transpose_bytes(&mut bytes[column..][..P::BYTES], i, swap);
            i += 1;
        }
        column += P::BYTES;
    }
}
