//! What the tests share: known answers, sweeps, backends and numbers that look random.

use sha2::{Digest, Sha256};
use sm4_modes::{Sm4, cipher::InOutBuf, sm4::Backend};

/// A known answer.
pub struct Vector {
    fields: Vec<(String, String)>,
}

impl Vector {
    /// A value as text; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.fields
            .iter()
            .find(|(field, _)| field == name)
            .map_or("", |(_, value)| value)
    }

    /// A hexadecimal value.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let text = self.text(name);
        assert!(text.len().is_multiple_of(2));
        (0..text.len())
            .step_by(2)
            .map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
            .collect()
    }

    pub fn is_valid(&self) -> bool {
        match self.text("result") {
            "" => true,
            "invalid" => false,
            other => panic!("unknown result {other}"),
        }
    }
}

fn records(file: &str) -> Vec<Vector> {
    file.split("\n\n")
        .map(|record| Vector {
            fields: record
                .lines()
                .filter(|line| !line.starts_with('#') && !line.is_empty())
                .map(|line| {
                    let (name, value) = line.split_once(" =").unwrap();
                    (name.into(), value.trim().into())
                })
                .collect(),
        })
        .filter(|vector| !vector.fields.is_empty())
        .collect()
}

/// The known answers of a file, of which there have to be some.
pub fn vectors(file: &str) -> Vec<Vector> {
    let mut vectors = records(file);
    vectors.retain(|vector| !vector.text("id").is_empty());
    assert!(!vectors.is_empty());
    vectors
}

/// Compares the outputs of many cases, in the order of the sweep's rule, with its hash.
pub fn sweep(file: &str, name: &str, outputs: impl IntoIterator<Item = Vec<u8>>) {
    let sweeps = records(file);
    let sweep = sweeps.iter().find(|record| record.text("sweep") == name);
    let sweep = sweep.expect("the sweep is in the file");
    let mut hash = Sha256::new();
    for output in outputs {
        hash.update(output);
    }
    assert_eq!(hash.finalize()[..], sweep.bytes("sha256"), "{name}");
}

/// `D(label, n)` of the sweeps: SHA-256 in counter mode.
pub fn derive(label: &str, len: usize) -> Vec<u8> {
    (0_u32..)
        .flat_map(|i| {
            Sha256::new()
                .chain_update(label)
                .chain_update(i.to_be_bytes())
                .finalize()
        })
        .take(len)
        .collect()
}

/// The keys of the sweeps: 16 or 32 bytes.
pub fn sweep_key<const N: usize>() -> [u8; N] {
    Sha256::digest("sm4-sweep-key")[..N].try_into().unwrap()
}

/// The key on every backend there is.
pub fn ciphers(key: &[u8]) -> Vec<Sm4> {
    let key = key.try_into().unwrap();
    Backend::available()
        .map(|backend| Sm4::with_backend(key, backend).unwrap())
        .collect()
}

/// Numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.number() % bound as u64).unwrap()
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.number().to_le_bytes()[0]).collect()
    }

    pub fn array<const N: usize>(&mut self) -> [u8; N] {
        self.bytes(N).try_into().unwrap()
    }

    /// Cuts a length in pieces.
    pub fn pieces(&mut self, mut len: usize) -> Vec<usize> {
        let mut pieces = Vec::new();
        while len > 0 {
            let bound = [2, 17, 40, 300, 2200, 6000][self.below(6)];
            let piece = self.below(bound).min(len);
            pieces.push(piece);
            len -= piece;
        }
        pieces
    }
}

/// Lengths in bytes around every batch there might be.
pub fn lengths() -> impl Iterator<Item = usize> {
    let around = [
        0, 1, 2, 3, 4, 5, 8, 12, 16, 17, 31, 32, 48, 64, 65, 96, 127, 128, 129, 192, 256,
    ]
    .into_iter()
    .flat_map(|blocks: usize| {
        [
            16 * blocks,
            16 * blocks + 1,
            (16 * blocks).saturating_sub(1),
        ]
    });
    around.chain([16 * 300 + 7, 5000])
}

/// Runs something on data in place, from buffer to buffer, and at addresses of all kinds, and
/// returns the one result, after making sure that nothing else was written.
pub fn everywhere<E: core::fmt::Debug>(
    data: &[u8],
    mut run: impl FnMut(InOutBuf<'_, '_, u8>) -> Result<(), E>,
) -> Result<Vec<u8>, E> {
    const GUARD: u8 = 0xa5;
    let mut in_place = data.to_vec();
    let expected = run(in_place.as_mut_slice().into());
    if expected.is_err() {
        assert_eq!(in_place, data, "written to in spite of an error");
    }
    for (from, to) in [(0, 0), (1, 0), (0, 3), (5, 11), (16, 8)] {
        let mut input = vec![GUARD; from];
        input.extend_from_slice(data);
        let mut output = vec![GUARD; to + data.len() + 70];
        let result = run(InOutBuf::new(&input[from..], &mut output[to..to + data.len()]).unwrap());
        assert_eq!(result.is_ok(), expected.is_ok());
        assert_eq!(input[from..], *data, "the input was changed");
        let written = &output[to..to + data.len()];
        if expected.is_ok() {
            assert_eq!(written, in_place, "from offset {from} to {to}");
        } else {
            assert!(written.iter().all(|&byte| byte == GUARD));
        }
        assert!(output[..to].iter().all(|&byte| byte == GUARD));
        assert!(output[to + data.len()..].iter().all(|&byte| byte == GUARD));
    }
    let mut shifted = vec![GUARD; 1];
    shifted.extend_from_slice(data);
    shifted.push(GUARD);
    let end = shifted.len() - 1;
    let result = run((&mut shifted[1..end]).into());
    assert_eq!(result.is_ok(), expected.is_ok());
    assert_eq!(shifted[1..end], in_place, "in place, at an odd address");
    assert_eq!((shifted[0], shifted[end]), (GUARD, GUARD));
    expected.map(|()| in_place)
}

/// The same for what cannot fail.
pub fn everywhere_ok(data: &[u8], mut run: impl FnMut(InOutBuf<'_, '_, u8>)) -> Vec<u8> {
    everywhere(data, |data| {
        run(data);
        Ok::<_, ()>(())
    })
    .unwrap()
}
