//! The record layer of TLS 1.3 (RFC 8446, section 5) with SM4-GCM or SM4-CCM (RFC 8998).
//!
//! ```text
//! header     23, 3, 3 and the length of what follows (2 bytes): the associated data
//! encrypted  content (up to 2^14 bytes), its type (1), zeros (any number), tag (16)
//! nonce      the IV, XOR the number of the record
//! ```

use sm4_aead::{AnySize, Ccm, Gcm, aead::KeyInit};
use sm4_modes::{MacKey, Sm4CmacKey};

/// The most bytes of content in a record.
pub(crate) const MAX_CONTENT: usize = 1 << 14;
/// The most bytes after the header: 256 for the type, zeros and the tag.
const MAX_LEN: usize = MAX_CONTENT + 256;
pub(crate) const HEADER: usize = 5;
const TAG: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ContentType {
    Alert = 21,
    ApplicationData = 23,
}

/// Why a record is refused, by the names of RFC 8446's alerts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Alert {
    UnexpectedMessage,
    BadRecordMac,
    RecordOverflow,
    /// No more records with this key.
    InternalError,
}

#[derive(Clone, Copy, clap::ValueEnum, PartialEq, Eq)]
pub(crate) enum Suite {
    /// TLS_SM4_GCM_SM3
    Gcm,
    /// TLS_SM4_CCM_SM3
    Ccm,
}

/// One direction of a connection.
pub(crate) struct Records {
    mode: Box<dyn AnySize>,
    iv: [u8; 12],
    number: u64,
}

impl Records {
    pub(crate) fn new(suite: Suite, key: [u8; 16], iv: [u8; 12]) -> Self {
        Self {
            mode: match suite {
                Suite::Gcm => Box::new(Gcm::new(&key.into())),
                Suite::Ccm => Box::new(Ccm::new(&key.into())),
            },
            iv,
            number: 0,
        }
    }

    /// Keys from a secret that lasts and a salt that never comes twice, by the KDF in counter mode
    /// of NIST SP 800-108 with CMAC. (TLS has them from its handshake, by HKDF with SM3.)
    pub(crate) fn derive(suite: Suite, secret: &[u8; 16], salt: &[u8; 16]) -> Self {
        let cmac = Sm4CmacKey::new(secret.into());
        let label: &[u8] = match suite {
            Suite::Gcm => b"records sm4-gcm",
            Suite::Ccm => b"records sm4-ccm",
        };
        // Counter, label, 0, context, length in bits
        let part = |i: u8| cmac.mac(&[&[i], label, &[0], salt, &[1, 0]].concat());
        let (key, [iv @ .., _, _, _, _]) = (part(1), part(2));
        Self::new(suite, key, iv)
    }

    /// The nonce of the next record.
    fn nonce(&mut self) -> Result<[u8; 12], Alert> {
        let number = self.number;
        self.number = number.checked_add(1).ok_or(Alert::InternalError)?;
        let mut nonce = self.iv;
        for (byte, number) in nonce[4..].iter_mut().zip(number.to_be_bytes()) {
            *byte ^= number;
        }
        Ok(nonce)
    }

    /// Appends a record with up to 2^14 bytes of content to `out`, and zeros to hide its length.
    pub(crate) fn seal(
        &mut self,
        content_type: ContentType,
        content: &[u8],
        zeros: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Alert> {
        let len = content.len() + 1 + zeros + TAG;
        if content.len() > MAX_CONTENT || content.len() + zeros > MAX_CONTENT {
            return Err(Alert::RecordOverflow);
        }
        let nonce = self.nonce()?;
        let [.., high, low] = len.to_be_bytes();
        let header = [ContentType::ApplicationData as u8, 3, 3, high, low];
        out.extend(header);
        let start = out.len();
        out.extend(content);
        out.push(content_type as u8);
        out.resize(out.len() + zeros, 0);
        let mut tag = [0; TAG];
        self.mode
            .seal_in_place(&nonce, &header, &mut out[start..], &mut tag)
            .map_err(|_| Alert::InternalError)?;
        out.extend(tag);
        Ok(())
    }

    /// The length of what follows a header.
    pub(crate) fn len(header: [u8; HEADER]) -> Result<usize, Alert> {
        let [content_type, _, _, high, low] = header;
        let len = usize::from(u16::from_be_bytes([high, low]));
        if content_type != ContentType::ApplicationData as u8 {
            return Err(Alert::UnexpectedMessage);
        }
        if len > MAX_LEN {
            return Err(Alert::RecordOverflow);
        }
        Ok(len)
    }

    /// Opens what follows a header, in place, and gives its type and content.
    pub(crate) fn open<'r>(
        &mut self,
        header: [u8; HEADER],
        record: &'r mut [u8],
    ) -> Result<(ContentType, &'r [u8]), Alert> {
        let nonce = self.nonce()?;
        let (text, tag) = record
            .split_last_chunk_mut::<TAG>()
            .ok_or(Alert::BadRecordMac)?;
        self.mode
            .open_in_place(&nonce, &header, text, tag)
            .map_err(|_| Alert::BadRecordMac)?;
        // The type is the last byte that is not zero.
        let end = text.iter().rposition(|&byte| byte != 0);
        let end = end.ok_or(Alert::UnexpectedMessage)?;
        if end > MAX_CONTENT {
            return Err(Alert::RecordOverflow);
        }
        let content_type = match text[end] {
            21 => ContentType::Alert,
            23 => ContentType::ApplicationData,
            _ => return Err(Alert::UnexpectedMessage),
        };
        Ok((content_type, &text[..end]))
    }
}

#[cfg(test)]
mod tests;
