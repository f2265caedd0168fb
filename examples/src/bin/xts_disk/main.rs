//! A disk image in XTS mode, sector by sector, on all cores, and resumed where it was interrupted.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin xts_disk -- --help
//! ```

mod disk;
mod mark;

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use clap::{Args, Parser};
use disk::{Direction, Disk, Standard};
use indicatif::{ProgressBar, ProgressStyle};
use mark::Mark;
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};
use sm4_examples::{Result, exit, named, new_key, show};

/// Encrypts and decrypts disk images with SM4-XTS.
///
/// IEEE 1619 and GB/T 17964 differ from the second block of a sector on; nothing tells you if you
/// take the wrong one, or the wrong key: XTS authenticates nothing. The tweak is the number of the
/// sector, from 0 on, little-endian: what dm-crypt calls plain64 (with sectors of 4096 bytes,
/// together with iv_large_sectors).
///
/// OUT.part grows until it is complete and becomes OUT; OUT.mark says how far it is. After an
/// interruption the same command goes on from there, and says from which sector. An OUT that exists
/// is refused, and so is an OUT.part without its mark.
#[derive(Parser)]
#[command(after_help = EXAMPLE)]
enum Command {
    /// Make a new key: 64 hexadecimal digits
    Keygen {
        /// Where it goes: a file that does not exist yet. Only its owner may read it
        key_file: PathBuf,
    },
    /// Encrypt an image
    Encrypt(Job),
    /// Decrypt an image
    Decrypt(Job),
}

const EXAMPLE: &str = "\
Example:
  xts_disk keygen KEYFILE
  head -c 10485760 /dev/urandom >image
  xts_disk encrypt --key-file KEYFILE --standard gb image image.sm4
  xts_disk decrypt --key-file KEYFILE --standard gb image.sm4 image.again
  cmp image image.again";

#[derive(Args)]
struct Job {
    /// A key that keygen has made: 64 hexadecimal digits
    #[arg(long)]
    key_file: PathBuf,
    /// Which of the two XTS: whoever reads the disk has to take the same one
    #[arg(long, value_enum)]
    standard: Standard,
    /// Bytes of a sector: 512, 1024, 2048 or 4096
    #[arg(long, default_value = "512", value_parser = sector_size)]
    sector: usize,
    /// How many; 0 means one for each core
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// The image; its size is a multiple of a sector's
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// A file that does not exist yet
    #[arg(value_name = "OUT")]
    output: PathBuf,
}

/// What is read, encrypted and written before the mark moves.
const STEP: usize = 16 << 20;
/// What a thread takes at once.
const PIECE: usize = 256 << 10;

fn sector_size(text: &str) -> core::result::Result<usize, &'static str> {
    let size = text.parse().ok();
    size.filter(|size| [512, 1024, 2048, 4096].contains(size))
        .ok_or("not 512, 1024, 2048 or 4096")
}

fn main() -> ExitCode {
    let result = match Command::parse() {
        Command::Keygen { key_file } => new_key::<32>(&key_file),
        Command::Encrypt(job) => convert(Direction::Encrypt, &job),
        Command::Decrypt(job) => convert(Direction::Decrypt, &job),
    };
    exit("xts_disk", result)
}

fn convert(direction: Direction, job: &Job) -> Result<()> {
    let disk = Disk::open(&job.key_file, job.standard, job.sector)?;
    let mut input = named(&job.input, File::open(&job.input))?;
    let metadata = named(&job.input, input.metadata())?;
    if !metadata.is_file() {
        return Err(format!(
            "{}: not a file; take an image of the disk",
            job.input.display()
        )
        .into());
    }
    let len = metadata.len();
    if !len.is_multiple_of(job.sector as u64) {
        let (path, sector) = (job.input.display(), job.sector);
        return Err(format!("{path}: not a number of whole sectors of {sector} bytes").into());
    }
    if fs::exists(&job.output)? {
        return Err(format!("{}: exists already", job.output.display()).into());
    }
    let pool = ThreadPoolBuilder::new().num_threads(job.threads).build()?;

    let what = format!("{direction} {}, {len} bytes", disk.describe()?);
    let mark = Mark::new(beside(&job.output, "mark"), what);
    let resumed = mark.read()?;
    let part = beside(&job.output, "part");
    let mut output = named(&part, open_part(&part, resumed))?;
    let begin = resumed.unwrap_or(0);
    named(&job.input, input.seek(SeekFrom::Start(begin)))?;
    let how = if resumed.is_some() {
        "resumed"
    } else {
        "begun"
    };
    show(format!("{how} at sector {}\n", begin / job.sector as u64))?;
    mark.write(begin)?;

    let start = Instant::now();
    let bar = bar(len);
    let mut done = begin;
    let mut buffer = Vec::with_capacity(STEP);
    while done < len {
        bar.set_position(done);
        buffer.clear();
        let step = (len - done).min(STEP as u64);
        named(&job.input, (&mut input).take(step).read_to_end(&mut buffer))?;
        if buffer.len() as u64 != step {
            return Err(format!("{}: became shorter", job.input.display()).into());
        }
        apply(&pool, &disk, direction, &mut buffer, done)?;
        named(&part, output.write_all(&buffer))?;
        named(&part, output.sync_data())?;
        done += step;
        mark.write(done)?;
    }
    named(&job.output, fs::rename(&part, &job.output))?;
    mark.remove()?;
    bar.finish_and_clear();
    #[allow(clippy::cast_precision_loss, reason = "shown with few digits")]
    let rate = (len - begin) as f64 / f64::from(1 << 20) / start.elapsed().as_secs_f64();
    show(format!(
        "{} sectors, {rate:.0} MiB/s with reading and writing\n",
        len / job.sector as u64
    ))
}

/// Every piece by itself: what XTS is made for.
fn apply(
    pool: &ThreadPool,
    disk: &Disk,
    direction: Direction,
    area: &mut [u8],
    position: u64,
) -> Result<()> {
    pool.install(|| {
        let pieces = area.par_chunks_mut(PIECE).enumerate();
        pieces
            .try_for_each(|(i, piece)| disk.apply(direction, piece, position + (i * PIECE) as u64))
    })?;
    Ok(())
}

/// A new file, or the one that was begun, from the mark on.
fn open_part(part: &Path, resumed: Option<u64>) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(resumed.is_none());
    let mut file = options.open(part).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => io::Error::other("exists, without a mark of how far it is"),
        _ => error,
    })?;
    let begin = resumed.unwrap_or(0);
    if file.metadata()?.len() < begin {
        return Err(io::Error::other("shorter than its mark says"));
    }
    file.seek(SeekFrom::Start(begin))?;
    Ok(file)
}

fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Hidden if nobody is watching.
fn bar(len: u64) -> ProgressBar {
    let template = "{bar:40} {binary_bytes}/{binary_total_bytes} {eta}";
    ProgressBar::new(len).with_style(
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
    )
}
