//! EAX of messages that come in pieces.

use aead::inout::InOutBuf;
use sm4_modes::counter::Be128;

use super::{Eax, OmacOfCiphertext, check};
use crate::{
    Decryptor, Encryptor, Error,
    block::{Block, xor},
    ctr::{Kept, KeyStream, Text},
    incremental::{opaque_debug, sealed::State},
};

/// EAX in progress.
#[derive(Clone)]
pub struct EaxState<'k> {
    eax: &'k Eax,
    stream: Kept<Be128>,
    mac: OmacOfCiphertext,
    ciphertext: Text,
    /// The MACs of the nonce and of the associated data, added.
    header: Block,
}

opaque_debug!(EaxState);

impl Eax {
    fn begin(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
        ciphertext: Text,
    ) -> Result<EaxState<'_>, Error> {
        check(tag_len)?;
        let [nonce, header] = self.start(nonce, associated_data);
        Ok(EaxState {
            eax: self,
            stream: Kept(KeyStream::new(nonce)),
            mac: self.omac_of_ciphertext(),
            ciphertext,
            header: xor(&nonce, &header),
        })
    }

    /// Begins the encryption of a message that comes in pieces.
    ///
    /// # Errors
    /// [`Error::TagLength`] if the tag has not 1 to 16 bytes.
    pub fn encryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
    ) -> Result<Encryptor<EaxState<'_>>, Error> {
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
    ) -> Result<Decryptor<EaxState<'_>>, Error> {
        let state = self.begin(nonce, associated_data, tag_len, Text::Input)?;
        Ok(Decryptor::new(state, tag_len))
    }
}

impl State for EaxState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let bulk = self.eax.cipher.bulk();
        self.stream
            .0
            .apply(&bulk, data, self.ciphertext, &mut self.mac);
        Ok(())
    }

    fn tag(self) -> Result<Block, Error> {
        Ok(xor(&self.eax.finish(self.mac), &self.header))
    }
}
