//! Pretrained beside untrained models.

use super::{DECIMALS, estimate, headings, number, text};
use crate::align::summary::AlignRecord;
use neurogauge_report::{Cell, TextTable};

pub(super) fn matched(record: &AlignRecord) -> TextTable {
    let percent = |share: Option<f64>| {
        share.map_or(Cell::Missing, |share| {
            text(format!("{:.1}%", 100.0 * share))
        })
    };
    let rows = record.matched.iter().map(|matched| {
        vec![
            Cell::Number(matched.limit, DECIMALS),
            Cell::Count(matched.pairs.n),
            estimate(&matched.difference),
            percent(matched.pairs.positive),
            number(matched.human.threshold),
            percent(matched.pairs.beyond),
        ]
    });
    TextTable {
        title: "Pretrained against untrained at nearly equal accuracy".to_owned(),
        headings: headings(&[
            "accuracy within",
            "pairs",
            "ProfileMean, difference",
            "positive",
            "human threshold",
            "beyond it",
        ]),
        rows: rows.collect(),
        notes: vec![
            "Human threshold: 90th percentile of the differences between donors of nearly equal \
             accuracy"
                .to_owned(),
        ],
    }
}

/// The paper's Table 3, upper part.
pub(super) fn sensitivity(record: &AlignRecord) -> TextTable {
    let rows = record.sensitivity.iter().map(|found| {
        vec![
            text(format!("ProfileMean({})", found.k)),
            Cell::Count(found.difference.n),
            estimate(&found.difference),
        ]
    });
    TextTable {
        title: "Pretrained less untrained, by the length of the prefix".to_owned(),
        headings: headings(&["", "pairs", "difference"]),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
