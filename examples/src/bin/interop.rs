//! The same values as the `openssl` command line.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin interop
//! ```

use std::{
    io::{ErrorKind, Write},
    process::{Command, ExitCode, Stdio},
};

use clap::Parser;
use data_encoding::HEXLOWER;
use sm4_aead::Sm4Gmac;
use sm4_examples::{Result, complain, exit, random, show};
use sm4_modes::{
    MacKey, Sm4CbcEnc, Sm4CfbBufEnc, Sm4CmacKey, Sm4Ctr, Sm4EcbEnc, Sm4Ofb,
    cipher::{BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher},
    padding::Pkcs7,
};

/// Encrypts a message in several modes, here and by the openssl command line, and compares.
///
/// Each line is a command that you can paste; the result is in hexadecimal digits. What this openssl
/// has not got is named.
///
/// The exit code is 0 if all that was compared is the same; 1 if something differs or fails; 77 if
/// nothing was compared, because there is no openssl or it has no SM4; 2 if the command is wrong.
#[derive(Parser)]
struct Arguments {
    /// The program to compare with
    #[arg(long, default_value = "openssl")]
    openssl: String,
    /// Another key, IV and message every time
    #[arg(long)]
    random: bool,
}

/// What is encrypted: 20 bytes, so that padding and incomplete blocks show.
struct Case {
    key: [u8; 16],
    iv: [u8; 16],
    message: String,
}

/// The exit code if nothing was compared: that of a skipped test, by custom.
const NOTHING_COMPARED: u8 = 77;

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(0) => {
            complain("interop", "nothing was compared");
            NOTHING_COMPARED.into()
        }
        result => exit("interop", result.map(drop)),
    }
}

/// The values of this library: the name of the mode and what openssl wants to be told.
fn values(case: &Case) -> Result<Vec<(&'static str, String, Vec<u8>)>> {
    let Case { key, iv, message } = case;
    let (text, key_hex, iv_hex) = (
        message.as_bytes(),
        HEXLOWER.encode(key),
        HEXLOWER.encode(iv),
    );
    let (key, iv) = (key.into(), iv.into());
    let mut ctr = text.to_vec();
    Sm4Ctr::new(key, iv).apply_keystream(&mut ctr);
    let mut ofb = text.to_vec();
    Sm4Ofb::new(key, iv).apply_keystream(&mut ofb);
    let mut cfb = text.to_vec();
    Sm4CfbBufEnc::new(key, iv).encrypt(&mut cfb);
    let mut gmac = [0; 16];
    Sm4Gmac::new(key).mac(&iv[..12], text, &mut gmac)?;

    let enc = |mode| format!("enc -sm4-{mode} -K {key_hex} -iv {iv_hex}");
    Ok(vec![
        (
            "ECB, PKCS#7",
            format!("enc -sm4-ecb -K {key_hex}"),
            Sm4EcbEnc::new(key).encrypt_padded_vec::<Pkcs7>(text),
        ),
        (
            "CBC, PKCS#7",
            enc("cbc"),
            Sm4CbcEnc::new(key, iv).encrypt_padded_vec::<Pkcs7>(text),
        ),
        ("CFB", enc("cfb"), cfb),
        ("OFB", enc("ofb"), ofb),
        ("CTR", enc("ctr"), ctr),
        (
            "CMAC",
            format!("mac -binary -cipher SM4-CBC -macopt hexkey:{key_hex} CMAC"),
            Sm4CmacKey::new(key).mac(text).to_vec(),
        ),
        (
            "GMAC",
            format!(
                "mac -binary -cipher SM4-GCM -macopt hexkey:{key_hex} -macopt hexiv:{} GMAC",
                &iv_hex[..24]
            ),
            gmac.to_vec(),
        ),
    ])
}

/// Modes that the command line refuses whatever the library behind it has.
const LIBRARY_ONLY: [&str; 3] = ["SM4-GCM", "SM4-CCM", "SM4-XTS"];

/// How many values were compared, all of them the same.
fn run(arguments: &Arguments) -> Result<usize> {
    let Some(version) = openssl(&arguments.openssl, "version", b"")? else {
        show(format!("NOT COMPARED: no program {}\n", arguments.openssl))?;
        return Ok(0);
    };
    show(version.stdout)?;
    let mut case = Case {
        key: *b"0123456789ABCDEF",
        iv: *b"FEDCBA9876543210",
        message: "twenty bytes of text".into(),
    };
    if arguments.random {
        let message = HEXLOWER.encode(&random::<40>()?);
        let [len, ..] = random::<1>()?;
        case = Case {
            key: random()?,
            iv: random()?,
            message: message[..usize::from(len % 81)].into(),
        };
    }
    let (mut same, mut wrong) = (0, Vec::new());
    for (mode, command, ours) in values(&case)? {
        show(format!(
            "\n{mode}\n$ printf %s '{}' | openssl {command} | xxd -p -c 99\n",
            case.message
        ))?;
        let output = openssl(&arguments.openssl, &command, case.message.as_bytes())?;
        let output = output.ok_or("openssl is gone")?;
        show(match output.status.success() {
            true if output.stdout == ours => {
                same += 1;
                format!("{}   the same here\n", HEXLOWER.encode(&ours))
            }
            true => {
                wrong.push(mode);
                let (theirs, ours) = (HEXLOWER.encode(&output.stdout), HEXLOWER.encode(&ours));
                format!("{theirs}   DIFFERENT, here {ours}\n")
            }
            false => format!(
                "{}   here; NOT COMPARED, this openssl says: {}\n",
                HEXLOWER.encode(&ours),
                String::from_utf8_lossy(&output.stderr)
                    .lines()
                    .next()
                    .unwrap_or_default()
            ),
        })?;
    }
    let list = openssl(&arguments.openssl, "list -cipher-algorithms", b"")?;
    let list = list.ok_or("openssl is gone")?.stdout;
    let list = String::from_utf8_lossy(&list);
    show("\n")?;
    for mode in LIBRARY_ONLY {
        let library = if list.contains(mode) {
            "has it"
        } else {
            "has not got it"
        };
        show(format!(
            "{mode}: NOT COMPARED, the command line has no such modes (its library {library})\n"
        ))?;
    }
    if wrong.is_empty() {
        return Ok(same);
    }
    Err(format!("different: {}", wrong.join("; ")).into())
}

/// Runs openssl with these words; `None` if there is no such program.
fn openssl(program: &str, command: &str, input: &[u8]) -> Result<Option<std::process::Output>> {
    let child = Command::new(program)
        .args(command.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        child => child?,
    };
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not know the mode does not read it.
        drop(stdin.write_all(input));
    }
    Ok(Some(child.wait_with_output()?))
}
