//! OFB mode (NIST SP 800-38A 6.4, GB/T 17964).

/// OFB mode: a key stream of which every block is the encryption of the one before. This is the
/// type of the `ofb` crate, which is as fast as one block after the other can be.
pub type Sm4Ofb = ::ofb::Ofb<sm4::Sm4>;
