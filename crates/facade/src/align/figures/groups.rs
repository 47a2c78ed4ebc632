//! Which sources a panel shows, and which of them make up one curve.

use crate::align::{AlignRecord, SourceState};
use neurogauge_alignment::study::OTHER_SUBJECTS;

/// A panel's sources, beside the other subjects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The architecture; empty where there is none.
    pub(super) title: String,
    /// Whether a curve is all models of a state, rather than one source.
    pub(super) by_state: bool,
    /// Label of each curve and the sources that it averages.
    pub(super) series: Vec<(String, Vec<String>)>,
}

/// One group for each architecture, in the order of the configuration, with a curve for its pretrained and one for
/// its untrained models; sources without an architecture are a group of their own, with a curve each.
/// Without models a single group without series.
pub(super) fn groups(record: &AlignRecord) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut others = Vec::new();
    for model in &record.summary.sources {
        if model.source == OTHER_SUBJECTS {
            continue;
        }
        let (Some(architecture), Some(state)) = (&model.architecture, model.state) else {
            others.push((model.source.clone(), vec![model.source.clone()]));
            continue;
        };
        let place = groups.iter().position(|group| group.title == *architecture);
        let place = place.unwrap_or_else(|| {
            groups.push(Group {
                title: architecture.clone(),
                by_state: true,
                series: Vec::new(),
            });
            groups.len() - 1
        });
        let (series, label) = (&mut groups[place].series, state_label(state));
        match series.iter_mut().find(|(known, _)| known == label) {
            Some((_, names)) => names.push(model.source.clone()),
            None => series.push((label.to_owned(), vec![model.source.clone()])),
        }
    }
    if !others.is_empty() || groups.is_empty() {
        let title = if groups.is_empty() {
            ""
        } else {
            "without an architecture"
        };
        groups.push(Group {
            title: title.to_owned(),
            by_state: false,
            series: others,
        });
    }
    groups
}

/// What figures call models in this state.
pub(super) fn state_label(state: SourceState) -> &'static str {
    match state {
        SourceState::Pretrained => "pretrained",
        SourceState::Random => "untrained",
    }
}
