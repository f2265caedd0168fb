//! Other implementations of SM4, each behind a feature.

#[cfg(feature = "botan")]
mod botan;
#[cfg(feature = "libgcrypt")]
mod libgcrypt;
#[cfg(feature = "openssl")]
mod openssl;
#[cfg(feature = "rustcrypto")]
mod rustcrypto;

use crate::implementation::Implementation;

/// A peer, or why it is not there.
pub type Peer = Result<Box<dyn Implementation>, String>;

macro_rules! peer {
    ($name:literal, $module:ident) => {{
        #[cfg(feature = $name)]
        let peer: Peer = $module::load();
        #[cfg(not(feature = $name))]
        let peer: Peer = Err(concat!("not in this build (feature \"", $name, "\")").to_owned());
        ($name, peer)
    }};
}

/// All peers by name.
#[must_use]
pub fn all() -> Vec<(&'static str, Peer)> {
    vec![
        peer!("libgcrypt", libgcrypt),
        peer!("botan", botan),
        peer!("openssl", openssl),
        peer!("rustcrypto", rustcrypto),
    ]
}
