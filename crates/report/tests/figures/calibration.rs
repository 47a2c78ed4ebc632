//! The figure of docs/pages/project/calibration.md, which shows the coverage in each cell of its tables.

use neurogauge_report::figures::{Dot, IntervalPanel, Intervals, Level};
use std::path::{Path, PathBuf};

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pages/project/calibration.md")
}

/// The rates of one table of coverage, with the page's name of the table's section.
struct Coverage {
    section: String,
    rates: Vec<f64>,
}

/// Tables whose title mentions coverage, or intervals that hold something; a cell begins with its rate. Tables of other
/// methods than the default are only comparisons, and left out like those of widths, misses and sizes.
fn tables(page: &str) -> Vec<Coverage> {
    let (mut section, mut title) = (String::new(), String::new());
    let mut found: Vec<Coverage> = Vec::new();
    // Headings of columns may also begin with a number: "4 subjects".
    let mut below_headings = false;
    for line in page.lines() {
        below_headings = line.starts_with("|--") || below_headings && line.starts_with('|');
        if let Some(heading) = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with("##")) {
            section = heading.to_owned();
            title.clear();
        } else if let Some(row) = line.strip_prefix("| ") {
            let is_of_coverage = title.contains("that hold") || title.starts_with("Coverage");
            let name = row.split(" | ").next().unwrap_or_default();
            let other_ways = ["`--interval", "`--test studentized`", "pooled", "taken as independent", "percentile"];
            let is_other = other_ways.iter().any(|way| title.contains(way) || name.contains(way));
            if !is_of_coverage || is_other || !below_headings {
                continue;
            }
            let cells = row.trim_end_matches('|').split(" | ").skip(1);
            let rate = |cell: &str| -> Option<f64> {
                let cell = cell.trim().trim_start_matches('*');
                let end = cell.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(cell.len());
                cell[..end].parse().ok()
            };
            // A number of at most 1 is the true value itself.
            let rates: Vec<f64> = cells.filter_map(rate).filter(|rate| *rate > 1.0).collect();
            match found.iter_mut().find(|known| known.section == section) {
                Some(known) => known.rates.extend(rates),
                None => found.push(Coverage {
                    section: section.clone(),
                    rates,
                }),
            }
        } else if !line.is_empty() && !line.starts_with("|--") {
            title = line.to_owned();
        }
    }
    found.retain(|table| !table.rates.is_empty());
    found
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
        rows: (tables.iter())
            .map(|table| table.section.replace("Metrics against people, ", "people: "))
            .collect(),
        panels: vec![panel],
        caption: "95% intervals. Grey: a cell of the tables below. Coloured: the median of a section. Intervals left of the first line are too \
                  narrow, those right of the second are wider than they need be."
            .to_owned(),
        ..Intervals::default()
    }
}

#[test]
fn the_cells_of_the_calibration_page_can_be_drawn() {
    let page = std::fs::read_to_string(page()).unwrap();
    let tables = tables(&page);
    let sections: Vec<&str> = tables.iter().map(|table| table.section.as_str()).collect();
    for section in ["Means over pairs", "Identification", "Retrieval"] {
        assert!(sections.contains(&section), "{sections:?}");
    }
    let rates = tables.iter().flat_map(|table| &table.rates);
    assert!(rates.clone().all(|rate| (40.0..=100.0).contains(rate)));
    assert!(rates.count() > 200);
    let svg = figure(&tables).draw().unwrap().svg();
    assert!(svg.contains("asked for (93 to 97)"));
}

/// Fails if the figure does not show the page's tables; with `NEUROGAUGE_WRITE=1` it writes the figure instead.
#[test]
fn the_figure_of_the_calibration_page_shows_its_tables() {
    let tables = tables(&std::fs::read_to_string(page()).unwrap());
    let drawn = figure(&tables).draw().unwrap().svg();
    let file = page().with_file_name("../assets/calibration-coverage.svg");
    if std::env::var_os("NEUROGAUGE_WRITE").is_some() {
        return std::fs::write(file, drawn).unwrap();
    }
    assert!(
        std::fs::read_to_string(file).unwrap() == drawn,
        "docs/pages/assets/calibration-coverage.svg is older than the tables of calibration.md: run `make calibration-figure`"
    );
}
