//! MACs of messages as banks use them: CMAC, and CBC-MAC of GB/T 15852.1.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin bank_mac -- --help
//! ```

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, ValueEnum};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sm4_examples::{Result, exit, new_key, read_input, read_key, show};
use sm4_modes::{
    MacKey, Sm4CbcMacKey, Sm4CmacKey,
    cipher::KeyInit,
    mac::{Method1, Method2, Method3},
};

/// Computes and checks the MAC of standard input.
///
/// The exit code is 0 if the MAC is right, 1 if it is wrong or something else is, 2 if the command is.
#[derive(Parser)]
#[command(after_help = EXAMPLE)]
enum Command {
    /// Make a new key: 32 hexadecimal digits
    Keygen {
        /// Where it goes: a file that does not exist yet. Only its owner may read it
        key_file: PathBuf,
    },
    /// Write the MAC as hexadecimal digits
    Compute {
        #[command(flatten)]
        method: Method,
        /// Bytes of the MAC
        #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u8).range(4..=16))]
        length: u8,
    },
    /// Compare with a MAC, in constant time
    Verify {
        #[command(flatten)]
        method: Method,
        /// The MAC, 8 to 32 hexadecimal digits: its first 4 to 16 bytes
        mac: String,
    },
}

const EXAMPLE: &str = "\
Example:
  bank_mac keygen KEYFILE
  echo pay 100 >order
  bank_mac compute --key-file KEYFILE --algorithm cmac --length 8 <order >mac
  bank_mac verify --key-file KEYFILE --algorithm cmac $(cat mac) <order";

#[derive(Args)]
struct Method {
    /// A key that keygen has made: 32 hexadecimal digits
    #[arg(long)]
    key_file: PathBuf,
    /// Both sides have to take the same one
    #[arg(long, value_enum)]
    algorithm: Algorithm,
}

#[derive(Clone, Copy, ValueEnum)]
enum Algorithm {
    /// GB/T 15852.1 algorithm 5, NIST SP 800-38B: for messages of any length
    Cmac,
    /// GB/T 15852.1 algorithm 1, zeros behind the message: for messages of ONE LENGTH only
    CbcMac1,
    /// The same with a one bit and zeros behind the message: for messages of ONE LENGTH only
    CbcMac2,
    /// The same with the length before the message and zeros behind it
    CbcMac3,
}

impl Method {
    fn key(&self) -> Result<Box<dyn MacKey>> {
        let key = read_key::<16>(&self.key_file)?.into();
        Ok(match self.algorithm {
            Algorithm::Cmac => Box::new(Sm4CmacKey::new(&key)),
            Algorithm::CbcMac1 => Box::new(Sm4CbcMacKey::<Method1>::new(&key)),
            Algorithm::CbcMac2 => Box::new(Sm4CbcMacKey::<Method2>::new(&key)),
            Algorithm::CbcMac3 => Box::new(Sm4CbcMacKey::<Method3>::new(&key)),
        })
    }
}

fn main() -> ExitCode {
    exit("bank_mac", run(Command::parse()))
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Keygen { key_file } => new_key::<16>(&key_file),
        Command::Compute { method, length } => {
            let mut mac = vec![0; length.into()];
            method.key()?.mac_truncated(&read_input()?, &mut mac)?;
            show(HEXLOWER.encode(&mac) + "\n")
        }
        Command::Verify { method, mac } => {
            let key = method.key()?;
            let mac = HEXLOWER_PERMISSIVE
                .decode(mac.as_bytes())
                .map_err(|error| format!("MAC: {error}"))?;
            key.verify(&read_input()?, &mac)
                .map_err(|_| "the MAC is not that of this message and key")?;
            show("ok\n")
        }
    }
}
