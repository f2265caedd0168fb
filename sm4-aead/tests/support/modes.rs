//! The modes, as tests take them: with a key and a backend.

use sm4_aead::{
    Ccm, Eax, Gcm, GcmSiv, Ocb3, Siv, Sm4Kw, Sm4Kwp,
    sm4::{Backend, Sm4},
};

/// A mode that can be made for a certain backend.
pub trait Mode: Sized {
    const KEY_LEN: usize;
    fn make(ciphers: impl Fn(usize) -> Sm4) -> Self;
}

macro_rules! modes {
    ($($mode:ty),*) => {
        $(impl Mode for $mode {
            const KEY_LEN: usize = 16;
            fn make(cipher: impl Fn(usize) -> Sm4) -> Self {
                Self::from_cipher(cipher(0))
            }
        })*
    };
}
modes!(Gcm, Ccm, Eax, Ocb3, GcmSiv, Sm4Kw, Sm4Kwp);

impl Mode for Siv {
    const KEY_LEN: usize = 32;
    fn make(cipher: impl Fn(usize) -> Sm4) -> Self {
        Self::from_ciphers(cipher(0), cipher(1))
    }
}

/// A mode with a key on a backend.
pub fn with_key<M: Mode>(key: &[u8], backend: Backend) -> M {
    assert_eq!(key.len(), M::KEY_LEN);
    M::make(|part| {
        let key: [u8; 16] = key[16 * part..][..16].try_into().unwrap();
        Sm4::with_backend(&key.into(), backend).unwrap()
    })
}
