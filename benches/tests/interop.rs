//! Messages travel both ways between this workspace and every peer of this build: random keys,
//! nonces, texts and lengths, on each backend in turn.
//!
//! ```text
//! cargo test -p sm4-bench --test interop                    the peers of every build
//! cargo test -p sm4-bench --features peers --test interop   with OpenSSL and Botan
//! ```

use core::hash::BuildHasher;
use std::hash::RandomState;

use sm4::Backend;
use sm4_bench::{
    implementation::{Falsified, Implementation, Ours},
    job::{Input, Operation},
    modes::{BLOCK, MODES, Mode},
    peers,
};

/// Messages in each mode.
const MESSAGES: usize = 60;

/// What a peer that is in the build has to have: one that loses a mode is noticed.
const EXPECTED: &[(&str, &[&str])] = &[
    (
        "openssl",
        &[
            "ECB", "CBC", "CFB", "OFB", "CTR", "XTS-IEEE", "XTS-GB", "CCM", "GCM", "CMAC", "GMAC",
        ],
    ),
    (
        "botan",
        &[
            "ECB", "CBC", "CBC-CS3", "CFB", "CFB8", "OFB", "CTR", "CTR32BE", "XTS-IEEE", "CCM",
            "EAX", "GCM", "OCB", "GCM-SIV", "SIV", "CMAC", "GMAC",
        ],
    ),
    (
        "rustcrypto",
        &[
            "ECB", "CBC", "CFB", "CFB8", "OFB", "CTR", "CTR32BE", "CTR32LE", "XTS-IEEE", "CCM",
            "EAX", "GCM", "OCB", "GCM-SIV", "SIV", "CMAC", "CBC-MAC", "GMAC", "GHASH", "KW", "KWP",
            "CBC-CS1", "CBC-CS2", "CBC-CS3",
        ],
    ),
    // The system's, of any version
    ("libgcrypt", &["ECB", "CBC", "CFB", "OFB", "CTR"]),
];

/// Random numbers, other ones at every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// A length that the mode takes in all implementations.
    fn len(&mut self, mode: &Mode) -> usize {
        // Short ones as often as long ones
        let bound = 1 << (4 + self.next() % 8);
        let number = usize::try_from(self.next() % bound).expect("small");
        match mode.name {
            "ECB" | "CBC" | "CFB" | "BC" | "OFBNLF" | "CBC-MAC" => 16 * (1 + number / 16),
            "KW" | "KWP" => 16 + number / 8 * 8,
            "XTS-IEEE" | "XTS-GB" | "HCTR" | "SIV" => 16 + number,
            "CBC-CS1" | "CBC-CS2" | "CBC-CS3" => 17 + number,
            _ => 1 + number,
        }
    }
}

fn result(
    implementation: &dyn Implementation,
    mode: &Mode,
    operation: Operation,
    input: &Input,
) -> Option<Vec<u8>> {
    let mut job = implementation.prepare(mode, operation, input)?;
    Some(job.first_result())
}

/// Whether the peer has the mode. If so, it makes of the message what we make of it, and each opens
/// what the other has sealed.
fn both_ways(ours: Ours, peer: &dyn Implementation, mode: &Mode, input: &Input) -> bool {
    let what = |operation: Operation| {
        let (name, peer, len) = (mode.name, peer.name(), input.text.len());
        let Ours(backend) = ours;
        format!(
            "{name} {} of {len} bytes, {backend} and {peer}: {input:?}",
            operation.name()
        )
    };
    for &operation in mode.operations {
        let sealed = match operation {
            Operation::Encrypt | Operation::Authenticate => {
                let Some(theirs) = result(peer, mode, operation, input) else {
                    return false;
                };
                let own = result(&ours, mode, operation, input).expect("all modes");
                assert!(own == theirs, "{}", what(operation));
                theirs
            }
            Operation::Decrypt | Operation::Setup => continue,
        };
        if operation == Operation::Encrypt {
            let (text, tag) = sealed.split_last_chunk().expect("a tag, or zeros");
            let sealed = Input {
                text: text.to_vec(),
                tag: *tag,
                ..input.clone()
            };
            for opener in [&ours, peer] {
                let opened = result(opener, mode, Operation::Decrypt, &sealed);
                let opened = opened.expect("as it has encryption");
                let len = input.text.len();
                assert!(opened[..len] == input.text, "{}", what(Operation::Decrypt));
            }
        }
    }
    true
}

#[test]
fn messages_travel_both_ways() {
    let mut numbers = Numbers(RandomState::new().hash_one(0) | 1);
    let backends = Backend::available();
    for (name, peer) in peers::all() {
        let peer = match peer {
            Ok(peer) => peer,
            Err(reason) => {
                println!("NOT COMPARED: {name}: {reason}");
                continue;
            }
        };
        println!("{name} {}", peer.version());
        let mut has = Vec::new();
        for mode in MODES.iter().filter(|mode| mode.name != BLOCK) {
            let compared = backends.clone().cycle().take(MESSAGES).all(|backend| {
                let len = numbers.len(mode);
                let input = Input {
                    key: numbers.bytes(mode.key),
                    iv: numbers.bytes(mode.iv),
                    text: numbers.bytes(len),
                    tag: [0; 16],
                };
                both_ways(Ours(backend), &*peer, mode, &input)
            });
            if compared {
                has.push(mode.name);
            } else {
                println!("NOT COMPARED: {name} has no {}", mode.name);
            }
        }
        println!("compared: {has:?}");
        let expected = EXPECTED.iter().find(|(peer, _)| *peer == name);
        let (_, expected) = expected.expect("an entry for every peer");
        for mode in *expected {
            assert!(has.contains(mode), "{name} has lost {mode}");
        }
    }
}

/// A peer whose output is wrong by one bit is found out, in every mode that it has.
#[test]
#[cfg(feature = "rustcrypto")]
fn a_wrong_bit_is_noticed() {
    let mut numbers = Numbers(1);
    let (_, peer) = peers::all()
        .into_iter()
        .find(|(name, _)| *name == "rustcrypto")
        .expect("it is in this build");
    let peer = Falsified(peer.expect("it is always there"));
    let ours = Ours(Backend::Soft);
    let (_, modes) = EXPECTED
        .iter()
        .find(|(name, _)| *name == "rustcrypto")
        .expect("an entry");
    for mode in *modes {
        let mode = Mode::find(mode).expect("a mode");
        let input = Input {
            key: numbers.bytes(mode.key),
            iv: numbers.bytes(mode.iv),
            text: numbers.bytes(32),
            tag: [0; 16],
        };
        let noticed = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
            both_ways(ours, &peer, mode, &input)
        }));
        assert!(noticed.is_err(), "{}", mode.name);
    }
}
