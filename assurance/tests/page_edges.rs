//! Nothing is read or written beyond what a caller hands over: inputs, outputs, keys, IVs, tags and
//! associated data lie flush against pages that nobody may touch, at either end, and canaries lie
//! around them at the other.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::thread;

use assurance::{
    operations::{AEADS, KeyBytes, MACS, MODES, cipher},
    pages::{Edge, Pages},
};
use sm4::{
    Backend, Sm4,
    cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt},
};
use sm4_aead::{Sm4Kw, Sm4Kwp};
use sm4_modes::cipher::InOutBuf;

const BLOCKS: usize = 300;
const LENGTHS: usize = 1100;

const KEY: KeyBytes = *b"0123456789abcdeffedcba9876543210";
const IV: [u8; 16] = [0xfe; 16];

fn message(len: usize) -> Vec<u8> {
    (0..len)
        .map(|i| u8::try_from(i * 89 % 251).unwrap())
        .collect()
}

/// Input, output and everything else that a call takes.
struct Places {
    input: Pages,
    output: Pages,
    key: Pages,
    iv: Pages,
    tag: Pages,
    associated: Pages,
}

impl Places {
    fn new(len: usize) -> Self {
        Self {
            input: Pages::new(len),
            output: Pages::new(len),
            key: Pages::new(32),
            iv: Pages::new(16),
            tag: Pages::new(16),
            associated: Pages::new(LENGTHS),
        }
    }

    /// Runs the function from buffer to buffer and in place, everything at this edge.
    #[track_caller]
    fn check(&mut self, what: &str, edge: Edge, data: &[u8], expected: &[u8], crypt: Call<'_>) {
        let len = data.len();
        let key = self.key.put(&KEY, edge);
        let key: &KeyBytes = (&*key).try_into().unwrap();
        let iv = self.iv.put(&IV, edge);
        let iv: &[u8; 16] = (&*iv).try_into().unwrap();

        let input = self.input.put(data, edge);
        let output = self.output.put(&vec![0; len], edge);
        crypt(key, iv, InOutBuf::new(input, output).unwrap());
        assert!(*input == *data, "{what}: input changed");
        assert!(*output == *expected, "{what}: from buffer to buffer");
        assert!(
            self.output.is_intact(len, edge),
            "{what}: beyond the output"
        );
        assert!(self.input.is_intact(len, edge), "{what}: beyond the input");

        let place = self.input.at(len, edge);
        crypt(key, iv, place.into());
        assert!(*self.input.at(len, edge) == *expected, "{what}: in place");
        assert!(self.input.is_intact(len, edge), "{what}: beyond the place");
        assert!(self.key.is_intact(32, edge) && self.iv.is_intact(16, edge));
    }
}

type Call<'a> = &'a dyn Fn(&KeyBytes, &[u8; 16], InOutBuf<'_, '_, u8>);

/// For each backend in a thread of its own.
fn for_each_backend(test: impl Fn(Backend) + Sync) {
    thread::scope(|scope| {
        for backend in Backend::available() {
            let test = &test;
            scope.spawn(move || {
                println!("{backend}");
                test(backend);
            });
        }
    });
}

