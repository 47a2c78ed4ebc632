//! Sources that are summarised together.

use super::SourceState;
use super::Summarising;

/// The name of all donors together in tables.
pub const OTHER_SUBJECTS: &str = "other subjects";

/// All donors, the models of a state, or a single model.
pub(super) struct SourceGroup<'a> {
    /// Its name in tables.
    pub(super) label: String,
    donors: bool,
    models: Vec<&'a str>,
}

impl SourceGroup<'_> {
    /// Does the source, a donor or not, belong to it?
    pub(super) fn holds(&self, source: &str, donor: bool) -> bool {
        donor == self.donors && (donor || self.models.contains(&source))
    }
}

/// Do tables and figures show these sources? They show groups, and `None` for the target alone; single models are only
/// in `align.json`.
pub fn is_group(sources: Option<&String>) -> bool {
    let states = STATES.map(state_group);
    sources.is_none_or(|name| name == OTHER_SUBJECTS || states.contains(&name.as_str()))
}

/// The states of models; `None` for brains that predict models.
const STATES: [Option<SourceState>; 3] = [Some(SourceState::Pretrained), Some(SourceState::Random), None];

/// The name of all sources of a state in tables.
fn state_group(state: Option<SourceState>) -> &'static str {
    match state {
        Some(SourceState::Pretrained) => "pretrained models",
        Some(SourceState::Random) => "untrained models",
        None => "brains",
    }
}

impl<'a> Summarising<'a> {
    /// Other subjects, the models of each state, then every model, if they exist.
    pub(super) fn groups(&self) -> Vec<SourceGroup<'a>> {
        let mut groups = Vec::new();
        if self.unit_scores.iter().any(|entry| entry.donor) {
            groups.push(SourceGroup {
                label: OTHER_SUBJECTS.to_owned(),
                donors: true,
                models: Vec::new(),
            });
        }
        let models = |label: &str, models: Vec<&'a str>| SourceGroup {
            label: label.to_owned(),
            donors: false,
            models,
        };
        for state in STATES {
            let sources = self.sources.iter();
            let own = sources.filter(|source| source.state == state);
            let names: Vec<&str> = own.map(|source| source.name.as_str()).collect();
            if !names.is_empty() {
                groups.push(models(state_group(state), names));
            }
        }
        let sources = self.sources.iter();
        groups.extend(sources.map(|source| models(&source.name, vec![&source.name])));
        groups
    }
}
