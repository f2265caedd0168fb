//! The portable backend's kernel for 128 blocks, with the round keys of another domain.

use core::arch::wasm32::v128;

use crate::{
    domain::{
        Domain,
        map::{ENTER, LEAVE},
    },
    kernel::Kernel,
    lanes::{
        Lanes,
        bytes::Inversion,
        halves::{self, Halves},
        tower::Tower,
    },
    round::Direction,
    schedule::RoundKeys,
    soft::Sliced,
    span::Span,
};

/// The bit-sliced kernel for round keys of [`Tower`].
///
/// All constants in round keys are images under a domain's isomorphism, as the keys are, so what leads
/// from one domain to another one is linear.
pub(super) struct BitSliced;

const TOWER: Domain = <Tower as Inversion<v128>>::DOMAIN;

impl Kernel for BitSliced {
    const BLOCKS: usize = <Sliced<v128>>::BLOCKS;
    const LEAST: usize = <Sliced<v128>>::LEAST;
    const DOMAIN: Option<Domain> = Some(TOWER);

    #[inline(always)]
    unsafe fn crypt(keys: &RoundKeys, direction: Direction, span: Span) {
        let (low, high) = const {
            let Some(to) = <Sliced<v128>>::DOMAIN else {
                unreachable!()
            };
            &halves::tables(to.maps[ENTER].after(TOWER.maps[LEAVE]))
        };
        let mut translated = RoundKeys::EMPTY;
        let mut i = 0;
        while i < 32 {
            // SAFETY: four words are 16 bytes, and every CPU that runs this has the instructions
            unsafe {
                let key = v128::load(keys.bytes[i].as_ptr().cast());
                let key = Halves::of(key).look_up(low, high);
                key.store(translated.bytes[i].as_mut_ptr().cast());
            }
            i += 1;
        }
        // SAFETY: the same conditions
        unsafe { <Sliced<v128>>::crypt(&translated, direction, span) };
        #[cfg(feature = "zeroize")]
        translated.wipe();
    }
}
