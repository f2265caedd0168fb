//! CCM of messages that come in pieces.

use aead::inout::InOutBuf;
use sm4_modes::{
    counter::Be128,
    shared::{Block, sum},
};

use super::{CbcMac, Ccm, Header, check};
use crate::{
    Error,
    ctr::{KeyStream, Text},
    incremental::{in_pieces, opaque_debug, sealed::State},
};

/// CCM in progress.
#[derive(Clone)]
pub struct CcmState<'k> {
    ccm: &'k Ccm,
    stream: KeyStream<Be128>,
    mac: CbcMac<'static>,
    plaintext: Text,
    /// How much is missing.
    rest: u64,
}

opaque_debug!(CcmState);

in_pieces! {
    Ccm (message_len), "All of it together must have the length that is said here.";
    Text::Input => CcmState,
    Text::Output => CcmState,
}

impl Ccm {
    fn begin(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        message_len: u64,
        tag_len: usize,
        plaintext: Text,
    ) -> Result<CcmState<'_>, Error> {
        check(nonce.len(), message_len, tag_len)?;
        let header = Header::new(nonce, associated_data, message_len, tag_len);
        let mut stream = KeyStream::with_mask(header.counter());
        let mut mac = CbcMac::new(header);
        let nothing: &mut [u8] = &mut [];
        stream.apply(self.cipher.bulk(), nothing.into(), plaintext, &mut mac);
        Ok(CcmState {
            ccm: self,
            stream,
            mac: mac.without_header(),
            plaintext,
            rest: message_len,
        })
    }
}

impl State for CcmState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        self.rest = self
            .rest
            .checked_sub(data.len() as u64)
            .ok_or(Error::MessageLength)?;
        let (stream, mac) = (&mut self.stream, &mut self.mac);
        stream.apply(self.ccm.cipher.bulk(), data, self.plaintext, mac);
        Ok(())
    }

    fn tag(&mut self) -> Result<Block, Error> {
        if self.rest > 0 {
            return Err(Error::MessageLength);
        }
        let cipher = &self.ccm.cipher;
        Ok(sum(
            &self.mac.finish(cipher),
            &self.stream.mask(cipher.bulk()),
        ))
    }
}
