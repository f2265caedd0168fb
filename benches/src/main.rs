//! The benchmark program; see `README.md` beside it.

use core::{error::Error, time::Duration};
use std::{fs, path::Path, process::ExitCode, time::SystemTime};

use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use sm4_bench::{
    clock::{Calibration, Clock},
    implementation::{Falsified, Implementation, Ours},
    machine::Machine,
    options::Options,
    peers, plot,
    report::Document,
    run::run,
    table::{Column, NOISY, Table},
};

/// A clock that moves by more than this is worth a word.
const UNSTEADY: f64 = 0.02;

fn main() -> ExitCode {
    match bench(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sm4-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(options: &Options) -> Result<(), Box<dyn Error>> {
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
    let noisy = rows.iter().filter(|row| row.noise() > NOISY).count();
    println!(
        "{noisy} of {} rows are noisy (~: the median is more than {:.0} % above the minimum)",
        rows.len(),
        NOISY * 100.0,
    );
    if noisy * 4 > rows.len() {
        println!("This machine is too busy for figures to be trusted.");
    }

    let document = Document {
        machine,
        clock_mhz: calibration.mhz.is_finite().then_some(calibration.mhz),
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        absent,
        rows,
    };
    if let Some(path) = &options.json {
        write(path, &(serde_json::to_string_pretty(&document)? + "\n"))?;
    }
    if let Some(path) = &options.csv {
        write(path, &document.csv())?;
    }
    if let Some(folder) = &options.svg {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let (rows, cpu) = (&document.rows, &document.machine.cpu);
        let longest = rows.iter().map(|row| row.size).max().unwrap_or(0);
        write(&folder.join("modes.svg"), &plot::bars(rows, longest, cpu))?;
        write(&folder.join("sizes.svg"), &plot::curves(rows, cpu))?;
    }
    Ok(())
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
    implementations
        .iter()
        .map(|who| {
            let alone = implementations
                .iter()
                .filter(|other| other.name() == who.name())
                .count()
                == 1;
            Column {
                implementation: who.name().to_owned(),
                backend: who.backend(),
                title: if alone {
                    who.name().to_owned()
                } else {
                    who.backend()
                },
            }
        })
        .collect()
}

fn print_clock(clock: &Calibration) {
    if !clock.mhz.is_finite() {
        println!("clock: not known, so cycles are missing (--mhz)");
        return;
    }
    let spread = clock.spread * 100.0;
    println!("clock: {:.0} MHz, median {spread:.1} % below", clock.mhz);
    if clock.spread > UNSTEADY {
        println!("The clock is not steady: nanoseconds of different lines do not compare.");
    }
    if !clock.is_consistent {
        println!("A multiplication does not take three rotations: give the clock with --mhz.");
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
