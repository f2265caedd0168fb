//! CFB mode with a feedback of 8 bits (NIST SP 800-38A 6.3): one call of the cipher for every byte.

use core::{borrow::Borrow, fmt, marker::PhantomData};

use cipher::{
    AlgorithmName, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser,
    InOutBuf, InnerIvInit, Iv, IvSizeUser, IvState, SetIvState, common::InnerUser, consts::U16,
    inout::NotEqualError,
};
use sm4::Sm4;

use crate::block::Block;

/// CFB-8 encryption of a message in pieces of any length, one byte after the other: 16-byte key,
/// 16-byte IV.
///
/// **Unauthenticated**, and 16 times as slow as other modes. The IV must not be used twice with a
/// key, and be unpredictable.
///
/// ```
/// use sm4_modes::{Sm4Cfb8Dec, Sm4Cfb8Enc, cipher::KeyIvInit};
///
/// let (key, iv) = (b"a 16-byte secret".into(), b"never used twice".into());
/// let mut data = *b"message";
/// Sm4Cfb8Enc::new(key, iv).encrypt(&mut data);
/// Sm4Cfb8Dec::new(key, iv).decrypt(&mut data);
/// assert_eq!(data, *b"message");
/// ```
pub type Sm4Cfb8Enc = Cfb8<Encrypt>;

/// CFB-8 decryption of a message in pieces of any length, of many bytes at once: 16-byte key,
/// 16-byte IV.
///
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Sm4Cfb8Dec, cipher::KeyIvInit};
///
/// let mut plaintext = [0; 20];
/// Sm4Cfb8Dec::new(&[1; 16].into(), &[2; 16].into()).decrypt_b2b(&[3; 20], &mut plaintext)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Sm4Cfb8Dec = Cfb8<Decrypt>;

/// The direction of [`Sm4Cfb8Enc`].
#[derive(Clone, Copy, Debug)]
pub enum Encrypt {}

/// The direction of [`Sm4Cfb8Dec`].
#[derive(Clone, Copy, Debug)]
pub enum Decrypt {}

/// CFB-8 for a message in pieces of any length: [`Sm4Cfb8Enc`] and [`Sm4Cfb8Dec`].
///
/// `C` is [`Sm4`] or a reference to it, if the key is used for many messages.
pub struct Cfb8<D, C: Borrow<Sm4> = Sm4> {
    cipher: C,
    /// The last 16 bytes of IV and ciphertext.
    register: Block,
    direction: PhantomData<D>,
}

/// Bytes that are decrypted at once.
const BATCH: usize = 128;

/// All bytes of a message, one by one.
struct Serially<'a, 'i, 'o> {
    register: &'a mut Block,
    data: InOutBuf<'i, 'o, u8>,
}

impl BlockSizeUser for Serially<'_, '_, '_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Serially<'_, '_, '_> {
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(self, backend: &B) {
        let mut register = u128::from_be_bytes(self.register.0);
        for mut byte in self.data {
            let mut key_stream = Block::from(register.to_be_bytes());
            backend.encrypt_block((&mut key_stream).into());
            let ciphertext = *byte.get_in() ^ key_stream[0];
            *byte.get_out() = ciphertext;
            register = (register << 8) | u128::from(ciphertext);
        }
        *self.register = register.to_be_bytes().into();
    }
}

impl<C: Borrow<Sm4>> Cfb8<Encrypt, C> {
    /// Encrypts the next piece of the message.
    pub fn encrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let register = &mut self.register;
        self.cipher
            .borrow()
            .bulk()
            .encrypt_with_backend(Serially { register, data });
    }

    /// Encrypts the next piece of the message in place.
    pub fn encrypt(&mut self, data: &mut [u8]) {
        self.encrypt_inout(data.into());
    }

    /// Encrypts the next piece of the message from one buffer to another.
    ///
    /// # Errors
    /// If the buffers have different lengths; nothing is written then.
    pub fn encrypt_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), NotEqualError> {
        self.encrypt_inout(InOutBuf::new(input, output)?);
        Ok(())
    }
}

impl<C: Borrow<Sm4>> Cfb8<Decrypt, C> {
    /// Decrypts the next piece of the message.
    pub fn decrypt_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        let mut rest = data;
        while !rest.is_empty() {
            let len = rest.len().min(BATCH);
            let (mut piece, after) = rest.split_at(len);
            // the register and the ciphertext, of which every 16 bytes are a register
            let mut window = [0; 16 + BATCH];
            window[..16].copy_from_slice(&self.register);
            window[16..16 + len].copy_from_slice(piece.get_in());
            let mut masks = [Block::default(); BATCH];
            let masks = &mut masks[..len];
            for (mask, register) in masks.iter_mut().zip(window.windows(16)) {
                mask.copy_from_slice(register);
            }
            self.cipher.borrow().bulk().encrypt_blocks(masks);
            let ciphertext = &window[16..];
            for ((output, input), mask) in piece.get_out().iter_mut().zip(ciphertext).zip(masks) {
                *output = input ^ mask[0];
            }
            self.register.copy_from_slice(&window[len..len + 16]);
            rest = after;
        }
    }

    /// Decrypts the next piece of the message in place.
    pub fn decrypt(&mut self, data: &mut [u8]) {
        self.decrypt_inout(data.into());
    }

    /// Decrypts the next piece of the message from one buffer to another.
    ///
    /// # Errors
    /// If the buffers have different lengths; nothing is written then.
    pub fn decrypt_b2b(&mut self, input: &[u8], output: &mut [u8]) -> Result<(), NotEqualError> {
        self.decrypt_inout(InOutBuf::new(input, output)?);
        Ok(())
    }
}

impl<D, C: Borrow<Sm4>> InnerUser for Cfb8<D, C> {
    type Inner = C;
}

impl<D, C: Borrow<Sm4>> IvSizeUser for Cfb8<D, C> {
    type IvSize = U16;
}

impl<D, C: Borrow<Sm4>> InnerIvInit for Cfb8<D, C> {
    #[inline]
    fn inner_iv_init(cipher: C, iv: &Iv<Self>) -> Self {
        Self {
            cipher,
            register: *iv,
            direction: PhantomData,
        }
    }
}

impl<D, C: Borrow<Sm4>> IvState for Cfb8<D, C> {
    #[inline]
    fn iv_state(&self) -> Iv<Self> {
        self.register
    }
}

impl<D, C: Borrow<Sm4>> SetIvState for Cfb8<D, C> {
    #[inline]
    fn set_iv(&mut self, iv: &Iv<Self>) {
        self.register = *iv;
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Cfb8<Encrypt, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Cfb8Enc")
    }
}

impl<C: Borrow<Sm4>> AlgorithmName for Cfb8<Decrypt, C> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sm4Cfb8Dec")
    }
}

impl<D, C: Borrow<Sm4>> fmt::Debug for Cfb8<D, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cfb8").finish_non_exhaustive()
    }
}

#[cfg(feature = "zeroize")]
impl<D, C: Borrow<Sm4> + zeroize::ZeroizeOnDrop> zeroize::ZeroizeOnDrop for Cfb8<D, C> {}
