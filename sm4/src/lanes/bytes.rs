//! Registers as the [`Vector`]s of bytes that rounds are made of: everything but the S-box.

use core::marker::PhantomData;

use super::{
    Lanes, counting,
    transpose::{self, load, store},
};
use crate::{
    CounterBlocks,
    domain::Domain,
    span::Span,
    vector::{Serial, Vector},
};

/// A way to invert bytes and to map the inverses.
pub(crate) trait Inversion<R: Lanes>: Copy {
    /// The field it inverts in.
    const DOMAIN: Domain;

    /// Whether [`map`](Self::map) is one instruction.
    const CHEAP_MAPS: bool = false;

    /// The inverses in the form that [`map`](Self::map) wants.
    type Inverse: Copy;

    /// # Safety
    /// The CPU has the instructions.
    unsafe fn invert(bytes: R) -> Self::Inverse;

    /// The images of inverses.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn map<const MAP: usize>(inverse: Self::Inverse) -> R;

    /// The images of bytes.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn linear<const MAP: usize>(bytes: R) -> R;
}

/// A register of bytes, inverted by `I`. `ADDS_THREE`: see [`Vector::ADDS_THREE`].
#[derive(Clone, Copy)]
pub(crate) struct Bytes<R, I, const ADDS_THREE: bool = false>(R, PhantomData<I>);

impl<R: Lanes, I: Inversion<R>, const ADDS_THREE: bool> Bytes<R, I, ADDS_THREE> {
    #[inline(always)]
    fn new(register: R) -> Self {
        Self(register, PhantomData)
    }

    #[inline(always)]
    fn all([r0, r1, r2, r3]: [R; 4]) -> [Self; 4] {
        [Self::new(r0), Self::new(r1), Self::new(r2), Self::new(r3)]
    }

    #[inline(always)]
    fn registers([b0, b1, b2, b3]: [Self; 4]) -> [R; 4] {
        [b0.0, b1.0, b2.0, b3.0]
    }
}

impl<R: Lanes, I: Inversion<R>, const ADDS_THREE: bool> Vector for Bytes<R, I, ADDS_THREE> {
    const DOMAIN: Domain = I::DOMAIN;
    const ADDS_THREE: bool = ADDS_THREE;
    const CHEAP_MAPS: bool = I::CHEAP_MAPS;
    const ADDS_MASKS: bool = true;
    const COUNTS: bool = true;
    const WORDS: usize = R::BYTES / 4;
    const LEAST: usize = R::BYTES / 16;
    type Inverse = I::Inverse;

    #[inline(always)]
    unsafe fn splat(word: u32) -> Self {
        // SAFETY: the same condition
        Self::new(unsafe { R::splat(word) })
    }

    #[inline(always)]
    unsafe fn load_words(span: Span) -> [Self; 4] {
        // SAFETY: the same conditions
        Self::all(transpose::words(unsafe { load(span, 0) }))
    }

    #[inline(always)]
    unsafe fn store_words(words: [Self; 4], span: Span) {
        // SAFETY: the same condition
        unsafe { store(transpose::words(Self::registers(words)), span, 0) };
    }

    #[inline(always)]
    unsafe fn load_bytes(span: Span) -> [[Self; 4]; 4] {
        // SAFETY: the same conditions
        let rows = unsafe {
            [
                load::<R>(span, 0),
                load(span, 4),
                load(span, 8),
                load(span, 12),
            ]
        };
        let [w0, w1, w2, w3] = transpose::bytes(rows);
        [Self::all(w0), Self::all(w1), Self::all(w2), Self::all(w3)]
    }

    #[inline(always)]
    unsafe fn count_bytes(counters: *const CounterBlocks, number: usize) -> [[Self; 4]; 4] {
        // SAFETY: the same conditions
        let [w0, w1, w2, w3] = unsafe { counting::bytes::<R, I>(&*counters, number) };
        [Self::all(w0), Self::all(w1), Self::all(w2), Self::all(w3)]
    }

    #[inline(always)]
    unsafe fn store_bytes([w0, w1, w2, w3]: [[Self; 4]; 4], span: Span) {
        let [a, b, c, d] = transpose::bytes([
            Self::registers(w0),
            Self::registers(w1),
            Self::registers(w2),
            Self::registers(w3),
        ]);
        // SAFETY: the same condition
        unsafe {
            store(a, span, 0);
            store(b, span, 4);
            store(c, span, 8);
            store(d, span, 12);
        }
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self::new(self.0.xor(other.0))
    }

    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        Self::new(self.0.xor3(second.0, third.0))
    }

    #[inline(always)]
    fn settle(self) -> Self {
        Self::new(self.0.settle())
    }

    #[inline(always)]
    fn invert(self) -> I::Inverse {
        // SAFETY: the value proves the CPU has the instructions
        unsafe { I::invert(self.0) }
    }

    #[inline(always)]
    fn map<const MAP: usize>(inverse: I::Inverse) -> Self {
        // SAFETY: inverses come of such a value, which proves the CPU has the instructions
        Self::new(unsafe { I::map::<MAP>(inverse) })
    }

    #[inline(always)]
    fn linear<const MAP: usize>(self) -> Self {
        // SAFETY: the value proves the CPU has the instructions
        Self::new(unsafe { I::linear::<MAP>(self.0) })
    }

    #[inline(always)]
    fn rotate<const BY: usize>(self) -> Self {
        Self::new(self.0.shuffle(const { &rotation(BY) }))
    }
}

