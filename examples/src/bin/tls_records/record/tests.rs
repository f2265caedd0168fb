#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;

fn both(suite: Suite) -> [Records; 2] {
    [(); 2].map(|()| Records::new(suite, [1; 16], [2; 12]))
}

fn open(records: &mut Records, record: &[u8]) -> Result<(ContentType, Vec<u8>), Alert> {
    let (header, record) = record.split_first_chunk().unwrap();
    let mut record = record.to_vec();
    let (content_type, content) = records.open(*header, &mut record)?;
    Ok((content_type, content.to_vec()))
}

#[test]
fn round_trip() {
    for suite in [Suite::Gcm, Suite::Ccm] {
        let [mut sender, mut receiver] = both(suite);
        for (content, zeros) in [
            (&b"hello"[..], 0),
            (b"", 100),
            (&[0; 40], 3),
            (&[7; MAX_CONTENT], 0),
        ] {
            let mut record = Vec::new();
            let application = ContentType::ApplicationData;
            sender
                .seal(application, content, zeros, &mut record)
                .unwrap();
            assert_eq!(record.len(), HEADER + content.len() + 1 + zeros + TAG);
            let (header, rest) = record.split_first_chunk().unwrap();
            assert_eq!(Records::len(*header), Ok(rest.len()));
            assert_eq!(
                open(&mut receiver, &record),
                Ok((application, content.to_vec()))
            );
        }
    }
}

/// The nonce is written out here: IV XOR number.
#[test]
fn nonces() {
    let [mut sender, _] = both(Suite::Gcm);
    sender.number = 0x0102_0304_0506_0708;
    let mut record = Vec::new();
    sender
        .seal(ContentType::Alert, &[1, 0], 0, &mut record)
        .unwrap();
    let nonce = [2, 2, 2, 2, 3, 0, 1, 6, 7, 4, 5, 10];
    let (mut text, mut tag) = ([1, 0, 21], [0; 16]);
    Gcm::new(&[1; 16].into())
        .seal_in_place(&nonce, &[23, 3, 3, 0, 19], &mut text, &mut tag)
        .unwrap();
    assert_eq!(record, [&[23, 3, 3, 0, 19][..], &text, &tag].concat());

    sender.number = u64::MAX;
    let result = sender.seal(ContentType::Alert, &[1, 0], 0, &mut record);
    assert_eq!(result, Err(Alert::InternalError));
}

#[test]
fn refusals() {
    let [mut sender, mut receiver] = both(Suite::Ccm);
    let mut records = [Vec::new(), Vec::new()];
    for record in &mut records {
        let application = ContentType::ApplicationData;
        sender.seal(application, b"text", 0, record).unwrap();
    }
    // Out of order; and the number counts on, as if the connection had ended.
    let result = open(&mut receiver, &records[1]);
    assert_eq!(result, Err(Alert::BadRecordMac));
    for i in 0..records[0].len() {
        let [_, mut receiver] = both(Suite::Ccm);
        records[0][i] ^= 1;
        let result = open(&mut receiver, &records[0]);
        assert_eq!(result, Err(Alert::BadRecordMac), "byte {i}");
        records[0][i] ^= 1;
    }
    let result = open(&mut receiver, &[23, 3, 3, 0, 3, 1, 2, 3]);
    assert_eq!(result, Err(Alert::BadRecordMac), "shorter than a tag");
    let header = |content_type, high| Records::len([content_type, 3, 3, high, 1]);
    assert_eq!(header(23, 0x41), Err(Alert::RecordOverflow));
    assert_eq!(header(22, 0), Err(Alert::UnexpectedMessage));
    let application = ContentType::ApplicationData;
    let result = sender.seal(application, &[0; MAX_CONTENT], 1, &mut Vec::new());
    assert_eq!(result, Err(Alert::RecordOverflow));

    // Zeros only: no type.
    let [_, mut receiver] = both(Suite::Gcm);
    let (header, mut text, mut tag) = ([23, 3, 3, 0, 20], [0; 4], [0; 16]);
    Gcm::new(&[1; 16].into())
        .seal_in_place(&[2; 12], &header, &mut text, &mut tag)
        .unwrap();
    let record = [&header[..], &text, &tag].concat();
    let result = open(&mut receiver, &record);
    assert_eq!(result, Err(Alert::UnexpectedMessage));
}
