//! EAX of many messages at once: their MACs run side by side.

use core::array;

use super::{CIPHERTEXT, Eax, HEADER, NONCE};
use sm4_modes::{
    counter::Be128,
    shared::{Block, MacChain, run_chains, sum},
};

use crate::{
    Message,
    ctr::{KeyStream, Text},
    many::{self, GROUP},
};

impl Eax {
    /// The MACs of nonces and associated data.
    fn starts(&self, group: &[Message<'_>]) -> [[Block; 2]; GROUP] {
        let mut chains = [MacChain::default(); 2 * GROUP];
        for (chains, message) in chains.chunks_exact_mut(2).zip(group) {
            if message.result.is_ok() {
                chains[0] = self.chain(NONCE, message.nonce);
                chains[1] = self.chain(HEADER, message.associated_data);
            }
        }
        run_chains(&self.cipher, &mut chains);
        array::from_fn(|i| [chains[2 * i].state, chains[2 * i + 1].state])
    }

    /// The tags in full length.
    fn tags(&self, starts: &[[Block; 2]; GROUP], group: &[Message<'_>]) -> [Block; GROUP] {
        let mut chains = [MacChain::default(); GROUP];
        for (chain, message) in chains.iter_mut().zip(group) {
            if message.result.is_ok() {
                *chain = self.chain(CIPHERTEXT, message.buffer);
            }
        }
        run_chains(&self.cipher, &mut chains);
        array::from_fn(|i| {
            let [nonce, header] = &starts[i];
            sum(&chains[i].state, &sum(nonce, header))
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