/// A single block's words fill all lanes of their vectors, and so do the words made of them.
impl<R: Lanes, I: Inversion<R>, const ADDS_THREE: bool> Serial for Bytes<R, I, ADDS_THREE> {
    #[inline(always)]
    unsafe fn load_block(block: *const u8) -> [Self; 4] {
        // SAFETY: the same conditions; the four words lie one behind the other
        let word = |i| unsafe { Self::splat(block.cast::<u32>().add(i).read_unaligned()) };
        [word(0), word(1), word(2), word(3)]
    }

    #[inline(always)]
    unsafe fn store_block([w0, w1, w2, w3]: [Self; 4], block: *mut u8) {
        let ((w02, _), (w13, _)) = (w0.0.zip32(w2.0), w1.0.zip32(w3.0));
        let (words, _) = w02.zip32(w13);
        // SAFETY: the same condition
        unsafe { words.store_lane(block) };
    }

    #[inline(always)]
    fn first(self) -> u32 {
        self.0.first()
    }

    #[inline(always)]
    fn first_spread(self) -> [u32; 4] {
        let spread = self
            .0
            .shuffle(const { &[0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3] });
        let mut words = [0_u32; 4];
        // SAFETY: four words are 16 bytes
        unsafe { spread.store_lane(words.as_mut_ptr().cast()) };
        words
    }
}

/// The shuffle that brings byte `j + by` of every word to place `j`.
#[allow(clippy::cast_possible_truncation, reason = "less than 16")]
const fn rotation(by: usize) -> [u8; 16] {
    let mut pattern = [0; 16];
    let mut i = 0;
    while i < 16 {
        pattern[i] = (i / 4 * 4 + (i + by) % 4) as u8;
        i += 1;
    }
    pattern
}

#[cfg(all(test, target_feature = "sse2"))]
mod tests {
    use super::*;
    use crate::{
        backend::Backend,
        domain::{AES_FIELD, map, multiply},
        lanes::aes::Aes,
        x86::{
            aesni::{AesNi, Vaes},
            gfni::Gfni,
            register::{Xmm, Ymm, Zmm},
        },
    };

    /// The images of every byte in every lane, of the inverses and of the bytes themselves.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn check<V: Vector, const MAP: usize>(name: &str) {
        let bytes = 4 * V::WORDS;
        let matrix = V::DOMAIN.maps[MAP];
        // Blocks of which all bytes differ, and for every lane all 256 of them in turn.
        for first in 0..=255_u8 {
            let mut input = std::vec![0; 4 * bytes];
            for (byte, lane) in input.iter_mut().zip(0_usize..) {
                *byte = first.wrapping_add(lane.to_le_bytes()[0].wrapping_mul(89));
            }
            let (mut inverted, mut linear) = (input.clone(), input.clone());
            let run = |output: &mut [u8], image: fn(V) -> V| {
                // SAFETY: the caller vouches for the CPU; the buffers are as long as the vectors
                unsafe {
                    let span = Span::new(input.as_ptr(), output.as_mut_ptr(), V::WORDS);
                    let words = V::load_words(span).map(image);
                    V::store_words(words, span);
                }
            };
            run(&mut inverted, |vector| V::map::<MAP>(vector.invert()));
            run(&mut linear, |vector| vector.linear::<MAP>());
            for ((&byte, inverted), linear) in input.iter().zip(inverted).zip(linear) {
                let inverse = (0..254).fold(1, |power, _| multiply(power, byte));
                assert_eq!(inverted, matrix.apply(inverse), "{name}, {MAP}, {byte:02x}");
                assert_eq!(linear, matrix.apply(byte), "{name}, {MAP}, {byte:02x}");
            }
        }
    }

    /// # Safety
    /// The CPU has the instructions.
    unsafe fn check_all<V: Vector>(name: &str) {
        assert_eq!(V::DOMAIN.maps, AES_FIELD.maps);
        // SAFETY: the same condition
        unsafe {
            check::<V, { map::A }>(name);
            check::<V, { map::B }>(name);
            check::<V, { map::C }>(name);
            check::<V, { map::KEY[0] }>(name);
            check::<V, { map::KEY[1] }>(name);
            check::<V, { map::KEY[2] }>(name);
            check::<V, { map::KEY[3] }>(name);
            check::<V, { map::ENTER }>(name);
            check::<V, { map::LEAVE }>(name);
        }
    }

    #[test]
    fn maps() {
        let mut checked = 0;
        let mut check = |backend: Backend, name, check: unsafe fn(&str)| {
            if backend.is_available() {
                std::println!("{name}");
                // SAFETY: the backend is available
                unsafe { check(name) };
                checked += 1;
            } else {
                std::println!("NOT RUN: {name}: no {backend} here");
            }
        };
        let (avx512, avx2) = (Backend::GfniAvx512, Backend::GfniAvx2);
        check(avx512, "GFNI, ZMM", check_all::<Bytes<Zmm, Gfni, true>>);
        check(avx2, "GFNI, YMM", check_all::<Bytes<Ymm, Gfni>>);
        check(avx2, "GFNI, XMM", check_all::<Bytes<Xmm, Gfni>>);
        check(
            Backend::VaesAvx2,
            "VAES, YMM",
            check_all::<Bytes<Ymm, Aes<Vaes>>>,
        );
        check(
            Backend::AesniAvx2,
            "AES-NI, YMM",
            check_all::<Bytes<Ymm, Aes<AesNi>>>,
        );
        check(
            Backend::AesniAvx,
            "AES-NI, XMM",
            check_all::<Bytes<Xmm, Aes<AesNi>>>,
        );
        check(
            Backend::AesniSsse3,
            "AES-NI, XMM, without AVX",
            check_all::<Bytes<Xmm, Aes<AesNi>>>,
        );
        assert!(checked > 0 || !Backend::AesniSsse3.is_available());
    }
}
