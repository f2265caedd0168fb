//! Pictures of the figures: bars for each mode, curves over the sizes of messages.

mod svg;

use self::svg::{Anchor, Svg};
use crate::{
    implementation::OURS,
    modes::BLOCK,
    report::{Document, Row},
};

/// Colours that people with any kind of colour vision can tell apart.
const COLOURS: &[&str] = &[
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999", "#000000",
];

/// Room for labels.
const TOP: f64 = 64.0;
const BOTTOM: f64 = 44.0;

/// An implementation's name and colour, and the rows that are its.
struct Series<'a> {
    name: String,
    colour: &'static str,
    rows: Vec<&'a Row>,
}

/// One series for each implementation, or for each backend of one.
fn series<'a>(rows: &[&'a Row]) -> Vec<Series<'a>> {
    let mut all: Vec<Series<'a>> = Vec::new();
    let backends = |name: &str| {
        let of_it = || rows.iter().filter(|row| row.implementation == name);
        of_it().any(|row| Some(&row.backend) != of_it().next().map(|first| &first.backend))
    };
    for &row in rows {
        let name = match (row.implementation.as_str(), backends(&row.implementation)) {
            (OURS, false) => format!("{OURS} ({})", row.backend),
            (OURS, true) => row.backend.clone(),
            (name, _) => name.to_owned(),
        };
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.rows.push(row),
            None => all.push(Series {
                name,
                colour: COLOURS[all.len() % COLOURS.len()],
                rows: vec![row],
            }),
        }
    }
    all
}

fn legend(svg: &mut Svg, series: &[Series<'_>], x: f64, y: f64) {
    let mut x = x;
    for one in series {
        svg.rectangle(x, y - 10.0, 12.0, 12.0, one.colour);
        svg.text(x + 17.0, y, 13.0, Anchor::Start, &one.name);
        x += 36.0 + 7.6 * one.name.chars().count() as f64;
    }
}

/// From a figure to a place between 0 and 1, by powers of ten.
struct Scale {
    from: f64,
    to: f64,
}

impl Scale {
    /// Wide enough for all of them, and a little more.
    fn around(values: impl Iterator<Item = f64> + Clone) -> Self {
        let smallest = values.clone().fold(f64::INFINITY, f64::min);
        let largest = values.fold(f64::NEG_INFINITY, f64::max);
        Self {
            from: smallest.log10() - 0.1,
            to: largest.log10() + 0.1,
        }
    }

    fn place(&self, value: f64) -> f64 {
        (value.log10() - self.from) / (self.to - self.from)
    }

    /// 1, 2 and 5 of every power of ten that is in it.
    fn marks(&self) -> Vec<f64> {
        (-4..7)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)))
            .filter(|mark| (0.0..=1.0).contains(&self.place(*mark)))
            .collect()
    }
}

fn number(value: f64) -> String {
    if value < 2.0 {
        format!("{value:.2}")
    } else if value < 50.0 && value.fract() != 0.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
    }
}

