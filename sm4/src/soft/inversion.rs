//! The inversion as a circuit.
//!
//! A byte `x` is a pair `A`, `B` of elements of GF(16). Its norm `N = x¹⁷` is a quadratic form of
//! them with values in GF(16), and `x⁻¹ = x¹⁶·D` with `D = 1/N`. As `x¹⁶` is linear in `A` and `B`,
//! the inverse is a linear image of the products `A·D` and `B·D`.
//!
//! A product in GF(16) is made of nine products of bits (Karatsuba's trick, twice). Their factors
//! are nine linear forms of either element, a square of which all rows and columns sum to zero:
//!
//! ```text
//! a0 a1 a2          b0 b1 b2          d0 d1 d2
//! a3 a4 a5          b3 b4 b5          d3 d4 d5
//! a6 a7 a8          b6 b7 b8          d6 d7 d8
//! ```
//!
//! Four forms make up an element, and the planes of a byte *are* four `a` and four `b`: the domain
//! is chosen so. Of all towers of fields over GF(2), and all ways to write their elements, this one
//! has the fewest gates in the inversion and in the [maps](super::maps) `a` and `c` together.
//!
//! | step | gates |
//! | --- | --- |
//! | the other forms of `A` and `B` | 10 |
//! | `N` | 23 |
//! | `D`, with all its forms | 18 |
//! | the products of bits | 18 |
//! | in all | 69 |

use super::plane::Bits;

/// Eighteen products of bits: `a0·d0`, …, `a8·d8`, `b0·d0`, …, `b8·d8`.
pub(super) type Products<P> = [P; 18];

/// The products that make up the inverse.
#[rustfmt::skip]
#[inline(always)]
pub(super) fn invert<P: Bits>([a1, a2, a3, a4, b1, b2, b3, b8]: [P; 8]) -> Products<P> {
    let a0 = a1.xor(a2);
    let a6 = a0.xor(a3);
    let a5 = a3.xor(a4);
    let a7 = a1.xor(a4);
    let a8 = a6.xor(a7);
    let b0 = b1.xor(b2);
    let b6 = b0.xor(b3);
    let b7 = b8.xor(b6);
    let b5 = b8.xor(b2);
    let b4 = b5.xor(b3);

    // The forms' own parts in the norm are in the difference between an `or` and a product.
    let p0 = a0.or(b0);
    let p1 = a1.or(b1);
    let p2 = a2.or(b2);
    let p3 = a3.or(b3);
    let p4 = a4.or(b4);
    let p5 = a5.or(b5);
    let p6 = a6.or(b6);
    let p7 = a7.or(b7);
    let p8 = a8.or(b8);
    let s0 = p2.xor(p5);
    let s1 = p7.xor(p5);
    let n0 = p1.xor(p4).xor(a4).xor(s0);
    let n1 = p8.xor(p3).xor(a0).xor(s1);
    let n2 = p0.xor(p3).xor(a5).xor(s0);
    let n3 = p6.xor(p4).xor(a2).xor(s1);

    let t0 = n1.and(n0);
    let t1 = n2.and_not(n3);
    let t2 = t1.xor(t0);
    let t3 = n2.and_not(t2);
    let d3 = t3.xor(n0);
    let t4 = n2.and(n1);
    let t5 = n3.and(n0);
    let t6 = t3.and(n0);
    let d4 = t6.or(t2);
    let d5 = d4.xor(d3);
    let t7 = n1.and_not(t2);
    let d7 = t7.or(t5);
    let d1 = d7.xor(d4);
    let t8 = t0.or(n3);
    let d6 = t8.xor(t4);
    let d0 = d6.xor(d3);
    let d8 = d6.xor(d7);
    let d2 = d0.xor(d1);

    [
        a0.and(d0), a1.and(d1), a2.and(d2),
        a3.and(d3), a4.and(d4), a5.and(d5),
        a6.and(d6), a7.and(d7), a8.and(d8),
        b0.and(d0), b1.and(d1), b2.and(d2),
        b3.and(d3), b4.and(d4), b5.and(d5),
        b6.and(d6), b7.and(d7), b8.and(d8),
    ]
}
