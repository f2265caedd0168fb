//! What stays behind of secrets: in an object that has been dropped, and on the dead stack below a
//! call that has returned.
//!
//! There is no list of patterns to look for. The same is done twice with other keys and other data;
//! bytes left behind that differ have been computed from them.

use core::{
    cell::RefCell,
    hint::black_box,
    mem::{self, MaybeUninit},
    ptr,
};

use assurance::{
    operations::{AEADS, KeyBytes, MACS, MODES, cipher},
    stack,
};
use sm4::{
    Backend, Sm4,
    cipher::{Array, Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit},
    wipe_stack,
};
use sm4_aead::{
    Ccm, Decryptor, Eax, Encryptor, Error, Gcm, GcmSiv, Ocb3, Siv, Sm4Gmac, Sm4Kw, Sm4Kwp, State,
};
use sm4_modes::{
    CbcMacKey, CmacKey, Message, Sm4BcDec, Sm4BcEnc, Sm4CbcCs3, Sm4CbcDec, Sm4CbcEnc, Sm4Cfb8Dec,
    Sm4Cfb8Enc, Sm4CfbBufDec, Sm4CfbBufEnc, Sm4CfbDec, Sm4CfbEnc, Sm4Cmac, Sm4Ctr, Sm4EcbEnc,
    Sm4Hctr, Sm4Ofb, Sm4OfbnlfEnc, Sm4XtsGb, Sm4XtsIeee, cbc_encrypt_messages,
    cfb_encrypt_messages,
    cipher::{BlockModeEncrypt, InnerIvInit, StreamCipher, common::InnerInit},
    digest::Update,
    mac::{Method2, Streaming},
    mac_messages,
};

const KEYS: [KeyBytes; 2] = [
    *b"0123456789abcdeffedcba9876543210",
    *b"another key of as many bytes, ok",
];

fn message(len: usize, which: usize) -> Vec<u8> {
    let factor = [89, 101][which];
    (0..len)
        .map(|i| (i * factor % 251).to_le_bytes()[0])
        .collect()
}

/// Bytes of the object that still tell which key it had.
fn left_in_object<T>(make: impl Fn(&KeyBytes) -> T) -> usize {
    // The same place each time, lest addresses differ.
    let mut place = Box::new(MaybeUninit::<T>::uninit());
    let mut left = [vec![0; size_of::<T>()], vec![0; size_of::<T>()]];
    for (key, left) in KEYS.iter().zip(&mut left) {
        // Space between fields is zero, unless the object brings something there.
        *place = MaybeUninit::zeroed();
        place.write(make(key));
        // SAFETY: the object is there, and is not used any more
        unsafe { ptr::drop_in_place(place.as_mut_ptr()) };
        let bytes = place.as_ptr().cast::<u8>();
        for (i, byte) in left.iter_mut().enumerate() {
            // SAFETY: the memory is still there, whatever it holds
            *byte = unsafe { bytes.add(i).read_volatile() };
        }
    }
    let [one, other] = left;
    one.iter().zip(&other).filter(|(a, b)| a != b).count()
}

/// The same without a drop, to see that there is something to be wiped.
fn there_in_object<T>(make: impl Fn(&KeyBytes) -> T) -> usize {
    left_in_object(|key| mem::ManuallyDrop::new(make(key)))
}

