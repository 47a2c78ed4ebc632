//! One source over all target units.

use super::{GroupNull, Summarising};
use crate::study::UnitScore;
use crate::study::unit_scores::at_main_length;
use crate::{AlignmentError, UnitEstimate};
use neurogauge_stats::mean;
use serde::{Deserialize, Serialize};

/// The description of a source other than a donor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceDescription {
    pub name: String,
    /// Name of its architecture, by which tables group.
    pub architecture: Option<String>,
    /// Were its weights learned? `None` for a brain that predicts models.
    pub state: Option<SourceState>,
    pub seed: Option<u64>,
    /// The weights, in words; by default the seed of random ones.
    pub weights: Option<String>,
    /// The layers, in words.
    pub layers: Option<String>,
    /// The layer, if the source is a single layer of a model: pairs and seeds belong to one layer.
    pub layer: Option<String>,
}

/// The origin of a model's weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceState {
    /// Training.
    #[default]
    Pretrained,
    /// A random generator.
    Random,
}

/// One source over all target units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceSummary {
    /// Its name; `other subjects` for all donors.
    pub source: String,
    /// Architecture, state and seed, as configured.
    pub architecture: Option<String>,
    /// Whether its weights were learned; `None` for brains.
    pub state: Option<SourceState>,
    pub seed: Option<u64>,
    /// The weights, in words; `None` for donors, and if unknown.
    pub weights: Option<String>,
    /// The layers, in words: as configured, otherwise the names of its blocks of features; `None` for donors.
    pub layers: Option<String>,
    pub accuracy: UnitEstimate,
    /// ProfileMean by length of the prefix.
    pub profile_means: Vec<(usize, UnitEstimate)>,
    /// FullRefCov.
    pub full_ref_cov: UnitEstimate,
    /// BrainRefScore.
    pub brain_ref_score: UnitEstimate,
    /// BrainRefScore relative to other subjects without noise.
    pub noise_corrected: UnitEstimate,
    /// ShapeDist.
    pub shape_distance: UnitEstimate,
    /// ProfileMean against the next fold's references.
    pub next_fold: UnitEstimate,
    /// The null of ProfileMean at the main length.
    pub null_mean: UnitEstimate,
    /// (observed - null) / (1 - null)
    pub corrected: UnitEstimate,
    /// p of ProfileMean over all entries.
    pub group_null: GroupNull,
    /// Number of entries with p at most 0.05, among those with a null.
    pub n_significant: usize,
    pub selected_rank: UnitEstimate,
    /// Effective rank of the source's predictive strengths.
    pub effective_rank: UnitEstimate,
    /// Overlap of the source's subspaces between folds.
    pub stability: UnitEstimate,
    /// Mean TopKCov for k = 1, 2, ...
    pub curve: Vec<f64>,
    /// Mean of the null's TopKCov.
    pub null_curve: Vec<f64>,
}

impl SourceSummary {
    /// ProfileMean at the main length, or the longest below it.
    pub fn profile_mean(&self) -> Option<&UnitEstimate> {
        at_main_length(&self.profile_means)
    }
}

impl Summarising<'_> {
    /// All donors together, then every model in order.
    pub(super) fn sources(&self) -> Result<Vec<SourceSummary>, AlignmentError> {
        let mut sources = Vec::new();
        let (of_donors, of_models) = self.group_nulls()?;
        if self.unit_scores.iter().any(|entry| entry.donor) {
            let others = SourceDescription {
                name: super::OTHER_SUBJECTS.to_owned(),
                ..SourceDescription::default()
            };
            sources.push(self.source(&others, of_donors, &|entry| entry.donor)?);
        }
        for (model, group_null) in self.sources.iter().zip(of_models) {
            let own = |entry: &UnitScore| !entry.donor && entry.source == model.name;
            sources.push(self.source(model, group_null, &own)?);
        }
        Ok(sources)
    }

    fn source(
        &self,
        own: &SourceDescription,
        group_null: GroupNull,
        wanted: &dyn Fn(&UnitScore) -> bool,
    ) -> Result<SourceSummary, AlignmentError> {
        let untrained = own.seed.filter(|_| own.state == Some(SourceState::Random));
        let random = || Some(format!("random initialization, seed {}", untrained?));
        let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| self.estimate(wanted, value);
        let main_null = |entry: &UnitScore| entry.recovered()?.main_null();
        let means = self.settings.lengths().into_iter().map(|k| Ok((k, of(&|entry| entry.recovered()?.mean_of(k))?)));
        let significant = |entry: &&UnitScore| main_null(entry).is_some_and(|null| null.p <= 0.05);
        let entries = || self.unit_scores.iter().filter(|entry| wanted(entry));
        let curve = |value: &dyn Fn(&UnitScore, usize) -> Option<f64>| -> Vec<f64> {
            let prefixes = 0..self.settings.prefixes;
            prefixes.filter_map(|k| mean(entries().filter_map(|entry| value(entry, k)))).collect()
        };
        Ok(SourceSummary {
            source: own.name.clone(),
            architecture: own.architecture.clone(),
            state: own.state,
            seed: own.seed,
            weights: own.weights.clone().or_else(random),
            layers: own.layers.clone(),
            accuracy: of(&|entry| Some(entry.accuracy))?,
            profile_means: means.collect::<Result<_, AlignmentError>>()?,
            full_ref_cov: of(&|entry| Some(entry.recovered()?.profile.full))?,
            brain_ref_score: of(&UnitScore::brain_ref_score)?,
            noise_corrected: of(&|entry| entry.recovered()?.noise_corrected)?,
            shape_distance: of(&UnitScore::shape_distance)?,
            next_fold: of(&|entry| entry.recovered()?.next_fold)?,
            null_mean: of(&|entry| Some(main_null(entry)?.mean))?,
            corrected: of(&|entry| main_null(entry)?.corrected)?,
            group_null,
            n_significant: entries().filter(significant).count(),
            selected_rank: of(&|entry| Some(entry.selected_rank))?,
            effective_rank: of(&|entry| entry.effective_rank)?,
            stability: of(&|entry| entry.stability)?,
            curve: curve(&|entry, k| entry.recovered()?.profile.top_k.get(k).copied()),
            null_curve: curve(&|entry, k| Some(entry.recovered()?.null_by_k.get(k)?.mean)),
        })
    }
}