/// All pictures of a run, with the names of their files.
#[must_use]
pub fn pictures(document: &Document) -> [(&'static str, String); 2] {
    let (rows, cpu) = (&document.rows, &document.machine.cpu);
    let longest = rows.iter().map(|row| row.size).max().unwrap_or(0);
    [
        ("modes.svg", bars(rows, longest, cpu)),
        ("sizes.svg", curves(rows, cpu)),
    ]
}

/// Cycles per byte of each mode with messages of this size. Decryption is left out where it is as
/// fast as encryption.
#[must_use]
pub fn bars(rows: &[Row], size: usize, machine: &str) -> String {
    const WIDTH: f64 = 900.0;
    const LEFT: f64 = 120.0;
    const BAR: f64 = 11.0;
    const GAP: f64 = 10.0;

    let rows: Vec<&Row> = rows
        .iter()
        .filter(|row| row.size == size && row.cycles_per_byte.is_some())
        .filter(|row| row.mode != BLOCK)
        .collect();
    let tasks = tasks(rows.iter().filter(|row| is_shown(&rows, row)).copied());
    let series = series(&rows);
    let scale = Scale::around(rows.iter().filter_map(|row| row.cycles_per_byte));
    // The bars start at the left edge, so that must be below the smallest figure.
    let x = |value: f64| LEFT + (WIDTH - LEFT - 60.0) * scale.place(value);
    let figures = |(mode, operation): (&str, &str)| -> Vec<(&str, f64)> {
        let figure = |one: &Series<'_>| {
            let row = one.rows.iter().find(|row| task(row) == (mode, operation));
            row.and_then(|row| row.cycles_per_byte)
        };
        series
            .iter()
            .filter_map(|one| Some((one.colour, figure(one)?)))
            .collect()
    };
    let groups: Vec<_> = tasks
        .into_iter()
        .map(|task| (task, figures(task)))
        .collect();
    let height = |bars: &[(&str, f64)]| GAP + BAR * bars.len() as f64;
    let bottom = TOP + groups.iter().map(|(_, bars)| height(bars)).sum::<f64>();

    let mut svg = Svg::new(WIDTH, bottom + BOTTOM);
    let title = format!("SM4: cycles per byte, messages of {size} bytes (less is better)");
    svg.text(20.0, 22.0, 16.0, Anchor::Start, &title);
    svg.text(WIDTH - 20.0, 22.0, 11.0, Anchor::End, machine);
    legend(&mut svg, &series, 20.0, 46.0);
    for mark in scale.marks() {
        svg.line(x(mark), TOP - 4.0, x(mark), bottom, "#dddddd");
        svg.text(x(mark), bottom + 18.0, 12.0, Anchor::Middle, &number(mark));
    }
    svg.text(
        x(10_f64.powf((scale.from + scale.to) / 2.0)),
        bottom + 36.0,
        12.0,
        Anchor::Middle,
        "cycles per byte, logarithmic",
    );
    let mut top = TOP;
    for ((mode, operation), bars) in &groups {
        let middle = top + height(bars) / 2.0 + 4.5;
        svg.text(
            LEFT - 10.0,
            middle,
            13.0,
            Anchor::End,
            &format!("{mode} {operation}"),
        );
        for (position, (colour, value)) in bars.iter().enumerate() {
            let y = top + GAP / 2.0 + BAR * position as f64;
            svg.rectangle(LEFT, y, x(*value) - LEFT, BAR - 1.5, colour);
            svg.text(
                x(*value) + 4.0,
                y + 8.8,
                10.0,
                Anchor::Start,
                &number(*value),
            );
        }
        top += height(bars);
    }
    svg.finish()
}

/// The mode and the operation of a row.
fn task(row: &Row) -> (&str, &str) {
    (&row.mode, &row.operation)
}

/// Each once, in the order in which they come.
fn tasks<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<(&'a str, &'a str)> {
    let mut tasks = Vec::new();
    for row in rows {
        if !tasks.contains(&task(row)) {
            tasks.push(task(row));
        }
    }
    tasks
}

/// Whether a picture would lack something without this row: decryption may be as fast as
/// encryption, and the associated data of an AEAD is a matter of its own.
fn is_shown(rows: &[&Row], row: &Row) -> bool {
    let figure = |operation: &str| {
        rows.iter()
            .find(|other| {
                (&other.implementation, &other.backend) == (&row.implementation, &row.backend)
                    && (task(other), other.size) == ((&row.mode, operation), row.size)
            })
            .and_then(|row| row.cycles_per_byte)
    };
    match (row.operation.as_str(), figure("enc"), figure("dec")) {
        ("dec", Some(enc), Some(dec)) => (enc / dec).ln().abs() > 0.25,
        ("auth", Some(_), _) => false,
        _ => true,
    }
}

