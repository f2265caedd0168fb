//! Modes that take a whole message (a *data unit*) at once.

use cipher::{InOutBuf, InvalidLength};

/// A mode that takes a message of any length from 16 bytes on at once, with a tweak or an IV of 16
/// bytes, and gives as many bytes back.
pub trait DataUnit {
    /// Encrypts.
    ///
    /// # Errors
    /// If there are less than 16 bytes. Nothing is written then.
    fn encrypt_inout(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength>;

    /// Decrypts.
    ///
    /// # Errors
    /// If there are less than 16 bytes. Nothing is written then.
    fn decrypt_inout(
        &self,
        tweak: &[u8; 16],
        data: InOutBuf<'_, '_, u8>,
    ) -> Result<(), InvalidLength>;

    /// Encrypts in place.
    ///
    /// # Errors
    /// If there are less than 16 bytes. Nothing is written then.
    fn encrypt(&self, tweak: &[u8; 16], data: &mut [u8]) -> Result<(), InvalidLength> {
        self.encrypt_inout(tweak, data.into())
    }

    /// Decrypts in place.
    ///
    /// # Errors
    /// If there are less than 16 bytes. Nothing is written then.
    fn decrypt(&self, tweak: &[u8; 16], data: &mut [u8]) -> Result<(), InvalidLength> {
        self.decrypt_inout(tweak, data.into())
    }

    /// Encrypts from one buffer to another.
    ///
    /// # Errors
    /// If there are less than 16 bytes or the buffers have different lengths. Nothing is written
    /// then.
    fn encrypt_b2b(
        &self,
        tweak: &[u8; 16],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), InvalidLength> {
        let data = InOutBuf::new(input, output).map_err(|_| InvalidLength)?;
        self.encrypt_inout(tweak, data)
    }

    /// Decrypts from one buffer to another.
    ///
    /// # Errors
    /// If there are less than 16 bytes or the buffers have different lengths. Nothing is written
    /// then.
    fn decrypt_b2b(
        &self,
        tweak: &[u8; 16],
        input: &[u8],
        output: &mut [u8],
    ) -> Result<(), InvalidLength> {
        let data = InOutBuf::new(input, output).map_err(|_| InvalidLength)?;
        self.decrypt_inout(tweak, data)
    }
}
