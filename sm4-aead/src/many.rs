//! Many messages at once: short ones, together, fill the wide kernels.

use core::{array, fmt};

use aead::{consts::U16, inout::InOutBuf};
use sm4::{
    Sm4,
    cipher::{
        BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, ParBlocks,
    },
};
use sm4_modes::{
    counter::Flavour,
    shared::{Aligned, Block},
};

use crate::{Error, ctr::KeyStream, mode::Mode};

/// A message for [`AnySize::seal_many`](crate::AnySize::seal_many) and
/// [`AnySize::open_many`](crate::AnySize::open_many).
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

    /// Finds out which messages have lengths that the mode allows.
    pub(crate) fn check_each(mode: &(impl Mode + ?Sized), messages: &mut [Self]) {
        for message in messages {
            message.result = mode.check(
                message.nonce.len(),
                message.associated_data.len() as u64,
                message.buffer.len() as u64,
                message.tag.len(),
            );
        }
    }

    /// The first error, if there is one.
    pub(crate) fn first_error(messages: &[Self]) -> Result<(), Error> {
        messages.iter().try_for_each(|message| message.result)
    }
}

impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("result", &self.result)
            .finish_non_exhaustive()
    }
}

/// Messages that are worked on side by side.
pub(crate) const GROUP: usize = 16;

/// A message and its key stream; none if there is nothing to do.
type Job<'m, F> = Option<(KeyStream<F>, &'m mut [u8])>;

/// Applies a key stream to each message of the group that has no error, and returns the masks.
pub(crate) fn apply<F: Flavour>(
    cipher: &Sm4,
    group: &mut [Message<'_>],
    key_stream: impl Fn(usize, &Message<'_>) -> KeyStream<F>,
) -> [Block; GROUP] {
    let mut rest = group.iter_mut().enumerate();
    let mut jobs: [Job<'_, F>; GROUP] = array::from_fn(|_| {
        let (i, message) = rest.next().filter(|(_, message)| message.result.is_ok())?;
        Some((key_stream(i, message), &mut *message.buffer))
    });
    cipher.bulk().encrypt_with_backend(Apply(&mut jobs));
    jobs.map(|job| job.map_or(Block::default(), |(stream, _)| stream.known_mask()))
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