#[test]
fn dropped_objects() {
    macro_rules! check {
        ($($name:literal: $make:expr;)*) => {
            for backend in Backend::available() {
                let left = [$(($name, left_in_object(|key| $make(backend, key)),
                    there_in_object(|key| $make(backend, key)))),*];
                for (name, left, there) in left {
                    println!("{backend}, {name}: {there} bytes, {left} after drop");
                }
                for (name, left, there) in left {
                    assert!(there >= 16, "{backend}, {name}: there is no key in it");
                    assert_eq!(left, 0, "{backend}, {name}: left behind");
                }
            }
        };
    }
    fn one(backend: Backend, key: &KeyBytes) -> Sm4 {
        cipher(backend, key, 0)
    }
    fn two(backend: Backend, key: &KeyBytes) -> Sm4 {
        cipher(backend, key, 1)
    }
    fn streaming(mut stream: impl StreamCipher) -> impl StreamCipher {
        stream.apply_keystream(&mut [0; 21]);
        stream
    }
    macro_rules! with_iv {
        ($mode:ty) => {
            |b, k| <$mode>::inner_iv_init(one(b, k), &[7; 16].into())
        };
    }
    check! {
        "key": one;
        "ECB": |b, k| Sm4EcbEnc::inner_init(one(b, k));
        "CBC encryption": with_iv!(Sm4CbcEnc);
        "CBC decryption": with_iv!(Sm4CbcDec);
        "CFB encryption": with_iv!(Sm4CfbEnc);
        "CFB decryption": with_iv!(Sm4CfbDec);
        // Without data: what it would keep of it is ciphertext, which is no secret.
        "CFB encryption, buffered": with_iv!(Sm4CfbBufEnc);
        "CFB decryption, buffered": |b, k| {
            let mut cfb = with_iv!(Sm4CfbBufDec)(b, k);
            cfb.decrypt(&mut [0; 21]);
            cfb
        };
        "CFB-8 encryption": with_iv!(Sm4Cfb8Enc);
        "CFB-8 decryption": with_iv!(Sm4Cfb8Dec);
        "OFB": |b, k| streaming(with_iv!(Sm4Ofb)(b, k));
        "CTR": |b, k| streaming(with_iv!(Sm4Ctr)(b, k));
        "BC encryption": with_iv!(Sm4BcEnc);
        "BC decryption": with_iv!(Sm4BcDec);
        // The chaining value of this mode is a key.
        "OFBNLF": |b, k| {
            let mut ofbnlf = with_iv!(Sm4OfbnlfEnc)(b, k);
            ofbnlf.encrypt_block(&mut Array::default());
            ofbnlf
        };
        "CBC-CS3": |b, k| Sm4CbcCs3::inner_init(one(b, k));
        "XTS (IEEE)": |b, k| Sm4XtsIeee::from_ciphers(one(b, k), two(b, k));
        "XTS (GB)": |b, k| Sm4XtsGb::from_ciphers(one(b, k), two(b, k));
        "HCTR": |b, k: &KeyBytes| Sm4Hctr::from_cipher(one(b, k), &k.as_chunks::<16>().0[1]);
        "CMAC key": |b, k| CmacKey::<Sm4>::inner_init(one(b, k));
        "CMAC": |b, k| {
            let mut cmac = Sm4Cmac::from_key(CmacKey::<Sm4>::inner_init(one(b, k)));
            cmac.update(&message(37, usize::from(k[0] == b'a')));
            cmac
        };
        "CBC-MAC": |b, k| {
            let mut mac = Streaming::from_key(CbcMacKey::<Method2, Sm4>::inner_init(one(b, k)));
            mac.update(&message(37, usize::from(k[0] == b'a')));
            mac
        };
        "GCM": |b, k| Gcm::from_cipher(one(b, k));
        "CCM": |b, k| Ccm::from_cipher(one(b, k));
        "EAX": |b, k| Eax::from_cipher(one(b, k));
        "OCB3": |b, k| Ocb3::from_cipher(one(b, k));
        "GCM-SIV": |b, k| GcmSiv::from_cipher(one(b, k));
        "SIV": |b, k| Siv::from_ciphers(one(b, k), two(b, k));
        "GMAC": |b, k| Sm4Gmac::from(Gcm::from_cipher(one(b, k)));
        "KW": |b, k| Sm4Kw::from_cipher(one(b, k));
        "KWP": |b, k| Sm4Kwp::from_cipher(one(b, k));
    }
}

