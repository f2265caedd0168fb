//! EAX of many messages at once: their MACs run side by side.

use core::array;

use super::{CIPHERTEXT, Eax, HEADER, NONCE, check};
use crate::{
    Message,
    block::{Block, xor},
    ctr::KeyStream,
    lanes::{self, Lane},
    many::{self, GROUP, Job},
    open,
};

impl Eax {
    /// The MACs of nonces and associated data.
    fn starts(&self, group: &mut [Message<'_>]) -> [[Block; 2]; GROUP] {
        let mut lanes = [Lane::default(); 2 * GROUP];
        for (lanes, message) in lanes.chunks_exact_mut(2).zip(&mut *group) {
            message.result = check(message.tag.len());
            if message.result.is_ok() {
                lanes[0] = self.lane(NONCE, message.nonce);
                lanes[1] = self.lane(HEADER, message.associated_data);
            }
        }
        lanes::run(&self.cipher, &mut lanes);
        array::from_fn(|i| [lanes[2 * i].state, lanes[2 * i + 1].state])
    }

    fn apply(&self, starts: &[[Block; 2]; GROUP], group: &mut [Message<'_>]) {
        let mut rest = group.iter_mut().zip(starts);
        let mut jobs: [Job<'_, _>; GROUP] = array::from_fn(|_| {
            let (message, [nonce, _]) = rest.next()?;
            let stream = KeyStream::new(*nonce);
            message
                .result
                .is_ok()
                .then_some((stream, &mut *message.buffer))
        });
        many::apply::<sm4_modes::counter::Be128>(&self.cipher, &mut jobs);
    }

    /// The tags in full length.
    fn tags(&self, starts: &[[Block; 2]; GROUP], group: &[Message<'_>]) -> [Block; GROUP] {
        let mut lanes = [Lane::default(); GROUP];
        for (lane, message) in lanes.iter_mut().zip(group) {
            if message.result.is_ok() {
                *lane = self.lane(CIPHERTEXT, message.buffer);
            }
        }
        lanes::run(&self.cipher, &mut lanes);
        array::from_fn(|i| {
            let [nonce, header] = &starts[i];
            xor(&lanes[i].state, &xor(nonce, header))
        })
    }

    pub(super) fn seal_group(&self, group: &mut [Message<'_>]) {
        let starts = self.starts(group);
        self.apply(&starts, group);
        let tags = self.tags(&starts, group);
        for (message, full) in group.iter_mut().zip(&tags) {
            if message.result.is_ok() {
                message.tag.copy_from_slice(&full[..message.tag.len()]);
            }
        }
    }

    pub(super) fn open_group(&self, group: &mut [Message<'_>]) {
        let starts = self.starts(group);
        let tags = self.tags(&starts, group);
        self.apply(&starts, group);
        for (message, expected) in group.iter_mut().zip(&tags) {
            if message.result.is_ok() {
                message.result = open::accept(expected, message.tag, message.buffer);
            }
        }
    }
}
