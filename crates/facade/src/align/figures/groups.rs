//! The sources of each panel, and their grouping into curves.

use crate::align::{AlignRecord, SourceState};
use indexmap::IndexMap;
use neurogauge_alignment::study::OTHER_SUBJECTS;

/// The sources of a panel, in addition to the other subjects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// The architecture, or empty.
    pub(super) title: String,
    /// Does a curve average all models of a state, rather than show one source?
    pub(super) by_state: bool,
    /// The label of each curve, and the sources that it averages.
    pub(super) series: IndexMap<String, Vec<String>>,
}

/// One group for each architecture, in the order of the configuration, with one curve for its pretrained models and one
/// for its untrained ones. Sources without an architecture form another group, with one curve each. Without models,
/// there is a single group without series.
pub(super) fn groups(record: &AlignRecord) -> Vec<Group> {
    let mut groups: IndexMap<&str, Group> = IndexMap::new();
    let mut others = Group::default();
    for model in record.summary.sources.iter().filter(|own| own.source != OTHER_SUBJECTS) {
        let (group, label) = match (&model.architecture, model.state) {
            (Some(architecture), Some(state)) => (groups.entry(architecture).or_default(), state_label(state)),
            _ => (&mut others, model.source.as_str()),
        };
        group.series.entry(label.to_owned()).or_default().push(model.source.clone());
    }
    let of_architecture = |(title, group): (&str, Group)| Group {
        title: title.to_owned(),
        by_state: true,
        ..group
    };
    let mut groups: Vec<Group> = groups.into_iter().map(of_architecture).collect();
    if groups.is_empty() {
        return vec![others];
    }
    if !others.series.is_empty() {
        others.title.push_str("without an architecture");
        groups.push(others);
    }
    groups
}

/// The name of this state in figures.
pub(super) fn state_label(state: SourceState) -> &'static str {
    match state {
        SourceState::Pretrained => "pretrained",
        SourceState::Random => "untrained",
    }
}
