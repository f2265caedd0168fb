//! CCM of many messages at once: their MACs run side by side.

use super::{Ccm, Header};
use crate::{
    Message,
    ctr::{KeyStream, Text},
    many::{self, GROUP},
};
use sm4_modes::{
    counter::Be128,
    shared::{Block, MacChain, run_chains, sum},
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
    fn chain(&self, plaintext: &'m [u8]) -> MacChain<'m> {
        let mut chain = MacChain::default();
        chain.input.first[0] = Some(self.first());
        let (mut block, len) = self.associated_data_len();
        if len > 0 {
            let data = self.associated_data;
            let (begin, rest) = data.split_at(data.len().min(16 - len));
            block[len..][..begin.len()].copy_from_slice(begin);
            chain.input.first[1] = Some(block);
            chain.input.data[0] = rest;
        }
        chain.input.data[1] = plaintext;
        chain
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
        let mut chains = [MacChain::default(); GROUP];
        for (chain, message) in chains.iter_mut().zip(group) {
            if message.result.is_ok() {
                *chain = Header::of(message).chain(message.buffer);
            }
        }
        run_chains(&self.cipher, &mut chains);
        *macs = chains.map(|chain| chain.state);
    }
}