/// Messages in pieces, with a part of a block pending.
#[test]
fn dropped_messages() {
    /// A key that lies in the same place each time, lest its address differs.
    struct Place<T>(Box<MaybeUninit<T>>);

    impl<T> Place<T> {
        fn new() -> Self {
            Self(Box::new(MaybeUninit::uninit()))
        }

        fn put(&mut self, key: T) -> &'static T {
            let place = self.0.write(key);
            // SAFETY: below, what borrows the key is not used any more when another key comes or
            // the place goes
            unsafe { &*ptr::from_ref(place) }
        }
    }

    fn encrypting<S: State>(encryptor: Result<Encryptor<S>, Error>, len: usize) -> Encryptor<S> {
        let mut encryptor = encryptor.expect("the lengths are allowed");
        let mut piece = message(len, 0);
        encryptor
            .update(piece.as_mut_slice().into())
            .expect("short");
        encryptor
    }

    fn decrypting<S: State>(decryptor: Result<Decryptor<S>, Error>, len: usize) -> Decryptor<S> {
        let mut decryptor = decryptor.expect("the lengths are allowed");
        let mut piece = message(len, 0);
        drop(
            decryptor
                .update(piece.as_mut_slice().into())
                .expect("short"),
        );
        decryptor
    }

    const NONCE: &[u8] = &[7; 12];
    const HEADER: &[u8] = &[9; 21];

    fn check<K, T>(name: &str, key: impl Fn(&KeyBytes) -> K, begin: impl Fn(&'static K) -> T)
    where
        K: 'static,
    {
        let place = RefCell::new(Place::new());
        let make = |bytes: &KeyBytes| begin(place.borrow_mut().put(key(bytes)));
        let (left, there) = (left_in_object(make), there_in_object(make));
        println!("{name}: {there} bytes, {left} after drop");
        assert!(there >= 16, "{name}: there is no secret in it");
        assert_eq!(left, 0, "{name}: left behind");
    }

    for backend in Backend::available() {
        macro_rules! check {
            ($($name:literal: $mode:ident, |$key:ident| $begin:expr;)*) => {
                $(check(
                    &format!("{backend}, {}", $name),
                    |bytes| $mode::from_cipher(cipher(backend, bytes, 0)),
                    |$key: &'static $mode| $begin,
                );)*
            };
        }
        check! {
            "GCM encryption": Gcm, |key| encrypting(key.encryptor(NONCE, HEADER, 16), 37);
            "GCM decryption": Gcm, |key| decrypting(key.decryptor(NONCE, HEADER, 16), 37);
            "CCM encryption": Ccm, |key| encrypting(key.encryptor(NONCE, HEADER, 50, 16), 37);
            "CCM decryption": Ccm, |key| decrypting(key.decryptor(NONCE, HEADER, 50, 16), 37);
            "EAX encryption": Eax, |key| encrypting(key.encryptor(NONCE, HEADER, 16), 37);
            "EAX decryption": Eax, |key| decrypting(key.decryptor(NONCE, HEADER, 16), 37);
            "OCB3 encryption": Ocb3, |key| encrypting(key.encryptor(NONCE, HEADER, 16), 32);
            "OCB3 decryption": Ocb3, |key| decrypting(key.decryptor(NONCE, HEADER, 16), 32);
            "OCB3 encryption, at the end": Ocb3,
                |key| encrypting(key.encryptor(NONCE, HEADER, 16), 37);
            "OCB3 decryption, at the end": Ocb3,
                |key| decrypting(key.decryptor(NONCE, HEADER, 16), 37);
        }
        check(
            &format!("{backend}, GMAC"),
            |bytes| Sm4Gmac::from(Gcm::from_cipher(cipher(backend, bytes, 0))),
            |key: &'static Sm4Gmac| {
                let mut mac = key.start(NONCE).expect("a nonce of 12 bytes");
                mac.update(&message(37, 0));
                mac
            },
        );
    }
}

/// Bytes on the dead stack that tell which key and which data the call had.
///
/// Each key has its turn twice: what differs with the same key, such as an address or a counter of this
/// loop that was in a register, tells nothing of it.
fn left_on_stack<S>(
    state: &mut S,
    prepare: impl Fn(&mut S, usize),
    call: impl Fn(&mut S),
) -> usize {
    let mut left = vec![[0; stack::DEPTH]; 5];
    // Not inlined, because what is in a register here is saved on the stack below.
    let prepare: &dyn Fn(&mut S, usize) = black_box(&prepare);
    // Once before: what is set up at the first use is no matter of the call.
    for (i, left) in left.iter_mut().enumerate() {
        prepare(state, i % 2);
        stack::remains(left, &mut || call(state));
    }
    let [_, one, other, one_again, other_again] = &left[..] else {
        unreachable!("five")
    };
    (0..stack::DEPTH)
        .filter(|&i| one[i] != other[i])
        .filter(|&i| (one[i], other[i]) == (one_again[i], other_again[i]))
        .count()
}

