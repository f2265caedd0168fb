//! Messages travel both ways between this workspace and every peer of this build: random keys,
//! nonces, associated data, texts and lengths, on each backend in turn. What was changed on its way is
//! refused by both. With `--nocapture` a table says what was compared with whom.
//!
//! ```text
//! cargo test -p sm4-bench --test interop                    the peers of every build
//! cargo test -p sm4-bench --features peers --test interop   with OpenSSL and Botan
//! ```

use core::{cell::Cell, fmt, hash::BuildHasher, panic::AssertUnwindSafe};
use std::{hash::RandomState, panic, sync::Once};

use sm4::Backend;
use sm4_bench::{
    implementation::{Falsified, Implementation, Ours},
    job::{Input, Job, Operation, Prepared},
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

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below it")
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// A length that the mode takes in all implementations.
    fn len(&mut self, mode: &Mode) -> usize {
        // Short ones as often as long ones
        let bound = 1 << (4 + self.below(8));
        let number = self.below(bound);
        match mode.name {
            "ECB" | "CBC" | "CFB" | "BC" | "OFBNLF" | "CBC-MAC" => 16 * (1 + number / 16),
            "KW" | "KWP" => 16 + number / 8 * 8,
            "XTS-IEEE" | "XTS-GB" | "HCTR" | "SIV" => 16 + number,
            "CBC-CS1" | "CBC-CS2" | "CBC-CS3" => 17 + number,
            _ => 1 + number,
        }
    }

    fn input(&mut self, mode: &Mode) -> Input {
        let len = self.len(mode);
        let aad = if mode.is_aead { self.below(70) } else { 0 };
        Input {
            key: self.bytes(mode.key),
            iv: self.bytes(mode.iv),
            text: self.bytes(len),
            aad: self.bytes(aad),
            tag: [0; 16],
        }
    }

    /// One bit of a sealed message, of its tag, or of what it is bound to, is another one.
    fn tamper(&mut self, mode: &Mode, sealed: &mut Input) {
        // The check value of key wrap has 8 bytes; it has neither nonce nor associated data.
        let is_wrap = mode.iv == 0;
        let tag = if is_wrap { 8 } else { 16 };
        let part = match self.below(4) {
            0 => &mut sealed.text,
            1 if !is_wrap => &mut sealed.iv,
            2 if !is_wrap && !sealed.aad.is_empty() => &mut sealed.aad,
            _ => &mut sealed.tag[..tag],
        };
        let bit = self.below(8 * part.len());
        part[bit / 8] ^= 1 << (bit % 8);
    }
}

/// All that is needed to do it again.
struct Case<'c>(&'c Mode, Operation, Ours, &'c dyn Implementation, &'c Input);

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(mode, operation, Ours(backend), peer, input) = self;
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        write!(
            f,
            "{} {} of {} bytes, {backend} and {}: key {} iv {} aad {} tag {} text {}",
            mode.name,
            operation.name(),
            input.text.len(),
            peer.name(),
            hex(&input.key),
            hex(&input.iv),
            hex(&input.aad),
            hex(&input.tag),
            hex(&input.text)
        )
    }
}

thread_local! {
    static EXPECTED_PANIC: Cell<bool> = const { Cell::new(false) };
}

/// What it says when it panics, which it does in silence; nothing if it does not.
fn complaint(action: impl FnOnce()) -> Option<String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !EXPECTED_PANIC.get() {
                hook(info);
            }
        }));
    });
    let outside = EXPECTED_PANIC.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(action));
    EXPECTED_PANIC.set(outside);
    let complaint = result.err()?;
    let text = complaint.downcast_ref::<String>();
    Some(text.cloned().unwrap_or_default())
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

/// Whether the peer has the mode. If so, it makes of the message what we make of it, each opens what
/// the other has sealed, and neither opens what was changed.
fn both_ways(
    ours: Ours,
    peer: &dyn Implementation,
    mode: &Mode,
    numbers: &mut Numbers,
) -> Option<usize> {
    let input = numbers.input(mode);
    for &operation in mode.operations {
        if matches!(operation, Operation::Decrypt | Operation::Setup) {
            continue;
        }
        let theirs = result(peer, mode, operation, &input)?;
        let own = result(&ours, mode, operation, &input).expect("all modes");
        assert!(
            own == theirs,
            "{}",
            Case(mode, operation, ours, peer, &input)
        );
        if operation != Operation::Encrypt {
            continue;
        }
        let (text, tag) = theirs.split_last_chunk().expect("a tag, or zeros");
        let sealed = Input {
            text: text.to_vec(),
            tag: *tag,
            ..input.clone()
        };
        let mut changed = sealed.clone();
        numbers.tamper(mode, &mut changed);
        for opener in [&ours, peer] {
            let open = |sealed| result(opener, mode, Operation::Decrypt, sealed);
            let what = |sealed| {
                let case = Case(mode, Operation::Decrypt, ours, peer, sealed);
                format!("by {}, {case}", opener.name())
            };
            let opened = open(&sealed).expect("as it has encryption");
            assert!(opened.starts_with(&input.text), "{}", what(&sealed));
            if mode.is_aead {
                let refused = complaint(|| drop(open(&changed)));
                assert!(refused.is_some(), "opened, {}", what(&changed));
            }
        }
    }
    Some(input.text.len())
}

