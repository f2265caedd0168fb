//! A file in CTR mode with the traits of the standard library.
//!
//! ```text
//! magic "sm4-ctr1" (8 bytes), IV (16, random), ciphertext
//! ```

use std::io::{self, Read, Seek, SeekFrom, Write};

use sm4_modes::{
    Sm4Ctr,
    cipher::{KeyIvInit, StreamCipher, StreamCipherSeek},
};

const MAGIC: &[u8; 8] = b"sm4-ctr1";
const HEADER: u64 = 24;
/// What is encrypted at once.
const BUFFER: usize = 64 << 10;

/// Reads and writes plaintext; `F`, which nobody else may write, holds ciphertext.
///
/// A whole IV of random bytes: that two of 2^20 files of 2^40 bytes ever have a counter in common
/// has a probability of 2^-52.
pub(crate) struct CtrFile<F> {
    file: F,
    stream: Sm4Ctr,
    position: u64,
    len: u64,
    buffer: Vec<u8>,
}

impl<F: Read + Write + Seek> CtrFile<F> {
    /// Writes the header of a new file.
    pub(crate) fn create(mut file: F, key: &[u8; 16]) -> io::Result<Self> {
        let mut iv = [0; 16];
        getrandom::fill(&mut iv)?;
        file.write_all(&[&MAGIC[..], &iv].concat())?;
        Ok(Self::new(file, key, &iv, 0))
    }

    /// Reads the header of a file that exists.
    pub(crate) fn open(mut file: F, key: &[u8; 16]) -> io::Result<Self> {
        let (mut magic, mut iv) = ([0; 8], [0; 16]);
        file.read_exact(&mut magic)
            .and_then(|()| file.read_exact(&mut iv))
            .ok()
            .filter(|()| &magic == MAGIC)
            .ok_or_else(|| io::Error::other("not made by this program"))?;
        let len = file.seek(SeekFrom::End(0))? - HEADER;
        file.seek(SeekFrom::Start(HEADER))?;
        Ok(Self::new(file, key, &iv, len))
    }

    fn new(file: F, key: &[u8; 16], iv: &[u8; 16], len: u64) -> Self {
        Self {
            file,
            stream: Sm4Ctr::new(key.into(), iv.into()),
            position: 0,
            len,
            buffer: Vec::with_capacity(BUFFER),
        }
    }

    /// Makes the file as long as the position, with encrypted zeros.
    fn fill_gap(&mut self) -> io::Result<()> {
        let position = self.position;
        if position > self.len {
            self.seek(SeekFrom::End(0))?;
            let gap = position - self.len;
            io::copy(&mut io::repeat(0).take(gap), self)?;
        }
        Ok(())
    }
}

/// The key stream from a position on.
fn apply(stream: &mut Sm4Ctr, position: u64, bytes: &mut [u8]) -> io::Result<()> {
    stream
        .try_seek(position)
        .and_then(|()| stream.try_apply_keystream(bytes))
        .map_err(io::Error::other)
}

impl<F: Read> Read for CtrFile<F> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let len = self.file.read(bytes)?;
        apply(&mut self.stream, self.position, &mut bytes[..len])?;
        self.position += len as u64;
        Ok(len)
    }
}

impl<F: Read + Write + Seek> Write for CtrFile<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        self.fill_gap()?;
        self.buffer.clear();
        self.buffer
            .extend_from_slice(&bytes[..bytes.len().min(BUFFER)]);
        apply(&mut self.stream, self.position, &mut self.buffer)?;
        let len = self.file.write(&self.buffer)?;
        self.position += len as u64;
        self.len = self.len.max(self.position);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<F: Seek> Seek for CtrFile<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => self.len.checked_add_signed(by),
        };
        let (position, physical) = position
            .and_then(|position| Some((position, position.checked_add(HEADER)?)))
            .ok_or(io::ErrorKind::InvalidInput)?;
        self.file.seek(SeekFrom::Start(physical))?;
        self.position = position;
        Ok(position)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Numbers from 0 to below a bound, always the same ones.
    fn numbers() -> impl FnMut(u64) -> u64 {
        let mut state = 1_u64;
        move |bound| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % bound
        }
    }

    fn step(file: &mut (impl Read + Write + Seek), op: u64, at: u64, len: u64) -> Vec<u8> {
        let mut out = vec![0; usize::try_from(len).unwrap()];
        let to = match op % 3 {
            0 => SeekFrom::Start(at),
            1 => SeekFrom::End(at.cast_signed() - 5000),
            _ => SeekFrom::Current(at.cast_signed() - 5000),
        };
        let sought = file.seek(to).ok().map_or(u64::MAX, |position| position);
        if op < 3 {
            out.fill(at.to_le_bytes()[0]);
            file.write_all(&out).unwrap();
        } else {
            let len = file.take(len).read(&mut out).unwrap();
            out.truncate(len);
        }
        out.extend(sought.to_le_bytes());
        out.extend(file.stream_position().unwrap().to_le_bytes());
        out
    }

    #[test]
    fn random_access() {
        let key = [7; 16];
        let mut plain = Cursor::new(Vec::new());
        let mut file = CtrFile::create(Cursor::new(Vec::new()), &key).unwrap();
        let mut number = numbers();
        for i in 0..2000 {
            let (op, at, len) = (number(6), number(20_000), number(3000));
            let expected = step(&mut plain, op, at, len);
            assert!(step(&mut file, op, at, len) == expected, "step {i}");
            if i % 100 == 0 {
                // Close and open.
                let mut inner = file.file;
                inner.set_position(0);
                file = CtrFile::open(inner, &key).unwrap();
                plain.set_position(0);
            }
        }
        let sealed = file.file.into_inner();
        let mut opened = sealed[24..].to_vec();
        let iv: [u8; 16] = sealed[8..24].try_into().unwrap();
        Sm4Ctr::new(&key.into(), &iv.into()).apply_keystream(&mut opened);
        assert!(opened == plain.into_inner());
    }

    #[test]
    fn positions_that_do_not_exist() {
        let mut file = CtrFile::create(Cursor::new(Vec::new()), &[7; 16]).unwrap();
        file.write_all(b"0123456789").unwrap();
        for to in [
            SeekFrom::End(-11),
            SeekFrom::Current(-11),
            SeekFrom::Start(u64::MAX),
        ] {
            assert!(file.seek(to).is_err());
            assert_eq!(file.stream_position().unwrap(), 10);
        }
        for bad in [
            &b"sm4-ctr1 and an IV"[..],
            b"sm4-ctr2, and after it an IV",
            b"",
        ] {
            assert!(CtrFile::open(Cursor::new(bad.to_vec()), &[7; 16]).is_err());
        }
    }
}
