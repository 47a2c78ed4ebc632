//! The figure of docs/pages/project/calibration.md, which shows the coverage in each cell of `bench/calibration/`.

use neurogauge_report::figures::{Dot, IntervalPanel, Intervals, Level};
use std::path::{Path, PathBuf};

/// Names of sections, and the files of `bench/calibration/` with their cells.
const SECTIONS: [(&str, &[&str]); 17] = [
    ("Means over pairs", &["means"]),
    ("Strongly skewed scores", &["skewed-means", "unseen-tails"]),
    ("Differences of systems", &["differences"]),
    ("Shares of boxes", &["shares"]),
    ("Identification", &["identification"]),
    ("Retrieval", &["retrieval"]),
    ("Distances of sets", &["sets"]),
    ("Dissimilarities and voxels", &["rsa", "encoding"]),
    ("Trials", &["trials"]),
    ("Audits", &["audit"]),
    ("BLEU", &["bleu"]),
    ("Stimuli that are alike", &["alike-means", "alike-identification"]),
    ("Several subjects", &["subjects"]),
    ("Values that are missing", &["missing", "failures"]),
    ("Metrics against people", &["meta"]),
    ("people: several systems", &["stimuli"]),
    ("Strengths from choices", &["strengths"]),
];

fn in_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The rates of coverage in one section.
struct Coverage {
    section: &'static str,
    rates: Vec<f64>,
}

/// Cells of tables whose title mentions coverage, or intervals that hold something; a cell begins with its rate. Tables
/// of other methods than the default are only comparisons, and left out like those of widths, misses and sizes.
fn sections() -> Vec<Coverage> {
    let other_ways = ["`--interval", "`--test studentized`", "pooled", "taken as independent", "percentile"];
    let rate = |line: &str| -> Option<f64> {
        let mut fields = line.split('\t');
        let (title, case, _, cell) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
        let is_of_coverage = title.contains("that hold") || title.starts_with("Coverage");
        let is_other = other_ways.iter().any(|way| title.contains(way) || case.contains(way));
        let end = cell.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(cell.len());
        // A number of at most 1 is the true value itself.
        let rate = cell[..end].parse().ok().filter(|rate| *rate > 1.0);
        rate.filter(|_| is_of_coverage && !is_other)
    };
    let rates = |file: &&str| -> Vec<f64> {
        let path = in_repository(&format!("bench/calibration/{file}.tsv"));
        std::fs::read_to_string(path).unwrap().lines().filter_map(rate).collect()
    };
    let coverage = |(section, files): (&'static str, &[&str])| Coverage {
        section,
        rates: files.iter().flat_map(rates).collect(),
    };
    SECTIONS.map(coverage).into()
}

fn figure(tables: &[Coverage]) -> Intervals {
    let median = |table: &Coverage| {
        let mut rates = table.rates.clone();
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    };
    let dots = tables.iter().enumerate().filter_map(|(row, table)| Dot::estimate((row, 0), median(table), None));
    let panel = IntervalPanel {
        levels: [93.0, 97.0].map(|value| Level::at(value, "asked for (93 to 97)")).to_vec(),
        points: (tables.iter().enumerate())
            .flat_map(|(row, table)| table.rates.iter().map(move |rate| (row, *rate)))
            .collect(),
        ..IntervalPanel::of("coverage, %", dots)
    };
    Intervals {
        title: "Coverage by cell".to_owned(),
        rows: tables.iter().map(|table| table.section.to_owned()).collect(),
        panels: vec![panel],
        caption: "95% intervals. Grey: one simulation. Coloured: the median of a section. Intervals left of the first line are too \
                  narrow, those right of the second are wider than they need be."
            .to_owned(),
        ..Intervals::default()
    }
}

#[test]
fn the_cells_of_the_calibration_can_be_drawn() {
    let tables = sections();
    let rates = tables.iter().flat_map(|table| &table.rates);
    assert!(tables.iter().all(|table| !table.rates.is_empty()));
    assert!(rates.clone().all(|rate| (40.0..=100.0).contains(rate)));
    assert!(rates.count() > 200);
    let svg = figure(&tables).draw().unwrap().svg();
    assert!(svg.contains("asked for (93 to 97)"));
}

/// Fails if the figure does not show what was simulated; with `NEUROGAUGE_WRITE=1` it writes the figure instead.
#[test]
fn the_figure_of_the_calibration_page_shows_what_was_simulated() {
    let drawn = figure(&sections()).draw().unwrap().svg();
    let file = in_repository("docs/pages/assets/calibration-coverage.svg");
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        return std::fs::write(file, drawn).unwrap();
    }
    assert!(
        std::fs::read_to_string(file).unwrap() == drawn,
        "docs/pages/assets/calibration-coverage.svg is older than bench/calibration: run `make calibration-figure`"
    );
}
