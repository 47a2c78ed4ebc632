//! Writes every pair's scores and captions as a compressed table.

use crate::entry::Entry;
use flate2::{Compression, GzBuilder};
use neurogauge::Reopened;
use neurogauge::core::hostile_text::csv_cell;
use neurogauge::metrics::find;
use neurogauge::report::fixed;
use std::io::Write as _;

/// CSV, compressed by gzip: the scores of every pair with their metrics' decimals, and if the run had captions, the
/// decoded caption and the first reference.
pub(super) fn of(entry: &Entry, inputs: &Reopened) -> Vec<u8> {
    let scores = &entry.run.scores;
    let mut text = "pair".to_owned();
    let columns: Vec<_> = (scores.columns.iter())
        .map(|(id, outcomes)| (outcomes, find(id).map_or(3, |metric| metric.spec.decimals)))
        .collect();
    for (id, _) in &scores.columns {
        text = text + "," + &csv_cell(id);
    }
    text += match inputs.captions {
        Some(_) => ",caption,reference\n",
        None => "\n",
    };
    for (place, pair) in scores.pairs.iter().enumerate() {
        text += &csv_cell(pair);
        for (outcomes, decimals) in &columns {
            text.push(',');
            if let Ok(value) = &outcomes[place] {
                text += &fixed(*value, *decimals);
            }
        }
        if inputs.captions.is_some() {
            let (decoded, reference) = captions_of(inputs, pair);
            text = text + "," + &csv_cell(decoded) + "," + &csv_cell(reference);
        }
        text.push('\n');
    }
    // The header has no time and no name, so the same table gives the same bytes.
    let mut file = GzBuilder::new().write(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = file.write_all(text.as_bytes());
    file.finish().unwrap_or_default()
}

/// The decoded caption of a pair and its first reference; empty if there is none.
pub(super) fn captions_of<'a>(inputs: &'a Reopened, pair: &str) -> (&'a str, &'a str) {
    let Some(captions) = &inputs.captions else {
        return ("", "");
    };
    let first = |side: &'a std::collections::HashMap<String, neurogauge::core::Captions>| {
        side.get(pair).and_then(|captions| captions.0.first()).map_or("", String::as_str)
    };
    (first(&captions.recon), first(&captions.gt))
}