#[test]
fn blocks() {
    type Blocks<'i, 'o> = InOutBuf<'i, 'o, Array<u8, sm4_modes::cipher::consts::U16>>;
    type Cipher = fn(&Sm4, Blocks<'_, '_>);
    let ways: [(&str, Cipher, Cipher); 2] = [
        (
            "moderate",
            |cipher, blocks| cipher.encrypt_blocks_inout(blocks),
            |cipher, blocks| cipher.decrypt_blocks_inout(blocks),
        ),
        (
            "bulk",
            |cipher, blocks| cipher.bulk().encrypt_blocks_inout(blocks),
            |cipher, blocks| cipher.bulk().decrypt_blocks_inout(blocks),
        ),
    ];
    let plaintext = message(16 * BLOCKS);
    let mut ciphertext = plaintext.clone();
    for block in Array::slice_as_chunks_mut(&mut ciphertext).0 {
        cipher(Backend::Soft, &KEY, 0).encrypt_block(block);
    }
    for_each_backend(|backend| {
        let mut places = Places::new(16 * BLOCKS);
        for count in 0..=BLOCKS {
            let (p, c) = (&plaintext[..16 * count], &ciphertext[..16 * count]);
            for edge in Edge::BOTH {
                for (way, encrypt, decrypt) in ways {
                    let what = format!("{backend}, {way}, {count} blocks, {edge:?}");
                    places.check(&what, edge, p, c, &|key, _, data| {
                        encrypt(&cipher(backend, key, 0), data.into_chunks().0);
                    });
                    places.check(&what, edge, c, p, &|key, _, data| {
                        decrypt(&cipher(backend, key, 0), data.into_chunks().0);
                    });
                }
            }
        }
    });
}

#[test]
fn modes() {
    for_each_backend(|backend| {
        let mut places = Places::new(LENGTHS);
        for mode in MODES {
            for len in (0..=LENGTHS).filter(|&len| mode.takes(len)) {
                // Here every byte takes the time of a block.
                if mode.name == "CFB-8" && len > 300 {
                    continue;
                }
                let plaintext = message(len);
                let mut ciphertext = plaintext.clone();
                (mode.encrypt)(backend, &KEY, &IV, (&mut *ciphertext).into());
                for edge in Edge::BOTH {
                    let what = format!("{backend}, {}, {len} bytes, {edge:?}", mode.name);
                    let (p, c) = (&*plaintext, &*ciphertext);
                    places.check(&what, edge, p, c, &|key, iv, data| {
                        (mode.encrypt)(backend, key, iv, data);
                    });
                    places.check(&what, edge, c, p, &|key, iv, data| {
                        (mode.decrypt)(backend, key, iv, data);
                    });
                }
            }
        }
    });
}

#[test]
fn macs() {
    for_each_backend(|backend| {
        let mut places = Places::new(LENGTHS);
        for mac in MACS {
            for len in 0..=LENGTHS {
                let message = message(len);
                let expected = (mac.tag)(backend, &KEY, &message);
                for edge in Edge::BOTH {
                    let what = format!("{backend}, {}, {len} bytes, {edge:?}", mac.name);
                    let input = places.input.put(&message, edge);
                    assert_eq!((mac.tag)(backend, &KEY, input), expected, "{what}");
                    for size in [4, 15, 16] {
                        let tag = places.tag.put(&expected[..size], edge);
                        let input = places.input.at(len, edge);
                        assert!((mac.verify)(backend, &KEY, input, tag), "{what}");
                    }
                }
            }
        }
    });
}

