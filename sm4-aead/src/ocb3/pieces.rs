//! OCB3 of messages that come in pieces.

use aead::inout::InOutBuf;

use super::{Message, Ocb3, check};
use crate::{
    Decryptor, Encryptor, Error,
    block::Block,
    incremental::{opaque_debug, sealed::State},
};

/// OCB3 in progress, encrypting.
#[derive(Clone)]
pub struct OcbSealState<'k>(InProgress<'k>);

/// OCB3 in progress, decrypting.
#[derive(Clone)]
pub struct OcbOpenState<'k>(InProgress<'k>);

#[derive(Clone)]
struct InProgress<'k> {
    ocb: &'k Ocb3,
    message: Message,
    /// Known after an incomplete block.
    tag: Option<Block>,
}

opaque_debug!(OcbSealState, OcbOpenState);

impl InProgress<'_> {
    /// Only empty pieces may follow an incomplete block.
    fn check(&self, len: usize) -> Result<(), Error> {
        if self.tag.is_some() && len > 0 {
            Err(Error::MessageLength)
        } else {
            Ok(())
        }
    }
}

impl Ocb3 {
    fn begin(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
    ) -> Result<InProgress<'_>, Error> {
        check(nonce.len(), tag_len)?;
        Ok(InProgress {
            ocb: self,
            message: self.start(nonce, associated_data, tag_len),
            tag: None,
        })
    }

    /// Begins the encryption of a message that comes in pieces. All of them but the last one have a
    /// multiple of 16 bytes.
    ///
    /// # Errors
    /// [`Error::NonceLength`] or [`Error::TagLength`] if the standard does not allow one of the
    /// lengths.
    pub fn encryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
    ) -> Result<Encryptor<OcbSealState<'_>>, Error> {
        let state = OcbSealState(self.begin(nonce, associated_data, tag_len)?);
        Ok(Encryptor::new(state, tag_len))
    }

    /// Begins the decryption of a message that comes in pieces. All of them but the last one have a
    /// multiple of 16 bytes.
    ///
    /// # Errors
    /// As for [`encryptor`](Self::encryptor).
    pub fn decryptor(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
    ) -> Result<Decryptor<OcbOpenState<'_>>, Error> {
        let state = OcbOpenState(self.begin(nonce, associated_data, tag_len)?);
        Ok(Decryptor::new(state, tag_len))
    }
}

impl State for OcbSealState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let Self(state) = self;
        state.check(data.len())?;
        let (blocks, end) = data.into_chunks();
        if end.is_empty() {
            state.ocb.seal_blocks(&mut state.message, blocks);
        } else {
            state.tag = Some(state.ocb.seal_end(&mut state.message, blocks, end));
        }
        Ok(())
    }

    fn tag(self) -> Result<Block, Error> {
        let Self(mut state) = self;
        Ok(state.tag.unwrap_or_else(|| {
            let nothing: &mut [u8] = &mut [];
            let (blocks, end) = InOutBuf::from(nothing).into_chunks();
            state.ocb.seal_end(&mut state.message, blocks, end)
        }))
    }
}

impl State for OcbOpenState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let Self(state) = self;
        state.check(data.len())?;
        let (blocks, end) = data.into_chunks();
        state.ocb.open_blocks(&mut state.message, blocks);
        if !end.is_empty() {
            state.tag = Some(state.ocb.open_end(&state.message, end));
        }
        Ok(())
    }

    fn tag(self) -> Result<Block, Error> {
        let Self(state) = self;
        Ok(state.tag.unwrap_or_else(|| {
            let nothing: &mut [u8] = &mut [];
            state.ocb.open_end(&state.message, nothing.into())
        }))
    }
}
