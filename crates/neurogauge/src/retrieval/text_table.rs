//! The table of a retrieval.

use super::{RetrievalEstimate, RetrievalRecord};
use neurogauge_metrics::decoding::identification::Ties;
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::Similarity;

const DECIMALS: usize = 3;
/// Chance is one of hundreds.
const CHANCE_DECIMALS: usize = 4;

fn directions(record: &RetrievalRecord) -> [(&'static str, &RetrievalEstimate); 2] {
    [("forward", &record.forward), ("backward", &record.backward)]
}

fn cell(value: Option<f64>, ends: Option<(f64, f64)>) -> Cell {
    match (value, ends) {
        (Some(value), Some(ends)) => Cell::Estimate(value, ends, DECIMALS),
        (Some(value), None) => Cell::Number(value, DECIMALS),
        (None, _) => Cell::Missing,
    }
}

/// Made for reading.
pub(super) fn reading(record: &RetrievalRecord) -> TextTable {
    let options = &record.request.options;
    let level = record.request.bootstrap.level * 100.0;
    let rows = directions(record).map(|(name, found)| {
        let arrow = match name {
            "forward" => "forward (brain to image)",
            _ => "backward (image to brain)",
        };
        vec![
            Cell::Text(arrow.to_owned()),
            cell(Some(found.mean), found.interval),
            Cell::Number(found.sd, DECIMALS),
            cell(found.expected, found.expected_interval),
            Cell::Number(record.chance, CHANCE_DECIMALS),
        ]
    });
    let similarity = match options.similarity {
        Similarity::Cosine => "cosine similarity",
        Similarity::Correlation => "Pearson's correlation",
    };
    let ties = match options.ties {
        Ties::Lose => "ties lose",
        Ties::Half => "ties count half",
        Ties::Win => "ties count as found",
    };
    let paired = if record.paired_by_ids {
        "by the ids in ids.json"
    } else {
        "by position: row i of one file belongs to row i of the other"
    };
    let mut notes = vec![
        format!(
            "{} draws of {} candidates out of {} items, seed {}; {similarity} of embeddings of {} \
             values; {ties}. Rows paired {paired}.",
            options.repeats, options.candidates, record.n_items, options.seed.0, record.n_features
        ),
        "The interval over draws says what more draws would change; the expectation is over all \
         draws, and its interval is a bootstrap over items."
            .to_owned(),
    ];
    notes.extend(record.warnings.iter().map(|w| format!("Warning: {w}")));
    TextTable {
        title: format!(
            "Retrieval among {} candidates, top {}",
            options.candidates, options.top_k
        ),
        headings: [
            "Direction".to_owned(),
            format!("found [{level}% over draws]"),
            "SD of draws".to_owned(),
            format!("expected [{level}% over items]"),
            "chance".to_owned(),
        ]
        .to_vec(),
        rows: rows.to_vec(),
        notes,
    }
}

/// In full precision, intervals in columns of their own.
pub(super) fn full(record: &RetrievalRecord) -> TextTable {
    let number = |value: Option<f64>| value.map_or(Cell::Missing, |v| Cell::Number(v, DECIMALS));
    let ends = |ends: Option<(f64, f64)>| {
        [
            number(ends.map(|ends| ends.0)),
            number(ends.map(|ends| ends.1)),
        ]
    };
    let rows = directions(record).map(|(name, found)| {
        let [low, high] = ends(found.interval);
        let [expected_low, expected_high] = ends(found.expected_interval);
        vec![
            Cell::Text(name.to_owned()),
            number(Some(found.mean)),
            low,
            high,
            number(Some(found.sd)),
            number(found.expected),
            expected_low,
            expected_high,
            number(Some(record.chance)),
            Cell::Count(record.n_items),
            Cell::Count(record.request.options.candidates),
            Cell::Count(record.request.options.repeats),
        ]
    });
    let headings = [
        "direction",
        "mean",
        "low",
        "high",
        "sd",
        "expected",
        "expected_low",
        "expected_high",
        "chance",
        "n_items",
        "candidates",
        "repeats",
    ];
    TextTable {
        title: "Retrieval".to_owned(),
        headings: headings.iter().map(|&heading| heading.to_owned()).collect(),
        rows: rows.to_vec(),
        notes: Vec::new(),
    }
}