#[test]
fn aeads() {
    for_each_backend(|backend| {
        let mut places = Places::new(LENGTHS);
        for aead in AEADS {
            for len in 0..=LENGTHS {
                let nonce_len = aead.nonces[len % aead.nonces.len()];
                let plaintext = message(len);
                // In step with the message, and against it.
                let associated_len = if len % 2 == 0 { len } else { LENGTHS - len };
                let associated = message(associated_len);
                let (mut ciphertext, mut tag) = (plaintext.clone(), [0; 16]);
                (aead.make)(backend, &KEY)
                    .seal(
                        &IV[..nonce_len],
                        &associated,
                        (&mut *ciphertext).into(),
                        &mut tag,
                    )
                    .unwrap();
                for edge in Edge::BOTH {
                    let what = format!("{backend}, {}, {len} bytes, {edge:?}", aead.name);
                    let place = places.associated.put(&associated, edge);
                    let mut tags = Pages::new(16);
                    tags.put(&[0; 16], edge);
                    let nonce = places.iv.put(&IV[..nonce_len], edge).to_vec();
                    let associated = &*place;

                    // The places of nonce and tag are used by the calls themselves.
                    let mut nonces = Pages::new(16);
                    let nonce = &*nonces.put(&nonce, edge);
                    let mode = (aead.make)(backend, &KEY);
                    let input = places.input.put(&plaintext, edge);
                    let output = places.output.put(&vec![0; len], edge);
                    let made = tags.at(16, edge);
                    let both = InOutBuf::new(&*input, &mut *output).unwrap();
                    mode.seal(nonce, associated, both, made).unwrap();
                    assert!(*output == *ciphertext, "{what}: sealed");
                    assert_eq!(*made, tag, "{what}");
                    let both = InOutBuf::new(&*output, &mut *input).unwrap();
                    mode.open(nonce, associated, both, made).unwrap();
                    assert!(*input == *plaintext, "{what}: opened");
                    mode.seal(nonce, associated, (&mut *input).into(), made)
                        .unwrap();
                    assert!(*input == *ciphertext, "{what}: sealed in place");
                    mode.open(nonce, associated, (&mut *input).into(), made)
                        .unwrap();
                    assert!(*input == *plaintext, "{what}: opened in place");
                    made[0] ^= 1;
                    mode.open(nonce, associated, (&mut *output).into(), made)
                        .unwrap_err();
                    assert!(output.iter().all(|&byte| byte == 0), "{what}: not wiped");
                    assert!(places.input.is_intact(len, edge), "{what}: input");
                    assert!(places.output.is_intact(len, edge), "{what}: output");
                    assert!(tags.is_intact(16, edge), "{what}: tag");
                }
            }
        }
    });
}

#[test]
fn key_wrap() {
    for_each_backend(|backend| {
        let (mut input, mut output) = (Pages::new(LENGTHS), Pages::new(LENGTHS));
        for len in 1..=300 {
            let secret = message(len);
            let (kw, kwp) = (
                Sm4Kw::from_cipher(cipher(backend, &KEY, 0)),
                Sm4Kwp::from_cipher(cipher(backend, &KEY, 0)),
            );
            for edge in Edge::BOTH {
                let padded = len.next_multiple_of(8);
                let plain = input.put(&secret, edge);
                let wrapped = output.put(&vec![0; padded + 8], edge);
                kwp.wrap(plain, wrapped).unwrap();
                let unwrapped = input.put(&vec![0; padded], edge);
                assert_eq!(*kwp.unwrap(wrapped, unwrapped).unwrap(), *secret);
                if len >= 16 && len % 8 == 0 {
                    kw.wrap(unwrapped, wrapped).unwrap();
                    kw.unwrap(wrapped, unwrapped).unwrap();
                    assert_eq!(*unwrapped, *secret);
                }
                assert!(input.is_intact(padded, edge) && output.is_intact(padded + 8, edge));
            }
        }
    });
}

/// What makes the other tests worth something: a read of one byte too many, at either end, is the
/// end of the process. It is this test once more that runs as a process of its own.
#[test]
fn the_pages_are_guarded() {
    use std::{os::unix::process::ExitStatusExt, process::Command};

    const VARIABLE: &str = "PAGE_EDGES_READ_BEYOND";
    if let Ok(edge) = std::env::var(VARIABLE) {
        let mut pages = Pages::new(100);
        let beyond = if edge == "first" {
            pages.at(16, Edge::First).as_ptr().wrapping_sub(1)
        } else {
            pages.at(16, Edge::Last).as_ptr().wrapping_add(16)
        };
        // SAFETY: there is none, and that is the point: the page is not accessible
        let byte = unsafe { beyond.read_volatile() };
        println!("read {byte}");
        return;
    }
    for edge in ["first", "last"] {
        let status = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_pages_are_guarded", "--test-threads=1"])
            .env(VARIABLE, edge)
            .output()
            .unwrap()
            .status;
        let signal = status.signal();
        let expected = [Some(libc::SIGSEGV), Some(libc::SIGBUS)];
        assert!(expected.contains(&signal), "{edge}: {status}");
    }
}