/// The same with [`wipe_stack`], after which there must not be any.
#[track_caller]
fn check_stack<S>(
    what: &str,
    mut state: S,
    prepare: impl Fn(&mut S, usize),
    call: impl Fn(&mut S),
) {
    let left = left_on_stack(&mut state, &prepare, &call);
    println!("{what}: {left} bytes");
    // In a frame of its own, below that of the one who wipes.
    let call: &dyn Fn(&mut S) = black_box(&call);
    let wiped = left_on_stack(&mut state, &prepare, |state| {
        call(state);
        wipe_stack();
    });
    assert_eq!(wiped, 0, "{what}, wiped");
}

/// What makes the other measurements worth something.
#[test]
fn a_buffer_left_behind_is_seen() {
    fn fill(data: &mut [u8; 100], which: usize) {
        data.copy_from_slice(&message(100, which));
    }
    let left = left_on_stack(&mut [0; 100], fill, |data| {
        let mut buffer = *data;
        black_box(&mut buffer);
    });
    assert!(left >= 90, "{left}");
    let wiped = left_on_stack(&mut [0; 100], fill, |data| {
        let mut buffer = *data;
        black_box(&mut buffer).fill(0);
        black_box(&mut buffer);
    });
    assert_eq!(wiped, 0);
}

/// A key and data to be worked on, in the same places each time.
struct Input<K> {
    make: fn(Backend, &KeyBytes) -> K,
    backend: Backend,
    key: K,
    bytes: KeyBytes,
    data: Vec<u8>,
    tag: [u8; 16],
}

impl<K> Input<K> {
    fn new(make: fn(Backend, &KeyBytes) -> K, backend: Backend, len: usize) -> Self {
        let bytes = KEYS[0];
        let (key, data, tag) = (make(backend, &bytes), vec![0; len], [0; 16]);
        Self {
            make,
            backend,
            key,
            bytes,
            data,
            tag,
        }
    }

    fn prepare(&mut self, which: usize) {
        self.bytes = KEYS[which];
        self.key = (self.make)(self.backend, &self.bytes);
        let data = message(self.data.len(), which);
        self.data.copy_from_slice(&data);
    }
}

/// Overwrites a result, which is not to be counted.
fn forget(block: &mut Block<Sm4>) {
    *block = Array::default();
    black_box(block);
}

/// Setting up a key does not leave any of it. What is left is in the object, which is wiped in its
/// place; each move would leave a copy.
#[test]
fn key_setup() {
    type Setup = fn(&KeyBytes, Backend);
    let ways: [(&str, Setup); 4] = [
        ("for a backend", |key, backend| {
            black_box(&Sm4::with_backend(
                key.first_chunk().unwrap().into(),
                backend,
            ));
        }),
        ("for the best backend", |key, _| {
            black_box(&Sm4::new(key.first_chunk().unwrap().into()));
        }),
        ("for a backend, with a block", |key, backend| {
            let mut block = Array::default();
            black_box(&Sm4::with_backend_and_encrypt(
                key.first_chunk().unwrap().into(),
                backend,
                &mut block,
            ));
            forget(&mut block);
        }),
        ("for the best backend, with a block", |key, _| {
            let mut block = Array::default();
            black_box(&Sm4::new_and_encrypt(
                key.first_chunk().unwrap().into(),
                &mut block,
            ));
            forget(&mut block);
        }),
    ];
    for backend in Backend::available() {
        for (name, setup) in ways {
            let prepare = |key: &mut KeyBytes, which| *key = KEYS[which];
            let left = left_on_stack(&mut KEYS[0].clone(), prepare, |key| setup(key, backend));
            assert_eq!(left, 0, "{backend}, {name}");
        }
    }
}

