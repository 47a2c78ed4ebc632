//! The contributions of each source's layers (Appendix B, block ablation).

use super::panel;
use crate::align::{Alignment, ContributionSummary};
use crate::figure_files::Drawn;
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::{IntervalPanel, Intervals, Level};

/// One row for each layer of each source, and one dot for each way to measure it; `None` without that control.
pub(super) fn contributions(alignment: &Alignment) -> Drawn {
    let found = &alignment.record.summary.contributions;
    type Of = fn(&ContributionSummary) -> UnitEstimate;
    let measures = |title: &str, of: &[Of]| {
        let rows = found.iter().enumerate();
        let dots = rows.flat_map(|(row, own)| of.iter().enumerate().map(move |(series, of)| (row, series, of(own))));
        IntervalPanel {
            levels: vec![Level::at(0.0, "nothing")],
            ..panel(title, dots)
        }
    };
    let mut series = vec!["alone".to_owned(), "lost without it".to_owned()];
    if found.iter().any(|own| own.shapley.mean.is_some()) {
        series.push("Shapley value".to_owned());
    }
    let profile_mean = format!("ProfileMean({})", alignment.main_length());
    let panels = vec![
        measures("recovered variance", &[|own| own.alone, |own| own.loss, |own| own.shapley]),
        measures(&profile_mean, &[|own| own.profile_mean_alone, |own| own.profile_mean_loss]),
    ];
    let caption = format!(
        "Recovered variance: r |r| of predicted and measured responses to test stimuli along the first directions, by their \
         weight; 0 for a layer that says nothing. ProfileMean has no zero floor. Means over entries; {}.",
        alignment.interval_caption()
    );
    let rows = found.iter().map(|own| format!("{} {}", own.source, own.block));
    let figure = Intervals {
        series,
        ..Intervals::of("Contributions of layers", rows, panels, caption)
    };
    (!found.is_empty()).then(|| figure.draw())
}
