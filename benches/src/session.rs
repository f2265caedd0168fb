//! One run of the program: from options to a document, with the table on the terminal meanwhile.

use core::{error::Error, time::Duration};
use std::time::SystemTime;

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    clock::{Calibration, Clock},
    implementation::{Falsified, Implementation, Ours},
    machine::Machine,
    options::Options,
    peers,
    report::Document,
    run::run,
    table::{Column, NOISY, Table},
};

/// A clock that moves by more than this is worth a word.
const UNSTEADY: f64 = 0.02;

/// Measures what the options ask for.
///
/// # Errors
/// If the options ask for a backend or a peer that does not exist, or if a peer's output is not
/// ours.
pub fn measure(options: &Options) -> Result<Document, Box<dyn Error>> {
    let machine = Machine::this();
    let clock = Clock::new(options.mhz);
    let calibration = clock.calibrate(Duration::from_millis(200));
    println!("{}", machine.cpu);
    println!("{}", machine.flags.join(" "));
    print_clock(&calibration);

    let mut absent = Vec::new();
    let implementations = implementations(options, &mut absent)?;
    for who in implementations.iter().filter(|_| options.study.is_none()) {
        println!("{} {}: {}", who.name(), who.version(), who.backend());
    }
    for peer in &absent {
        println!("absent: {peer}");
    }
    let mut table = Table::new(columns(&implementations), options.by_size());
    let tasks = options.tasks();
    let bar = ProgressBar::new(tasks.len() as u64).with_style(ProgressStyle::with_template(
        "{bar:40} {pos}/{len}  {msg}  {eta} left",
    )?);
    let time = options.time(implementations.len());
    let mut rows = Vec::new();
    for task in tasks {
        bar.set_message(task.to_string());
        let found = run(task, &implementations, time, clock)?;
        if !found.is_empty() {
            bar.suspend(|| print!("{}", table.lines(task, &found)));
        }
        rows.extend(found);
        bar.inc(1);
    }
    bar.finish_and_clear();

    println!();
    print_clock(&clock.calibrate(Duration::from_millis(200)));
    let document = Document {
        machine,
        clock_mhz: calibration.mhz.is_finite().then_some(calibration.mhz),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        absent,
        rows,
    };
    let (noisy, all) = (document.noisy(), document.rows.len());
    println!(
        "{noisy} of {all} rows are noisy (~: the median is more than {:.0} % above the minimum)",
        NOISY * 100.0,
    );
    if noisy * 4 > all {
        println!("This machine is too busy for figures to be trusted.");
    }
    Ok(document)
}

/// Ourselves, and the peers if they are asked for; those that are not there are listed with the
/// reason.
fn implementations(
    options: &Options,
    absent: &mut Vec<String>,
) -> Result<Vec<Box<dyn Implementation>>, String> {
    let mut all: Vec<Box<dyn Implementation>> = Vec::new();
    for backend in options.backends()? {
        match options.study {
            Some(study) => all.extend(study.implementations(backend)),
            None => all.push(Box::new(Ours(backend))),
        }
    }
    if options.peers {
        if let Some(name) = &options.falsify
            && !peers::all().iter().any(|(peer, _)| peer == name)
        {
            return Err(format!("{name}: no such peer"));
        }
        for (name, peer) in peers::all() {
            match peer {
                Ok(peer) if options.falsify.as_deref() == Some(name) => {
                    all.push(Box::new(Falsified(peer)));
                }
                Ok(peer) => all.push(peer),
                Err(reason) => absent.push(format!("{name}: {reason}")),
            }
        }
    }
    Ok(all)
}

/// Our own columns are named by their backend if there are several.
fn columns(implementations: &[Box<dyn Implementation>]) -> Vec<Column> {
    let names = implementations
        .iter()
        .map(|who| (who.name().to_owned(), who.backend()));
    Column::named(names.collect())
}

fn print_clock(clock: &Calibration) {
    if !clock.mhz.is_finite() {
        println!("clock: not known, so cycles are missing (--mhz)");
        return;
    }
    let spread = clock.spread * 100.0;
    print!("clock: {:.0} MHz, median {spread:.1} % below", clock.mhz);
    match clock.rotations {
        Some(rotations) => println!("; a multiplication takes {rotations:.2} rotations"),
        None => println!(),
    }
    if clock.spread > UNSTEADY {
        println!("The clock is not steady: nanoseconds of different lines do not compare.");
    }
    if !clock.is_consistent() {
        println!("A multiplication does not take three rotations: give the clock with --mhz.");
    }
}