/// Prints how much stays behind of what; nothing if the stack is wiped.
#[test]
fn dead_stack() {
    for backend in Backend::available() {
        let none: fn(Backend, &KeyBytes) = |_, _| ();
        let key: fn(Backend, &KeyBytes) -> Sm4 = |backend, key| cipher(backend, key, 0);
        let input = Input::new(none, backend, 0);
        check_stack(
            &format!("{backend}, a key and its moves"),
            input,
            Input::prepare,
            |input| {
                black_box(&cipher(input.backend, &input.bytes, 0));
            },
        );
        for count in [1, 2, 3, 4, 5, 8, 16, 17, 32, 33, 64, 65, 127, 128, 300] {
            for (name, crypt) in CIPHER {
                let what = format!("{backend}, {name} of {count} blocks");
                let input = Input::new(key, backend, 16 * count);
                check_stack(&what, input, Input::prepare, |input| {
                    crypt(&input.key, &mut input.data);
                });
            }
        }
        for len in [0, 16, 100, 1024, 4096] {
            for mode in MODES.iter().filter(|mode| mode.takes(len)) {
                for (direction, crypt) in [("en", mode.encrypt), ("de", mode.decrypt)] {
                    let what = format!(
                        "{backend}, {} {direction}cryption of {len} bytes",
                        mode.name
                    );
                    let input = Input::new(none, backend, len);
                    check_stack(&what, input, Input::prepare, |input| {
                        let data = (&mut *input.data).into();
                        crypt(input.backend, &input.bytes, &[7; 16], data);
                    });
                }
            }
            for mac in MACS {
                let what = format!("{backend}, {} of {len} bytes", mac.name);
                let input = Input::new(none, backend, len);
                check_stack(&what, input, Input::prepare, |input| {
                    input.tag = (mac.tag)(input.backend, &input.bytes, &input.data);
                });
            }
            for aead in AEADS {
                let what = format!("{backend}, {} sealing of {len} bytes", aead.name);
                let input = Input::new(aead.make, backend, len);
                check_stack(&what, input, Input::prepare, |input| {
                    let nonce = &[7; 16][..aead.nonces[0]];
                    let Input { key, data, tag, .. } = input;
                    assert!(key.seal(nonce, &[], (&mut **data).into(), tag).is_ok());
                });
            }
        }
    }
}

/// Calls for many messages, which go deepest.
#[test]
fn dead_stack_of_many_messages() {
    const COUNT: usize = 200;
    const LEN: usize = 48;
    type Many = fn(&mut Input<Sm4>);
    let ways: [(&str, Many); 3] = [
        ("CBC", |input| {
            let mut messages: Vec<_> = (input.data.chunks_mut(LEN))
                .map(|data| Message { iv: [7; 16], data })
                .collect();
            assert!(cbc_encrypt_messages(&input.key, &mut messages).is_ok());
        }),
        ("CFB", |input| {
            let mut messages: Vec<_> = (input.data.chunks_mut(LEN))
                .map(|data| Message { iv: [7; 16], data })
                .collect();
            cfb_encrypt_messages(&input.key, &mut messages);
        }),
        ("CMAC", |input| {
            let key = CmacKey::inner_init(&input.key);
            let messages: Vec<_> = input.data.chunks(LEN).collect();
            assert!(mac_messages(&key, &messages, &mut [[0; 16]; COUNT]).is_ok());
        }),
    ];
    for backend in Backend::available() {
        for (name, many) in ways {
            let what = format!("{backend}, {name} of many messages");
            let key: fn(Backend, &KeyBytes) -> Sm4 = |backend, key| cipher(backend, key, 0);
            let input = Input::new(key, backend, COUNT * LEN);
            check_stack(&what, input, Input::prepare, many);
        }
        for aead in AEADS {
            let what = format!("{backend}, {} sealing of many messages", aead.name);
            let input = Input::new(aead.make, backend, COUNT * LEN);
            check_stack(&what, input, Input::prepare, |input| {
                let nonce = &[7; 16][..aead.nonces[0]];
                let mut tags = [[0; 16]; COUNT];
                let mut messages: Vec<_> = (input.data.chunks_mut(LEN).zip(&mut tags))
                    .map(|(data, tag)| sm4_aead::Message::new(nonce, &[], data, tag))
                    .collect();
                assert!(input.key.key().seal_many(&mut messages).is_ok());
            });
        }
    }
}

type Cipher = fn(&Sm4, &mut [u8]);

const CIPHER: [(&str, Cipher); 4] = [
    ("encryption", |cipher, data| {
        cipher.encrypt_blocks(Array::slice_as_chunks_mut(data).0);
    }),
    ("decryption", |cipher, data| {
        cipher.decrypt_blocks(Array::slice_as_chunks_mut(data).0);
    }),
    ("bulk encryption", |cipher, data| {
        cipher
            .bulk()
            .encrypt_blocks(Array::slice_as_chunks_mut(data).0);
    }),
    ("bulk decryption", |cipher, data| {
        cipher
            .bulk()
            .decrypt_blocks(Array::slice_as_chunks_mut(data).0);
    }),
];
