//! The files of known answers: records of `name value` lines with empty lines between them.

/// One record. What is not there is empty.
#[derive(Default, Debug)]
pub struct Vector {
    pub source: String,
    pub variant: String,
    /// Why it has to be refused, if so.
    pub invalid: Option<String>,
    pub key: Vec<u8>,
    pub iv: Vec<u8>,
    pub aad: Vec<u8>,
    pub strings: Vec<Vec<u8>>,
    pub pt: Vec<u8>,
    pub ct: Vec<u8>,
    pub tag: Vec<u8>,
}

fn hex(digits: &str) -> Vec<u8> {
    assert!(digits.len().is_multiple_of(2), "{digits}");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap())
        .collect()
}

/// Reads a file, which has to have so many records.
pub fn read(file: &str, count: usize) -> Vec<Vector> {
    let vectors: Vec<_> = file.split("\n\n").skip(1).map(record).collect();
    assert_eq!(vectors.len(), count);
    vectors
}

fn record(text: &str) -> Vector {
    let mut vector = Vector::default();
    for line in text.lines() {
        let (name, value) = line.split_once(' ').unwrap_or((line, ""));
        match name {
            "source" => vector.source = value.into(),
            "comment" => {}
            "variant" => vector.variant = value.into(),
            "invalid" => vector.invalid = Some(value.into()),
            "key" => vector.key = hex(value),
            "iv" => vector.iv = hex(value),
            "aad" => vector.aad = hex(value),
            "string" => vector.strings.push(hex(value)),
            "pt" => vector.pt = hex(value),
            "ct" => vector.ct = hex(value),
            "tag" => vector.tag = hex(value),
            _ => panic!("{line}"),
        }
    }
    assert!(!vector.source.is_empty());
    vector
}
