//! GCM of many messages at once.

use sm4_modes::{
    counter::Be32,
    shared::{Block, sum},
};

use super::Gcm;
use crate::{
    Message,
    ctr::{KeyStream, Text},
    many::{self, GROUP},
};

impl Gcm {
    /// Encrypts or decrypts, and returns the tags in full length.
    pub(super) fn crypt_group(
        &self,
        group: &mut [Message<'_>],
        ciphertext: Text,
    ) -> [Block; GROUP] {
        let mut tags = [Block::default(); GROUP];
        if ciphertext == Text::Input {
            self.hash_each(group, &mut tags);
        }
        let masks = many::apply::<Be32>(&self.cipher, group, |_, message| {
            KeyStream::with_mask(self.first_counter(message.nonce))
        });
        if ciphertext == Text::Output {
            self.hash_each(group, &mut tags);
        }
        for (tag, mask) in tags.iter_mut().zip(&masks) {
            *tag = sum(tag, mask);
        }
        tags
    }

    fn hash_each(&self, group: &[Message<'_>], hashes: &mut [Block; GROUP]) {
        for (message, hash) in group.iter().zip(hashes) {
            if message.result.is_ok() {
                let (aad, buffer) = (message.associated_data, &*message.buffer);
                let (aad_len, len) = (aad.len() as u64, buffer.len() as u64);
                *hash = self.hash(aad).finish_with(buffer, aad_len, len);
            }
        }
    }
}
