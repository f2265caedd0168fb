//! Linear maps of an inverse.

use super::{inversion::Products, plane::Plane};

/// Maps `a` and `c`.
#[rustfmt::skip]
#[inline(always)]
pub(super) fn a_and_c<P: Plane>(products: Products<P>) -> ([P; 8], [P; 8]) {
    let [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17] = products;
    let u0 = z17.xor(z15);
    let u1 = z9.xor(z5);
    let u2 = z4.xor(z1);
    let u3 = u0.xor(z10);
    let u4 = z14.xor(z13);
    let u5 = u2.xor(z2);
    let u6 = u5.xor(z5);
    let u7 = u3.xor(u1);
    let u8 = u7.xor(u5);
    let u9 = z16.xor(z15);
    let u10 = u9.xor(u4);
    let u11 = z8.xor(z3);
    let u12 = z6.xor(z4);
    let u13 = u12.xor(u11);
    let u14 = z13.xor(z12);
    let u15 = u14.xor(u0);
    let u16 = z11.xor(z10);
    let u17 = u16.xor(u4);
    let u18 = u17.xor(u15);
    let u19 = u2.xor(z0);
    let u20 = u10.xor(u8);
    let u21 = u20.xor(u17);
    let u22 = u7.xor(z7);
    let u23 = u22.xor(u11);
    let u24 = u19.xor(z3);
    let u25 = u24.xor(u23);
    let u26 = u20.xor(u13);
    let u27 = u26.xor(u6);
    let u28 = u26.xor(u23);
    let u29 = u24.xor(u15);
    let u30 = u29.xor(u13);
    let u31 = u29.xor(u8);
    (
        [u27, u17, u8, u25, u18, u21, u30, u6],
        [u15, u23, u13, u10, u6, u31, u28, u21],
    )
}

/// The inverse itself.
#[rustfmt::skip]
#[inline(always)]
pub(super) fn identity<P: Plane>(products: Products<P>) -> [P; 8] {
    let [z0, z1, z2, z3, z4, z5, z6, z7, z8, z9, z10, z11, z12, z13, z14, z15, z16, z17] = products;
    let v0 = z17.xor(z5);
    let v1 = v0.xor(z15);
    let v2 = z12.xor(z4);
    let v3 = z9.xor(z8);
    let v4 = v1.xor(z13);
    let v5 = z14.xor(z3);
    let v6 = z11.xor(z7);
    let v7 = z10.xor(z6);
    let v8 = v5.xor(v3);
    let v9 = v6.xor(v4);
    let v10 = v9.xor(v8);
    let v11 = v2.xor(z1);
    let v12 = v8.xor(v7);
    let v13 = v12.xor(v2);
    let v14 = v11.xor(z2);
    let v15 = v14.xor(v4);
    let v16 = v13.xor(v1);
    let v17 = v0.xor(z16);
    let v18 = v17.xor(v16);
    let v19 = v11.xor(z0);
    let v20 = v19.xor(v17);
    let v21 = v16.xor(v14);
    let v22 = v21.xor(z14);
    let v23 = v5.xor(z5);
    let v24 = v23.xor(v20);
    let v25 = v20.xor(v3);
    let v26 = v6.xor(z12);
    let v27 = v26.xor(v25);
    let v28 = v22.xor(v8);
    let v29 = v28.xor(z8);
    let v30 = v29.xor(z11);
    let v31 = v30.xor(v19);
    let v32 = v9.xor(z14);
    let v33 = z9.xor(z4);
    let v34 = v33.xor(z6);
    let v35 = v34.xor(v32);
    [v18, v10, v22, v27, v15, v24, v31, v35]
}
