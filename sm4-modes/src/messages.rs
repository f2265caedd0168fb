//! Many messages at once, for modes in which every block of a message has to wait for the one
//! before: each has a lane of its own in a wide kernel.
//!
//! All messages have the same key. A kernel adds one round key to all its lanes; with a key for each
//! lane, it would load four vectors of round keys in every round, which somebody has to transpose and to
//! keep (64 KiB for 128 keys), and there would be a second kernel of every width. Messages under
//! different keys are therefore encrypted one after the other.

use core::{mem, slice};

use cipher::{BlockCipherEncrypt, InvalidLength};
use sm4::{Bulk, Sm4};

use crate::{
    block::{Block, sum},
    lanes::{self, Lane},
    mac::MacKey,
};

/// A message that is encrypted in place, and its IV.
#[derive(Debug)]
pub struct Message<'a> {
    /// The IV; after the call, the one with which the message would go on: its last block of
    /// ciphertext (the IV itself if there is none), or zero after an incomplete block of CFB, which
    /// nothing can follow.
    pub iv: [u8; 16],
    /// Plaintext, then ciphertext.
    pub data: &'a mut [u8],
}

/// Encrypts many messages under one key in CBC mode, all at once and in place.
///
/// The messages may have different lengths. The more of them (up to 128) have blocks left, the
/// faster it is: with 16, several times as fast as one by one. The IVs have to be unpredictable, as
/// always in CBC mode. **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Message, Sm4, cbc_encrypt_messages, cipher::KeyInit};
///
/// let key = Sm4::new(b"a 16-byte secret".into());
/// let mut rows = [[7; 64]; 20];
/// let mut messages: Vec<_> = rows
///     .iter_mut()
///     .zip(1_u128..) // random ones, in practice
///     .map(|(data, iv)| Message { iv: iv.to_be_bytes(), data })
///     .collect();
/// cbc_encrypt_messages(&key, &mut messages)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// If the length of a message is not a multiple of 16. Nothing is encrypted then, of no message.
pub fn cbc_encrypt_messages(
    cipher: &Sm4,
    messages: &mut [Message<'_>],
) -> Result<(), InvalidLength> {
    for message in messages.iter() {
        if !message.data.len().is_multiple_of(16) {
            return Err(InvalidLength);
        }
    }
    let count = messages.len();
    let lanes = messages.iter_mut().map(|message| {
        let lane = Cbc {
            blocks: Block::slice_as_chunks_mut(message.data).0.iter_mut(),
            current: None,
        };
        (lane, (&mut message.iv).into())
    });
    lanes::run(cipher, count, lanes);
    Ok(())
}

/// Encrypts many messages of any length under one key in CFB mode (with a feedback of 128 bits),
/// all at once and in place.
///
/// An IV must never come twice under one key.
/// **Unauthenticated.**
///
/// ```
/// use sm4_modes::{Message, Sm4, cfb_encrypt_messages, cipher::KeyInit};
///
/// let key = Sm4::new(b"a 16-byte secret".into());
/// let (mut first, mut second) = (*b"first", *b"the second message");
/// cfb_encrypt_messages(&key, &mut [
///     Message { iv: [1; 16], data: &mut first },
///     Message { iv: [2; 16], data: &mut second },
/// ]);
/// ```
pub fn cfb_encrypt_messages(cipher: &Sm4, messages: &mut [Message<'_>]) {
    let count = messages.len();
    let lanes = messages.iter_mut().map(|message| {
        let (blocks, end) = Block::slice_as_chunks_mut(message.data);
        let lane = Cfb {
            blocks: blocks.iter_mut(),
            current: None,
            end,
            ending: false,
        };
        (lane, (&mut message.iv).into())
    });
    lanes::run(cipher, count, lanes);
}

/// Computes the tags of many messages under one key, all at once.
///
/// ```
/// use sm4_modes::{MacKey, Sm4CmacKey, cipher::KeyInit, mac_messages};
///
/// let key = Sm4CmacKey::new(b"a 16-byte secret".into());
/// let messages: [&[u8]; 3] = [b"first", b"second", b""];
/// let mut tags = [[0; 16]; 3];
/// mac_messages(&key, &messages, &mut tags)?;
/// assert_eq!(tags[1], key.mac(b"second"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// If there are not as many tags as messages. Nothing is written then.
pub fn mac_messages<K: MacKey>(
    key: &K,
    messages: &[&[u8]],
    tags: &mut [[u8; 16]],
) -> Result<(), InvalidLength> {
    if messages.len() != tags.len() {
        return Err(InvalidLength);
    }
    let lanes = messages.iter().zip(tags).map(|(message, tag)| {
        *tag = [0; 16];
        (key.input(message), tag.into())
    });
    lanes::run(key.cipher(), messages.len(), lanes);
    Ok(())
}

/// `C_i = E(P_i + C_{i-1})`
struct Cbc<'a> {
    blocks: slice::IterMut<'a, Block>,
    current: Option<&'a mut Block>,
}

impl Cbc<'_> {
    #[inline(always)]
    fn store(&mut self, state: &Block) {
        if let Some(current) = self.current.take() {
            *current = *state;
        }
    }
}

impl Lane for Cbc<'_> {
    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        self.store(state);
        self.current = self.blocks.next();
        if let Some(current) = &self.current {
            *state = sum(state, current);
        }
        self.current.is_some()
    }

    #[inline(always)]
    fn finish(&mut self, cipher: Bulk<'_>, state: &mut Block) {
        self.store(state);
        let blocks = mem::take(&mut self.blocks).into_slice();
        cipher.cbc_encrypt_blocks(state, blocks.into());
    }
}

/// `C_i = P_i + E(C_{i-1})`
struct Cfb<'a> {
    blocks: slice::IterMut<'a, Block>,
    current: Option<&'a mut Block>,
    end: &'a mut [u8],
    ending: bool,
}

impl Cfb<'_> {
    #[inline(always)]
    fn store(&mut self, state: &mut Block) {
        if let Some(current) = self.current.take() {
            *state = sum(state, current);
            *current = *state;
        } else if self.ending {
            for (byte, key_stream) in mem::take(&mut self.end).iter_mut().zip(state.iter()) {
                *byte ^= *key_stream;
            }
            // What is left of the key stream must not become the IV, which is public.
            *state = Block::default();
        }
    }
}

impl Lane for Cfb<'_> {
    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        self.store(state);
        self.current = self.blocks.next();
        self.ending = self.current.is_none() && !self.end.is_empty();
        self.current.is_some() || self.ending
    }

    #[inline(always)]
    fn finish(&mut self, cipher: Bulk<'_>, state: &mut Block) {
        self.store(state);
        let blocks = mem::take(&mut self.blocks).into_slice();
        cipher.cfb_encrypt_blocks(state, blocks.into());
        if self.step(state) {
            cipher.encrypt_block(state);
            self.store(state);
        }
    }
}
