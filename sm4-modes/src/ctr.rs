//! CTR mode (NIST SP 800-38A 6.5, GB/T 17964): the key stream is the encrypted counter.

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, OverflowError, SeekNum,
    SetIvState, StreamCipher, StreamCipherError, StreamCipherSeek, common::InnerUser, consts::U16,
};
use sm4::Sm4;

use crate::{
    batch::{self, Block, Masking, Mode, Quad},
    counter::{Be32, Be128, Flavour, Le32},
};

/// CTR mode with the 128-bit big-endian counter of NIST SP 800-38A and GB/T 17964.
pub type Sm4Ctr = Ctr<Be128>;

/// CTR mode with the 32-bit big-endian counter of GCM.
pub type Sm4Ctr32Be = Ctr<Be32>;

/// CTR mode with the 32-bit little-endian counter of GCM-SIV, in bytes 0 to 3.
pub type Sm4Ctr32Le = Ctr<Le32>;

/// CTR mode: a stream cipher which can be set to any position.
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
struct Counter<F> {
    next: Block,
    flavour: PhantomData<F>,
}

impl<F: Flavour> Mode for Counter<F> {
    const MASKING: Masking = Masking::KeyStream;

    #[inline(always)]
    fn masks(&mut self, _input: &[Block], count: usize, masks: &mut [Quad]) {
        F::fill(&self.next, masks[..count.div_ceil(4)].as_flattened_mut());
        self.next = F::at(&self.next, count as u128);
    }
}

impl<F: Flavour, C: Borrow<Sm4>> StreamCipher for Ctr<F, C> {
    fn check_remaining(&self, data_len: usize) -> Result<(), StreamCipherError> {
        let beyond = data_len.saturating_sub(16 - self.used).div_ceil(16);
        if beyond as u128 <= F::BLOCKS - self.next {
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
        let count = blocks.len() + usize::from(!end.is_empty());
        self.used = if end.is_empty() { 16 } else { end.len() };
        let mut counter = Counter::<F> {
            next: F::at(&self.iv, self.next),
            flavour: PhantomData,
        };
        self.key_stream = batch::encrypt(self.cipher.borrow(), &mut counter, blocks, end);
        self.next = self.next.wrapping_add(count as u128);
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

/// The counter block of the block that the next byte lies in.
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
