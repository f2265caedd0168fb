//! The format of sealed files.
//!
//! ```text
//! header    magic "sm4-seal" (8 bytes), version (1), log2 of the segment size (1),
//!           nonce prefix (7, random), tag over all of that (16)
//! segments  each the ciphertext of that many bytes (the last one: of 0 or more) and a tag (16)
//! trailer   "sm4-end." (8 bytes)
//! ```
//!
//! The segments are a STREAM (Hoang, Reyhanitabar, Rogaway, Vizár, 2015): the nonce of each is the
//! prefix, its number (4 bytes) and whether it is the last one (1 byte), so that none can be
//! changed, moved, left out or taken from another file. The header's tag belongs to a nonce that
//! STREAM does not use. The trailer protects nothing: it tells truncation from other changes.
//!
//! Prefixes are random: with one key seal no more than some 2^20 files, for which the odds that
//! two of them have the same prefix are 2^-17.

use std::{
    fmt,
    io::{self, Read, Write},
};

use aead_stream::{NewStream, StreamBE32, StreamPrimitive};
use sm4_aead::{Sm4Gcm, aead::AeadInOut};

const MAGIC: &[u8; 8] = b"sm4-seal";
const VERSION: u8 = 1;
const TRAILER: &[u8; 8] = b"sm4-end.";
const PREFIX: usize = 7;
const FIELDS: usize = MAGIC.len() + 2 + PREFIX;
const TAG: usize = 16;
/// 256 KiB: a tag for each costs nothing, and it fits into the caches. (A fuzzer gets further with
/// 16 bytes.)
const SEGMENT_BITS: u8 = if cfg!(fuzzing) { 4 } else { 18 };
/// Other sizes that are opened: from 64 KiB to 1 MiB.
const SEGMENT_BITS_ALLOWED: core::ops::RangeInclusive<u8> = SEGMENT_BITS - 2..=SEGMENT_BITS + 2;