/// As many messages as the mode gets: a line of the table, if the peer has the mode.
fn compare(peer: &dyn Implementation, mode: &Mode, numbers: &mut Numbers) -> bool {
    let backends = Backend::available().cycle().take(MESSAGES);
    let lens: Option<Vec<_>> = backends
        .map(|backend| both_ways(Ours(backend), peer, mode, numbers))
        .collect();
    if let Some(lens) = &lens {
        let (min, max) = (lens.iter().min(), lens.iter().max());
        let (min, max) = min.zip(max).expect("some messages");
        let ways = match mode.operations {
            [Operation::Authenticate] => "the same tag",
            _ if mode.is_aead => "both ways, changed ones refused by both",
            _ => "both ways",
        };
        let name = peer.name();
        println!(
            "{name:<10} {:<9} {MESSAGES} of {min:>2} to {max:>4} bytes: {ways}",
            mode.name
        );
    }
    lens.is_some()
}

/// The modes that a peer has to have.
fn expected(peer: &str) -> &'static [&'static str] {
    let entry = EXPECTED.iter().find(|(name, _)| *name == peer);
    entry.expect("an entry for every peer").1
}

/// The peers of this build. A peer that is in none is named.
fn peers() -> impl Iterator<Item = Box<dyn Implementation>> {
    peers::all().into_iter().filter_map(|(name, peer)| {
        let missing = |reason| println!("NOT COMPARED: {name}: {reason}");
        peer.map_err(missing).ok()
    })
}

#[test]
fn messages_travel_both_ways() {
    let mut numbers = Numbers(RandomState::new().hash_one(0) | 1);
    for peer in peers() {
        println!("{} {}", peer.name(), peer.version());
        let modes = MODES.iter().filter(|mode| mode.name != BLOCK);
        let lacks = modes.filter(|mode| !compare(&*peer, mode, &mut numbers));
        let lacks: Vec<_> = lacks.map(|mode| mode.name).collect();
        println!("{} has no {}\n", peer.name(), lacks.join(", "));
        for name in expected(peer.name()) {
            assert!(!lacks.contains(name), "{} has lost {name}", peer.name());
        }
    }
}

/// A peer whose output is wrong by one bit is found out, in every mode that it has to have.
#[test]
fn a_wrong_bit_is_noticed() {
    let mut numbers = Numbers(1);
    for peer in peers() {
        let peer = Falsified(peer);
        for name in expected(peer.name()) {
            let mode = Mode::find(name).expect("a mode");
            let noticed = complaint(|| {
                both_ways(Ours(Backend::Soft), &peer, mode, &mut numbers);
            });
            let noticed = noticed.unwrap_or_else(|| panic!("{name} of {}", peer.name()));
            let what = format!("soft and {}: key ", peer.name());
            assert!(
                noticed.starts_with(name) && noticed.contains(&what),
                "{noticed}"
            );
        }
    }
}

/// So is a peer that opens what was changed.
#[test]
fn an_opened_forgery_is_noticed() {
    struct Credulous(Ours);

    struct Never(Box<dyn Job>);

    impl Job for Never {
        fn run(&mut self, times: u64) {
            self.0.run(times);
        }

        /// Never a refusal.
        fn first_result(&mut self) -> Vec<u8> {
            let mut result = Vec::new();
            complaint(|| result = self.0.first_result());
            result
        }
    }

    impl Implementation for Credulous {
        fn name(&self) -> &'static str {
            "credulous"
        }

        fn version(&self) -> String {
            self.0.version()
        }

        fn backend(&self) -> String {
            self.0.backend()
        }

        fn prepare(&self, mode: &Mode, operation: Operation, input: &Input) -> Prepared {
            let job = self.0.prepare(mode, operation, input)?;
            Some(Box::new(Never(job)))
        }
    }

    let mut numbers = Numbers(1);
    let ours = Ours(Backend::Soft);
    for mode in MODES.iter().filter(|mode| mode.is_aead) {
        let noticed = complaint(|| {
            both_ways(ours, &Credulous(ours), mode, &mut numbers);
        });
        let noticed = noticed.unwrap_or_else(|| panic!("{}", mode.name));
        let what = format!("opened, by credulous, {} dec", mode.name);
        assert!(noticed.starts_with(&what), "{noticed}");
    }
}
