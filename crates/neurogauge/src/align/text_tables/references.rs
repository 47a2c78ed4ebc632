//! What the references are like.

use super::{DECIMALS, estimate, headings, text};
use crate::align::summary::AlignRecord;
use neurogauge_report::TextTable;

pub(super) fn references(record: &AlignRecord) -> TextTable {
    let references = &record.references;
    let mut rows = vec![
        vec![text("effective rank"), estimate(&references.effective_rank)],
        vec![text("consensus rank"), estimate(&references.consensus_rank)],
    ];
    for (m, [coverage, purity, _]) in &references.convergence {
        let name = format!("{m} partitions: coverage, purity");
        let values = format!("{coverage:.DECIMALS$}, {purity:.DECIMALS$}");
        rows.push(vec![text(name), text(values)]);
    }
    let correlations = &record.accuracy_and_profile;
    let shown = |outcome: &neurogauge_core::Outcome| match outcome {
        Ok(value) => format!("{value:.DECIMALS$}"),
        Err(reason) => reason.to_string(),
    };
    TextTable {
        title: "Target references".to_owned(),
        headings: headings(&["", "value"]),
        rows,
        notes: vec![format!(
            "Accuracy against ProfileMean over {} entries of models: Pearson {}, Spearman {}",
            correlations.n,
            shown(&correlations.pearson),
            shown(&correlations.spearman)
        )],
    }
}
