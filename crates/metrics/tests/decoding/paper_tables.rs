//! The tables of the BASIC paper: weighted means, and the parts that it prints with them.

/// Half a unit in the last printed digit of the sum, and the same again because of its rounded parts.
const ROUNDING: f64 = 0.01 + 1e-9;

pub(crate) struct Row {
    name: String,
    parts: Vec<f64>,
    printed: f64,
}

pub(crate) fn rows(file: &str) -> Vec<Row> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/basic");
    let text = std::fs::read_to_string(format!("{folder}/{file}")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let mut parts: Vec<f64> = cells[3..].iter().map(|cell| cell.parse().unwrap()).collect();
            Row {
                name: cells[..3].join(", "),
                printed: parts.pop().unwrap(),
                parts,
            }
        })
        .collect()
}

pub(crate) fn off(rows: &[Row], mean: impl Fn(&[f64]) -> f64) -> Vec<&str> {
    let is_off = |row: &&Row| (mean(&row.parts) - row.printed).abs() > ROUNDING;
    rows.iter().filter(is_off).map(|row| row.name.as_str()).collect()
}
