//! Rows of figures, and the documents made of them.

use serde::{Deserialize, Serialize};

use crate::{
    implementation::Implementation, job::Operation, machine::Machine, measure::Timing, run::Task,
    table::NOISY,
};

/// What one implementation reached in one task.
///
/// Figures per byte are missing (`null`) in rows without bytes, which are those of key setup;
/// cycles are missing if the clock is not known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// "ours" or the name of a peer.
    pub implementation: String,
    /// Its version.
    pub version: String,
    /// The instructions it uses, as far as it says so.
    pub backend: String,
    /// The name of the mode.
    pub mode: String,
    /// "enc", "dec", "auth" or "setup".
    pub operation: String,
    /// Bytes in a message; 0 with key setup.
    pub size: usize,
    /// Nanoseconds per byte in the fastest batch.
    pub ns_per_byte_min: Option<f64>,
    /// Nanoseconds per byte in the median batch.
    pub ns_per_byte_median: Option<f64>,
    /// Cycles per byte in the fastest batch, message by message.
    pub cycles_per_byte: Option<f64>,
    /// Cycles per byte that a longer message would add: the slope between half a message and a
    /// whole one. Missing for short messages.
    pub cycles_per_byte_slope: Option<f64>,
    /// Mebibytes (2^20 bytes) per second in the fastest batch.
    pub mib_per_s: Option<f64>,
    /// Cycles per message (with key setup: per key) in the fastest batch.
    pub cycles_per_message: Option<f64>,
    /// Nanoseconds per message in the fastest batch.
    pub ns_per_message_min: f64,
    /// Nanoseconds per message in the median batch.
    pub ns_per_message_median: f64,
    /// The core's clock during this row, in MHz.
    pub clock_mhz: Option<f64>,
}

impl Row {
    /// From times per message, of this size and of half of it, to figures.
    #[must_use]
    pub fn new(
        implementation: &dyn Implementation,
        task: Task,
        timing: Timing,
        half: Option<Timing>,
        mhz: f64,
    ) -> Self {
        let clock_mhz = mhz.is_finite().then_some(mhz);
        let bytes = (task.size > 0).then_some(task.size as f64);
        let cycles = |ns: f64| clock_mhz.map(|mhz| ns * mhz / 1e3);
        let per_byte = |ns: f64| bytes.map(|bytes| ns / bytes);
        let min = per_byte(timing.min);
        Self {
            implementation: implementation.name().to_owned(),
            version: implementation.version(),
            backend: implementation.backend(),
            mode: task.mode.name.to_owned(),
            operation: task.operation.name().to_owned(),
            size: task.size,
            ns_per_byte_min: min,
            ns_per_byte_median: per_byte(timing.median),
            cycles_per_byte: min.and_then(cycles),
            cycles_per_byte_slope: half
                .and_then(|half| per_byte(2.0 * (timing.min - half.min)))
                .and_then(cycles),
            mib_per_s: min.map(|ns| 1e9 / ns / f64::from(1 << 20)),
            cycles_per_message: cycles(timing.min),
            ns_per_message_min: timing.min,
            ns_per_message_median: timing.median,
            clock_mhz,
        }
    }

    /// How much slower the median batch was than the fastest one, as a fraction.
    #[must_use]
    pub fn noise(&self) -> f64 {
        self.ns_per_message_median / self.ns_per_message_min - 1.0
    }

    /// Whether this is a row of key setup.
    #[must_use]
    pub fn is_setup(&self) -> bool {
        self.operation == Operation::Setup.name()
    }
}

/// Everything about one run, as `--json` writes it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Document {
    /// The machine.
    pub machine: Machine,
    /// The core's highest clock, in MHz; missing if it is not known.
    pub clock_mhz: Option<f64>,
    /// When, in UTC (RFC 3339).
    pub date: String,
    /// Peers that were asked for and not there, with the reason.
    pub absent: Vec<String>,
    /// The figures.
    pub rows: Vec<Row>,
}

impl Document {
    /// How many rows are noisy: so much slower was the median batch than the fastest one.
    #[must_use]
    pub fn noisy(&self) -> usize {
        self.rows.iter().filter(|row| row.noise() > NOISY).count()
    }

    /// The rows as comma-separated values, with a line of names first.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let Ok(serde_json::Value::Object(row)) = serde_json::to_value(row) else {
                unreachable!("a row is an object")
            };
            if index == 0 {
                let names: Vec<&str> = row.keys().map(String::as_str).collect();
                text += &names.join(",");
                text += "\n";
            }
            let fields: Vec<String> = row.values().map(csv_field).collect();
            text += &fields.join(",");
            text += "\n";
        }
        text
    }
}

fn csv_field(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) if text.contains([',', '"', '\n']) => {
            format!("\"{}\"", text.replace('"', "\"\""))
        }
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
