//! Draws every type of figure, from tame data and from wild, to be looked at:
//! `cargo run -p neurogauge-report --example gallery -- FOLDER`.
#![allow(clippy::print_stderr)]

mod curves;
mod heatmaps;
mod intervals;
mod masks;
mod scatters;
mod sheets;

use neurogauge_core::synthetic::Synthetic;
use neurogauge_report::figures::Picture;
use std::error::Error;
use std::path::{Path, PathBuf};

const METRICS: [&str; 12] = [
    "pixcorr",
    "ssim",
    "alexnet2",
    "alexnet5",
    "inception",
    "clip",
    "effnet",
    "swav",
    "object_f1",
    "cap_sim",
    "seed",
    "a_metric_with_quite_a_long_name (second run)",
];

fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err("name a folder to draw into".into());
    };
    std::fs::create_dir_all(&folder)?;
    heatmaps::draw(&folder)?;
    scatters::draw(&folder)?;
    intervals::draw(&folder)?;
    curves::draw(&folder)?;
    sheets::draw(&folder)?;
    masks::draw(&folder)?;
    eprintln!("{}", folder.display());
    Ok(())
}

fn keep(folder: &Path, name: &str, picture: &Picture) -> std::io::Result<()> {
    std::fs::write(folder.join(format!("{name}.svg")), &picture.svg)?;
    std::fs::write(folder.join(format!("{name}.png")), &picture.png)
}

/// `n` numbers between 0 and 1.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let numbers = Synthetic::new("gallery", seed);
    (0..n as u64)
        .map(|i| f64::from(numbers.uniform(i)))
        .collect()
}

fn names(n: usize) -> Vec<String> {
    let known = METRICS.iter().map(|&name| name.to_owned());
    known
        .chain((0..).map(|i| format!("metric {i}")))
        .take(n)
        .collect()
}
