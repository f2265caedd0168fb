//! Linear maps of an inverse, from the [products](super::inversion) of bits that it consists of.

use super::{inversion::Products, plane::Bits};

/// Maps `a` and `c` of the [domain](crate::domain): 32 gates for both.
#[rustfmt::skip]
#[inline(always)]
pub(super) fn a_and_c<P: Bits>(
    [a0, a1, a2, a3, a4, a5, a6, a7, a8,
     b0, b1, b2, b3, b4, b5, b6, b7, b8]: Products<P>,
) -> ([P; 8], [P; 8]) {
    let t0 = b8.xor(b6);
    let t1 = b0.xor(a5);
    let t2 = a4.xor(a1);
    let t3 = t0.xor(b1);
    let t4 = b5.xor(b4);
    let t5 = t2.xor(a2);
    let t6 = t5.xor(a5);
    let t7 = t3.xor(t1);
    let t8 = t7.xor(t5);
    let t9 = b7.xor(b6);
    let t10 = t9.xor(t4);
    let t11 = a8.xor(a3);
    let t12 = a6.xor(a4);
    let t13 = t12.xor(t11);
    let t14 = b4.xor(b3);
    let t15 = t14.xor(t0);
    let t16 = b2.xor(b1);
    let t17 = t16.xor(t4);
    let t18 = t17.xor(t15);
    let t19 = t2.xor(a0);
    let t20 = t10.xor(t8);
    let t21 = t20.xor(t17);
    let t22 = t7.xor(a7);
    let t23 = t22.xor(t11);
    let t24 = t19.xor(a3);
    let t25 = t24.xor(t23);
    let t26 = t20.xor(t13);
    let t27 = t26.xor(t6);
    let t28 = t26.xor(t23);
    let t29 = t24.xor(t15);
    let t30 = t29.xor(t13);
    let t31 = t29.xor(t8);
    (
        [t27, t17, t8, t25, t18, t21, t30, t6],
        [t15, t23, t13, t10, t6, t31, t28, t21],
    )
}

/// The inverse itself: 36 gates.
#[rustfmt::skip]
#[inline(always)]
pub(super) fn identity<P: Bits>(
    [a0, a1, a2, a3, a4, a5, a6, a7, a8,
     b0, b1, b2, b3, b4, b5, b6, b7, b8]: Products<P>,
) -> [P; 8] {
    let t0 = b8.xor(a5);
    let t1 = t0.xor(b6);
    let t2 = b3.xor(a4);
    let t3 = b0.xor(a8);
    let t4 = t1.xor(b4);
    let t5 = b5.xor(a3);
    let t6 = b2.xor(a7);
    let t7 = b1.xor(a6);
    let t8 = t5.xor(t3);
    let t9 = t6.xor(t4);
    let t10 = t9.xor(t8);
    let t11 = t2.xor(a1);
    let t12 = t8.xor(t7);
    let t13 = t12.xor(t2);
    let t14 = t11.xor(a2);
    let t15 = t14.xor(t4);
    let t16 = t13.xor(t1);
    let t17 = t0.xor(b7);
    let t18 = t17.xor(t16);
    let t19 = t11.xor(a0);
    let t20 = t19.xor(t17);
    let t21 = t16.xor(t14);
    let t22 = t21.xor(b5);
    let t23 = t5.xor(a5);
    let t24 = t23.xor(t20);
    let t25 = t20.xor(t3);
    let t26 = t6.xor(b3);
    let t27 = t26.xor(t25);
    let t28 = t22.xor(t8);
    let t29 = t28.xor(a8);
    let t30 = t29.xor(b2);
    let t31 = t30.xor(t19);
    let t32 = t9.xor(b5);
    let t33 = b0.xor(a4);
    let t34 = t33.xor(a6);
    let t35 = t34.xor(t32);
    [t18, t10, t22, t27, t15, t24, t31, t35]
}

#[cfg(test)]
mod tests {
    use crate::domain::map::{A, C, ENTER, LEAVE};

    use super::{
        super::{Wide, inversion::invert, plane::Plane, planes::TOWER},
        a_and_c, identity,
    };

    /// Planes with these bytes in their lanes.
    fn planes<P: Plane>(byte: impl Fn(usize) -> u8) -> [P; 8] {
        core::array::from_fn(|i| {
            let mut bits = [0; 16];
            for lane in 0..P::LANES {
                bits[lane / 8] |= ((byte(lane) >> i) & 1) << (lane % 8);
            }
            // SAFETY: a plane has at most 16 bytes
            unsafe { P::load(bits.as_ptr()) }
        })
    }

    /// The byte in a lane.
    fn byte<P: Plane>(planes: [P; 8], lane: usize) -> u8 {
        let mut byte = 0;
        for (i, plane) in planes.into_iter().enumerate() {
            let mut bits = [0; 16];
            // SAFETY: a plane has at most 16 bytes
            unsafe { plane.store(bits.as_mut_ptr()) };
            byte |= ((bits[lane / 8] >> (lane % 8)) & 1) << i;
        }
        byte
    }

    /// The inverse of a byte of the domain, computed in the field of the S-box.
    fn inverse(x: u8) -> u8 {
        // The polynomial of the S-box's field.
        const MODULUS: u16 = 0x1f5;
        let multiply = |x: u8, y: u8| {
            let mut product = 0_u16;
            for i in (0..8).rev() {
                product = (product << 1) ^ (u16::from(x) * u16::from((y >> i) & 1));
                product ^= MODULUS * (product >> 8);
            }
            product.to_le_bytes()[0]
        };
        // The domain is entered by φ·A, with the A of the S-box, whose column i is A of bit i.
        let y = crate::domain::A.apply(TOWER.maps[LEAVE].apply(x));
        let mut power = 1;
        for _ in 0..254 {
            power = multiply(power, y);
        }
        TOWER.maps[ENTER].apply(crate::domain::A.inverse().apply(power))
    }

    fn check<P: Plane>() {
        for first in 0..=255_u8 {
            let input = |lane: usize| first.wrapping_add((85 * lane).to_le_bytes()[0]);
            let products = invert(planes::<P>(input));
            let (a, c) = a_and_c(products);
            let i = identity(products);
            for lane in 0..P::LANES {
                let expected = inverse(input(lane));
                assert_eq!(byte(i, lane), expected);
                assert_eq!(byte(a, lane), TOWER.maps[A].apply(expected));
                assert_eq!(byte(c, lane), TOWER.maps[C].apply(expected));
            }
        }
    }

    #[test]
    fn all_bytes_in_all_lanes() {
        check::<u32>();
        check::<u64>();
        check::<Wide>();
    }
}
