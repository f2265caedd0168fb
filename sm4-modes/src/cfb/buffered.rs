//! CFB mode for a message that comes in pieces of any length.

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockCipherEncrypt, InOutBuf, InnerIvInit, Iv, IvSizeUser, common::InnerUser,
    consts::U16, inout::NotEqualError,
};
use sm4::Sm4;

use super::{CfbDec, CfbEnc};
#[cfg(doc)]
use super::{Sm4CfbBufDec, Sm4CfbBufEnc};
use crate::{
    batch,
    block::Block,
    chained::{Chain, Encrypt},
};

/// One direction of CFB mode, as its buffered form sees it.
pub trait Direction: Chain {
    /// Whether it encrypts.
    const ENCRYPTS: bool;

    /// The name of the buffered form.
    const BUFFERED: &'static str;

    /// Works on whole blocks and an incomplete last one, and returns the latter's key stream.
    fn run(
        &mut self,
        cipher: &Sm4,
        blocks: InOutBuf<'_, '_, Block>,
        end: InOutBuf<'_, '_, u8>,
    ) -> Block;
}

impl Direction for CfbEnc {
    const ENCRYPTS: bool = true;
    const BUFFERED: &'static str = "Sm4CfbBufEnc";

    #[inline]
    fn run(
        &mut self,
        cipher: &Sm4,
        blocks: InOutBuf<'_, '_, Block>,
        mut end: InOutBuf<'_, '_, u8>,
    ) -> Block {
        self.encrypt(cipher, blocks);
        let mut key_stream = self.0;
        if !end.is_empty() {
            cipher.encrypt_block(&mut key_stream);
            end.xor_in2out(&key_stream[..end.len()]);
        }
        key_stream
    }
}

impl Direction for CfbDec {
    const ENCRYPTS: bool = false;
    const BUFFERED: &'static str = "Sm4CfbBufDec";

    #[inline]
    fn run(
        &mut self,
        cipher: &Sm4,
        blocks: InOutBuf<'_, '_, Block>,
        end: InOutBuf<'_, '_, u8>,
    ) -> Block {
        batch::encrypt(cipher, self, blocks, end)
    }
}

/// CFB mode for a message in pieces of any length: [`Sm4CfbBufEnc`] and [`Sm4CfbBufDec`].
///
/// `C` is [`Sm4`] or a reference to it, if the key is used for many messages.
pub struct Buffered<D: Direction, C: Borrow<Sm4> = Sm4> {
    cipher: C,
    mode: D,
    /// The key stream of the block that is begun, and its ciphertext so far.
    key_stream: Block,
    ciphertext: Block,
    /// How many of its bytes are done; 0 if none is begun.
    done: usize,
}

impl<D: Direction, C: Borrow<Sm4>> Buffered<D, C> {
    /// Works on the next piece of the message.
    #[inline]
    fn update(&mut self, data: InOutBuf<'_, '_, u8>) {
        let begun = if self.done == 0 { 0 } else { 16 - self.done };
        let len = begun.min(data.len());
        let (mut begin, data) = data.split_at(len);
        if len > 0 {
            let part = self.done..self.done + len;
            self.note(part.start, begin.get_in(), false);
            begin.xor_in2out(&self.key_stream[part.clone()]);
            self.note(part.start, begin.get_out(), true);
            self.done = part.end % 16;
            if self.done == 0 {
                self.mode = D::start(self.ciphertext);
            }
        }
        if data.is_empty() {
            return;
        }
        let (blocks, mut end) = data.into_chunks();
        self.note(0, end.get_in(), false);
        self.key_stream = self.mode.run(self.cipher.borrow(), blocks, end.reborrow());
        self.note(0, end.get_out(), true);
        self.done = end.len();
    }

    /// Keeps the ciphertext of a begun block: input or output, as the direction has it.
    #[inline]
    fn note(&mut self, at: usize, bytes: &[u8], output: bool) {
        if output == D::ENCRYPTS {
            self.ciphertext[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }
}

impl<C: Borrow<Sm4>> Buffered<CfbEnc, C> {
    /// Encrypts the next piece of the message in place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        self.update(data.into());
    }

    /// Encrypts the next piece of the message.
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.update(data);
    }

    /// Encrypts the next piece of the message from one buffer to another.
    ///
    /// # Errors
    /// If the buffers have different lengths; nothing is written then.
    pub fn encrypt_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), NotEqualError> {
        self.update(InOutBuf::new(input, output)?);
        Ok(())
    }
}

impl<C: Borrow<Sm4>> Buffered<CfbDec, C> {
    /// Decrypts the next piece of the message in place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        self.update(data.into());
    }

    /// Decrypts the next piece of the message.
    pub fn decrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.update(data);
    }

    /// Decrypts the next piece of the message from one buffer to another.
    ///
    /// # Errors
    /// If the buffers have different lengths; nothing is written then.
    pub fn decrypt_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), NotEqualError> {
        self.update(InOutBuf::new(input, output)?);
        Ok(())
    }
}

impl<D: Direction, C: Borrow<Sm4>> InnerUser for Buffered<D, C> {
    type Inner = C;
}

impl<D: Direction, C: Borrow<Sm4>> IvSizeUser for Buffered<D, C> {
    type IvSize = U16;
}

impl<D: Direction, C: Borrow<Sm4>> InnerIvInit for Buffered<D, C> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self {
            cipher,
            mode: D::start(*iv),
            key_stream: Block::default(),
            ciphertext: Block::default(),
            done: 0,
        }
    }
}

impl<D: Direction, C: Borrow<Sm4>> AlgorithmName for Buffered<D, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(D::BUFFERED)
    }
}

impl<D: Direction, C: Borrow<Sm4>> fmt::Debug for Buffered<D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(D::BUFFERED).finish_non_exhaustive()
    }
}

impl<D: Direction, C: Borrow<Sm4>> Drop for Buffered<D, C> {
    fn drop(&mut self) {
        #[cfg(feature = "zeroize")]
        {
            self.mode.wipe();
            zeroize::Zeroize::zeroize(&mut self.key_stream);
        }
    }
}

#[cfg(feature = "zeroize")]
impl<D: Direction, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop
    for Buffered<D, C>
{
}
