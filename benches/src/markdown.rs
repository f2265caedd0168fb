//! Tables in Markdown, and the sections of documents that they stand in.

use crate::{
    modes::BLOCK,
    report::Row,
    table::{Column, number},
};

/// Which figure of a row a table shows, and whether the size belongs to the row's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Figure {
    /// Cycles per byte.
    PerByte,
    /// Cycles per byte, with messages of several sizes.
    PerByteSized,
    /// Cycles per message.
    PerMessage,
    /// Cycles per message, with messages of several sizes.
    Sized,
    /// Cycles per byte, or cycles where there is but one block or one key.
    Mixed,
}

impl Figure {
    fn of(self, row: &Row) -> Option<f64> {
        let is_single = row.is_setup() || row.mode == BLOCK;
        match self {
            Self::PerByte | Self::PerByteSized => row.cycles_per_byte,
            Self::Mixed if !is_single => row.cycles_per_byte,
            Self::PerMessage | Self::Sized | Self::Mixed => row.cycles_per_message,
        }
    }

    fn name(self, row: &Row) -> String {
        let name = format!("{} {}", row.mode, row.operation);
        match self {
            Self::PerByteSized | Self::Sized => format!("{name}, {} B", row.size),
            Self::PerByte | Self::PerMessage | Self::Mixed => name,
        }
    }
}

/// A table with a column for each implementation, or for each backend of one.
#[must_use]
pub fn table(head: &str, rows: &[&Row], figure: Figure, with_best: bool) -> String {
    let mut who = Vec::new();
    let mut names = Vec::new();
    for row in rows {
        let column = (row.implementation.clone(), row.backend.clone());
        if !who.contains(&column) {
            who.push(column);
        }
        if !names.contains(&figure.name(row)) {
            names.push(figure.name(row));
        }
    }
    let columns = Column::named(who);
    let titles: Vec<&str> = columns.iter().map(|column| &*column.title).collect();
    let mut text = format!("| {head} | {} |\n| --- |", titles.join(" | "));
    text += &" ---: |".repeat(columns.len());
    text += "\n";
    for name in names {
        let figures: Vec<Option<f64>> = columns
            .iter()
            .map(|column| {
                let row = rows.iter().find(|row| {
                    figure.name(row) == name
                        && row.implementation == column.implementation
                        && row.backend == column.backend
                });
                row.and_then(|row| figure.of(row))
            })
            .collect();
        let best = figures
            .iter()
            .flatten()
            .copied()
            .fold(f64::INFINITY, f64::min);
        text += &format!("| {name} |");
        for value in figures {
            let shown = value.map_or_else(|| "–".to_owned(), |value| number(Some(value)));
            text += &match value {
                Some(value) if with_best && value <= best => format!(" **{shown}** |"),
                _ => format!(" {shown} |"),
            };
        }
        text += "\n";
    }
    text
}

const BEGIN: &str = "<!-- sm4-bench: ";
const BEGIN_END: &str = " -->\n";
const END: &str = "<!-- sm4-bench end -->";

/// The names of a document's sections, in order.
#[must_use]
pub fn sections(document: &str) -> Vec<&str> {
    let mut parts = document.split(BEGIN);
    let _before = parts.next();
    parts
        .filter_map(|part| part.split(BEGIN_END).next())
        .collect()
}

/// The document with other texts in its sections, which are between
/// `<!-- sm4-bench: name -->` and `<!-- sm4-bench end -->`.
///
/// # Errors
/// If there is no section, or one that does not end, or one that has no text.
pub fn rewrite(document: &str, text: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut parts = document.split(BEGIN);
    let mut result = parts.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for part in parts {
        let (name, rest) = part
            .split_once(BEGIN_END)
            .ok_or("a section without a name")?;
        let (_, after) = rest
            .split_once(END)
            .ok_or_else(|| format!("the section {name} does not end"))?;
        let text = text(name).ok_or_else(|| format!("there is no section {name}"))?;
        result += &format!("{BEGIN}{name}{BEGIN_END}\n{text}\n{END}{after}");
        count += 1;
    }
    if count == 0 {
        return Err("no section for figures".to_owned());
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(implementation: &str, mode: &str, size: usize, cycles: f64) -> Row {
        Row {
            implementation: implementation.to_owned(),
            version: "1.0".to_owned(),
            backend: "fast".to_owned(),
            mode: mode.to_owned(),
            operation: "enc".to_owned(),
            size,
            ns_per_byte_min: None,
            ns_per_byte_median: None,
            cycles_per_byte: Some(cycles / size as f64),
            cycles_per_byte_slope: None,
            mib_per_s: None,
            cycles_per_message: Some(cycles),
            ns_per_message_min: 1.0,
            ns_per_message_median: 1.0,
            clock_mhz: Some(1000.0),
        }
    }

    #[test]
    fn tables() {
        let rows = [
            row("ours", "CTR", 64, 640.0),
            row("peer", "CTR", 64, 64.0),
            row("ours", BLOCK, 16, 400.0),
        ];
        let rows: Vec<&Row> = rows.iter().collect();
        assert_eq!(
            table("cycles", &rows, Figure::Mixed, true),
            "| cycles | ours | peer |\n\
             | --- | ---: | ---: |\n\
             | CTR enc | 10.00 | **1.000** |\n\
             | BLOCK enc | **400** | – |\n"
        );
        assert_eq!(
            table("", &rows[..1], Figure::Sized, false),
            "|  | ours |\n| --- | ---: |\n| CTR enc, 64 B | 640 |\n"
        );
    }

    #[test]
    fn only_sections_are_rewritten() {
        let document = "before\n<!-- sm4-bench: a -->\nold\n<!-- sm4-bench end -->\nbetween\n\
                        <!-- sm4-bench: b -->\n<!-- sm4-bench end -->after";
        let text = |name: &str| (name != "c").then(|| format!("new {name}\n"));
        let new = rewrite(document, text).expect("it is all right");
        assert_eq!(
            new,
            "before\n<!-- sm4-bench: a -->\n\nnew a\n\n<!-- sm4-bench end -->\nbetween\n\
             <!-- sm4-bench: b -->\n\nnew b\n\n<!-- sm4-bench end -->after"
        );
        assert_eq!(rewrite(&new, text).expect("still"), new);
        assert_eq!(sections(document), ["a", "b"]);
        for wrong in [
            "",
            "<!-- sm4-bench: a -->\nno end",
            "<!-- sm4-bench: c -->\n<!-- sm4-bench end -->",
        ] {
            assert!(rewrite(wrong, text).is_err(), "{wrong}");
        }
    }
}
