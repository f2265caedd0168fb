//! Many data units of one size at once.

use core::{borrow::Borrow, marker::PhantomData};

use cipher::{BlockCipherEncrypt, InOutBuf, InvalidLength};
use sm4::Sm4;

use super::{Direction, Tweaks, Xts};
use crate::{
    batch::{Decryption, Encryption},
    block::Block,
    doubling::Field,
};

/// Sectors whose tweaks are encrypted at once.
const SECTORS: usize = 128;

impl<F: Field, C: Borrow<Sm4>> Xts<F, C> {
    fn sectors<D: Direction>(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first_sector: u128,
    ) -> Result<(), InvalidLength> {
        if sector_size < 16 || !area.len().is_multiple_of(sector_size) {
            return Err(InvalidLength);
        }
        let count = area.len() / sector_size;
        let mut number = first_sector;
        let beyond_first = count.saturating_sub(1) as u128;
        if first_sector.checked_add(beyond_first).is_none() {
            return Err(InvalidLength);
        }
        let mut rest = area;
        while !rest.is_empty() {
            let sectors = SECTORS.min(rest.len() / sector_size);
            let (group, after) = rest.split_at(sectors * sector_size);
            let mut tweaks = [Block::default(); SECTORS];
            let tweaks = &mut tweaks[..sectors];
            for tweak in tweaks.iter_mut() {
                *tweak = number.to_le_bytes().into();
                number = number.wrapping_add(1);
            }
            self.tweak.borrow().bulk().encrypt_blocks(tweaks);
            if sector_size.is_multiple_of(16) {
                let (blocks, _) = group.into_chunks();
                let mut tweaks = Tweaks::<F> {
                    next: Block::default(),
                    left: 0,
                    unit: sector_size / 16,
                    following: tweaks,
                    swap: false,
                    field: PhantomData,
                };
                self.blocks::<D>(&mut tweaks, blocks);
            } else {
                let mut group = group;
                for tweak in tweaks {
                    let (sector, others) = group.split_at(sector_size);
                    self.unit_with::<D>(*tweak, sector);
                    group = others;
                }
            }
            rest = after;
        }
        Ok(())
    }

    /// Encrypts an area of sectors in place, each of them a data unit whose tweak is its number
    /// (little-endian, from `first_sector` on).
    ///
    /// # Errors
    /// If a sector has less than 16 bytes, the area is not a number of whole sectors, or the last
    /// sector's number would exceed 128 bits. Nothing is written then.
    pub fn encrypt_sectors(
        &self,
        area: &mut [u8],
        sector_size: usize,
        first_sector: u128,
    ) -> Result<(), InvalidLength> {
        self.sectors::<Encryption>(area.into(), sector_size, first_sector)
    }

    /// Decrypts an area of sectors in place: see [`encrypt_sectors`](Self::encrypt_sectors).
    ///
    /// # Errors
    /// As for encryption.
    pub fn decrypt_sectors(
        &self,
        area: &mut [u8],
        sector_size: usize,
        first_sector: u128,
    ) -> Result<(), InvalidLength> {
        self.sectors::<Decryption>(area.into(), sector_size, first_sector)
    }

    /// Encrypts an area of sectors: see [`encrypt_sectors`](Self::encrypt_sectors).
    ///
    /// # Errors
    /// As there.
    pub fn encrypt_sectors_inout(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first_sector: u128,
    ) -> Result<(), InvalidLength> {
        self.sectors::<Encryption>(area, sector_size, first_sector)
    }

    /// Decrypts an area of sectors: see [`encrypt_sectors`](Self::encrypt_sectors).
    ///
    /// # Errors
    /// As there.
    pub fn decrypt_sectors_inout(
        &self,
        area: InOutBuf<'_, '_, u8>,
        sector_size: usize,
        first_sector: u128,
    ) -> Result<(), InvalidLength> {
        self.sectors::<Decryption>(area, sector_size, first_sector)
    }
}
