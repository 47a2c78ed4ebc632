//! What the fits are like on the side of the sources.

use super::panel;
use crate::align::{Alignment, SourceSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::Intervals;

/// Selected rank, effective rank and stability, a row for each source.
pub(super) fn diagnostics(alignment: &Alignment) -> Intervals {
    let sources = &alignment.record.summary.sources;
    let panel = |title, of: fn(&SourceSummary) -> UnitEstimate| {
        let sources = sources.iter().enumerate();
        panel(title, sources.map(|(row, source)| (row, 0, of(source))))
    };
    Intervals {
        title: "Fits on the side of the sources".to_owned(),
        rows: sources.iter().map(|source| source.source.clone()).collect(),
        panels: vec![
            panel("selected rank", |source| source.selected_rank),
            panel("effective rank", |source| source.effective_rank),
            panel("stability between folds", |source| source.stability),
        ],
        caption: format!(
            "Means over entries, each averaged over outer folds (stability: over pairs of folds); {}.",
            alignment.interval_caption()
        ),
        ..Intervals::default()
    }
}
