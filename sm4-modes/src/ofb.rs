//! OFB mode (NIST SP 800-38A 6.4, GB/T 17964).

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockCipherEncrypt, InOutBuf, InnerIvInit, Iv, IvSizeUser, StreamCipher,
    StreamCipherError, common::InnerUser, consts::U16,
};
use sm4::Sm4;

use crate::block::Block;

/// OFB mode: a key stream of which every block is the encryption of the one before. 16-byte key,
/// 16-byte IV, data of any length.
///
/// **Unauthenticated.** The IV must not be used twice with a key.
///
/// ```
/// use sm4_modes::{Sm4Ofb, cipher::{KeyIvInit, StreamCipher}};
///
/// let (key, iv) = (b"a 16-byte secret".into(), b"never used twice".into());
/// let mut data = *b"message";
/// Sm4Ofb::new(key, iv).apply_keystream(&mut data);
/// Sm4Ofb::new(key, iv).apply_keystream(&mut data);
/// assert_eq!(data, *b"message");
/// ```
pub type Sm4Ofb = Ofb;

/// OFB mode: [`Sm4Ofb`], or with a reference to [`Sm4`] for `C` if the key is used for many
/// messages.
///
/// The key stream never ends. It repeats itself when a block comes up once more, which takes 2^127
/// blocks on average.
pub struct Ofb<C: Borrow<Sm4> = Sm4> {
    cipher: C,
    /// The last block of the key stream; the IV to begin with.
    key_stream: Block,
    /// How much of it is used up.
    used: usize,
}

impl<C: Borrow<Sm4>> StreamCipher for Ofb<C> {
    #[inline]
    fn check_remaining(&self, _data_len: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let len = data.len().min(16 - self.used);
        let (mut begin, data) = data.split_at(len);
        begin.xor_in2out(&self.key_stream[self.used..self.used + len]);
        self.used += len;
        let (blocks, mut end) = data.into_chunks();
        let bulk = self.cipher.borrow().bulk();
        bulk.ofb_blocks(&mut self.key_stream, blocks);
        if !end.is_empty() {
            bulk.encrypt_block(&mut self.key_stream);
            end.xor_in2out(&self.key_stream[..end.len()]);
            self.used = end.len();
        }
    }

    fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
        buf.fill(0);
        self.unchecked_apply_keystream_inout(buf.into());
    }
}

impl<C: Borrow<Sm4>> InnerUser for Ofb<C> {
    type Inner = C;
}

impl<C: Borrow<Sm4>> IvSizeUser for Ofb<C> {
    type IvSize = U16;
}

impl<C: Borrow<Sm4>> InnerIvInit for Ofb<C> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self {
            cipher,
            key_stream: *iv,
            used: 16,
        }
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Ofb<C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Ofb")
    }
}

impl<C: Borrow<Sm4>> fmt::Debug for Ofb<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ofb").finish_non_exhaustive()
    }
}

impl<C: Borrow<Sm4>> Drop for Ofb<C> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut self.key_stream);
    }
}

#[cfg(feature = "zeroize")]
impl<C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Ofb<C> {}
