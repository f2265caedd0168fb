//! The figures that the documents of this workspace show: measured, drawn and put in their places
//! by one command.

use core::error::Error;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    markdown::{self, Figure},
    modes::{BLOCK, Mode},
    options::{BULK, Options},
    plot,
    report::{Document, Row},
    session,
    study::Study,
};

/// The documents, from the workspace's root.
pub const DOCUMENTS: &[&str] = &["README.md", "README.zh-CN.md", "benches/README.md"];

/// The folder of the pictures and the data.
pub const FOLDER: &str = "benches/figures";

/// The data.
pub const DATA: &str = "figures.json";

/// What the table of all backends shows.
const OF_ALL_BACKENDS: &[&str] = &[BLOCK, "ECB", "CTR", "GCM"];

/// The lines of the short table for those who just want to know.
const OVERVIEW: &[(&str, &str)] = &[
    ("ECB", "enc"),
    ("CBC", "dec"),
    ("CTR", "enc"),
    ("XTS-IEEE", "enc"),
    ("GCM", "enc"),
    ("CBC", "enc"),
];

/// All that the documents show.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// All modes, beside the peers.
    pub modes: Document,
    /// A few modes on all backends.
    pub backends: Document,
    /// The study of `ParBlocksSize`.
    pub par_blocks: Document,
    /// The study of inlining.
    pub inlining: Document,
}

/// Measures all that the documents below this root show, and puts it there: tables, pictures and
/// the data.
///
/// # Errors
/// If something cannot be measured (see [`session::measure`]), or a file cannot be read or written.
/// The documents are looked at first.
pub fn regenerate(root: &Path, options: &Options) -> Result<(), Box<dyn Error>> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    let read = |path: PathBuf| match fs::read_to_string(&path) {
        Ok(text) => Ok((path, text)),
        Err(error) => Err(at(&path, error)),
    };
    let documents = DOCUMENTS.iter().map(|name| read(root.join(name)));
    let documents: Vec<_> = documents.collect::<Result<_, _>>()?;
    for (path, text) in &documents {
        markdown::rewrite(text, |_| Some(String::new()))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }

    let data = serde_json::to_string_pretty(&Figures::measure(options)?)? + "\n";
    // What can be read back: numbers may differ in the last digit.
    let figures: Figures = serde_json::from_str(&data)?;

    let folder = root.join(FOLDER);
    let mut files = vec![(folder.join(DATA), data)];
    for (name, picture) in plot::pictures(&figures.modes) {
        files.push((folder.join(name), picture));
    }
    for (path, text) in documents {
        files.push((path, figures.rewrite(&text)?));
    }
    for (path, text) in files {
        fs::write(&path, text).map_err(|error| at(&path, error))?;
        println!("written: {}", path.display());
    }
    Ok(())
}

impl Figures {
    fn measure(options: &Options) -> Result<Self, Box<dyn Error>> {
        let study = |study| {
            session::measure(&Options {
                study: Some(study),
                peers: false,
                ..options.clone()
            })
        };
        let is_wanted = |mode: &&Mode| {
            let name = mode.name;
            let chosen = options.mode.as_ref();
            chosen.is_none_or(|modes| modes.iter().any(|mode| mode.name == name))
        };
        let modes = OF_ALL_BACKENDS
            .iter()
            .filter_map(|name| Mode::find(name))
            .filter(is_wanted);
        Ok(Self {
            modes: session::measure(options)?,
            backends: session::measure(&Options {
                backend: Some("all".to_owned()),
                mode: Some(modes.collect()),
                sizes: vec![BULK],
                peers: false,
                ..options.clone()
            })?,
            par_blocks: study(Study::ParBlocks)?,
            inlining: study(Study::Inlining)?,
        })
    }

    /// A document with these figures in its sections.
    ///
    /// # Errors
    /// If it has sections that do not end or that nobody knows, or none.
    pub fn rewrite(&self, document: &str) -> Result<String, String> {
        markdown::rewrite(document, |section| self.section(section))
    }

