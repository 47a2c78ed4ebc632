//! Does a better prediction recover more?

use super::groups::state_label;
use crate::align::{Alignment, SourceState, UnitScore};
use crate::figure_files::two_decimals;
use neurogauge_alignment::study::OTHER_SUBJECTS;
use neurogauge_report::figures::{Fit, Point, Scatter, ScatterPanel};
use std::collections::BTreeMap;

/// A point for each entry with a profile.
pub(super) fn against_accuracy(alignment: &Alignment) -> Scatter {
    let record = &alignment.record;
    let models = record.config.sources.iter();
    let states: BTreeMap<&str, SourceState> = models.map(|m| (m.name.as_str(), m.state)).collect();
    let group_of = |entry: &UnitScore| match states.get(entry.source.as_str()) {
        Some(state) if !entry.donor => state_label(*state),
        _ => OTHER_SUBJECTS,
    };
    // The same colours as the curves', whichever groups there are.
    let known = [SourceState::Pretrained, SourceState::Random].map(state_label);
    let known = [OTHER_SUBJECTS].into_iter().chain(known);
    let is_there = |name: &&str| alignment.unit_scores.iter().any(|e| group_of(e) == *name);
    let groups: Vec<&str> = known.filter(is_there).collect();
    let points = alignment.unit_scores.iter().filter_map(|entry| {
        let group = group_of(entry);
        Some(Point {
            x: entry.accuracy,
            y: entry.profile_mean()?,
            group: groups.iter().position(|name| *name == group)?,
            ..Point::default()
        })
    });
    let correlations = &record.summary.accuracy_and_profile;
    let mut note = vec![format!("models: n = {}", correlations.n)];
    let found = [
        ("Pearson r", &correlations.pearson),
        ("Spearman ρ", &correlations.spearman),
    ];
    for (name, outcome) in found {
        if let Ok(value) = outcome {
            note.push(format!("{name} = {}", two_decimals(*value)));
        }
    }
    let length = alignment.main_length();
    Scatter {
        title: "Prediction accuracy and recovery".to_owned(),
        x_label: "prediction accuracy".to_owned(),
        y_label: format!("ProfileMean({length})"),
        panels: vec![ScatterPanel {
            points: points.collect(),
            fit: Fit::Nothing,
            note: note.join(", "),
            ..ScatterPanel::default()
        }],
        caption: format!(
            "Each point is an entry (a source and a target unit), averaged over outer folds. Accuracy: mean over \
             voxels of Pearson's r on held-out stimuli. ProfileMean({length}): mean of TopKCov for k = 1 to {length}."
        ),
        groups: groups.into_iter().map(str::to_owned).collect(),
    }
}
