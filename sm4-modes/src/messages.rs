//! Many messages at once, for modes in which every block of a message has to wait for the one
//! before.
//!
//! One message leaves most of a wide kernel idle; so every message gets a lane of its own, and when
//! it has come to its end, another message gets the lane.

use core::{array, slice};

use cipher::{
    BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, InvalidLength,
    consts::U16,
};
use sm4::Sm4;

use crate::{
    block::{Block, sum},
    mac::{Last, MacKey, split},
};

/// Lanes for few messages, and for many.
const FEW: usize = 16;
const MANY: usize = 128;

/// A message that is encrypted in place, and its IV.
#[derive(Debug)]
pub struct Message<'a> {
    /// The IV; after the call, the one with which the message would go on: its last 16 bytes of
    /// ciphertext. Nothing can follow an incomplete block in CFB; then it is zero.
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
///     .map(|data| Message { iv: *b"random 16 bytes!", data })
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
        (lane, &mut message.iv)
    });
    run(cipher, count, lanes);
    Ok(())
}

/// Encrypts many messages of any length under one key in CFB mode (with a feedback of 128 bits),
/// all at once.
///
/// The IV that is left in a message whose length is not a multiple of 16 is of no use.
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
        (lane, &mut message.iv)
    });
    run(cipher, count, lanes);
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
        let (blocks, end) = split(message);
        let lane = Mac {
            first: key.first(message.len()),
            blocks: blocks.iter(),
            last: key.last(end),
            done: 0,
        };
        (lane, tag)
    });
    run(key.cipher(), messages.len(), lanes);
    Ok(())
}

/// A message that has a lane.
trait Lane: Default {
    /// Puts the first block in place. If there is none, the message is done.
    fn start(&mut self, state: &mut Block) -> bool {
        self.step(state)
    }

    /// Does what is to do with an encrypted block, if there is one yet, and puts the next one in
    /// its place. If there is none, the message is done.
    fn step(&mut self, state: &mut Block) -> bool;
}

/// `C_i = E(P_i + C_{i-1})`
#[derive(Default)]
struct Cbc<'a> {
    blocks: slice::IterMut<'a, Block>,
    current: Option<&'a mut Block>,
}

impl Lane for Cbc<'_> {
    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        if let Some(current) = self.current.take() {
            *current = *state;
        }
        self.current = self.blocks.next();
        if let Some(current) = &self.current {
            *state = sum(state, current);
        }
        self.current.is_some()
    }
}

/// `C_i = P_i + E(C_{i-1})`
#[derive(Default)]
struct Cfb<'a> {
    blocks: slice::IterMut<'a, Block>,
    current: Option<&'a mut Block>,
    end: &'a mut [u8],
    ending: bool,
}

impl Lane for Cfb<'_> {
    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        if let Some(current) = self.current.take() {
            *state = sum(state, current);
            *current = *state;
        } else if self.ending {
            for (byte, key_stream) in self.end.iter_mut().zip(state.iter()) {
                *byte ^= *key_stream;
            }
            // What is left of the key stream must not become the IV, which is public.
            *state = Block::default();
            return false;
        }
        self.current = self.blocks.next();
        self.ending = self.current.is_none() && !self.end.is_empty();
        self.current.is_some() || self.ending
    }
}

/// `X_i = E(X_{i-1} + block i)`
#[derive(Default)]
struct Mac<'a> {
    first: Option<Block>,
    blocks: slice::Iter<'a, Block>,
    last: Last,
    done: usize,
}

impl Lane for Mac<'_> {
    #[inline(always)]
    fn start(&mut self, state: &mut Block) -> bool {
        if let Some(first) = &self.first {
            *state = sum(state, first);
            return true;
        }
        self.step(state)
    }

    #[inline(always)]
    fn step(&mut self, state: &mut Block) -> bool {
        if let Some(block) = self.blocks.next() {
            *state = sum(state, block);
            return true;
        }
        let Some(block) = self.last.as_slice().get(self.done) else {
            return false;
        };
        self.done += 1;
        *state = sum(state, block);
        true
    }
}

/// Runs all messages; with each comes the place of its first state, which becomes that of the last.
fn run<'a, L: Lane>(
    cipher: &Sm4,
    count: usize,
    messages: impl Iterator<Item = (L, &'a mut [u8; 16])>,
) {
    if count <= FEW {
        cipher
            .bulk()
            .encrypt_with_backend(Lanes::<FEW, _>(messages));
    } else {
        cipher
            .bulk()
            .encrypt_with_backend(Lanes::<MANY, _>(messages));
    }
}

/// `N` lanes, and the messages that are to get one.
struct Lanes<const N: usize, M>(M);

impl<const N: usize, M> BlockSizeUser for Lanes<N, M> {
    type BlockSize = U16;
}

impl<'a, const N: usize, L, M> BlockCipherEncClosure for Lanes<N, M>
where
    L: Lane,
    M: Iterator<Item = (L, &'a mut [u8; 16])>,
{
    #[inline(always)]
    fn call<B: BlockCipherEncBackend<BlockSize = U16>>(mut self, backend: &B) {
        let mut lanes: [(L, Option<&'a mut [u8; 16]>); N] = array::from_fn(|_| Default::default());
        let mut states = [Block::default(); N];
        let mut busy = 0;
        loop {
            while busy < N {
                let Some((mut lane, state)) = self.0.next() else {
                    break;
                };
                states[busy] = (*state).into();
                if lane.start(&mut states[busy]) {
                    lanes[busy] = (lane, Some(state));
                    busy += 1;
                }
            }
            if busy == 0 {
                return;
            }
            backend.encrypt_tail_blocks((&mut states[..busy]).into());
            let mut i = 0;
            while i < busy {
                let (lane, last) = &mut lanes[i];
                if lane.step(&mut states[i]) {
                    i += 1;
                    continue;
                }
                if let Some(last) = last {
                    **last = states[i].0;
                }
                busy -= 1;
                lanes.swap(i, busy);
                states.swap(i, busy);
            }
        }
    }
}
