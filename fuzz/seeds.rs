//! Makes the first inputs of all targets from the known answers of `sm4-modes` and `sm4-aead`, whose
//! files name their sources: `corpus/TARGET/NUMBER`.
//!
//! An input is the bytes of the target's struct `Input`, in order and without lengths; the data come
//! last. All that is taken from the known answers are keys, IVs, texts and, above all, their lengths.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use assurance::operations::{AEADS, MACS, MODES};

/// Longer texts only take time.
const MOST: usize = 1100;

/// Which modes a file of known answers is for, and which AEADs.
const FILES: &[(&str, &[&str])] = &[
    ("ecb", &["ECB"]),
    ("cbc", &["CBC"]),
    ("cbc-pkcs7", &["CBC"]),
    ("cfb128", &["CFB", "CFB, buffered"]),
    ("cfb8", &["CFB-8"]),
    ("ofb", &["OFB"]),
    ("ctr", &["CTR", "CTR-32-BE"]),
    ("ctr32le", &["CTR-32-LE"]),
    ("bc", &["BC"]),
    ("ofbnlf", &["OFBNLF"]),
    ("cbc-cts", &["CBC-CS1", "CBC-CS2", "CBC-CS3"]),
    ("xts-ieee", &["XTS (IEEE)"]),
    ("xts-gb", &["XTS (GB)"]),
    ("hctr", &["HCTR"]),
    ("cmac", &["CMAC"]),
    (
        "cbc-mac",
        &[
            "CBC-MAC, padding method 1",
            "CBC-MAC, padding method 2",
            "CBC-MAC, padding method 3",
        ],
    ),
    ("gcm", &["GCM"]),
    ("ccm", &["CCM"]),
    ("eax", &["EAX"]),
    ("ocb", &["OCB3"]),
    ("gcm-siv", &["GCM-SIV"]),
    ("siv", &["SIV"]),
];

#[derive(Clone, Default)]
struct Answer {
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    pt: Vec<u8>,
}

fn hex(digits: &str) -> Vec<u8> {
    digits
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// Records have empty lines between them; a line is `name value` or `name = value`.
fn read(text: &str) -> Vec<Answer> {
    let record = |record: &str| {
        let mut answer = Answer::default();
        for line in record.lines() {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            let value = value.trim_start_matches("= ");
            match name {
                "key" => answer.key = hex(value),
                "iv" => answer.iv = hex(value),
                "aad" => answer.aad = hex(value),
                "pt" | "msg" => answer.pt = hex(value),
                _ => {}
            }
        }
        answer
    };
    text.split("\n\n").map(record).collect()
}

/// The bytes, as many as asked for, with zeros if there are less.
fn sized<const N: usize>(bytes: &[u8]) -> [u8; N] {
    core::array::from_fn(|i| bytes.get(i).copied().unwrap_or(0))
}

struct Corpus {
    folder: PathBuf,
    written: u32,
}

impl Corpus {
    fn write(&mut self, target: &str, parts: &[&[u8]]) -> io::Result<()> {
        let folder = self.folder.join(target);
        fs::create_dir_all(&folder)?;
        self.written += 1;
        fs::write(folder.join(format!("{:04}", self.written)), parts.concat())
    }

    fn add(&mut self, name: &str, answer: &Answer) -> io::Result<()> {
        let Answer { key, iv, aad, pt } = answer;
        let (key, iv) = (&sized::<32>(key)[..], &sized::<16>(iv)[..]);
        let changing = [self.written as u8, (self.written >> 3) as u8];
        let [backend, few] = changing.map(|byte| byte % 40);
        self.write(
            "backends",
            &[key, &[few, few / 2, backend & 1, backend >> 1 & 1], pt],
        )?;
        self.write(
            "chunks",
            &[
                key,
                iv,
                &[few, backend],
                &[few, 128, 17, 130, 5, 193, 1, 200],
                pt,
            ],
        )?;
        self.write(
            "container",
            &[&[0, few, few, 0, 7, backend, few, 0, 1], &[0; 8], pt],
        )?;
        let modes = MODES.iter().map(|mode| mode.name);
        if let Some(mode) = modes
            .chain(MACS.iter().map(|mac| mac.name))
            .position(|mode| mode == name)
        {
            self.write("modes", &[key, iv, &[mode as u8, backend, few], pt])?;
        }
        if let Some(aead) = AEADS.iter().position(|aead| aead.name == name) {
            let associated = [aad.len().min(255) as u8];
            let aead = [aead as u8, backend];
            self.write("aead", &[key, iv, &aead, &associated, aad, pt])?;
            for part in 0..5 {
                let change = [part, few, 0, 1 << (few % 8)];
                self.write("tamper", &[key, iv, &aead, &associated, &change, aad, pt])?;
            }
        }
        Ok(())
    }
}

fn main() -> io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut corpus = Corpus {
        folder: here.join("corpus"),
        written: 0,
    };
    for (file, names) in FILES {
        let paths = ["sm4-modes", "sm4-aead"].map(|part| {
            here.join("..")
                .join(part)
                .join("tests/vectors")
                .join(format!("{file}.txt"))
        });
        let path = paths
            .iter()
            .find(|path| path.exists())
            .ok_or(io::ErrorKind::NotFound)?;
        let answers = read(&fs::read_to_string(path)?);
        let mut last = None;
        for answer in answers.iter().filter(|answer| !answer.key.is_empty()) {
            if answer.pt.len() <= MOST {
                for name in *names {
                    corpus.add(name, answer)?;
                }
                last = Some(answer);
            }
        }
        // Two of the widest batches and more
        for (name, answer) in names.iter().zip(last.into_iter().cycle()) {
            for len in [2048, 2100, 4096, 4201] {
                let pt = answer
                    .pt
                    .iter()
                    .copied()
                    .chain(0..=255)
                    .cycle()
                    .take(len)
                    .collect();
                corpus.add(
                    name,
                    &Answer {
                        pt,
                        ..answer.clone()
                    },
                )?;
            }
        }
    }
    println!("{} inputs", corpus.written);
    Ok(())
}
