//! Pretrained models compared with untrained ones.

use super::{DECIMALS, estimate};
use crate::align::AlignRecord;
use neurogauge_report::{Cell, Table};

/// The table; `None` without a pair.
pub(super) fn matched(record: &AlignRecord) -> Option<Table> {
    let percent =
        |share: Option<f64>| share.map_or(Cell::Missing, |share| Cell::text(format!("{:.1}%", 100.0 * share)));
    let has_pairs = record.summary.matched.iter().any(|matched| matched.pairs.n > 0);
    let matched = record.summary.matched.iter().filter(|_| has_pairs);
    Table::of("Pretrained against untrained at nearly equal accuracy", matched)
        .column("accuracy within", |matched| Cell::Number(matched.limit, DECIMALS))
        .column("pairs", |matched| Cell::Count(matched.pairs.n))
        .column("ProfileMean, difference", |matched| estimate(&matched.difference))
        .column("positive", |matched| percent(matched.pairs.positive))
        .column("human threshold", |matched| Cell::number(matched.human.threshold))
        .column("beyond it", |matched| percent(matched.pairs.beyond))
        .noted(vec![
            "Human threshold: 90th percentile of the differences between donors of nearly equal \
             accuracy. Chance: difference 0, half of the pairs positive"
                .to_owned(),
        ])
        .filled()
}

/// The upper part of the paper's Table 3.
pub(super) fn sensitivity(record: &AlignRecord) -> Option<Table> {
    Table::of("Pretrained less untrained, by the length of the prefix", &record.summary.sensitivity)
        .column("", |found| Cell::text(format!("ProfileMean({})", found.k)))
        .column("pairs", |found| Cell::Count(found.difference.n))
        .column("difference", |found| estimate(&found.difference))
        .noted(vec!["Chance: difference 0".to_owned()])
        .filled()
}
