//! CCM of many messages at once: their MACs run side by side.

use super::{Ccm, Header};
use crate::{
    Message,
    ctr::{KeyStream, Text},
    lanes::{self, Lane},
    many::{self, GROUP},
};
use sm4_modes::{
    counter::Be128,
    shared::{Block, sum},
};

impl<'m> Header<'m> {
    fn of(message: &'m Message<'_>) -> Self {
        Self::new(
            message.nonce,
            message.associated_data,
            message.buffer.len() as u64,
            message.tag.len(),
        )
    }

    /// The chain over header and plaintext.
    fn lane(&self, plaintext: &'m [u8]) -> Lane<'m> {
        let mut lane = Lane {
            first: [Some(self.first()), None],
            data: [&[], plaintext],
            ..Lane::default()
        };
        let (mut block, len) = self.associated_data_len();
        if len > 0 {
            let (begin, rest) = self
                .associated_data
                .split_at(self.associated_data.len().min(16 - len));
            block[len..][..begin.len()].copy_from_slice(begin);
            lane.first[1] = Some(block);
            lane.data[0] = rest;
        }
        lane
    }
}

impl Ccm {
    /// Encrypts or decrypts, and returns the tags in full length.
    pub(super) fn crypt_group(&self, group: &mut [Message<'_>], plaintext: Text) -> [Block; GROUP] {
        let mut tags = [Block::default(); GROUP];
        if plaintext == Text::Input {
            self.mac_each(group, &mut tags);
        }
        let masks = many::apply::<Be128>(&self.cipher, group, |_, message| {
            KeyStream::with_mask(Header::of(message).counter())
        });
        if plaintext == Text::Output {
            self.mac_each(group, &mut tags);
        }
        for (tag, mask) in tags.iter_mut().zip(&masks) {
            *tag = sum(tag, mask);
        }
        tags
    }

    fn mac_each(&self, group: &[Message<'_>], macs: &mut [Block; GROUP]) {
        let mut lanes = [Lane::default(); GROUP];
        for (lane, message) in lanes.iter_mut().zip(group) {
            if message.result.is_ok() {
                *lane = Header::of(message).lane(message.buffer);
            }
        }
        lanes::run(&self.cipher, &mut lanes);
        *macs = lanes.map(|lane| lane.state);
    }
}
