//! Many messages at once: short ones, together, fill the wide kernels.

use core::fmt;

use aead::{consts::U16, inout::InOutBuf};
use sm4::{
    Sm4,
    cipher::{
        BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, ParBlocks,
    },
};
use sm4_modes::counter::Flavour;

use crate::{AnySize, Error, batch::Aligned, ctr::KeyStream};

/// A message for [`AnySize::seal_many`] and [`AnySize::open_many`].
pub struct Message<'m> {
    /// The nonce.
    pub nonce: &'m [u8],
    /// The associated data.
    pub associated_data: &'m [u8],
    /// The message, which is encrypted or decrypted in place.
    pub buffer: &'m mut [u8],
    /// The tag, which is written or checked.
    pub tag: &'m mut [u8],
    /// What came of it.
    pub result: Result<(), Error>,
}

impl<'m> Message<'m> {
    /// A message that nothing has been done with.
    #[must_use]
    pub fn new(
        nonce: &'m [u8],
        associated_data: &'m [u8],
        buffer: &'m mut [u8],
        tag: &'m mut [u8],
    ) -> Self {
        Self {
            nonce,
            associated_data,
            buffer,
            tag,
            result: Ok(()),
        }
    }

    /// Does one after the other.
    pub(crate) fn seal_each(mode: &(impl AnySize + ?Sized), messages: &mut [Self]) {
        for message in messages {
            message.result = mode.seal_in_place(
                message.nonce,
                message.associated_data,
                message.buffer,
                message.tag,
            );
        }
    }

    /// Does one after the other.
    pub(crate) fn open_each(mode: &(impl AnySize + ?Sized), messages: &mut [Self]) {
        for message in messages {
            message.result = mode.open_in_place(
                message.nonce,
                message.associated_data,
                message.buffer,
                message.tag,
            );
        }
    }
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("result", &self.result)
            .finish_non_exhaustive()
    }
}

/// The first error, if there is one.
pub(crate) fn first_error(messages: &[Message<'_>]) -> Result<(), Error> {
    messages.iter().try_for_each(|message| message.result)
}

/// Messages that are worked on side by side.
pub(crate) const GROUP: usize = 16;

/// A message and its key stream; none if there is nothing to do.
pub(crate) type Job<'m, F> = Option<(KeyStream<F>, &'m mut [u8])>;

/// Applies each message's key stream, of which nothing has been used yet, and makes the masks.
pub(crate) fn apply<F: Flavour>(cipher: &Sm4, jobs: &mut [Job<'_, F>; GROUP]) {
    cipher.bulk().encrypt_with_backend(Apply(jobs));
}

struct Apply<'a, 'm, F>(&'a mut [Job<'m, F>; GROUP]);

impl<F> BlockSizeUser for Apply<'_, '_, F> {
    type BlockSize = U16;
}

impl<F: Flavour> BlockCipherEncClosure for Apply<'_, '_, F> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut batch = Aligned(ParBlocks::<B>::default());
        let batch = batch.0.as_mut_slice();
        // How much of each message is done
        let mut done = [0; GROUP];
        loop {
            let mut shares = [0; GROUP];
            let mut count = 0;
            for ((job, share), done) in self.0.iter_mut().zip(&mut shares).zip(&done) {
                if let Some((stream, data)) = job {
                    *share = stream
                        .blocks_for(data.len() - done)
                        .min(batch.len() - count);
                    stream.fill(&mut batch[count..][..*share]);
                    count += *share;
                }
            }
            if count == 0 {
                return;
            }
            backend.encrypt_tail_blocks(InOutBuf::from(&mut batch[..count]));
            let mut rest = &batch[..count];
            for ((job, share), done) in self.0.iter_mut().zip(&shares).zip(&mut done) {
                let (blocks, after) = rest.split_at(*share);
                rest = after;
                if let Some((stream, data)) = job {
                    *done += stream.xor(blocks, &mut data[*done..]);
                }
            }
        }
    }
}
