//! OCB3 of messages that come in pieces.

use aead::inout::InOutBuf;

use sm4_modes::shared::Block;

use super::{Ocb3, Progress, check};
use crate::{
    Error,
    incremental::{in_pieces, opaque_debug, sealed::State},
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
    message: Progress,
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

in_pieces! {
    Ocb3, "All pieces but the last one have a multiple of 16 bytes.";
    OcbSealState => OcbSealState,
    OcbOpenState => OcbOpenState,
}

impl Ocb3 {
    fn begin<'k, S>(
        &'k self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
        state: impl FnOnce(InProgress<'k>) -> S,
    ) -> Result<S, Error> {
        check(nonce.len(), tag_len)?;
        Ok(state(InProgress {
            ocb: self,
            message: self.start(nonce, associated_data, tag_len),
            tag: None,
        }))
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

    fn tag(&mut self) -> Result<Block, Error> {
        let Self(state) = self;
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

    fn tag(&mut self) -> Result<Block, Error> {
        let Self(state) = self;
        Ok(state.tag.unwrap_or_else(|| {
            let nothing: &mut [u8] = &mut [];
            state.ocb.open_end(&state.message, nothing.into())
        }))
    }
}
