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

#[cfg(test)]
mod tests {
    use super::*;
    use aead::KeyInit;

    #[test]
    fn a_message_ends() {
        let gcm = Gcm::new(&[1; 16].into());
        let Ok(mut state) = gcm.begin(&[2; 12], b"", 16, Text::Output) else {
            panic!("the lengths are allowed");
        };
        state.len = MAX_MESSAGE - 20;
        let mut data = [3; 21];
        let refused = state.apply(data.as_mut_slice().into());
        assert_eq!((refused, data), (Err(Error::MessageLength), [3; 21]));
        assert_eq!(state.apply((&mut data[..20]).into()), Ok(()));
        assert_eq!(
            state.apply((&mut data[20..]).into()),
            Err(Error::MessageLength)
        );
        assert_eq!(state.len, MAX_MESSAGE);
    }
}
