//! The interface for sizes known at run time only.

use aead::inout::InOutBuf;

use crate::{
    Error, Message,
    many::GROUP,
    mode::{Mode, Sealed},
    open,
};

/// An AEAD that takes nonces and tags of any size its standard allows, as slices.
///
/// `seal` encrypts and makes a tag, `open` checks the tag and decrypts.
///
/// # Errors
/// All methods return [`Error::NonceLength`], [`Error::TagLength`] or [`Error::MessageLength`] if
/// the mode's standard does not allow one of the lengths. Nothing is written then.
///
/// The `open` methods return [`Error::Authentication`] if the tag is wrong. The output holds zeros
/// then, in place as well as from buffer to buffer.
pub trait AnySize: Sealed {
    /// Encrypts the buffer and writes the tag, whose length is that of `tag`.
    ///
    /// # Errors
    /// See [the trait](AnySize#errors).
    fn seal_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error>;

    /// Checks the tag, whose length is that of `tag`, and decrypts the buffer.
    ///
    /// # Errors
    /// See [the trait](AnySize#errors).
    fn open_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error>;

    /// Encrypts in place.
    ///
    /// # Errors
    /// See [the trait](AnySize#errors).
    fn seal_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        self.seal_inout(nonce, associated_data, buffer.into(), tag)
    }

    /// Decrypts in place.
    ///
    /// # Errors
    /// See [the trait](AnySize#errors).
    fn open_in_place(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        self.open_inout(nonce, associated_data, buffer.into(), tag)
    }

    /// Encrypts from one buffer to another of the same length.
    ///
    /// # Errors
    /// See [the trait](AnySize#errors).
    fn seal_to(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        plaintext: &[u8],
        ciphertext: &mut [u8],
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let buffer = InOutBuf::new(plaintext, ciphertext).map_err(|_| Error::MessageLength)?;
        self.seal_inout(nonce, associated_data, buffer, tag)
    }

    /// Decrypts from one buffer to another of the same length.
    ///
    /// # Errors
    /// See [the trait](AnySize#errors).
    fn open_to(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        ciphertext: &[u8],
        plaintext: &mut [u8],
        tag: &[u8],
    ) -> Result<(), Error> {
        let buffer = InOutBuf::new(ciphertext, plaintext).map_err(|_| Error::MessageLength)?;
        self.open_inout(nonce, associated_data, buffer, tag)
    }

    /// Encrypts many messages in place. Each has its result in
    /// [`Message::result`](crate::Message::result), whatever comes of the others.
    ///
    /// Short messages are faster this way, because there is work for several of them side by side:
    /// in GCM, CCM, EAX and SIV nearly all of it, in OCB3 what is made of the nonces, in GCM-SIV a
    /// part of that.
    ///
    /// # Errors
    /// The first error in the results, see [the trait](AnySize#errors).
    fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error>;

    /// Decrypts many messages in place. Each has its result in
    /// [`Message::result`](crate::Message::result), whatever comes of the others.
    ///
    /// # Errors
    /// The first error in the results, see [the trait](AnySize#errors).
    fn open_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error>;
}

/// Not by way of default methods: then `Mode` would be a supertrait, and whoever has an `A: AnySize`
/// or a `dyn AnySize` could call its methods, which take any lengths and decrypt without a look at the
/// tag.
impl<M: Mode> AnySize for M {
    fn seal_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        buffer: InOutBuf<'_, '_, u8>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        let (aad_len, len) = (associated_data.len() as u64, buffer.len() as u64);
        self.check(nonce.len(), aad_len, len, tag.len())?;
        let full = self.seal(nonce, associated_data, buffer, tag.len());
        tag.copy_from_slice(&full[..tag.len()]);
        Ok(())
    }

    fn open_inout(
        &self,
        nonce: &[u8],
        associated_data: &[u8],
        mut buffer: InOutBuf<'_, '_, u8>,
        tag: &[u8],
    ) -> Result<(), Error> {
        let (aad_len, len) = (associated_data.len() as u64, buffer.len() as u64);
        self.check(nonce.len(), aad_len, len, tag.len())?;
        let expected = self.open(nonce, associated_data, buffer.reborrow(), tag);
        open::accept(&expected, tag, buffer.get_out())
    }

    fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        for group in messages.chunks_mut(GROUP) {
            Message::check_each(self, group);
            let tags = self.seal_group(group);
            for (message, full) in group.iter_mut().zip(&tags) {
                if message.result.is_ok() {
                    message.tag.copy_from_slice(&full[..message.tag.len()]);
                }
            }
        }
        Message::first_error(messages)
    }

    fn open_many(&self, messages: &mut [Message<'_>]) -> Result<(), Error> {
        for group in messages.chunks_mut(GROUP) {
            Message::check_each(self, group);
            let tags = self.open_group(group);
            for (message, expected) in group.iter_mut().zip(&tags) {
                if message.result.is_ok() {
                    message.result = open::accept(expected, message.tag, message.buffer);
                }
            }
        }
        Message::first_error(messages)
    }
}
