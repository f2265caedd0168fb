//! GHASH (SP 800-38D, section 6.4) and POLYVAL (RFC 8452, section 3) of associated data and a
//! message that comes in pieces.

use aead::inout::InOutBuf;
use sm4::Sm4;
use sm4_modes::{
    counter::Flavour,
    shared::{Block, Pending},
};

use crate::{
    ctr::{KeyStream, NoMac, Text},
    polyval::{HashKey, Order},
};

/// A hash in progress.
#[derive(Clone)]
pub(crate) struct Hash<'k> {
    key: &'k HashKey,
    order: Order,
    state: u128,
    pending: Pending,
}

impl<'k> Hash<'k> {
    #[inline]
    pub(crate) fn new(key: &'k HashKey, order: Order) -> Self {
        Self {
            key,
            order,
            state: 0,
            pending: Pending::default(),
        }
    }

    /// Takes data and fills it up with zeros to whole blocks.
    #[inline]
    pub(crate) fn update_padded(&mut self, data: &[u8]) {
        debug_assert!(self.pending.is_empty());
        self.state = self.key.absorb(self.state, data, self.order, None);
    }

    /// Takes data of any length.
    #[inline]
    pub(crate) fn update(&mut self, data: &[u8]) {
        let (complete, whole) = self.pending.split::<false>(data);
        if let Some(block) = complete {
            self.state = self.key.absorb(self.state, &block, self.order, None);
        }
        if !whole.is_empty() {
            let whole = Block::slice_as_flattened(whole);
            self.state = self.key.absorb(self.state, whole, self.order, None);
        }
    }

    /// Takes the end of the data and the two lengths in bytes, as 64-bit numbers of bits, and returns
    /// the hash.
    #[inline]
    pub(crate) fn finish_with(&mut self, data: &[u8], associated_data: u64, message: u64) -> Block {
        debug_assert!(self.pending.is_empty());
        let bits = |bytes: u64| u128::from(bytes << 3);
        let lengths = match self.order {
            Order::Reversed => bits(associated_data) << 64 | bits(message),
            Order::Straight => bits(message) << 64 | bits(associated_data),
        };
        let hash = self.key.absorb(self.state, data, self.order, Some(lengths));
        match self.order {
            Order::Reversed => hash.to_be_bytes().into(),
            Order::Straight => hash.to_le_bytes().into(),
        }
    }

    /// The same without more data.
    #[inline]
    pub(crate) fn finish(&mut self, associated_data: u64, message: u64) -> Block {
        let (block, len) = self.pending.take();
        self.finish_with(&block[..len], associated_data, message)
    }
}

/// So many bytes are encrypted at a time, and hashed when they still are (or for decryption, already
/// are) in the first-level cache. To go from one to the other takes some 80 cycles.
const STRETCH: usize = 1 << 13;

impl Hash<'_> {
    /// Encrypts or decrypts the next piece and hashes one of the two texts.
    #[inline]
    pub(crate) fn crypt<F: Flavour>(
        &mut self,
        stream: &mut KeyStream<F>,
        cipher: &Sm4,
        data: InOutBuf<'_, '_, u8>,
        text: Text,
    ) {
        let mut rest = data;
        while !rest.is_empty() {
            let len = rest.len().min(STRETCH);
            let (stretch, after) = rest.split_at(len);
            crypt(stream, cipher, stretch, text, |bytes| self.update(bytes));
            rest = after;
        }
    }

    /// Encrypts or decrypts a message and returns the hash of one of the two texts. Its last stretch
    /// is hashed together with the lengths.
    #[inline]
    pub(crate) fn finish_along<F: Flavour>(
        mut self,
        associated_data: u64,
        stream: &mut KeyStream<F>,
        cipher: &Sm4,
        data: InOutBuf<'_, '_, u8>,
        text: Text,
    ) -> Block {
        let len = data.len();
        let (most, end) = data.split_at(len.saturating_sub(1) / STRETCH * STRETCH);
        self.crypt(stream, cipher, most, text);
        crypt(stream, cipher, end, text, |bytes| {
            self.finish_with(bytes, associated_data, len as u64)
        })
    }
}

/// Encrypts or decrypts, and hashes one of the two texts.
#[inline(always)]
fn crypt<F: Flavour, H>(
    stream: &mut KeyStream<F>,
    cipher: &Sm4,
    mut data: InOutBuf<'_, '_, u8>,
    text: Text,
    hash: impl FnOnce(&[u8]) -> H,
) -> H {
    match text {
        Text::Input => {
            let hash = hash(data.get_in());
            stream.apply(cipher.bulk(), data, text, &mut NoMac);
            hash
        }
        Text::Output => {
            stream.apply(cipher.bulk(), data.reborrow(), text, &mut NoMac);
            hash(data.get_out())
        }
    }
}
