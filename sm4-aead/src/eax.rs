//! EAX (Bellare, Rogaway, Wagner: The EAX Mode of Operation, 2004).

mod many;
mod pieces;

pub use pieces::EaxState;

use aead::{
    Key, KeyInit,
    array::ArraySize,
    consts::{U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16},
    inout::InOutBuf,
};
use sm4::{Bulk, Sm4, cipher::BlockCipherEncrypt};
use sm4_modes::{
    counter::Be128,
    shared::{Block, MacChain, Subkeys, Wiped, run_chains, sum},
};

use crate::{
    Error, Message,
    chain::Chain,
    ctr::{KeyStream, Mac, Text},
    fixed::{Allows, Fixed},
    many::GROUP,
    mode::{Mode, keyed_mode},
};

/// SM4-EAX with nonces of `N` bytes and tags of `T` bytes.
///
/// The key has 16 bytes, the nonce 16 unless you say otherwise (any number, even 0), the tag 16 (1
/// to 16). There is no limit for a message but that of memory.
///
/// **Never use a nonce twice with the same key**: whoever sees two such messages learns their XOR.
/// With random nonces of 16 bytes, stay below 2^48 messages for a key.
///
/// After a bad tag the output holds zeros, in place and from buffer to buffer. The time does not
/// depend on the key or the data, only on lengths.
///
/// ```
/// use sm4_aead::{Sm4Eax, aead::{Aead, Payload}};
///
/// let eax = Sm4Eax::new(b"a 16-byte secret".into());
/// let nonce = b"once for one key".into();
/// let sealed = eax.encrypt(nonce, Payload { msg: b"message", aad: b"header" })?;
/// assert_eq!(eax.decrypt(nonce, Payload { msg: &sealed, aad: b"header" })?, b"message");
/// # Ok::<(), sm4_aead::aead::Error>(())
/// ```
pub type Sm4Eax<N = U16, T = U16> = Fixed<Eax, N, T>;

impl Sm4Eax {
    /// Sets up a key for 16-byte nonces and 16-byte tags.
    #[must_use]
    pub fn new(key: &Key<Self>) -> Self {
        KeyInit::new(key)
    }
}

impl<N: ArraySize, T: EaxTag> Allows<N, T> for Eax {}

/// The tag sizes of EAX: 1 to 16 bytes.
pub trait EaxTag: ArraySize {}

macro_rules! tag_sizes {
    ($($size:ty),*) => {
        $(impl EaxTag for $size {})*
    };
}
tag_sizes!(
    U1, U2, U3, U4, U5, U6, U7, U8, U9, U10, U11, U12, U13, U14, U15, U16
);

/// SM4-EAX with nonces (of any length) and tags (1 to 16 bytes) as slices: see [`Sm4Eax`] and
/// [`AnySize`](crate::AnySize).
#[derive(Clone)]
pub struct Eax {
    cipher: Sm4,
    subkeys: Subkeys,
    omac: [Omac; 3],
}

keyed_mode!(Eax);

/// One of the three MACs: CMAC of a block that holds its number, and of data.
#[derive(Clone)]
struct Omac {
    /// The state after the first block.
    state: Wiped<Block>,
    /// The MAC of no data.
    empty: Wiped<Block>,
}

const NONCE: usize = 0;
const HEADER: usize = 1;
const CIPHERTEXT: usize = 2;

impl Eax {
    /// The same with a cipher that has been set up already, e.g. for a certain backend.
    #[must_use]
    pub fn from_cipher(cipher: Sm4) -> Self {
        let subkeys = Subkeys::new(&cipher);
        let mut blocks = [Block::default(); 6];
        for number in 0..3_u8 {
            let [state, empty] = &mut blocks[2 * usize::from(number)..][..2] else {
                unreachable!("two of six blocks");
            };
            state[15] = number;
            *empty = subkeys.last(state);
        }
        cipher.bulk().encrypt_blocks(&mut blocks);
        let [s0, e0, s1, e1, s2, e2] = blocks;
        let omac = [(s0, e0), (s1, e1), (s2, e2)].map(|(state, empty)| Omac {
            state: Wiped(state),
            empty: Wiped(empty),
        });
        Self {
            cipher,
            subkeys,
            omac,
        }
    }

    fn chain<'d>(&self, number: usize, data: &'d [u8]) -> MacChain<'d> {
        let Omac {
            state: Wiped(state),
            empty: Wiped(empty),
        } = &self.omac[number];
        if data.is_empty() {
            return MacChain {
                state: *empty,
                ..MacChain::default()
            };
        }
        MacChain {
            state: *state,
            input: self.subkeys.input(data),
        }
    }

    /// The MACs of the nonce, which is the first counter block, and of the associated data.
    fn start(&self, nonce: &[u8], associated_data: &[u8]) -> [Block; 2] {
        let mut chains = [
            self.chain(NONCE, nonce),
            self.chain(HEADER, associated_data),
        ];
        run_chains(&self.cipher, &mut chains);
        chains.map(|chain| chain.state)
    }

    fn omac_of_ciphertext(&self) -> OmacOfCiphertext {
        OmacOfCiphertext(Chain::new(self.omac[CIPHERTEXT].state.0))
    }

    fn finish(&self, mac: &mut OmacOfCiphertext) -> Block {
        let (state, block, len) = mac.0.end();
        if len == 0 {
            return self.omac[CIPHERTEXT].empty.0;
        }
        let mut mac = sum(&state, &self.subkeys.last(&block[..len]));
        self.cipher.encrypt_block(&mut mac);
        mac
    }

    /// Encrypts or decrypts, and returns the tag in full length.
    fn crypt(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        data: InOutBuf<'_, '_, u8>,
        ciphertext: Text,
    ) -> Block {
        let [nonce, header] = self.start(nonce, associated_data);
        let mut mac = self.omac_of_ciphertext();
        KeyStream::<Be128>::new(nonce).apply(self.cipher.bulk(), data, ciphertext, &mut mac);
        sum(&self.finish(&mut mac), &sum(&nonce, &header))
    }
}

#[derive(Clone)]
struct OmacOfCiphertext(Chain<true>);

impl Mac for OmacOfCiphertext {
    #[inline(always)]
    fn update(&mut self, cipher: Bulk<'_>, data: &[u8]) {
        self.0.update(cipher, data);
    }
}

fn check(tag: usize) -> Result<(), Error> {
    if (1..=16).contains(&tag) {
        Ok(())
    } else {
        Err(Error::TagLength)
    }
}

impl Mode for Eax {
    fn check(&self, _: usize, _: u64, _: u64, tag: usize) -> Result<(), Error> {
        check(tag)
    }

    fn seal(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, _: usize) -> Block {
        self.crypt(nonce, aad, buffer, Text::Output)
    }

    fn open(&self, nonce: &[u8], aad: &[u8], buffer: InOutBuf<'_, '_, u8>, _: &[u8]) -> Block {
        self.crypt(nonce, aad, buffer, Text::Input)
    }

    fn seal_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, Text::Output)
    }

    fn open_group(&self, group: &mut [Message<'_>]) -> [Block; GROUP] {
        self.crypt_group(group, Text::Input)
    }
}
