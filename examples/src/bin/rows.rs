//! Columns of a database table, encrypted: a million rows in a few calls.
//!
//! ```text
//! cargo run --release -p sm4-examples --bin rows -- --help
//! ```

use std::{process::ExitCode, time::Instant};

use clap::Parser;
use sm4_aead::{AnySize, Gcm, Message, Siv, aead::KeyInit};
use sm4_examples::{Result, exit, random, show};

/// Encrypts a table with two columns, looks a row up, and shows how fast that was.
///
/// Column "id" is deterministic (SIV): equal plaintexts give equal ciphertexts, so that an index
/// over the ciphertexts finds a row. That is also what a thief of the table learns: which rows are
/// equal. Take it for columns whose values hardly repeat.
///
/// Column "note" is random (GCM with a nonce for each row), and bound to its row: nothing shows, and
/// a note that is moved to another row is refused. One key is good for 2^32 random nonces.
#[derive(Parser)]
struct Arguments {
    /// How many: each takes some 300 bytes of memory
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    rows: u32,
}

const NOTE: usize = 48;

/// A row as the database keeps it.
#[derive(Clone)]
struct Row {
    id: [u8; 18],
    id_tag: [u8; 16],
    nonce: [u8; 12],
    note: [u8; NOTE],
    note_tag: [u8; 16],
}

/// The associated data of a note.
type Place = [u8; 8];

fn main() -> ExitCode {
    exit("rows", run(&Arguments::parse()))
}

fn id(number: usize) -> Result<[u8; 18]> {
    Ok(format!("{number:018}").into_bytes()[..18].try_into()?)
}

fn table(rows: usize) -> Result<Vec<Row>> {
    let mut note = [b' '; NOTE];
    note[..21].copy_from_slice(b"what nobody may read ");
    let row = |number| {
        Ok(Row {
            id: id(number)?,
            id_tag: [0; 16],
            nonce: [0; 12],
            note,
            note_tag: [0; 16],
        })
    };
    let mut table: Vec<_> = (0..rows).map(row).collect::<Result<_>>()?;
    let mut nonces = vec![0; 12 * rows];
    getrandom::fill(&mut nonces)?;
    for (row, nonce) in table.iter_mut().zip(nonces.chunks_exact(12)) {
        row.nonce.copy_from_slice(nonce);
    }
    Ok(table)
}

/// The name of the column stands where others have a nonce: equal values in two columns differ.
fn ids(table: &mut [Row]) -> Vec<Message<'_>> {
    fn message(row: &mut Row) -> Message<'_> {
        Message::new(b"people.id", b"", &mut row.id, &mut row.id_tag)
    }
    table.iter_mut().map(message).collect()
}

fn notes<'t>(table: &'t mut [Row], places: &'t [Place]) -> Vec<Message<'t>> {
    let message = |(row, place): (&'t mut Row, &'t Place)| {
        Message::new(&row.nonce, place, &mut row.note, &mut row.note_tag)
    };
    table.iter_mut().zip(places).map(message).collect()
}

/// Does it, and says how long it took.
fn timed(what: &str, rows: usize, action: impl FnOnce() -> Result<()>) -> Result<()> {
    let start = Instant::now();
    action()?;
    let time = start.elapsed();
    #[allow(clippy::cast_precision_loss, reason = "shown with few digits")]
    let rate = rows as f64 / time.as_secs_f64() / 1e6;
    show(format!(
        "{what:<36} {:>7.1} ms {rate:>7.2} million rows/s\n",
        time.as_secs_f64() * 1e3
    ))
}

fn run(arguments: &Arguments) -> Result<()> {
    let rows = usize::try_from(arguments.rows)?;
    let siv = Siv::new(&random::<32>()?.into());
    let gcm = Gcm::new(&random::<16>()?.into());
    let places: Vec<Place> = (0..rows as u64).map(u64::to_be_bytes).collect();
    let mut rows_in_clear = table(rows)?;
    let mut table = rows_in_clear.clone();

    timed("id, SIV, all at once", rows, || {
        Ok(siv.seal_many(&mut ids(&mut table))?)
    })?;
    timed("note, GCM, all at once", rows, || {
        Ok(gcm.seal_many(&mut notes(&mut table, &places))?)
    })?;
    timed("note, GCM, one after the other", rows, || {
        for (row, place) in rows_in_clear.iter_mut().zip(&places) {
            let Row { note, note_tag, .. } = row;
            gcm.seal_in_place(&row.nonce, place, note, note_tag)?;
        }
        Ok(())
    })?;
    let equal = |(a, b): (&Row, &Row)| a.note == b.note && a.note_tag == b.note_tag;
    if !table.iter().zip(&rows_in_clear).all(equal) {
        return Err("not the same, all at once and one after the other".into());
    }

    // Which row has this id? Encrypted, it is what the index has.
    let wanted = rows / 2;
    let (mut key, mut tag) = (id(wanted)?, [0; 16]);
    siv.seal_in_place(b"people.id", b"", &mut key, &mut tag)?;
    let found = table
        .iter()
        .position(|row| row.id == key && row.id_tag == tag)
        .ok_or("no row with this id")?;
    show(format!("id {:018} is in row {found}\n", wanted))?;

    // Two notes change places.
    if rows > 1 {
        let (first, others) = table.split_at_mut(1);
        swap_notes(&mut first[0], &mut others[0]);
        let mut messages = notes(&mut table[..2], &places);
        let refused = gcm.open_many(&mut messages).is_err();
        let both = messages.iter().all(|message| message.result.is_err());
        if !(refused && both) {
            return Err("notes of other rows were accepted".into());
        }
        show("two notes that changed places: refused\n")?;
        table[..2].clone_from_slice(&rows_in_clear[..2]);
        siv.seal_many(&mut ids(&mut table[..2]))?;
    }
    timed("both columns, opened", rows, || {
        siv.open_many(&mut ids(&mut table))?;
        Ok(gcm.open_many(&mut notes(&mut table, &places))?)
    })?;
    let genuine = |(number, row): (usize, &Row)| {
        id(number).is_ok_and(|id| row.id == id) && row.note.starts_with(b"what nobody may read")
    };
    if !table.iter().enumerate().all(genuine) {
        return Err("not the same after opening".into());
    }
    Ok(())
}

fn swap_notes(a: &mut Row, b: &mut Row) {
    core::mem::swap(&mut a.note, &mut b.note);
    core::mem::swap(&mut a.note_tag, &mut b.note_tag);
    core::mem::swap(&mut a.nonce, &mut b.nonce);
}
