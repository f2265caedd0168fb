//! GCM of messages that come in pieces.

use aead::inout::InOutBuf;
use sm4_modes::counter::Be32;

use super::{Gcm, MAX_MESSAGE, check};
use crate::{
    Decryptor, Encryptor, Error,
    block::{Block, xor},
    ctr::{Kept, KeyStream, Text},
    hash::Hash,
    incremental::{opaque_debug, sealed::State},
};

/// GCM in progress.
#[derive(Clone)]
pub struct GcmState<'k> {
    gcm: &'k Gcm,
    stream: Kept<Be32>,
    hash: Hash<'k>,
    ciphertext: Text,
    aad_len: u64,
    len: u64,
}

opaque_debug!(GcmState);

impl Gcm {
    fn begin(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
        ciphertext: Text,
    ) -> Result<GcmState<'_>, Error> {
        let aad_len = associated_data.len() as u64;
        check(nonce, aad_len, 0, tag_len)?;
        Ok(GcmState {
            gcm: self,
            stream: Kept(KeyStream::with_mask(self.first_counter(nonce))),
            hash: self.hash(associated_data),
            ciphertext,
            aad_len,
            len: 0,
        })
    }

    /// Begins the encryption of a message that comes in pieces.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::TagLength`] or [`Error::MessageLength`] (for the associated
    /// data) if the standard does not allow one of the lengths.
    pub fn encryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
    ) -> Result<Encryptor<GcmState<'_>>, Error> {
        let state = self.begin(nonce, associated_data, tag_len, Text::Output)?;
        Ok(Encryptor::new(state, tag_len))
    }

    /// Begins the decryption of a message that comes in pieces.
    ///
    /// # Errors
    /// As for [`encryptor`](Self::encryptor).
    pub fn decryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
    ) -> Result<Decryptor<GcmState<'_>>, Error> {
        let state = self.begin(nonce, associated_data, tag_len, Text::Input)?;
        Ok(Decryptor::new(state, tag_len))
    }
}

impl State for GcmState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let len = self.len + data.len() as u64;
        if len > MAX_MESSAGE {
            return Err(Error::MessageLength);
        }
        self.len = len;
        let bulk = self.gcm.cipher.bulk();
        self.stream
            .0
            .apply(&bulk, data, self.ciphertext, &mut self.hash);
        Ok(())
    }

    fn tag(mut self) -> Result<Block, Error> {
        let hash = self.hash.finish(self.aad_len, self.len);
        Ok(xor(&hash, &self.stream.0.mask(&self.gcm.cipher)))
    }
}
