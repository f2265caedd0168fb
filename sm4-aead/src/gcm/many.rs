//! GCM of many messages at once.

use core::array;

use super::{Gcm, check};
use crate::{
    Message,
    block::xor,
    ctr::{KeyStream, Text},
    many::{self, GROUP, Job},
    open,
};

impl Gcm {
    /// Encrypts or decrypts, and makes or checks the tags.
    pub(super) fn crypt_many(&self, messages: &mut [Message<'_>], ciphertext: Text) {
        for group in messages.chunks_mut(GROUP) {
            for message in &mut *group {
                let aad_len = message.associated_data.len() as u64;
                let len = message.buffer.len() as u64;
                message.result = check(message.nonce, aad_len, len, message.tag.len());
            }
            self.crypt_group(group, ciphertext);
        }
    }

    fn crypt_group(&self, group: &mut [Message<'_>], ciphertext: Text) {
        let hash = |message: &Message<'_>| {
            let aad_len = message.associated_data.len() as u64;
            let len = message.buffer.len() as u64;
            self.hash(message.associated_data)
                .finish_with(message.buffer, aad_len, len)
        };
        let mut hashes = [None; GROUP];
        if ciphertext == Text::Input {
            for (known, message) in hashes.iter_mut().zip(&*group) {
                *known = Some(hash(message));
            }
        }

        let mut rest = group.iter_mut();
        let mut jobs: [Job<'_, _>; GROUP] = array::from_fn(|_| {
            let message = rest.next().filter(|message| message.result.is_ok())?;
            let stream = KeyStream::with_mask(self.first_counter(message.nonce));
            Some((stream, &mut *message.buffer))
        });
        many::apply::<sm4_modes::counter::Be32>(&self.cipher, &mut jobs);
        let masks = jobs.map(|job| job.map(|(mut stream, _)| stream.mask(&self.cipher)));

        for ((message, mask), known) in group.iter_mut().zip(masks).zip(hashes) {
            let Some(mask) = mask else {
                continue;
            };
            let full = xor(&known.unwrap_or_else(|| hash(message)), &mask);
            if ciphertext == Text::Input {
                message.result = open::accept(&full, message.tag, message.buffer);
            } else {
                message.tag.copy_from_slice(&full[..message.tag.len()]);
            }
        }
    }
}