    fn section(&self, name: &str) -> Option<String> {
        let modes = &self.modes.rows;
        Some(match name {
            "run" => run(&self.modes),
            "overview" => {
                let rows = OVERVIEW.iter().flat_map(|&(mode, operation)| {
                    modes.iter().filter(move |row| {
                        (&*row.mode, &*row.operation, row.size) == (mode, operation, BULK)
                    })
                });
                let rows: Vec<Row> = rows.map(with_version).collect();
                let day = self.modes.date.split('T').next().unwrap_or_default();
                table(
                    &format!("c/B, {day}"),
                    &rows,
                    |_| true,
                    Figure::PerByte,
                    true,
                )
            }
            "bulk" => {
                let head = format!("cycles per byte, {} KiB", BULK / 1024);
                let is_bulk = |row: &Row| row.size == BULK;
                table(&head, modes, is_bulk, Figure::PerByte, true)
            }
            "single" => table("cycles", modes, is_single, Figure::PerMessage, true),
            "short" => {
                let is_short =
                    |row: &Row| !is_single(row) && row.size < BULK && row.operation == "enc";
                table("cycles per message", modes, is_short, Figure::Sized, true)
            }
            "backends" => table("", &self.backends.rows, |_| true, Figure::Mixed, false),
            "par-blocks" => study(&self.par_blocks.rows),
            "inlining" => study(&self.inlining.rows),
            _ => return None,
        })
    }
}

fn is_single(row: &Row) -> bool {
    row.is_setup() || row.mode == BLOCK
}

fn table(
    head: &str,
    rows: &[Row],
    is_in: impl Fn(&Row) -> bool,
    figure: Figure,
    with_best: bool,
) -> String {
    let rows: Vec<&Row> = rows.iter().filter(|row| is_in(row)).collect();
    markdown::table(head, &rows, figure, with_best)
}

fn study(rows: &[Row]) -> String {
    table(
        "cycles per byte",
        rows,
        |_| true,
        Figure::PerByteSized,
        false,
    )
}

/// The number in what an implementation says about its version.
fn version(row: &Row) -> &str {
    let starts_with_digit = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    let mut words = row.version.split(' ');
    words.find(starts_with_digit).unwrap_or_default()
}

fn with_version(row: &Row) -> Row {
    Row {
        implementation: format!("{} {}", row.implementation, version(row)),
        ..row.clone()
    }
}

/// When, on what, by whom, and how quiet it was.
fn run(document: &Document) -> String {
    let rows = &document.rows;
    let mut who: Vec<String> = Vec::new();
    for row in rows {
        let name = format!(
            "{} {} (`{}`)",
            row.implementation,
            version(row),
            row.backend
        );
        if !who.contains(&name) {
            who.push(name);
        }
    }
    let clocks = rows.iter().filter_map(|row| row.clock_mhz);
    let slowest = clocks.clone().fold(f64::INFINITY, f64::min);
    let fastest = clocks.fold(f64::NEG_INFINITY, f64::max);
    let mut noise: Vec<f64> = rows.iter().map(Row::noise).collect();
    noise.sort_by(f64::total_cmp);
    let part = |part: usize| {
        noise
            .get(noise.len() * part / 50)
            .map_or(0.0, |n| n * 100.0)
    };
    let absent = if document.absent.is_empty() {
        String::new()
    } else {
        format!(" Absent: {}.", document.absent.join("; "))
    };
    format!(
        "{}, {}, at {slowest:.0} to {fastest:.0} MHz. In half of the {} figures the median batch was no more\n\
         than {:.0} % above the fastest one, in all but the worst fiftieth {:.0} %; {} are noisy.{absent}\n\n* {}\n",
        document.date,
        document.machine.cpu,
        rows.len(),
        part(25),
        part(49),
        document.noisy(),
        who.join("\n* "),
    )
}
