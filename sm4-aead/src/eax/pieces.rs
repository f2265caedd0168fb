//! EAX of messages that come in pieces.

use aead::inout::InOutBuf;
use sm4_modes::{
    counter::Be128,
    shared::{Block, sum},
};

use super::{Eax, OmacOfCiphertext, check};
use crate::{
    Error,
    ctr::{KeyStream, Text},
    incremental::{in_pieces, opaque_debug, sealed::State},
};

/// EAX in progress.
#[derive(Clone)]
pub struct EaxState<'k> {
    eax: &'k Eax,
    stream: KeyStream<Be128>,
    mac: OmacOfCiphertext,
    ciphertext: Text,
    /// The MACs of the nonce and of the associated data, added.
    header: Block,
}

opaque_debug!(EaxState);

in_pieces! {
    Eax, "";
    Text::Output => EaxState,
    Text::Input => EaxState,
}

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
            stream: KeyStream::new(nonce),
            mac: self.omac_of_ciphertext(),
            ciphertext,
            header: sum(&nonce, &header),
        })
    }
}

impl State for EaxState<'_> {
    fn apply(&mut self, data: InOutBuf<'_, '_, u8>) -> Result<(), Error> {
        let (stream, mac) = (&mut self.stream, &mut self.mac);
        stream.apply(self.eax.cipher.bulk(), data, self.ciphertext, mac);
        Ok(())
    }

    fn tag(&mut self) -> Result<Block, Error> {
        Ok(sum(&self.eax.finish(&mut self.mac), &self.header))
    }
}
