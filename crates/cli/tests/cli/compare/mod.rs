//! `neurogauge compare`.

mod misfits;
mod outputs;
mod verdicts;

use crate::support::*;

const STEMS: [&str; 8] = ["1", "2", "3", "4", "5", "6", "7", "10"];

/// Makes a run, `run/<name>`, whose reconstructions have this much grain.
fn run(dir: &Folder, name: &str, grain: f32, stems: &[&str], options: &str) {
    let [gt, recon] = ["gt", "recon"].map(|part| dir.join(part).join(name));
    write_images(&gt, 0.0, stems);
    write_images(&recon, grain, stems);
    run_again(dir, name, options);
}

fn write_images(folder: &Path, grain: f32, stems: &[&str]) {
    for stem in stems {
        write_png(&folder.join(format!("{stem}.png")), &picture(stem, 32, grain)).unwrap();
    }
}

/// Runs the existing images.
fn run_again(dir: &Folder, name: &str, options: &str) {
    let inputs = format!("--gt gt/{name} --recon recon/{name} --out run/{name}");
    dir.succeed(&format!("score {inputs} --set pixel_size=32 --overwrite {options}"));
}

fn compare(dir: &Folder, line: &str) -> String {
    dir.succeed(&format!("compare -v {line}")).stdout
}

fn compare_json(dir: &Folder, line: &str) -> Value {
    dir.succeed(&format!("compare {line} --format json")).json()
}

/// The title and notes of a comparison.
fn notes(comparison: &Value) -> String {
    let notes: Vec<&str> = comparison["notes"].list().iter().map(|note| note.text()).collect();
    format!("{}\n{}", comparison["title"].text(), notes.join("\n"))
}

/// Estimates for one metric, one for each system.
fn estimates<'a>(comparison: &'a Value, metric: &str) -> Vec<&'a Value> {
    let rows = comparison["rows"].list().iter();
    rows.map(|row| {
        let mut estimates = row["estimates"].list().iter();
        estimates.find(|e| e["metric"] == metric).unwrap()
    })
    .collect()
}

fn differences<'a>(comparison: &'a Value, metric: &str) -> Vec<&'a Value> {
    comparison["differences"].list().iter().filter(|d| d["metric"] == metric).collect()
}
