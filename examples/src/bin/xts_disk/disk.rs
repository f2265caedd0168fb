//! A key for one of the two standards' XTS, and sectors of one size.

use core::fmt;
use std::path::Path;

use sm4_examples::{Result, named, read_key};
use sm4_modes::{
    DataUnit, Sm4XtsGb, Sm4XtsIeee,
    cipher::{InvalidLength, common::TryKeyInit},
};

#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum Standard {
    /// IEEE 1619: Linux, libgcrypt, Botan
    Ieee,
    /// GB/T 17964-2021: GmSSL, Tongsuo, OpenSSL unless told otherwise
    Gb,
}

#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Encrypt,
    Decrypt,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Encrypt => "encrypt",
            Self::Decrypt => "decrypt",
        })
    }
}

enum Xts {
    Ieee(Sm4XtsIeee),
    Gb(Sm4XtsGb),
}

pub(crate) struct Disk {
    xts: Xts,
    sector: usize,
}

impl Disk {
    /// Reads a key of 32 bytes, whose halves must not be equal.
    pub(crate) fn open(key_file: &Path, standard: Standard, sector: usize) -> Result<Self> {
        let key = read_key::<32>(key_file)?.into();
        let xts = match standard {
            Standard::Ieee => Sm4XtsIeee::new(&key).map(Xts::Ieee),
            Standard::Gb => Sm4XtsGb::new(&key).map(Xts::Gb),
        };
        let xts = xts.map_err(|_| "its two halves are equal");
        Ok(Self {
            xts: named(key_file, xts)?,
            sector,
        })
    }

    /// Encrypts or decrypts whole sectors in place, the first of which is at this byte of the disk.
    pub(crate) fn apply(
        &self,
        direction: Direction,
        area: &mut [u8],
        position: u64,
    ) -> core::result::Result<(), InvalidLength> {
        let (size, first) = (self.sector, u128::from(position) / self.sector as u128);
        match (&self.xts, direction) {
            (Xts::Ieee(xts), Direction::Encrypt) => xts.encrypt_sectors(area, size, first),
            (Xts::Ieee(xts), Direction::Decrypt) => xts.decrypt_sectors(area, size, first),
            (Xts::Gb(xts), Direction::Encrypt) => xts.encrypt_sectors(area, size, first),
            (Xts::Gb(xts), Direction::Decrypt) => xts.decrypt_sectors(area, size, first),
        }
    }

    /// Standard, sector size, and a check value of the key: two blocks of a data unit which no disk
    /// has, so that a job is not resumed with another key.
    pub(crate) fn describe(&self) -> Result<String> {
        let (tweak, mut check) = ([0xff; 16], [0; 32]);
        let name = match &self.xts {
            Xts::Ieee(xts) => {
                xts.encrypt(&tweak, &mut check)?;
                "ieee"
            }
            Xts::Gb(xts) => {
                xts.encrypt(&tweak, &mut check)?;
                "gb"
            }
        };
        let check = data_encoding::HEXLOWER.encode(&check[24..]);
        Ok(format!("{name} {} {check}", self.sector))
    }
}
