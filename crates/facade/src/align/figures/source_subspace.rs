//! Figures of the fits on the sources' side.

use super::panel;
use crate::align::{Alignment, SourceSummary};
use crate::figure_files::Drawn;
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::Intervals;

/// Selected rank, effective rank and stability, with one row for each source.
pub(super) fn diagnostics(alignment: &Alignment) -> Drawn {
    let sources = &alignment.record.summary.sources;
    let panel = |title, of: fn(&SourceSummary) -> UnitEstimate| {
        panel(title, sources.iter().enumerate().map(|(row, source)| (row, 0, of(source))))
    };
    let panels = vec![
        panel("selected rank", |source| source.selected_rank),
        panel("effective rank", |source| source.effective_rank),
        panel("stability between folds", |source| source.stability),
    ];
    let caption = format!(
        "Means over entries, each averaged over outer folds (stability: over pairs of folds); {}.",
        alignment.interval_caption()
    );
    let rows = sources.iter().map(|source| &source.source);
    let figure = Intervals::of("Fits on the side of the sources", rows, panels, caption);
    (!sources.is_empty()).then(|| figure.draw())
}
