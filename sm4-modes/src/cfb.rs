//! CFB mode with a feedback of 128 bits (NIST SP 800-38A 6.3, GB/T 17964).

use core::{borrow::Borrow, fmt};

use cipher::{
    AlgorithmName, BlockCipherEncBackend, BlockCipherEncrypt, BlockModeDecClosure,
    BlockModeEncClosure, InOut, InOutBuf, InnerIvInit, Iv, IvSizeUser, common::InnerUser,
    consts::U16, inout::NotEqualError,
};
use sm4::Sm4;

use crate::{
    batch::{self, Block, Masking, Mode, Quad},
    chained::{
        Chain, Chained, Decrypt, Encrypt, Serial, lend_encryption, lend_serial, run_serially,
    },
};

/// CFB encryption of whole blocks, one after the other: 16-byte key, 16-byte IV. For data of any
/// length see [`Sm4CfbBufEnc`].
///
/// **Unauthenticated.** The IV must not be used twice with a key, and be unpredictable.
///
/// ```
/// use sm4_modes::{
///     Sm4CfbDec, Sm4CfbEnc,
///     cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
/// };
///
/// let (key, iv) = ([1; 16].into(), [2; 16].into());
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4CfbEnc::new(&key, &iv).encrypt_blocks(&mut blocks);
/// Sm4CfbDec::new(&key, &iv).decrypt_blocks(&mut blocks);
/// assert_eq!(blocks[9], [3; 16]);
/// ```
pub type Sm4CfbEnc = Chained<CfbEnc>;

/// CFB decryption of whole blocks, of many at once: 16-byte key, 16-byte IV. For data of any length
/// see [`Sm4CfbBufDec`].
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4CfbDec, cipher::{BlockModeDecrypt, KeyIvInit}};
///
/// let mut blocks = [[3; 16].into(); 10];
/// Sm4CfbDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_blocks(&mut blocks);
/// ```
pub type Sm4CfbDec = Chained<CfbDec>;

/// CFB encryption of a message that comes in pieces of any length: 16-byte key, 16-byte IV.
///
/// One block after the other; for many messages at once see
/// [`cfb_encrypt_messages`](crate::cfb_encrypt_messages).
///
/// **Unauthenticated.** The IV must not be used twice with a key, and be unpredictable.
///
/// ```
/// use sm4_modes::{Sm4CfbBufDec, Sm4CfbBufEnc, cipher::KeyIvInit};
///
/// let (key, iv) = (b"a 16-byte secret".into(), b"never used twice".into());
/// let mut data = *b"a message in two pieces";
/// let mut cfb = Sm4CfbBufEnc::new(key, iv);
/// cfb.encrypt(&mut data[..9]);
/// cfb.encrypt(&mut data[9..]);
/// Sm4CfbBufDec::new(key, iv).decrypt(&mut data);
/// assert_eq!(data, *b"a message in two pieces");
/// ```
pub type Sm4CfbBufEnc = Buffered<CfbEnc>;

/// CFB decryption of a message that comes in pieces of any length, of many blocks at once: 16-byte
/// key, 16-byte IV.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4CfbBufDec, cipher::KeyIvInit};
///
/// let mut plaintext = [0; 20];
/// Sm4CfbBufDec::new(&[1; 16].into(), &[2; 16].into()).decrypt_b2b(&[3; 20], &mut plaintext)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4CfbBufDec = Buffered<CfbDec>;

/// The chaining value of CFB encryption: the last ciphertext block.
#[derive(Clone, Copy, Debug)]
pub struct CfbEnc(Block);

/// The chaining value of CFB decryption: the last ciphertext block.
#[derive(Clone, Copy, Debug)]
pub struct CfbDec(Block);

impl Chain for CfbEnc {
    const NAME: &'static str = "Sm4CfbEnc";

    #[inline]
    fn start(iv: Block) -> Self {
        Self(iv)
    }

    #[inline]
    fn iv(&self) -> Block {
        self.0
    }

    #[cfg(feature = "zeroize")]
    fn wipe(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

impl Chain for CfbDec {
    const NAME: &'static str = "Sm4CfbDec";

    #[inline]
    fn start(iv: Block) -> Self {
        Self(iv)
    }

    #[inline]
    fn iv(&self) -> Block {
        self.0
    }

    #[cfg(feature = "zeroize")]
    fn wipe(&mut self) {
        zeroize::Zeroize::zeroize(&mut self.0);
    }
}

/// `C_i = P_i + E(C_{i-1})`
impl Serial for CfbEnc {
    #[inline(always)]
    fn block<B: BlockCipherEncBackend<BlockSize = U16>>(
        &mut self,
        backend: &B,
        mut block: InOut<'_, '_, Block>,
    ) {
        backend.encrypt_block((&mut self.0).into());
        block.xor_in2out(&self.0);
        self.0 = *block.get_out();
    }
}

impl Encrypt for CfbEnc {
    #[inline]
    fn encrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        run_serially(cipher, self, blocks);
    }

    #[inline]
    fn encrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeEncClosure<BlockSize = U16>) {
        lend_serial(cipher, self, f);
    }
}

/// `P_i = C_i + E(C_{i-1})`
impl Mode for CfbDec {
    const MASKING: Masking = Masking::KeyStream;

    #[inline(always)]
    fn masks(&mut self, input: &[Block], count: usize, masks: &mut [Quad]) {
        let masks = masks.as_flattened_mut();
        masks[0] = self.0;
        masks[1..count].copy_from_slice(&input[..count - 1]);
        if let Some(last) = input.last() {
            self.0 = *last;
        }
    }
}

impl Decrypt for CfbDec {
    #[inline]
    fn decrypt(&mut self, cipher: &Sm4, blocks: InOutBuf<'_, '_, Block>) {
        batch::encrypt(cipher, self, blocks, batch::no_end());
    }

    #[inline]
    fn decrypt_with(&mut self, cipher: &Sm4, f: impl BlockModeDecClosure<BlockSize = U16>) {
        lend_encryption(cipher, self, f);
    }
}

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
        run_serially(cipher, self, blocks);
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
