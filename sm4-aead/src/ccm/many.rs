//! CCM of many messages at once: their MACs run side by side.

use core::array;

use super::{Ccm, Header};
use crate::{
    Message,
    block::{Block, padded, xor},
    ctr::KeyStream,
    lanes::{self, Lane},
    many::{self, GROUP, Job},
    open,
};

impl Header<'_> {
    /// The chain over header and plaintext.
    fn lane<'d>(&'d self, plaintext: &'d [u8]) -> Lane<'d> {
        let mut lane = Lane {
            first: [Some(self.first()), None],
            data: [&[], plaintext],
            ..Lane::default()
        };
        let (mut block, len) = self.associated_data_len();
        if len > 0 {
            let (begin, rest) = self
                .associated_data
                .split_at(self.associated_data.len().min(16 - len));
            block[len..][..begin.len()].copy_from_slice(begin);
            lane.first[1] = Some(block);
            lane.data[0] = rest;
        }
        lane
    }
}

impl Ccm {
    fn headers<'m>(group: &mut [Message<'m>]) -> [Option<Header<'m>>; GROUP] {
        let mut group = group.iter_mut();
        array::from_fn(|_| {
            let message = group.next()?;
            let len = message.buffer.len() as u64;
            let (nonce, aad) = (message.nonce, message.associated_data);
            let header = Header::new(nonce, aad, len, message.tag.len());
            message.result = header.map(drop);
            header.ok()
        })
    }

    fn macs(&self, headers: &[Option<Header<'_>>; GROUP], group: &[Message<'_>]) -> [Block; GROUP] {
        let mut lanes = [Lane::default(); GROUP];
        for ((lane, header), message) in lanes.iter_mut().zip(headers).zip(group) {
            if let Some(header) = header {
                *lane = header.lane(message.buffer);
            }
        }
        lanes::run(&self.cipher, &mut lanes);
        lanes.map(|lane| lane.state)
    }

    /// Encrypts or decrypts, and returns the masks of the tags.
    fn apply(
        &self,
        headers: &[Option<Header<'_>>; GROUP],
        group: &mut [Message<'_>],
    ) -> [Block; GROUP] {
        let mut rest = group.iter_mut().zip(headers);
        let mut jobs: [Job<'_, _>; GROUP] = array::from_fn(|_| {
            let (message, header) = rest.next()?;
            let stream = KeyStream::with_mask(header.as_ref()?.counter());
            Some((stream, &mut *message.buffer))
        });
        many::apply::<sm4_modes::counter::Be128>(&self.cipher, &mut jobs);
        jobs.map(|job| job.map_or(padded(&[]), |(mut stream, _)| stream.mask(&self.cipher)))
    }

    pub(super) fn seal_group(&self, group: &mut [Message<'_>]) {
        let headers = Self::headers(group);
        let macs = self.macs(&headers, group);
        let masks = self.apply(&headers, group);
        for ((message, mac), mask) in group.iter_mut().zip(&macs).zip(&masks) {
            if message.result.is_ok() {
                let full = xor(mac, mask);
                message.tag.copy_from_slice(&full[..message.tag.len()]);
            }
        }
    }

    pub(super) fn open_group(&self, group: &mut [Message<'_>]) {
        let headers = Self::headers(group);
        let masks = self.apply(&headers, group);
        let macs = self.macs(&headers, group);
        for ((message, mac), mask) in group.iter_mut().zip(&macs).zip(&masks) {
            if message.result.is_ok() {
                message.result = open::accept(&xor(mac, mask), message.tag, message.buffer);
            }
        }
    }
}
