//! SIV of many messages at once: their MACs run side by side.

use core::array;

use sm4_modes::shared::{Block, MacChain, run_chains};

use super::{Siv, split, tail};
use crate::{
    Message,
    many::{self, GROUP},
};

impl Siv {
    /// S2V of each message.
    pub(super) fn s2v_group(&self, group: &[Message<'_>]) -> [Block; GROUP] {
        let mut chains = [MacChain::default(); 3 * GROUP];
        for (chains, message) in chains.chunks_exact_mut(3).zip(group) {
            if message.result.is_ok() {
                chains[0].input.data[0] = split(message.buffer).0;
                chains[1].input = self.subkeys.input(message.associated_data);
                chains[2].input = self.subkeys.input(message.nonce);
            }
        }
        run_chains(&self.mac, &mut chains);

        let tails: [_; GROUP] = array::from_fn(|i| match group.get(i) {
            Some(message) if message.result.is_ok() => {
                let sum = self.add(
                    &self.add(&self.zero.0, &chains[3 * i + 1]),
                    &chains[3 * i + 2],
                );
                tail(&sum, split(message.buffer).1)
            }
            _ => ([0; 31], 0),
        });
        let mut last = [MacChain::default(); GROUP];
        for (i, (chain, (tail, len))) in last.iter_mut().zip(&tails).enumerate() {
            chain.state = chains[3 * i].state;
            chain.input = self.subkeys.input(&tail[..*len]);
        }
        run_chains(&self.mac, &mut last);
        last.map(|chain| chain.state)
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
