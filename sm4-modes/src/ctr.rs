//! CTR mode (NIST SP 800-38A 6.5, GB/T 17964): the key stream is the encrypted counter.

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, OverflowError, SeekNum,
    SetIvState, StreamCipher, StreamCipherError, StreamCipherSeek, common::InnerUser, consts::U16,
};
use sm4::{BulkBackend, Masking, Sm4};

use crate::{
    batch::{self, Mode},
    block::{Block, Quad},
    counter::{Be32, Be128, Flavour, Le32, counters},
};

/// CTR mode with the 128-bit big-endian counter of NIST SP 800-38A and GB/T 17964: 16-byte key,
/// 16-byte IV (the first counter block).
///
/// The counter carries through all 16 bytes and goes on at zero after the last value.
///
/// **Unauthenticated.** No counter value may ever be used twice with a key, in no message: with 96
/// bits of nonce and zeros for the rest, a message has 64 GiB until it runs into the next nonce.
///
/// ```
/// use sm4_modes::{Sm4Ctr, cipher::{KeyIvInit, StreamCipher, StreamCipherSeek}};
///
/// let (key, iv) = (b"a 16-byte secret", b"never used twice");
/// let mut data = *b"a page of a database";
/// let mut stream = Sm4Ctr::new(key.into(), iv.into());
/// stream.apply_keystream(&mut data);
///
/// // read from the middle
/// stream.seek(10);
/// stream.apply_keystream(&mut data[10..]);
/// assert_eq!(data[10..], *b"a database");
/// ```
pub type Sm4Ctr = Ctr<Be128>;

/// CTR mode with the 32-bit big-endian counter of GCM, in bytes 12 to 15: 16-byte key, 16-byte IV
/// (the first counter block).
///
/// The counter goes on at zero after the last value and never carries into byte 11. After 2^32
/// blocks (64 GiB) the key stream is at its end: more is an error, and nothing is written then.
///
/// **Unauthenticated.** Bytes 0 to 11 must never be used twice with a key.
///
/// ```
/// use sm4_modes::{Sm4Ctr32Be, cipher::{KeyIvInit, StreamCipher, StreamCipherSeek}};
///
/// let mut stream = Sm4Ctr32Be::new(b"a 16-byte secret".into(), &[0xff; 16].into());
/// stream.seek((1_u64 << 36) - 1);
/// assert!(stream.try_apply_keystream(&mut [0; 2]).is_err());
/// assert!(stream.try_apply_keystream(&mut [0; 1]).is_ok());
/// ```
pub type Sm4Ctr32Be = Ctr<Be32>;

/// CTR mode with the 32-bit little-endian counter of GCM-SIV (RFC 8452), in bytes 0 to 3: 16-byte
/// key, 16-byte IV (the first counter block).
///
/// The counter goes on at zero after the last value and never carries into byte 4. After 2^32
/// blocks (64 GiB) the key stream is at its end: more is an error, and nothing is written then.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4Ctr32Le, cipher::{KeyIvInit, StreamCipher}};
///
/// let (key, iv) = ([1; 16].into(), [0xff; 16].into());
/// let mut data = [0; 32];
/// Sm4Ctr32Le::new(&key, &iv).apply_keystream(&mut data);
/// // the second block is that of the counter 0
/// let mut second = [0; 16];
/// let mut iv = iv;
/// iv[..4].fill(0);
/// Sm4Ctr32Le::new(&key, &iv).apply_keystream(&mut second);
/// assert_eq!(data[16..], second);
/// ```
pub type Sm4Ctr32Le = Ctr<Le32>;

/// CTR mode: a stream cipher which can be set to any position; [`Sm4Ctr`], [`Sm4Ctr32Be`] and
/// [`Sm4Ctr32Le`] are the names of its flavours.
///
/// `C` is [`Sm4`] or a reference to it, if the key is used for many messages.
///
/// # Positions
///
/// [`StreamCipherSeek`] counts bytes from the IV's block on. `try_apply_keystream` and `try_seek`
/// fail before they change anything; `apply_keystream` and `seek` panic where these fail. (A
/// negative `i32` makes the seek of the crate `cipher` itself panic.)
///
/// The key stream has [`Flavour::BLOCKS`] blocks.
///
/// (`StreamCipherCore` is not implemented: it speaks of whole blocks, while a position here may lie
/// within one, and its callers make a full batch of key stream for every end of a message.)
pub struct Ctr<F: Flavour, C: Borrow<Sm4> = Sm4> {
    cipher: C,
    /// The first counter block.
    iv: Block,
    /// The number of the block that is encrypted next.
    next: u128,
    /// The key stream of the block before `next`.
    key_stream: Block,
    /// How much of it is used up: 16 if nothing is left (or there never was such a block).
    used: usize,
    flavour: PhantomData<F>,
}

