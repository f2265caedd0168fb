//! A stream of records as TLS 1.3 has them with SM4 (RFC 8998): numbered, authenticated, and with an
//! end that cannot be cut off.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin tls_records -- --help
//! ```

mod record;

use std::{
    io::{self, Read, Write},
    path::PathBuf,
    process::ExitCode,
};

use clap::{Args, Parser};
use record::{Alert, ContentType, HEADER, MAX_CONTENT, Records, Suite};
use sm4_examples::{Result, exit, named, new_key, random, read_key};

/// Seals standard input as records of TLS 1.3 with SM4, and opens them again.
///
/// This is the record layer of RFC 8446 and RFC 8998 without the handshake: the keys of a stream come
/// from the key file and 16 random bytes at the beginning of the stream. What `open` writes is
/// genuine, and complete if there is no error.
#[derive(Parser)]
#[command(after_help = EXAMPLE)]
enum Command {
    /// Make a new key: 32 hexadecimal digits
    Keygen {
        /// Where it goes: a file that does not exist yet. Only its owner may read it
        key_file: PathBuf,
    },
    /// Standard input to records
    Seal {
        #[command(flatten)]
        stream: Stream,
        /// Zeros in every record, to hide how long the content is: up to 16383
        #[arg(long, default_value_t = 0)]
        zeros: usize,
    },
    /// Records on standard input to plaintext
    Open {
        #[command(flatten)]
        stream: Stream,
    },
}

const EXAMPLE: &str = "\
Example:
  tls_records keygen KEYFILE
  seq 100000 | tls_records seal --key-file KEYFILE >records
  tls_records open --key-file KEYFILE <records | tail -1";

#[derive(Args)]
struct Stream {
    /// A key that keygen has made: 32 hexadecimal digits
    #[arg(long)]
    key_file: PathBuf,
    /// Both sides have to take the same one
    #[arg(long, value_enum, default_value = "gcm")]
    suite: Suite,
}

/// The alert that ends a connection: level warning, close_notify.
const CLOSE_NOTIFY: [u8; 2] = [1, 0];

fn main() -> ExitCode {
    exit("tls_records", run(Command::parse()))
}

fn run(command: Command) -> Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    match command {
        Command::Keygen { key_file } => new_key::<16>(&key_file),
        Command::Seal { stream, zeros } => seal(&stream, zeros, &mut input, &mut output),
        Command::Open { stream } => open(&stream, &mut input, &mut output),
    }
}

fn seal(
    stream: &Stream,
    zeros: usize,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result<()> {
    let size = MAX_CONTENT
        .checked_sub(zeros)
        .filter(|&size| size > 0)
        .ok_or("so many zeros leave no room for content")?;
    let salt = random()?;
    let mut records = Records::derive(stream.suite, &read_key(&stream.key_file)?, &salt);
    written(output.write_all(&salt))?;
    let (mut content, mut record) = (Vec::new(), Vec::new());
    loop {
        content.clear();
        named(
            "standard input".as_ref(),
            input.take(size as u64).read_to_end(&mut content),
        )?;
        record.clear();
        let (kind, bytes) = if content.is_empty() {
            (ContentType::Alert, &CLOSE_NOTIFY[..])
        } else {
            (ContentType::ApplicationData, &content[..])
        };
        records
            .seal(kind, bytes, zeros, &mut record)
            .map_err(text)?;
        written(output.write_all(&record))?;
        if content.is_empty() {
            return written(output.flush());
        }
    }
}

fn open(stream: &Stream, input: &mut impl Read, output: &mut impl Write) -> Result<()> {
    let mut salt = [0; 16];
    read(input, &mut salt)?;
    let mut records = Records::derive(stream.suite, &read_key(&stream.key_file)?, &salt);
    let mut buffer = Vec::new();
    loop {
        let mut header = [0; HEADER];
        read(input, &mut header)?;
        buffer.resize(Records::len(header).map_err(text)?, 0);
        read(input, &mut buffer)?;
        match records.open(header, &mut buffer).map_err(text)? {
            (ContentType::ApplicationData, content) => written(output.write_all(content))?,
            (ContentType::Alert, content) if content == CLOSE_NOTIFY => {
                return written(output.flush());
            }
            (ContentType::Alert, _) => return Err("the other side gave up".into()),
        }
    }
}

fn written(result: io::Result<()>) -> Result<()> {
    named("standard output".as_ref(), result)
}

/// An end before close_notify is an attack, or an accident.
fn read(input: &mut impl Read, bytes: &mut [u8]) -> Result<()> {
    input.read_exact(bytes).map_err(|error| {
        if error.kind() == io::ErrorKind::UnexpectedEof {
            "truncated: no close_notify".into()
        } else {
            format!("standard input: {error}").into()
        }
    })
}

fn text(alert: Alert) -> &'static str {
    match alert {
        Alert::UnexpectedMessage => "unexpected_message: this is no record of encrypted data",
        Alert::BadRecordMac => "bad_record_mac: another key, or a record was changed or moved",
        Alert::RecordOverflow => "record_overflow: a record is too long",
        Alert::InternalError => "internal_error: no more records with this key",
    }
}
