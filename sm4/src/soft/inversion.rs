//! The inversion as a circuit of 69 gates.

use super::plane::Plane;

/// The two factors of each of the 18 products that an inverse is a sum of.
pub(super) type Products<P> = [P; 18];

#[rustfmt::skip]
#[inline(always)]
pub(super) fn invert<P: Plane>([x0, x1, x2, x3, x4, x5, x6, x7]: [P; 8]) -> Products<P> {
    // linear forms of the two halves
    let a0 = x0.xor(x1);
    let a6 = a0.xor(x2);
    let a5 = x2.xor(x3);
    let a7 = x0.xor(x3);
    let a8 = a6.xor(a7);
    let b0 = x4.xor(x5);
    let b6 = b0.xor(x6);
    let b7 = x7.xor(b6);
    let b5 = x7.xor(x5);
    let b4 = b5.xor(x6);

    // the norm
    let p2 = x1.or(x5);
    let p3 = x2.or(x6);
    let p4 = x3.or(b4);
    let p5 = a5.or(b5);
    let p7 = a7.or(b7);
    let s0 = p2.xor(p5);
    let s1 = p7.xor(p5);
    let p1 = x0.or(x4);
    let m0 = p1.xor(p4);
    let m0_ = m0.xor(x3);
    let n0 = m0_.xor(s0);
    let p8 = a8.or(x7);
    let m1 = p8.xor(p3);
    let m1_ = m1.xor(a0);
    let n1 = m1_.xor(s1);
    let p0 = a0.or(b0);
    let m2 = p0.xor(p3);
    let m2_ = m2.xor(a5);
    let n2 = m2_.xor(s0);
    let p6 = a6.or(b6);
    let m3 = p6.xor(p4);
    let m3_ = m3.xor(x1);
    let n3 = m3_.xor(s1);

    // its inverse
    let i0 = n1.and(n0);
    let i1 = n2.and_not(n3);
    let i2 = i1.xor(i0);
    let i3 = n2.and_not(i2);
    let d3 = i3.xor(n0);
    let i5 = n2.and(n1);
    let i6 = n3.and(n0);
    let i7 = i3.and(n0);
    let d4 = i7.or(i2);
    let d5 = d4.xor(d3);
    let i10 = n1.and_not(i2);
    let d7 = i10.or(i6);
    let d1 = d7.xor(d4);
    let i13 = i0.or(n3);
    let d6 = i13.xor(i5);
    let d0 = d6.xor(d3);
    let d8 = d6.xor(d7);
    let d2 = d0.xor(d1);

    [
        a0.and(d0),
        x0.and(d1),
        x1.and(d2),
        x2.and(d3),
        x3.and(d4),
        a5.and(d5),
        a6.and(d6),
        a7.and(d7),
        a8.and(d8),
        b0.and(d0),
        x4.and(d1),
        x5.and(d2),
        x6.and(d3),
        b4.and(d4),
        b5.and(d5),
        b6.and(d6),
        b7.and(d7),
        x7.and(d8),
    ]
}
