//! What the fits are like on the side of the sources.

use crate::align::{Alignment, SourceSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::{Dot, IntervalPanel, Intervals};

/// Selected rank, effective rank and stability, a row for each source.
pub(super) fn diagnostics(alignment: &Alignment) -> Intervals {
    let sources = &alignment.record.sources;
    let panel = |title: &str, of: &dyn Fn(&SourceSummary) -> UnitEstimate| {
        let dots = sources.iter().enumerate().filter_map(|(row, source)| {
            let estimate = of(source);
            Some(Dot {
                row,
                value: estimate.mean?,
                interval: estimate.interval,
                ..Dot::default()
            })
        });
        IntervalPanel {
            title: title.to_owned(),
            dots: dots.collect(),
            levels: Vec::new(),
        }
    };
    Intervals {
        title: "Fits on the side of the sources".to_owned(),
        rows: sources.iter().map(|source| source.source.clone()).collect(),
        panels: vec![
            panel("selected rank", &|source| source.selected_rank),
            panel("effective rank", &|source| source.effective_rank),
            panel("stability between folds", &|source| source.stability),
        ],
        caption: format!(
            "Means over entries, each averaged over outer folds (stability: over pairs of folds). {}.",
            alignment.interval_caption()
        ),
        ..Intervals::default()
    }
}
