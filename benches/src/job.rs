//! One thing to be timed: a key that is set up, and messages to work on.

use core::hint::black_box;

/// What is done with a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Encryption; with an AEAD the tag too.
    Encrypt,
    /// Decryption; with an AEAD the tag is checked too.
    Decrypt,
    /// A tag over a message (MAC), or over associated data and an empty message (AEAD).
    Authenticate,
    /// Key setup.
    Setup,
}

impl Operation {
    /// The abbreviation used in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Encrypt => "enc",
            Self::Decrypt => "dec",
            Self::Authenticate => "auth",
            Self::Setup => "setup",
        }
    }
}

/// The same input for all implementations.
#[derive(Clone, Debug)]
pub struct Input {
    /// 16 bytes, or 32 for modes with two keys.
    pub key: Vec<u8>,
    /// Initial counter block, nonce or tweak, in the size that the mode is measured with.
    pub iv: Vec<u8>,
    /// Plaintext or ciphertext; what a tag alone is made of.
    pub text: Vec<u8>,
    /// Associated data of an AEAD's message. None is measured; a tag over associated data alone takes
    /// the text.
    pub aad: Vec<u8>,
    /// For the decryption of an AEAD: the tag.
    pub tag: [u8; 16],
}

/// Two buffers of the message's size and a tag.
#[derive(Debug)]
pub struct Buffers {
    memory: Vec<u8>,
    input: usize,
    output: usize,
    size: usize,
    /// The tag computed last.
    pub tag: [u8; 16],
}

impl Buffers {
    /// Both hold the text. They start at cache lines, and half a page apart, as equal offsets in a
    /// page would make loads wait for unrelated stores.
    #[must_use]
    pub fn new(text: &[u8]) -> Self {
        const PAGE: usize = 4096;
        let size = text.len();
        let distance = size.next_multiple_of(PAGE) + PAGE / 2;
        let mut memory = vec![0; PAGE + distance + size];
        let input = memory.as_ptr().align_offset(PAGE);
        let output = input + distance;
        memory[input..][..size].copy_from_slice(text);
        memory[output..][..size].copy_from_slice(text);
        Self {
            memory,
            input,
            output,
            size,
            tag: [0; 16],
        }
    }

    /// The text as given.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        &self.memory[self.input..][..self.size]
    }

    /// The text as processed, which is where most modes work in place.
    pub fn output(&mut self) -> &mut [u8] {
        &mut self.memory[self.output..][..self.size]
    }

    /// From the text as given to the text as processed.
    pub fn input_and_output(&mut self) -> (&[u8], &mut [u8]) {
        let (head, tail) = self.memory.split_at_mut(self.output);
        (&head[self.input..][..self.size], &mut tail[..self.size])
    }
}

/// Something that can be done again and again.
pub trait Job {
    /// Does it so many times.
    fn run(&mut self, times: u64);

    /// The output and the tag of the first run, which other implementations must agree with.
    fn first_result(&mut self) -> Vec<u8>;
}

/// A job, unless the implementation has not got what was asked for.
pub type Prepared = Option<Box<dyn Job>>;

struct Repeat<F> {
    buffers: Buffers,
    step: F,
}

impl<F: FnMut(&mut Buffers)> Job for Repeat<F> {
    fn run(&mut self, times: u64) {
        for _ in 0..times {
            (self.step)(black_box(&mut self.buffers));
        }
    }

    fn first_result(&mut self) -> Vec<u8> {
        self.run(1);
        let mut result = self.buffers.output().to_vec();
        result.extend(self.buffers.tag);
        result
    }
}

/// A job that does this to the buffers.
pub fn job(text: &[u8], step: impl FnMut(&mut Buffers) + 'static) -> Box<dyn Job> {
    Box::new(Repeat {
        buffers: Buffers::new(text),
        step,
    })
}

/// Keys that take turns in key setup.
const KEYS: usize = 16;

/// The setup of a key.
///
/// The keys lie ready, and take turns: one that was written just before, byte by byte, would make
/// the loads of whole words wait for it; and always the same one would teach the CPU what comes.
pub fn setup(input: &Input, mut step: impl FnMut(&[u8]) + 'static) -> Box<dyn Job> {
    let mut keys: [Vec<u8>; KEYS] = Default::default();
    for (key, number) in keys.iter_mut().zip(0..) {
        *key = input.key.iter().map(|byte| byte ^ number).collect();
    }
    let mut next = 0;
    job(&[], move |_| {
        step(black_box(&keys[next]));
        next = (next + 1) % KEYS;
    })
}
