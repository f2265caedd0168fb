//! A progress bar for large files, if someone is watching.

use std::io::{self, IsTerminal};

use indicatif::{ProgressBar, ProgressStyle};

/// Smaller files are done before one can read the bar.
const LARGE: u64 = 64 << 20;

/// A bar for that many bytes, or none.
pub(crate) fn bar(len: Option<u64>) -> ProgressBar {
    let watched = io::stderr().is_terminal();
    match len {
        Some(len) if len >= LARGE && watched => ProgressBar::new(len).with_style(
            ProgressStyle::with_template("{bar:40} {binary_bytes}/{binary_total_bytes} {eta}")
                .unwrap_or_else(|_| ProgressStyle::default_bar()),
        ),
        _ => ProgressBar::hidden(),
    }
}
