//! CCM of messages that come in pieces.

use aead::inout::InOutBuf;
use sm4_modes::counter::Be128;

use super::{CbcMac, Ccm, Header};
use crate::{
    Decryptor, Encryptor, Error,
    block::{Block, xor},
    ctr::{Kept, KeyStream, Text},
    incremental::{opaque_debug, sealed::State},
};

/// CCM in progress.
#[derive(Clone)]
pub struct CcmState<'k> {
    ccm: &'k Ccm,
    stream: Kept<Be128>,
    mac: CbcMac<'static>,
    plaintext: Text,
    /// How much is missing.
    rest: u64,
}

opaque_debug!(CcmState);

impl Ccm {
    fn begin(&self, header: Header<'_>, plaintext: Text) -> CcmState<'_> {
        let mut stream = KeyStream::with_mask(header.counter());
        let mut mac = CbcMac::new(header);
        let nothing: &mut [u8] = &mut [];
        stream.apply(&self.cipher.bulk(), nothing.into(), plaintext, &mut mac);
        CcmState {
            ccm: self,
            stream: Kept(stream),
            mac: mac.without_header(),
            plaintext,
            rest: header.message_len,
        }
    }

    /// Begins the encryption of a message that comes in pieces, and whose length is known.
    ///
    /// # Errors
    /// [`Error::NonceLength`], [`Error::TagLength`] or [`Error::MessageLength`] if the standard does
    /// not allow one of the lengths.
    pub fn encryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        message_len: u64,
        tag_len: usize,
    ) -> Result<Encryptor<CcmState<'_>>, Error> {
        let header = Header::new(nonce, associated_data, message_len, tag_len)?;
        Ok(Encryptor::new(self.begin(header, Text::Input), tag_len))
    }

    /// Begins the decryption of a message that comes in pieces, and whose length is known.
    ///
    /// # Errors
    /// As for [`encryptor`](Self::encryptor).
    pub fn decryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        message_len: u64,
        tag_len: usize,
    ) -> Result<Decryptor<CcmState<'_>>, Error> {
        let header = Header::new(nonce, associated_data, message_len, tag_len)?;
        Ok(Decryptor::new(self.begin(header, Text::Output), tag_len))
    }
}

impl State for CcmState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.rest = self
            .rest
            .checked_sub(data.len() as u64)
            .ok_or(Error::MessageLength)?;
        let bulk = self.ccm.cipher.bulk();
        self.stream
            .0
            .apply(&bulk, data, self.plaintext, &mut self.mac);
        Ok(())
    }

    fn tag(mut self) -> Result<Block, Error> {
        if self.rest > 0 {
            return Err(Error::MessageLength);
        }
        let cipher = &self.ccm.cipher;
        Ok(xor(&self.mac.finish(cipher), &self.stream.0.mask(cipher)))
    }
}
