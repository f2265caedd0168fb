//! A MAC of a message that comes in pieces.

use core::fmt;

use cipher::{AlgorithmName, Key, KeyInit, KeySizeUser, consts::U16};
use digest::{FixedOutput, FixedOutputReset, MacMarker, Output, OutputSizeUser, Reset, Update};

use super::MacKey;
use crate::{block::Block, lanes::Lane, pending::Pending, wipe::Wipe};

/// A key for a MAC that treats the end of a message as it would a message which is no more than this
/// end: it does not have to know beforehand how long the message is.
pub trait StreamKey: MacKey {}

/// A MAC in the making: the traits of `digest` (with them [`digest::Mac`]).
#[derive(Clone)]
pub struct Streaming<K: StreamKey> {
    key: K,
    state: Block,
    /// The last bytes, up to a whole block: which of them are the end is not known yet.
    pending: Pending,
}

impl<K: StreamKey> Streaming<K> {
    /// With a key.
    #[must_use]
    pub fn from_key(key: K) -> Self {
        Self {
            key,
            state: Block::default(),
            pending: Pending::default(),
        }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &K {
        &self.key
    }

    fn tag(&mut self, out: &mut Block) {
        let (block, len) = self.pending.take();
        let mut input = self.key.input(&block[..len]);
        input.finish(self.key.cipher().bulk(), &mut self.state);
        *out = self.state;
    }
}

impl<K: StreamKey> Update for Streaming<K> {
    fn update(&mut self, data: &[u8]) {
        let (complete, blocks) = self.pending.split::<true>(data);
        if complete.is_none() && blocks.is_empty() {
            return;
        }
        let cipher = self.key.cipher().bulk();
        cipher.cbc_mac_blocks(&mut self.state, complete.as_slice());
        cipher.cbc_mac_blocks(&mut self.state, blocks);
    }
}

impl<K: StreamKey> OutputSizeUser for Streaming<K> {
    type OutputSize = U16;
}

impl<K: StreamKey> FixedOutput for Streaming<K> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.tag(out);
    }
}

impl<K: StreamKey> Reset for Streaming<K> {
    fn reset(&mut self) {
        self.state = Block::default();
        self.pending.take();
    }
}

impl<K: StreamKey> FixedOutputReset for Streaming<K> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.tag(out);
        Reset::reset(self);
    }
}

impl<K: StreamKey> MacMarker for Streaming<K> {}

impl<K: StreamKey + KeySizeUser> KeySizeUser for Streaming<K> {
    type KeySize = K::KeySize;
}

impl<K: StreamKey + KeyInit> KeyInit for Streaming<K> {
    fn new(key: &Key<Self>) -> Self {
        Self::from_key(K::new(key))
    }
}

impl<K: StreamKey + AlgorithmName> AlgorithmName for Streaming<K> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        K::write_alg_name(f)
    }
}

impl<K: StreamKey> fmt::Debug for Streaming<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Streaming").finish_non_exhaustive()
    }
}

impl<K: StreamKey> Drop for Streaming<K> {
    fn drop(&mut self) {
        self.state.wipe();
        self.pending.wipe();
    }
}

#[cfg(feature = "zeroize")]
impl<K: StreamKey + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Streaming<K> {}
