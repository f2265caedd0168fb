//! The benchmark program; see `README.md` beside it.

use core::error::Error;
use std::{fs, path::Path, process::ExitCode};

use clap::Parser;
use sm4_bench::{figures, options::Options, plot, session};

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
    if let Some(root) = &options.figures {
        return figures::regenerate(root, options);
    }
    let document = session::measure(options)?;
    if let Some(path) = &options.json {
        write(path, &(serde_json::to_string_pretty(&document)? + "\n"))?;
    }
    if let Some(path) = &options.csv {
        write(path, &document.csv())?;
    }
    if let Some(folder) = &options.svg {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for (name, picture) in plot::pictures(&document) {
            write(&folder.join(name), &picture)?;
        }
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
