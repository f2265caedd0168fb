//! Seals files with SM4-GCM, so that nobody without the key can read or change them.
//!
//! ```text
//! cargo run --release -p sm4-aead --example seal -- demo FILE
//! ```

mod container;
mod files;
mod output;
mod progress;

use core::{error::Error, time::Duration};
use std::{
    fs,
    io::{self, Write},
    path::Path,
    process::ExitCode,
    time::Instant,
};

use container::Fault;
use files::Input;
use output::Output;
use sm4_aead::Sm4Gcm;

const USAGE: &str = "\
usage: seal keygen KEYFILE                  make a new key, in a file that does not exist yet
       seal seal --key-file KEYFILE IN OUT  encrypt and authenticate
       seal open --key-file KEYFILE IN OUT  check and decrypt
       seal demo FILE                       all of that on a copy, with the speed
IN and OUT may be - for standard input and output; one that is closed counts as the null device,
which is empty as IN and takes anything as OUT. Opening to standard output writes each segment as
soon as it is known to be authentic: what was written is genuine even after an error, but not
complete.
OUT appears under its name, in place of a file that exists (whose permissions it gets), when it is
complete. Until then it is .seal-XXXXXX beside that, for you alone; if the program is killed, that
may stay and can be removed.";

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
        ["demo", "-"] => Err("demo: this needs a file, not standard input".into()),
        ["demo", file] => demo(file),
        ["help" | "--help" | "-h"] => show(&format!("{USAGE}\n")),
        _ => {
            complain(USAGE);
            return ExitCode::FAILURE;
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error.to_string()),
    }
}

fn fail(error: &str) -> ExitCode {
    complain(&format!("seal: {error}"));
    ExitCode::FAILURE
}

/// Writes to standard error. If that fails there is nobody to tell; the exit code says it.
fn complain(text: &str) {
    drop(writeln!(io::stderr(), "{text}"));
}

fn show(text: &str) -> Result<()> {
    Output::standard()
        .and_then(|mut output| output.write_all(text.as_bytes()).and(output.finish()))
        .map_err(|error| format!("standard output: {error}").into())
}

fn seal(key: &str, input: &str, output: &str) -> Result<()> {
    convert(container::seal, key, input, output)
}

fn open(key: &str, input: &str, output: &str) -> Result<()> {
    convert(container::open, key, input, output)
}

fn convert(
    action: fn(Sm4Gcm, &mut Input, &mut Output) -> core::result::Result<(), Fault>,
    key: &str,
    input: &str,
    output: &str,
) -> Result<()> {
    let gcm = files::read_key(Path::new(key))?;
    let mut source = Input::open(input)?;
    let mut target = Output::create(output, Path::new(key))?;
    action(gcm, &mut source, &mut target)
        .and_then(|()| target.finish().map_err(Fault::Write))
        .map_err(|fault| match fault {
            Fault::Write(error) => format!("{output}: {error}").into(),
            fault => format!("{input}: {fault}").into(),
        })
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
    show(&format!(
        "{file}: {size} bytes, sealed to {} bytes, opened and compared: the same\n\
         backend {backend}: sealed at {:.0} MiB/s, opened at {:.0} MiB/s, with reading and writing\n",
        fs::metadata(&sealed)?.len(),
        rate(seal_time),
        rate(open_time),
    ))
}

fn time(action: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    action()?;
    Ok(start.elapsed())
}
