//! Messages that come in pieces.

use sm4_aead::{AnySize, Buffered, Ccm, Decryptor, Eax, Encryptor, Error, Gcm, Ocb3, State};

use crate::support::{bytes, mode};

/// Pieces of these lengths, over and over
const PIECES: [&[usize]; 8] = [
    &[1],
    &[16],
    &[15, 1],
    &[5, 11, 33],
    &[0, 17, 3],
    &[64, 32],
    &[2047, 1, 2049],
    &[256, 0, 257, 7],
];

fn cut<'d>(data: &'d mut [u8], lengths: &[usize]) -> Vec<&'d mut [u8]> {
    let mut pieces = Vec::new();
    let mut rest = data;
    for &len in lengths.iter().cycle() {
        if rest.is_empty() {
            return pieces;
        }
        let (piece, after) = rest.split_at_mut(len.min(rest.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// Encrypts in pieces.
fn seal_pieces<S: State>(
    mut encryptor: Encryptor<S>,
    buffer: &mut [u8],
    lengths: &[usize],
    tag: &mut [u8],
) -> Result<(), Error> {
    for piece in cut(buffer, lengths) {
        encryptor.update(piece.into())?;
    }
    encryptor.finish(tag)
}

/// Decrypts in pieces; what is unverified in the end is dropped.
fn open_pieces<S: State>(
    mut decryptor: Decryptor<S>,
    buffer: &mut [u8],
    lengths: &[usize],
    tag: &[u8],
) -> Result<Vec<u8>, Error> {
    let mut unverified = Vec::new();
    for piece in cut(buffer, lengths) {
        unverified.push(decryptor.update(piece.into())?);
    }
    let verified = decryptor.finish(tag)?;
    let released = unverified
        .into_iter()
        .map(|piece| &*piece.release(&verified));
    Ok(released.collect::<Vec<_>>().concat())
}

/// Pieces against the whole, for the mode with this `encryptor` and `decryptor`.
macro_rules! pieces {
    ($mode:ty, $tag_len:expr, $granularity:expr, |$new:ident, $len:ident| $sizes:tt) => {
        let mode = mode::<$mode>();
        let mut count = 0;
        for lengths in PIECES {
            if !lengths.iter().all(|len| len.is_multiple_of($granularity)) {
                continue;
            }
            for $len in [0_usize, 1, 15, 16, 17, 100, 255, 256, 257, 1000, 4500] {
                count += 1;
                let (nonce, aad, plain) = (bytes(1, 12), bytes(2, $len % 50), bytes(3, $len));
                let mut sealed = plain.clone();
                let mut tag = [0; $tag_len];
                mode.seal_in_place(&nonce, &aad, &mut sealed, &mut tag).unwrap();

                let begin = || pieces!(@ mode.encryptor(&nonce, &aad, $len) $sizes).unwrap();
                let mut buffer = plain.clone();
                let mut made = [0; $tag_len];
                seal_pieces(begin(), &mut buffer, lengths, &mut made).unwrap();
                assert!(buffer == sealed && made == tag, "{lengths:?} {}", $len);
                let short = begin().finish(&mut [0; $tag_len - 1]);
                assert_eq!(short, Err(Error::TagLength));

                let begin = || pieces!(@ mode.decryptor(&nonce, &aad, $len) $sizes).unwrap();
                let opened = open_pieces(begin(), &mut buffer, lengths, &tag);
                assert!(opened.as_ref() == Ok(&plain) && buffer == plain, "{lengths:?} {}", $len);

                tag[0] ^= 0x80;
                let opened = open_pieces(begin(), &mut sealed, lengths, &tag);
                assert_eq!(opened, Err(Error::Authentication));
                assert!(sealed.iter().all(|&byte| byte == 0));
            }
        }
        assert_eq!(count, 11 * if $granularity == 16 { 2 } else { PIECES.len() });
    };
    (@ $mode:ident.$new:ident($nonce:expr, $aad:expr, $len:ident) (tag $tag:expr)) => {
        $mode.$new($nonce, $aad, $tag)
    };
    (@ $mode:ident.$new:ident($nonce:expr, $aad:expr, $len:ident) (both $tag:expr)) => {
        $mode.$new($nonce, $aad, $len as u64, $tag)
    };
}

#[test]
fn pieces_are_as_good_as_the_whole() {
    pieces!(Gcm, 16, 1, |new, len| (tag 16));
    pieces!(Ccm, 8, 1, |new, len| (both 8));
    pieces!(Eax, 16, 1, |new, len| (tag 16));
    pieces!(Ocb3, 12, 16, |new, len| (tag 12));
}

#[test]
fn pieces_of_wrong_lengths() {
    let refused = Err(Error::MessageLength);
    let mut buffer = [0xaa; 20];

    let ccm = mode::<Ccm>();
    let mut encryptor = ccm.encryptor(&[0; 12], b"", 19, 16).unwrap();
    assert_eq!(encryptor.update(buffer.as_mut_slice().into()), refused);
    assert_eq!(buffer, [0xaa; 20]);
    assert_eq!(encryptor.update(buffer[..18].as_mut().into()), Ok(()));
    assert_eq!(encryptor.clone().finish(&mut [0; 16]), refused);
    assert_eq!(encryptor.update(buffer[..1].as_mut().into()), Ok(()));
    assert_eq!(encryptor.finish(&mut [0; 16]), Ok(()));

    let ocb = mode::<Ocb3>();
    let mut buffer = [0xaa; 20];
    let mut encryptor = ocb.encryptor(&[0; 12], b"", 16).unwrap();
    assert_eq!(encryptor.update(buffer[..17].as_mut().into()), Ok(()));
    assert_eq!(encryptor.update(buffer[17..].as_mut().into()), refused);
    assert_eq!(buffer[17..], [0xaa; 3]);
    assert_eq!(encryptor.update(buffer[..0].as_mut().into()), Ok(()));
}

#[test]
fn buffered() {
    let eax = mode::<Eax>();
    let mut message = bytes(1, 100);
    let mut tag = [0; 16];
    eax.seal_in_place(b"nonce", b"aad", &mut message, &mut tag)
        .unwrap();
    let open = |tag: &[u8]| {
        let mut buffered = Buffered::new(&eax, b"nonce", b"aad");
        message.chunks(7).for_each(|piece| buffered.update(piece));
        buffered.finish(tag)
    };
    assert_eq!(open(&tag), Ok(bytes(1, 100)));
    tag[15] ^= 1;
    assert_eq!(open(&tag), Err(Error::Authentication));
}
