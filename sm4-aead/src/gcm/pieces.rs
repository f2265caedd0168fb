//! GCM of messages that come in pieces.

use aead::inout::InOutBuf;
use sm4_modes::{
    counter::Be32,
    shared::{Block, sum},
};

use super::{Gcm, MAX_MESSAGE, check};
use crate::{
    Error,
    ctr::{KeyStream, Text},
    hash::Hash,
    incremental::{in_pieces, opaque_debug, sealed::State},
};

/// GCM in progress.
#[derive(Clone)]
pub struct GcmState<'k> {
    gcm: &'k Gcm,
    stream: KeyStream<Be32>,
    hash: Hash<'k>,
    ciphertext: Text,
    aad_len: u64,
    len: u64,
}

opaque_debug!(GcmState);

in_pieces! {
    Gcm, "";
    Text::Output => GcmState,
    Text::Input => GcmState,
}

impl Gcm {
    fn begin(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        tag_len: usize,
        ciphertext: Text,
    ) -> Result<GcmState<'_>, Error> {
        let aad_len = associated_data.len() as u64;
        check(nonce.len(), aad_len, 0, tag_len)?;
        Ok(GcmState {
            gcm: self,
            stream: KeyStream::with_mask(self.first_counter(nonce)),
            hash: self.hash(associated_data),
            ciphertext,
            aad_len,
            len: 0,
        })
    }
}

impl State for GcmState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let len = self.len + data.len() as u64;
        if len > MAX_MESSAGE {
            return Err(Error::MessageLength);
        }
        self.len = len;
        let (stream, cipher) = (&mut self.stream, &self.gcm.cipher);
        self.hash.crypt(stream, cipher, data, self.ciphertext);
        Ok(())
    }

    fn tag(&mut self) -> Result<Block, Error> {
        let hash = self.hash.finish(self.aad_len, self.len);
        Ok(sum(&hash, &self.stream.mask(self.gcm.cipher.bulk())))
    }
}
