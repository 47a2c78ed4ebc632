//! Tables and figures of the paper that an alignment lacks, and the keys of its configuration that would add them.

use super::PaperRecord;
use crate::published::lines;
use neurogauge::align::{AlignRecord, Control, SourceState};
use neurogauge::alignment::study::OTHER_SUBJECTS;
use serde::Serialize;

/// The requirements of each table and figure: in the first column, the controls that an alignment must have, or a
/// condition.
const EXHIBITS: &str = include_str!("exhibits.tsv");

/// A table or a figure of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its number in the paper.
    pub item: &'static str,
    pub shows: &'static str,
    pub needs: &'static str,
}

/// All missing tables and figures, in the paper's order.
pub(super) fn absent(alignment: &AlignRecord, record: &PaperRecord, stimulus_scores: bool) -> Vec<Absent> {
    let (summary, config) = (&alignment.summary, &alignment.config);
    let has_layers = config.sources.iter().any(|own| own.each_layer);
    let is_made = |name: &str| config.settings.controls.iter().copied().map(Control::name).any(|own| own == name);
    let is_there = |condition: &str| match condition {
        "pairs" => !summary.sensitivity.is_empty(),
        "stimulus scores" => stimulus_scores,
        "contributions" => !summary.contributions.is_empty(),
        "seeds" => !record.seeds.is_empty(),
        "other subjects" => summary.sources.iter().any(|own| own.source == OTHER_SUBJECTS),
        "architectures" => config.sources.iter().any(|own| own.architecture.is_some()),
        "a layer" => has_layers,
        "no layer, or several" => !has_layers || !record.depth.is_empty(),
        "objectives" => !record.objectives.is_empty(),
        "models" => config.sources.iter().any(|own| own.state == SourceState::Pretrained || own.seed.is_some()),
        controls => controls.split(", ").all(is_made),
    };
    let absent = lines(EXHIBITS).skip(1).filter_map(|fields| match fields.as_slice() {
        &[condition, item, shows, needs] if !is_there(condition) => Some(Absent { item, shows, needs }),
        _ => None,
    });
    absent.collect()
}
