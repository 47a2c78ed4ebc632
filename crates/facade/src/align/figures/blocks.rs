//! What the layers of each source contribute (Appendix B, block ablation).

use super::panel;
use crate::align::{Alignment, ContributionSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::figures::{Intervals, Level};

/// A row for each layer of each source, and a dot for each way to measure it; `None` without that control.
pub(super) fn contributions(alignment: &Alignment) -> Option<Intervals> {
    let found = &alignment.record.summary.contributions;
    if found.is_empty() {
        return None;
    }
    type Of = fn(&ContributionSummary) -> UnitEstimate;
    let measures = |title: &str, of: &[Of]| {
        let rows = found.iter().enumerate();
        let dots = rows.flat_map(|(row, own)| {
            let series = of.iter().enumerate();
            series.map(move |(series, of)| (row, series, of(own)))
        });
        let mut panel = panel(title, dots);
        panel.levels.push(Level {
            label: "nothing".to_owned(),
            value: 0.0,
        });
        panel
    };
    let variance: [Of; 3] = [|own| own.alone, |own| own.loss, |own| own.shapley];
    let profile: [Of; 2] = [|own| own.profile_mean_alone, |own| own.profile_mean_loss];
    let mut series = vec!["alone".to_owned(), "lost without it".to_owned()];
    if found.iter().any(|own| own.shapley.mean.is_some()) {
        series.push("Shapley value".to_owned());
    }
    let rows = found.iter();
    Some(Intervals {
        title: "Contributions of layers".to_owned(),
        rows: rows.map(|own| format!("{} {}", own.source, own.block)).collect(),
        series,
        panels: vec![
            measures("recovered variance", &variance),
            measures(&format!("ProfileMean({})", alignment.main_length()), &profile),
        ],
        caption: format!(
            "Recovered variance: r |r| of predicted and measured responses to test stimuli along the first directions, by their \
             weight; 0 for a layer that says nothing. ProfileMean has no zero floor. Means over entries; {}.",
            alignment.interval_caption()
        ),
        ..Intervals::default()
    })
}
