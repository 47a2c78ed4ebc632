//! The rows of the paper's Tables 4 and 5 that an alignment has.

use super::SeedControl;
use crate::aligned::Aligned;
use crate::preset::{MODELS, is_of_main_text};
use crate::published;
use neurogauge::align::StudySummary;
use neurogauge::alignment::UnitEstimate;
use serde::Serialize;

/// A model of the paper's Table 5.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelOfPaper {
    /// Its row in the paper's table.
    pub row: &'static str,
    pub accuracy: UnitEstimate,
    pub profile_mean: Option<UnitEstimate>,
    pub brain_ref_score: UnitEstimate,
    pub shape_distance: UnitEstimate,
}

/// The models of Table 5, in the order of the configuration.
pub(super) fn models(summary: &StudySummary, aligned: &Aligned) -> Vec<ModelOfPaper> {
    let row = |name: &str| published::id_of(aligned.config.sources.iter().find(|own| own.name == name)?);
    let models = summary.sources.iter().filter_map(|source| {
        Some(ModelOfPaper {
            row: row(&source.source)?,
            accuracy: source.accuracy,
            profile_mean: source.profile_mean().copied(),
            brain_ref_score: source.brain_ref_score,
            shape_distance: source.shape_distance,
        })
    });
    models.collect()
}

/// Marks the rows of Table 4: architectures with all four untrained models, and their mean if there are no others.
pub(super) fn mark(seeds: &mut [SeedControl], aligned: &Aligned) {
    let is_paper_s = |name: &str| {
        let known = aligned.config.sources.iter().find(|own| own.model.as_deref() == Some(name));
        MODELS.iter().filter(|model| is_of_main_text(model)).any(|model| model.id == name)
            && known.is_some_and(|own| published::id_of(own).is_some())
    };
    let n_all = seeds.iter().filter(|own| own.architecture != OVERALL).count();
    for own in seeds.iter_mut().filter(|own| own.n_seeds == 4) {
        own.is_of_paper = is_paper_s(&own.architecture);
    }
    let n_main = seeds.iter().filter(|own| own.is_of_paper).count();
    for own in seeds.iter_mut().filter(|own| own.architecture == OVERALL) {
        own.is_of_paper = n_main == 4 && n_all == 4;
    }
}

/// The row of all architectures.
const OVERALL: &str = "overall";
