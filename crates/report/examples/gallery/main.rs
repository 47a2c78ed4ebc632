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
use neurogauge_report::figures::{FigureFormat, FigureStyle, Picture};
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

/// In every format as it is, and as PDF at the width of a column.
fn keep(folder: &Path, name: &str, picture: &Picture) -> Result<(), Box<dyn Error>> {
    for format in FigureFormat::ALL {
        let path = folder.join(format!("{name}.{}", format.ending()));
        std::fs::write(path, picture.file(format, &FigureStyle::default())?)?;
    }
    let column = FigureStyle {
        width_mm: Some(FigureStyle::DOUBLE_COLUMN_MM),
        font_size_pt: 7.0,
        caption: false,
    };
    let path = folder.join(format!("{name}-column.pdf"));
    match picture.file(FigureFormat::Pdf, &column) {
        Ok(pdf) => std::fs::write(path, pdf)?,
        Err(error) => eprintln!("{name}: {error}"),
    }
    Ok(())
}

/// `n` numbers between 0 and 1.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let numbers = Synthetic::new("gallery", seed);
    (0..n as u64).map(|i| f64::from(numbers.uniform(i))).collect()
}

fn names(n: usize) -> Vec<String> {
    let known = METRICS.iter().map(|&name| name.to_owned());
    known.chain((0..).map(|i| format!("metric {i}"))).take(n).collect()
}
