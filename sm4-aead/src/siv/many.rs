//! SIV of many messages at once: their MACs run side by side.

use core::array;

use sm4_modes::shared::Block;

use super::{Siv, split, tail};
use crate::{
    Message,
    lanes::{self, Lane},
    many::{self, GROUP},
};

impl Siv {
    /// S2V of each message.
    pub(super) fn s2v_group(&self, group: &[Message<'_>]) -> [Block; GROUP] {
        let mut lanes = [Lane::default(); 3 * GROUP];
        for (lanes, message) in lanes.chunks_exact_mut(3).zip(group) {
            if message.result.is_ok() {
                lanes[0].data[0] = split(message.buffer).0;
                lanes[1] = Lane::cmac(&self.subkeys, Block::default(), message.associated_data);
                lanes[2] = Lane::cmac(&self.subkeys, Block::default(), message.nonce);
            }
        }
        lanes::run(&self.mac, &mut lanes);

        let tails: [_; GROUP] = array::from_fn(|i| match group.get(i) {
            Some(message) if message.result.is_ok() => {
                let sum = self.add(
                    &self.add(&self.zero.0, &lanes[3 * i + 1]),
                    &lanes[3 * i + 2],
                );
                tail(&sum, split(message.buffer).1)
            }
            _ => ([0; 31], 0),
        });
        let mut last = [Lane::default(); GROUP];
        for (i, (lane, (tail, len))) in last.iter_mut().zip(&tails).enumerate() {
            *lane = Lane::cmac(&self.subkeys, lanes[3 * i].state, &tail[..*len]);
        }
        lanes::run(&self.mac, &mut last);
        last.map(|lane| lane.state)
    }

    /// Encrypts or decrypts with these tags.
    pub(super) fn apply(
        &self,
        group: &mut [Message<'_>],
        tag: impl Fn(usize, &Message<'_>) -> Block,
    ) {
        many::apply(&self.encryption, group, |i, message| {
            Self::key_stream(&tag(i, message))
        });
    }
}