/// The masks of CTR mode.
struct Counter<'a, F> {
    iv: &'a Block,
    next: u128,
    flavour: PhantomData<F>,
}

impl<F: Flavour> Mode for Counter<'_, F> {
    const MASKING: Masking = Masking::KeyStream;

    #[inline(always)]
    fn masks(&mut self, _input: &[Block], count: usize, masks: &mut [Quad]) {
        counters::<F>(&F::at(self.iv, self.next), count, masks);
        self.next = self.next.wrapping_add(count as u128);
    }

    #[inline(always)]
    fn without_masks<B: BulkBackend>(
        &mut self,
        backend: &B,
        blocks: InOutBuf<'_, '_, Block>,
    ) -> bool {
        let count = blocks.len() as u128;
        let counters = F::counter_blocks(&F::at(self.iv, self.next));
        let done = backend.add_key_stream(&counters, blocks);
        if done {
            self.next = self.next.wrapping_add(count);
        }
        done
    }
}

impl<F: Flavour, C: Borrow<Sm4>> StreamCipher for Ctr<F, C> {
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        let beyond = data_len.saturating_sub(16 - self.used).div_ceil(16);
        if beyond as u128 <= F::BLOCKS.saturating_sub(self.next) {
            Ok(())
        } else {
            Err(StreamCipherError)
        }
    }

    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let (mut begin, data) = {
            let len = data.len().min(16 - self.used);
            data.split_at(len)
        };
        let used = self.used + begin.len();
        begin.xor_in2out(&self.key_stream[self.used..used]);
        self.used = used;
        if data.is_empty() {
            return;
        }
        let (blocks, end) = data.into_chunks();
        self.used = if end.is_empty() { 16 } else { end.len() };
        let mut counter = Counter::<F> {
            iv: &self.iv,
            next: self.next,
            flavour: PhantomData,
        };
        self.key_stream = batch::encrypt(self.cipher.borrow(), &mut counter, blocks, end);
        self.next = counter.next;
    }

    fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
        buf.fill(0);
        self.unchecked_apply_keystream_inout(buf.into());
    }
}

impl<F: Flavour, C: Borrow<Sm4>> StreamCipherSeek for Ctr<F, C> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        #[allow(clippy::cast_possible_truncation, reason = "at most 16")]
        T::from_block_byte(self.next, self.used as u8, 16)
    }

    fn try_seek<T: SeekNum>(&mut self, position: T) -> Result<(), StreamCipherError> {
        let (block, byte) = position.into_block_byte::<u128>(16)?;
        if block > F::BLOCKS || (block == F::BLOCKS && byte != 0) {
            return Err(StreamCipherError);
        }
        self.next = block;
        self.used = 16;
        let skipped = &mut [0; 16][..byte.into()];
        self.unchecked_apply_keystream(skipped);
        Ok(())
    }
}

impl<F: Flavour, C: Borrow<Sm4>> InnerUser for Ctr<F, C> {
    type Inner = C;
}

impl<F: Flavour, C: Borrow<Sm4>> IvSizeUser for Ctr<F, C> {
    type IvSize = U16;
}

impl<F: Flavour, C: Borrow<Sm4>> InnerIvInit for Ctr<F, C> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self {
            cipher,
            iv: *iv,
            next: 0,
            key_stream: Block::default(),
            used: 16,
            flavour: PhantomData,
        }
    }
}

/// The counter block of the block that the next byte lies in: a stream that begins with it as its
/// IV is as far as this one, but for the bytes of the block that this one has used up.
impl<F: Flavour, C: Borrow<Sm4>> IvState for Ctr<F, C> {
    fn iv_state(&self) -> Iv<Self> {
        F::at(&self.iv, self.next.wrapping_sub(u128::from(self.used < 16)))
    }
}

impl<F: Flavour, C: Borrow<Sm4>> SetIvState for Ctr<F, C> {
    fn set_iv(&mut self, iv: &Iv<Self>) {
        self.iv = *iv;
        self.next = 0;
        self.used = 16;
    }
}

impl<F: Flavour, C: Borrow<Sm4>> AlgorithmName for Ctr<F, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sm4Ctr{}", F::NAME)
    }
}

impl<F: Flavour, C: Borrow<Sm4>> fmt::Debug for Ctr<F, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Self::write_alg_name(f)?;
        f.write_str(" { .. }")
    }
}

impl<F: Flavour, C: Borrow<Sm4>> Drop for Ctr<F, C> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        zeroize::Zeroize::zeroize(&mut self.key_stream);
    }
}

#[cfg(feature = "zeroize")]
impl<F: Flavour, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Ctr<F, C> {}
