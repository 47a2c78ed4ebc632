//! Figures that show whether a better prediction recovers more.

use super::groups::state_label;
use crate::align::{Alignment, SourceState, UnitScore};
use crate::figure_files::{Drawn, two_decimals};
use neurogauge_alignment::study::OTHER_SUBJECTS;
use neurogauge_report::figures::{Point, Scatter, ScatterPanel};
use std::collections::BTreeMap;

/// The label of sources that predict models.
const BRAINS: &str = "brains";

/// One point for each entry with a profile.
pub(super) fn against_accuracy(alignment: &Alignment) -> Drawn {
    let record = &alignment.record;
    let models = record.config.sources.iter();
    let states: BTreeMap<&str, SourceState> = models.map(|m| (m.name.as_str(), m.state)).collect();
    let group_of = |entry: &UnitScore| match states.get(entry.source.as_str()) {
        Some(state) if !entry.donor => state_label(*state),
        _ if record.config.reverse => BRAINS,
        _ => OTHER_SUBJECTS,
    };
    // Uses the colours of the curves, regardless of which groups exist.
    let known = [SourceState::Pretrained, SourceState::Random].map(state_label);
    let known = [OTHER_SUBJECTS].into_iter().chain(known).chain([BRAINS]);
    let is_there = |name: &&str| alignment.unit_scores.iter().any(|e| group_of(e) == *name);
    let groups: Vec<&str> = known.filter(is_there).collect();
    let points = |score: fn(&UnitScore) -> Option<f64>| -> Vec<Point> {
        let points = alignment.unit_scores.iter().filter_map(|entry| {
            let group = groups.iter().position(|name| *name == group_of(entry))?;
            Some(Point::of_group(group, entry.accuracy, score(entry)?))
        });
        points.collect()
    };
    let above_chance = points(|entry| entry.recovered()?.main_null()?.corrected);
    let correlations = &record.summary.accuracy_and_profile;
    let of = if record.config.reverse { BRAINS } else { "models" };
    let mut note = vec![format!("{of}: n = {}", correlations.n)];
    let found = [("Pearson r", &correlations.pearson), ("Spearman ρ", &correlations.spearman)];
    for (name, outcome) in found {
        if let (Ok(value), true) = (outcome, correlations.is_shown()) {
            note.push(format!("{name} = {}", two_decimals(*value)));
        }
    }
    let length = alignment.main_length();
    let mut panels = vec![ScatterPanel {
        note: note.join(", "),
        ..ScatterPanel::of("", points(UnitScore::profile_mean))
    }];
    let mut caption = format!(
        "Each point is an entry (a source and a target unit), averaged over outer folds. Accuracy: mean over \
         voxels of Pearson's r on held-out stimuli. ProfileMean({length}): mean of TopKCov for k = 1 to {length}."
    );
    if !above_chance.is_empty() {
        panels[0].title = "as measured".to_owned();
        panels.insert(0, ScatterPanel::of("above chance", above_chance));
        caption.push_str(" Above chance: (ProfileMean - null) / (1 - null), 0 for a source without information.");
    }
    let figure = Scatter {
        title: "Prediction accuracy and recovery".to_owned(),
        x_label: "prediction accuracy".to_owned(),
        y_label: format!("ProfileMean({length})"),
        panels,
        caption,
        groups: groups.into_iter().map(str::to_owned).collect(),
    };
    (!alignment.unit_scores.is_empty()).then(|| figure.draw())
}
