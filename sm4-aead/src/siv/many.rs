//! SIV of many messages at once: their MACs run side by side.

use core::array;

use super::{Siv, split, tail};
use crate::{
    Error, Message,
    block::Block,
    lanes::{self, Lane},
    many::{self, GROUP, Job},
    open,
};

impl Siv {
    fn check(group: &mut [Message<'_>]) {
        for message in group {
            message.result = if message.nonce.is_empty() {
                Err(Error::NonceLength)
            } else if message.tag.len() != 16 {
                Err(Error::TagLength)
            } else {
                Ok(())
            };
        }
    }

    /// S2V of each message.
    fn s2v_group(&self, group: &[Message<'_>]) -> [Block; GROUP] {
        let mut lanes = [Lane::default(); 3 * GROUP];
        for (lanes, message) in lanes.chunks_exact_mut(3).zip(group) {
            if message.result.is_ok() {
                lanes[0].data[0] = split(message.buffer).0;
                lanes[1] = self.subkeys.lane(Block::default(), message.associated_data);
                lanes[2] = self.subkeys.lane(Block::default(), message.nonce);
            }
        }
        lanes::run(&self.mac, &mut lanes);

        let tails: [_; GROUP] = array::from_fn(|i| match group.get(i) {
            Some(message) if message.result.is_ok() => {
                let sum = self.add(&self.add(&self.zero, &lanes[3 * i + 1]), &lanes[3 * i + 2]);
                tail(&sum, split(message.buffer).1)
            }
            _ => ([0; 31], 0),
        });
        let mut last = [Lane::default(); GROUP];
        for (i, (lane, (tail, len))) in last.iter_mut().zip(&tails).enumerate() {
            *lane = self.subkeys.lane(lanes[3 * i].state, &tail[..*len]);
        }
        lanes::run(&self.mac, &mut last);
        last.map(|lane| lane.state)
    }

    fn apply(&self, tags: &[Block; GROUP], group: &mut [Message<'_>]) {
        let mut rest = group.iter_mut().zip(tags);
        let mut jobs: [Job<'_, _>; GROUP] = array::from_fn(|_| {
            let (message, tag) = rest.next()?;
            let stream = Self::key_stream(tag);
            message
                .result
                .is_ok()
                .then_some((stream, &mut *message.buffer))
        });
        many::apply(&self.encryption, &mut jobs);
    }

    pub(super) fn seal_group(&self, group: &mut [Message<'_>]) {
        Self::check(group);
        let tags = self.s2v_group(group);
        self.apply(&tags, group);
        for (message, tag) in group.iter_mut().zip(&tags) {
            if message.result.is_ok() {
                message.tag.copy_from_slice(tag);
            }
        }
    }

    pub(super) fn open_group(&self, group: &mut [Message<'_>]) {
        Self::check(group);
        let mut given = [Block::default(); GROUP];
        for (given, message) in given.iter_mut().zip(&*group) {
            if message.result.is_ok() {
                given.copy_from_slice(message.tag);
            }
        }
        self.apply(&given, group);
        let tags = self.s2v_group(group);
        for (message, expected) in group.iter_mut().zip(&tags) {
            if message.result.is_ok() {
                message.result = open::accept(expected, message.tag, message.buffer);
            }
        }
    }
}
