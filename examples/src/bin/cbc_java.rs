//! CBC with PKCS#7 and Base64, as Java programs write it.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin cbc_java -- --help
//! ```

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser};
use data_encoding::{BASE64, HEXLOWER_PERMISSIVE};
use sm4_examples::{Result, exit, new_key, random, read_input, read_key, show};
use sm4_modes::{
    Sm4CbcDec, Sm4CbcEnc,
    cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit},
    padding::Pkcs7,
};

/// Encrypts and decrypts what Java calls SM4/CBC/PKCS5Padding, in Base64.
///
/// Reads standard input, writes standard output. Nothing tells you whether a message was changed: a
/// service that answers differently after a wrong padding can be made to decrypt everything. Use GCM
/// (Java: SM4/GCM/NoPadding) if you have the choice.
///
/// The key file holds 32 hexadecimal digits.
#[derive(Parser)]
#[command(after_help = EXAMPLE)]
enum Command {
    /// Make a new key
    Keygen {
        /// Where it goes: a file that does not exist yet. Only its owner may read it
        key_file: PathBuf,
    },
    /// Encrypt and write Base64
    Encrypt(Secrets),
    /// Read Base64 and decrypt
    Decrypt(Secrets),
}

const EXAMPLE: &str = "\
Example:
  cbc_java keygen KEYFILE
  printf %s 'Hello, 世界' | cbc_java encrypt --key-file KEYFILE >sealed
  cbc_java decrypt --key-file KEYFILE <sealed
With the key and the IV of a Java program, which are text there:
  printf %s 0123456789ABCDEF | od -An -vtx1 | tr -d ' ' >JAVAKEY
  iv=$(printf %s FEDCBA9876543210 | od -An -vtx1 | tr -d ' ')
  echo CHs+uDXA4cUUMMfKHwHp0w== | cbc_java decrypt --key-file JAVAKEY --iv $iv";

#[derive(Args)]
struct Secrets {
    /// The key: 32 hexadecimal digits
    #[arg(long)]
    key_file: PathBuf,
    /// The IV, 32 hexadecimal digits, if both sides have agreed on one: many Java programs have. Without
    /// it the IV is random and stands before the ciphertext, as its first 16 bytes. The same IV twice
    /// with one key shows whether messages begin alike
    #[arg(long, value_parser = iv)]
    iv: Option<[u8; 16]>,
}

fn iv(digits: &str) -> core::result::Result<[u8; 16], &'static str> {
    let iv = HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok();
    iv.and_then(|iv| iv.try_into().ok())
        .ok_or("not 32 hexadecimal digits")
}

fn main() -> ExitCode {
    exit("cbc_java", run(Command::parse()))
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Keygen { key_file } => new_key::<16>(&key_file),
        Command::Encrypt(secrets) => {
            let key = read_key(&secrets.key_file)?;
            let sealed = encrypt(&key, secrets.iv, &read_input()?)?;
            show(BASE64.encode(&sealed) + "\n")
        }
        Command::Decrypt(secrets) => {
            let key = read_key(&secrets.key_file)?;
            show(decrypt(&key, secrets.iv, &read_input()?)?)
        }
    }
}

fn encrypt(key: &[u8; 16], iv: Option<[u8; 16]>, message: &[u8]) -> Result<Vec<u8>> {
    let random: [u8; 16] = random()?;
    let cbc = Sm4CbcEnc::new(key.into(), &iv.unwrap_or(random).into());
    let ciphertext = cbc.encrypt_padded_vec::<Pkcs7>(message);
    Ok(match iv {
        Some(_) => ciphertext,
        None => [&random[..], &ciphertext].concat(),
    })
}

/// Base64 as RFC 4648 wants it: with its padding, without spaces or spare bits; one line feed may
/// follow. All that is wrong about the ciphertext gives one and the same error.
fn decrypt(key: &[u8; 16], iv: Option<[u8; 16]>, text: &[u8]) -> Result<Vec<u8>> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let sealed = BASE64
        .decode(text)
        .map_err(|error| format!("not Base64: {error}"))?;
    let parts = match iv {
        Some(iv) => Some((iv, &sealed[..])),
        None => sealed
            .split_first_chunk()
            .map(|(iv, ciphertext)| (*iv, ciphertext)),
    };
    parts
        .and_then(|(iv, ciphertext)| {
            let cbc = Sm4CbcDec::new(key.into(), &iv.into());
            cbc.decrypt_padded_vec::<Pkcs7>(ciphertext).ok()
        })
        .ok_or_else(|| {
            let hint = match iv {
                Some(_) => "",
                None => " (its first 16 bytes were taken for the IV: if they are none, give --iv)",
            };
            format!("the key or the IV is another one, or the message was changed{hint}").into()
        })
}
