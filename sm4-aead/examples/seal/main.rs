//! Seals files with SM4-GCM, so that nobody without the key can read or change them.
//!
//! ```text
//! cargo run --release -p sm4-aead --example seal -- demo FILE
//! ```

mod container;
mod files;
mod progress;

use core::{error::Error, time::Duration};
use std::{fs, io, io::Write, path::Path, process::ExitCode, time::Instant};

use files::{Input, Output};

const USAGE: &str = "\
usage: seal keygen KEYFILE                  make a new key
       seal seal --key-file KEYFILE IN OUT  encrypt and authenticate
       seal open --key-file KEYFILE IN OUT  check and decrypt
       seal demo FILE                       all of that on a copy, with the speed
IN and OUT may be - for standard input and output. Opening to standard output writes each
segment as soon as it is known to be authentic: what was written is genuine even after an error,
but not complete.";

type Result<T> = core::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = match std::env::args_os()
        .skip(1)
        .map(|argument| argument.into_string())
        .collect()
    {
        Ok(arguments) => arguments,
        Err(argument) => return fail(&format!("{}: not UTF-8", argument.to_string_lossy())),
    };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["keygen", key] => files::new_key(Path::new(key)),
        ["seal", "--key-file", key, input, output] => seal(key, input, output),
        ["open", "--key-file", key, input, output] => open(key, input, output),
        ["demo", file] => demo(file),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(error: &str) -> ExitCode {
    eprintln!("seal: {error}");
    ExitCode::FAILURE
}

fn seal(key: &str, input: &str, output: &str) -> Result<()> {
    let gcm = files::read_key(Path::new(key))?;
    let mut source = Input::open(input)?;
    let mut target = Output::create(output)?;
    container::seal(gcm, &mut source, &mut target).map_err(|error| format!("{input}: {error}"))?;
    target.finish()
}

fn open(key: &str, input: &str, output: &str) -> Result<()> {
    let gcm = files::read_key(Path::new(key))?;
    let mut source = Input::open(input)?;
    let mut target = Output::create(output)?;
    container::open(gcm, &mut source, &mut target).map_err(|error| format!("{input}: {error}"))?;
    target.finish()
}

/// Makes a key, seals the file, opens it again and compares.
fn demo(file: &str) -> Result<()> {
    let directory = tempfile::tempdir()?;
    let path = |name: &str| directory.path().join(name).display().to_string();
    let (key, sealed, opened) = (path("key"), path("sealed"), path("opened"));

    files::new_key(Path::new(&key))?;
    let seal_time = time(|| seal(&key, file, &sealed))?;
    let open_time = time(|| open(&key, &sealed, &opened))?;
    if !files::equal(file, &opened)? {
        return Err(format!("{file}: not the same after sealing and opening").into());
    }

    let size = fs::metadata(&opened)?.len();
    #[allow(clippy::cast_precision_loss, reason = "shown with few digits")]
    let rate = |time: Duration| size as f64 / f64::from(1 << 20) / time.as_secs_f64();
    let backend = files::read_key(Path::new(&key))?.cipher().backend();
    writeln!(
        io::stdout(),
        "{file}: {size} bytes, sealed to {} bytes, opened and compared: the same\n\
         backend {backend}: sealed at {:.0} MiB/s, opened at {:.0} MiB/s, with reading and writing",
        fs::metadata(&sealed)?.len(),
        rate(seal_time),
        rate(open_time),
    )?;
    Ok(())
}

fn time(action: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    action()?;
    Ok(start.elapsed())
}