/// Why a file cannot be sealed or opened.
#[derive(Debug)]
pub(crate) enum Fault {
    NotSealed,
    Version(u8),
    SegmentSize(u8),
    Key,
    Changed(u32),
    Truncated,
    Followed,
    TooLong,
    Random(getrandom::Error),
    Read(io::Error),
    Write(io::Error),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSealed => f.write_str("not a file that was sealed by this program"),
            Self::Version(version) => {
                write!(f, "sealed in format {version}, which is unknown here")
            }
            Self::SegmentSize(bits) => write!(
                f,
                "segments of 2^{bits} bytes, which are not opened here, or the header was changed"
            ),
            Self::Key => f.write_str("wrong key, or the header was changed"),
            Self::Changed(number) => write!(f, "segment {number} was changed or moved"),
            Self::Truncated => f.write_str("truncated: the end is missing"),
            Self::Followed => f.write_str("something follows the end"),
            Self::TooLong => f.write_str("too long"),
            Self::Random(error) => write!(f, "no random numbers: {error}"),
            Self::Read(error) | Self::Write(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Fault {}

/// The nonce of the header's tag: the number that STREAM keeps free, and not the last.
fn header_nonce(prefix: &[u8; PREFIX]) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[..PREFIX].copy_from_slice(prefix);
    nonce[PREFIX..11].fill(0xff);
    nonce
}

/// Seals all that can be read.
pub(crate) fn seal(
    gcm: Sm4Gcm,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result<(), Fault> {
    let mut prefix = [0; PREFIX];
    getrandom::fill(&mut prefix).map_err(Fault::Random)?;
    let mut header = MAGIC.to_vec();
    header.extend([VERSION, SEGMENT_BITS]);
    header.extend(prefix);
    let tag = gcm
        .encrypt_inout_detached(&header_nonce(&prefix).into(), &header, (&mut [][..]).into())
        .map_err(|_| Fault::TooLong)?;
    output.write_all(&header).map_err(Fault::Write)?;
    output.write_all(&tag).map_err(Fault::Write)?;

    let stream = StreamBE32::from_aead(gcm, &prefix.into());
    // One byte more than a segment shows that it is not the last one.
    let mut pieces = Pieces::new(1 << SEGMENT_BITS, 1);
    for number in 0..u32::MAX {
        let last = pieces.next(input).map_err(Fault::Read)?;
        stream
            .encrypt_in_place(number, last, &[], &mut pieces.piece)
            .map_err(|_| Fault::TooLong)?;
        output.write_all(&pieces.piece).map_err(Fault::Write)?;
        if last {
            output.write_all(TRAILER).map_err(Fault::Write)?;
            return Ok(());
        }
    }
    Err(Fault::TooLong)
}

/// Opens all that can be read. What is written is authentic, but complete only if there is no error.
pub(crate) fn open(
    gcm: Sm4Gcm,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result<(), Fault> {
    let (prefix, segment_bits) = open_header(&gcm, input)?;
    let stream = StreamBE32::from_aead(gcm, &prefix.into());
    // More than the trailer behind a segment shows that it is not the last one.
    let mut pieces = Pieces::new((1 << segment_bits) + TAG, TRAILER.len() + 1);
    let mut sealed = Vec::new();
    for number in 0..u32::MAX {
        let last = pieces.next(input).map_err(Fault::Read)?;
        if last {
            return open_last(&stream, number, &pieces.piece, output);
        }
        // What fails to decrypt is wiped, but is looked at again.
        sealed.clone_from(&pieces.piece);
        stream
            .decrypt_in_place(number, false, &[], &mut pieces.piece)
            .map_err(|_| {
                sealed.extend_from_slice(&pieces.ahead);
                if is_followed(&stream, number, &sealed) {
                    Fault::Followed
                } else {
                    Fault::Changed(number)
                }
            })?;
        output.write_all(&pieces.piece).map_err(Fault::Write)?;
    }
    Err(Fault::TooLong)
}

fn open_header(gcm: &Sm4Gcm, input: &mut impl Read) -> Result<([u8; PREFIX], u8), Fault> {
    let mut header = Vec::new();
    input
        .take((FIELDS + TAG) as u64)
        .read_to_end(&mut header)
        .map_err(Fault::Read)?;
    if !header.starts_with(MAGIC) {
        return Err(Fault::NotSealed);
    }
    let Some((fields, tag)) = header.split_first_chunk::<FIELDS>() else {
        return Err(Fault::Truncated);
    };
    let &[.., version, segment_bits, p0, p1, p2, p3, p4, p5, p6] = fields;
    if version != VERSION {
        return Err(Fault::Version(version));
    }
    if !SEGMENT_BITS_ALLOWED.contains(&segment_bits) {
        return Err(Fault::SegmentSize(segment_bits));
    }
    let prefix = [p0, p1, p2, p3, p4, p5, p6];
    let tag = <[u8; TAG]>::try_from(tag).map_err(|_| Fault::Truncated)?;
    gcm.decrypt_inout_detached(
        &header_nonce(&prefix).into(),
        fields,
        (&mut [][..]).into(),
        &tag.into(),
    )
    .map_err(|_| Fault::Key)?;
    Ok((prefix, segment_bits))
}

fn open_last(
    stream: &StreamBE32<Sm4Gcm>,
    number: u32,
    piece: &[u8],
    output: &mut impl Write,
) -> Result<(), Fault> {
    let fault = match piece.strip_suffix(TRAILER) {
        Some(sealed) if sealed.len() >= TAG => {
            let mut segment = sealed.to_vec();
            if stream
                .decrypt_in_place(number, true, &[], &mut segment)
                .is_ok()
            {
                return output.write_all(&segment).map_err(Fault::Write);
            }
            // Is it authentic as one that others have to follow?
            if is_authentic(stream, number, false, sealed) {
                Fault::Truncated
            } else {
                Fault::Changed(number)
            }
        }
        _ => Fault::Truncated,
    };
    if is_followed(stream, number, piece) {
        return Err(Fault::Followed);
    }
    Err(fault)
}

/// Whether there is the last segment with its trailer, and more behind it.
fn is_followed(stream: &StreamBE32<Sm4Gcm>, number: u32, bytes: &[u8]) -> bool {
    let end = bytes
        .windows(TRAILER.len())
        .position(|bytes| bytes == TRAILER);
    end.is_some_and(|end| is_authentic(stream, number, true, &bytes[..end]))
}

/// Whether these bytes are a segment in this place.
fn is_authentic(stream: &StreamBE32<Sm4Gcm>, number: u32, last: bool, segment: &[u8]) -> bool {
    stream
        .decrypt_in_place(number, last, &[], &mut segment.to_vec())
        .is_ok()
}

/// Cuts the input into pieces of one size, with a look at what follows.
struct Pieces {
    piece: Vec<u8>,
    ahead: Vec<u8>,
    size: usize,
    margin: usize,
}

impl Pieces {
    fn new(size: usize, margin: usize) -> Self {
        Self {
            piece: Vec::with_capacity(size + margin + TAG),
            ahead: Vec::with_capacity(margin),
            size,
            margin,
        }
    }

    /// Reads the next piece. Returns whether it is the last one, which has less than the size and
    /// the margin together.
    fn next(&mut self, input: &mut impl Read) -> io::Result<bool> {
        self.piece.clear();
        self.piece.append(&mut self.ahead);
        let wanted = self.size + self.margin;
        let missing = wanted - self.piece.len();
        input.take(missing as u64).read_to_end(&mut self.piece)?;
        if self.piece.len() < wanted {
            return Ok(true);
        }
        self.ahead.extend_from_slice(&self.piece[self.size..]);
        self.piece.truncate(self.size);
        Ok(false)
    }
}