/// Cycles per byte against the size of messages, a panel for each mode that has figures of several
/// sizes.
#[must_use]
pub fn curves(rows: &[Row], machine: &str) -> String {
    const PANEL: (f64, f64) = (300.0, 260.0);
    const COLUMNS: usize = 3;
    const LEFT: f64 = 44.0;
    const HEAD: f64 = 24.0;

    let all: Vec<&Row> = rows
        .iter()
        .filter(|row| row.cycles_per_byte.is_some() && row.mode != BLOCK)
        .collect();
    let sizes_of = |row: &Row| {
        let mut sizes: Vec<usize> = all
            .iter()
            .filter(|other| task(other) == task(row))
            .map(|row| row.size)
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.len()
    };
    let rows: Vec<&Row> = all
        .iter()
        .filter(|row| sizes_of(row) >= 3)
        .copied()
        .collect();
    let panels = tasks(rows.iter().filter(|row| is_shown(&rows, row)).copied());
    let rows: Vec<&Row> = rows
        .into_iter()
        .filter(|row| panels.contains(&task(row)))
        .collect();
    let series = series(&rows);
    let sizes = Scale::around(rows.iter().map(|row| row.size as f64));
    let costs = Scale::around(rows.iter().filter_map(|row| row.cycles_per_byte));

    let lines = panels.len().div_ceil(COLUMNS);
    let mut svg = Svg::new(
        COLUMNS as f64 * PANEL.0 + 20.0,
        TOP + lines as f64 * PANEL.1 + 10.0,
    );
    let title = "SM4: cycles per byte by size of message (less is better)";
    svg.text(20.0, 22.0, 16.0, Anchor::Start, title);
    svg.text(COLUMNS as f64 * PANEL.0, 22.0, 11.0, Anchor::End, machine);
    legend(&mut svg, &series, 20.0, 46.0);
    for (index, (mode, operation)) in panels.iter().enumerate() {
        let left = (index % COLUMNS) as f64 * PANEL.0 + LEFT;
        let top = TOP + (index / COLUMNS) as f64 * PANEL.1 + HEAD;
        let (width, height) = (PANEL.0 - LEFT - 12.0, PANEL.1 - HEAD - BOTTOM);
        let x = |size: f64| left + width * sizes.place(size);
        let y = |cost: f64| top + height * (1.0 - costs.place(cost));
        svg.text(
            left,
            top - 7.0,
            13.0,
            Anchor::Start,
            &format!("{mode} {operation}"),
        );
        for mark in costs
            .marks()
            .into_iter()
            .filter(|mark| mark.log10().fract() == 0.0)
        {
            svg.line(left, y(mark), left + width, y(mark), "#dddddd");
            svg.text(left - 6.0, y(mark) + 4.0, 11.0, Anchor::End, &number(mark));
        }
        for size in (4..=20).step_by(2).map(|power| 1 << power) {
            if (0.0..=1.0).contains(&sizes.place(f64::from(size))) {
                svg.line(
                    x(f64::from(size)),
                    top,
                    x(f64::from(size)),
                    top + height,
                    "#dddddd",
                );
                let label = if size < 1024 {
                    size.to_string()
                } else {
                    format!("{}K", size / 1024)
                };
                svg.text(
                    x(f64::from(size)),
                    top + height + 16.0,
                    11.0,
                    Anchor::Middle,
                    &label,
                );
            }
        }
        for one in &series {
            let mut points: Vec<(usize, f64)> = one
                .rows
                .iter()
                .filter(|row| task(row) == (*mode, *operation))
                .filter_map(|row| Some((row.size, row.cycles_per_byte?)))
                .collect();
            points.sort_by_key(|(size, _)| *size);
            let points: Vec<(f64, f64)> = points
                .into_iter()
                .map(|(size, cost)| (x(size as f64), y(cost)))
                .collect();
            svg.curve(&points, one.colour);
        }
    }
    svg.finish()
}
