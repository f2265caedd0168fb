//! EAX of many messages at once: their MACs run side by side.

use core::array;

use super::{CIPHERTEXT, Eax, HEADER, NONCE};
use sm4_modes::{
    counter::Be128,
    shared::{Block, sum},
};

use crate::{
    Message,
    ctr::{KeyStream, Text},
    lanes::{self, Lane},
    many::{self, GROUP},
};

impl Eax {
    /// The MACs of nonces and associated data.
    fn starts(&self, group: &[Message<'_>]) -> [[Block; 2]; GROUP] {
        let mut lanes = [Lane::default(); 2 * GROUP];
        for (lanes, message) in lanes.chunks_exact_mut(2).zip(group) {
            if message.result.is_ok() {
                lanes[0] = self.lane(NONCE, message.nonce);
                lanes[1] = self.lane(HEADER, message.associated_data);
            }
        }
        lanes::run(&self.cipher, &mut lanes);
        array::from_fn(|i| [lanes[2 * i].state, lanes[2 * i + 1].state])
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
            sum(&lanes[i].state, &sum(nonce, header))
        })
    }

    /// Encrypts or decrypts, and returns the tags in full length.
    pub(super) fn crypt_group(
        &self,
        group: &mut [Message<'_>],
        ciphertext: Text,
    ) -> [Block; GROUP] {
        let starts = self.starts(group);
        let mut tags = [Block::default(); GROUP];
        if ciphertext == Text::Input {
            tags = self.tags(&starts, group);
        }
        many::apply::<Be128>(&self.cipher, group, |i, _| {
            let [nonce, _] = starts[i];
            KeyStream::new(nonce)
        });
        if ciphertext == Text::Output {
            tags = self.tags(&starts, group);
        }
        tags
    }
}
