//! The tables on the terminal, in libgcrypt's form.

use crate::{implementation::OURS, report::Row, run::Task};

/// Rows whose median was so much slower than the best batch are marked.
pub const NOISY: f64 = 0.10;

/// From this size on the figure that matters is cycles per byte.
const SMALLEST_IN_BULK: usize = 2048;

/// A column: one implementation on one backend.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name of the implementation.
    pub implementation: String,
    /// Its backend.
    pub backend: String,
    /// What stands above the column.
    pub title: String,
}

impl Column {
    /// Columns for these implementations with their backends, named by the backend where one
    /// implementation has several.
    pub(crate) fn named(all: Vec<(String, String)>) -> Vec<Self> {
        let count = |name: &str| all.iter().filter(|(other, _)| other == name).count();
        let titles: Vec<String> = all
            .iter()
            .map(|(name, backend)| if count(name) == 1 { name } else { backend }.clone())
            .collect();
        all.into_iter()
            .zip(titles)
            .map(|((implementation, backend), title)| Self {
                implementation,
                backend,
                title,
            })
            .collect()
    }
}

/// Turns rows into lines as they come.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    /// Whether it is about how the costs of a byte depend on the size of messages.
    by_size: bool,
    section: String,
}

impl Table {
    /// A table with a column for each implementation, or with all figures if there is but one.
    #[must_use]
    pub fn new(columns: Vec<Column>, by_size: bool) -> Self {
        Self {
            columns,
            by_size,
            section: String::new(),
        }
    }

    /// The lines for what one task gave.
    pub fn lines(&mut self, task: Task, rows: &[Row]) -> String {
        let mut text = String::new();
        let section = self.section(task);
        if section != self.section {
            text += &self.heading(&section);
            self.section = section;
        }
        text += &match rows {
            [row] if self.columns.len() == 1 => full_line(&Self::label(task), row),
            _ => self.comparing_line(task, rows),
        };
        text
    }

    fn heading(&self, section: &str) -> String {
        let mut text = format!("\n{section:<20} |");
        if self.columns.len() == 1 {
            text += "      ns/B      MiB/s        c/B  slope c/B     c/message   MHz  median";
        } else {
            for column in &self.columns {
                text += &format!(" {:>12}", column.title);
            }
            if self.has_peers() {
                text += "   ours : best peer";
            }
        }
        text + "\n"
    }

    fn has_peers(&self) -> bool {
        let ours = self
            .columns
            .iter()
            .filter(|c| c.implementation == OURS)
            .count();
        (1..self.columns.len()).contains(&ours)
    }

    /// A figure per implementation, and ours against the best of the others.
    fn comparing_line(&self, task: Task, rows: &[Row]) -> String {
        let mut text = format!("{:>20} |", Self::label(task));
        for column in &self.columns {
            let row = rows.iter().find(|row| {
                row.implementation == column.implementation && row.backend == column.backend
            });
            let mark = if row.is_some_and(|row| row.noise() > NOISY) {
                "~"
            } else {
                ""
            };
            text += &format!(
                " {:>12}",
                number(row.and_then(|row| self.figure(task, row))) + mark
            );
        }
        if self.has_peers() {
            let best = |ours: bool| {
                rows.iter()
                    .filter(|row| (row.implementation == OURS) == ours)
                    .min_by(|a, b| a.ns_per_message_min.total_cmp(&b.ns_per_message_min))
            };
            if let (Some(our), Some(peer)) = (best(true), best(false)) {
                text += &format!(
                    "   {:>5.2} × {}",
                    our.ns_per_message_min / peer.ns_per_message_min,
                    peer.implementation,
                );
            }
        }
        text + "\n"
    }

    /// What stands together under one heading.
    fn section(&self, task: Task) -> String {
        if is_single(task) {
            "cycles".to_owned()
        } else if self.is_per_byte(task) {
            "cycles/byte".to_owned()
        } else {
            "cycles/message".to_owned()
        }
    }

    fn is_per_byte(&self, task: Task) -> bool {
        !is_single(task) && (self.by_size || task.size >= SMALLEST_IN_BULK)
    }

    fn label(task: Task) -> String {
        if is_single(task) {
            task.to_string()
        } else {
            format!("{task} {:>5}", task.size)
        }
    }

    /// The one figure that matters.
    fn figure(&self, task: Task, row: &Row) -> Option<f64> {
        if self.is_per_byte(task) {
            row.cycles_per_byte
        } else {
            row.cycles_per_message
        }
    }
}

/// All figures of one implementation.
fn full_line(label: &str, row: &Row) -> String {
    format!(
        "{label:>20} | {:>9} {:>10} {:>10} {:>10} {:>13} {:>5.0} {:>6}\n",
        number(row.ns_per_byte_min),
        row.mib_per_s
            .map_or_else(|| "-".to_owned(), |mib| format!("{mib:.0}")),
        number(row.cycles_per_byte),
        number(row.cycles_per_byte_slope),
        row.cycles_per_message
            .map_or_else(|| "-".to_owned(), |cycles| format!("{cycles:.0}")),
        row.clock_mhz.unwrap_or(f64::NAN),
        format!(
            "+{:.0}%{}",
            row.noise() * 100.0,
            if row.noise() > NOISY { "~" } else { " " }
        ),
    )
}

fn is_single(task: Task) -> bool {
    task.size == 0 || task.mode.name == crate::modes::BLOCK
}

/// Three digits or so.
pub(crate) fn number(value: Option<f64>) -> String {
    match value {
        None => "-".to_owned(),
        Some(value) if value < 10.0 => format!("{value:.3}"),
        Some(value) if value < 100.0 => format!("{value:.2}"),
        Some(value) => format!("{value:.0}"),
    }
}
