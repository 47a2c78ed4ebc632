//! Aggregates over target units: `align.json`.

use super::config::{AlignConfig, SourceState};
use super::entries::{Entry, lengths, mean};
use super::run::AlignRun;
use super::settings::AlignSettings;
use crate::Error;
use crate::run_record::RunRecord;
use neurogauge_alignment::{
    ACCURACY_LIMITS, HumanVariation, MatchedPairs, ScoredSource, Unit, UnitEstimate,
    human_variation,
};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{BootstrapOptions, pearson, spearman};
use serde::Serialize;
use std::collections::BTreeMap;

/// Raised when the layout of `align.json` changes.
const SCHEMA: u32 = 1;

/// The content of `align.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignRecord {
    /// Version of this file's layout.
    pub schema: u32,
    /// Versions of the program.
    pub versions: BTreeMap<String, String>,
    /// What was asked for, settings and files.
    pub config: AlignConfig,
    /// Ids of the conventions (CONVENTIONS.md) that decide the numbers.
    pub conventions: Vec<&'static str>,
    /// SHA-256 of settings, plan, responses and features.
    pub fingerprint: String,
    /// The stimuli's numbers.
    pub stimuli: Vec<u64>,
    /// Target units and their numbers of voxels.
    pub units: Vec<(Unit, usize)>,
    /// All other subjects together, then every other source.
    pub sources: Vec<SourceSummary>,
    /// Reference spectra.
    pub references: ReferenceSummary,
    /// Over all entries of models: accuracy against ProfileMean.
    pub accuracy_and_profile: Correlations,
    /// Pretrained against untrained models of one architecture at nearly equal accuracy.
    pub matched: Vec<Matched>,
    /// Entries without a profile, and why.
    pub undefined: Vec<(String, Unit, String)>,
}

/// One source over all target units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceSummary {
    /// Its name; `other subjects` for all donors.
    pub source: String,
    /// Architecture, state and seed, as configured.
    pub architecture: Option<String>,
    /// Whether its weights were learned; none for donors.
    pub state: Option<SourceState>,
    /// Seed of its weights.
    pub seed: Option<u64>,
    /// Prediction accuracy.
    pub accuracy: UnitEstimate,
    /// ProfileMean by length of the prefix.
    pub profile_means: Vec<(usize, UnitEstimate)>,
    /// FullRefCov.
    pub full_ref_cov: UnitEstimate,
    /// BrainRefScore.
    pub brain_ref_score: UnitEstimate,
    /// ShapeDist.
    pub shape_distance: UnitEstimate,
    /// ProfileMean of the next fold's references.
    pub next_fold: UnitEstimate,
    /// The null of ProfileMean at the main length, and what is left above it.
    pub null_mean: UnitEstimate,
    /// (observed - null) / (1 - null)
    pub corrected: UnitEstimate,
    /// Number of entries with p at most 0.05, of those with a null.
    pub n_significant: usize,
    /// Selected rank.
    pub selected_rank: UnitEstimate,
    /// Effective rank of the source's predictive strengths.
    pub effective_rank: UnitEstimate,
    /// Overlap of the source's subspaces between folds.
    pub stability: UnitEstimate,
    /// Mean TopKCov for k = 1, 2, ..., and its null where there is one.
    pub curve: Vec<f64>,
    /// Mean of the null's TopKCov.
    pub null_curve: Vec<f64>,
}

/// References over all target units and folds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReferenceSummary {
    /// Entropy effective rank.
    pub effective_rank: UnitEstimate,
    /// Rank of the consensus.
    pub consensus_rank: UnitEstimate,
    /// For m partitions: mean coverage, purity and rank ratio.
    pub convergence: Vec<(usize, [f64; 3])>,
}

/// Two correlations over the same entries.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlations {
    /// Number of entries.
    pub n: usize,
    /// Pearson's r, or why there is none.
    pub pearson: Outcome,
    /// Spearman's rho, or why there is none.
    pub spearman: Outcome,
}

/// Pairs of nearly equal accuracy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matched {
    /// Accuracies differ by at most this.
    pub limit: f64,
    /// How much donors of nearly equal accuracy differ.
    pub human: HumanVariation,
    /// Pretrained less untrained.
    pub pairs: MatchedPairs,
}

/// Aggregates of entries, with target-unit block bootstrap intervals.
pub(super) struct Summarising<'a> {
    pub(super) config: &'a AlignConfig,
    pub(super) run: &'a AlignRun,
    pub(super) entries: &'a [Entry],
}

impl Summarising<'_> {
    pub(super) fn record(&self, stimuli: &[u64]) -> Result<AlignRecord, Error> {
        let models = || self.config.sources.iter();
        let mut sources = Vec::new();
        if self.entries.iter().any(|entry| entry.donor) {
            sources.push(self.source(OTHER_SUBJECTS, &|entry| entry.donor)?);
        }
        for model in models() {
            let own = |entry: &Entry| !entry.donor && entry.source == model.name;
            let mut summary = self.source(&model.name, &own)?;
            summary.architecture.clone_from(&model.architecture);
            summary.state = Some(model.state);
            summary.seed = model.seed;
            sources.push(summary);
        }
        let undefined = self.entries.iter().filter_map(|entry| {
            let reason = entry.recovered.as_ref().err()?;
            Some((entry.source.clone(), entry.unit.clone(), reason.to_string()))
        });
        Ok(AlignRecord {
            schema: SCHEMA,
            versions: RunRecord::versions(),
            config: self.config.clone(),
            conventions: CONVENTIONS.to_vec(),
            fingerprint: self.run.fingerprint.clone(),
            stimuli: stimuli.to_vec(),
            units: self
                .run
                .units
                .iter()
                .map(|unit| (unit.unit.clone(), unit.n_voxels))
                .collect(),
            sources,
            references: self.references()?,
            accuracy_and_profile: self.correlations(),
            matched: self.matched()?,
            undefined: undefined.collect(),
        })
    }

    fn settings(&self) -> &AlignSettings {
        &self.config.settings
    }

    fn options(&self) -> BootstrapOptions {
        self.settings().bootstrap()
    }

    /// The values of a quantity in the entries that are asked for, by target unit.
    fn estimate(
        &self,
        wanted: &dyn Fn(&Entry) -> bool,
        value: &dyn Fn(&Entry) -> Option<f64>,
    ) -> Result<UnitEstimate, Error> {
        let of_unit = |unit: &Unit| -> Vec<f64> {
            let own = self
                .entries
                .iter()
                .filter(|entry| entry.unit == *unit && wanted(entry));
            own.filter_map(value).collect()
        };
        let units = self.run.units.iter().map(|unit| of_unit(&unit.unit));
        Ok(UnitEstimate::new(
            &units.collect::<Vec<_>>(),
            &self.options(),
        )?)
    }

    fn source(&self, name: &str, wanted: &dyn Fn(&Entry) -> bool) -> Result<SourceSummary, Error> {
        let of = |value: &dyn Fn(&Entry) -> Option<f64>| self.estimate(wanted, value);
        let recovered = |entry: &Entry| entry.recovered.clone().ok();
        let main_null = |entry: &Entry| {
            let recovered = entry.recovered.as_ref().ok()?;
            recovered.main_null()
        };
        let means = lengths(self.settings()).into_iter().map(|k| {
            let at = move |entry: &Entry| {
                let means = &entry.recovered.as_ref().ok()?.profile_means;
                means
                    .iter()
                    .find(|(length, _)| *length == k)
                    .map(|&(_, mean)| mean)
            };
            Ok((k, of(&at)?))
        });
        let significant = |entry: &&Entry| main_null(entry).is_some_and(|null| null.p <= 0.05);
        let own = || self.entries.iter().filter(|entry| wanted(entry));
        let curve = |value: &dyn Fn(&Entry, usize) -> Option<f64>| -> Vec<f64> {
            let prefixes = 0..self.settings().prefixes;
            prefixes
                .filter_map(|k| mean(own().filter_map(|entry| value(entry, k))))
                .collect()
        };
        Ok(SourceSummary {
            source: name.to_owned(),
            architecture: None,
            state: None,
            seed: None,
            accuracy: of(&|entry| Some(entry.accuracy))?,
            profile_means: means.collect::<Result<_, Error>>()?,
            full_ref_cov: of(&|entry| Some(recovered(entry)?.profile.full))?,
            brain_ref_score: of(&|entry| recovered(entry)?.brain_ref_score)?,
            shape_distance: of(&|entry| recovered(entry)?.shape_distance)?,
            next_fold: of(&|entry| recovered(entry)?.next_fold)?,
            null_mean: of(&|entry| Some(main_null(entry)?.mean))?,
            corrected: of(&|entry| main_null(entry)?.corrected)?,
            n_significant: own().filter(significant).count(),
            selected_rank: of(&|entry| Some(entry.selected_rank))?,
            effective_rank: of(&|entry| entry.effective_rank)?,
            stability: of(&|entry| entry.stability)?,
            curve: curve(&|entry, k| entry.recovered.as_ref().ok()?.profile.top_k.get(k).copied()),
            null_curve: curve(&|entry, k| {
                let null = &entry.recovered.as_ref().ok()?.null_by_k;
                null.get(k).map(|null| null.mean)
            }),
        })
    }

    fn references(&self) -> Result<ReferenceSummary, Error> {
        let options = self.options();
        let of = |value: &dyn Fn(&super::ReferenceResult) -> f64| {
            let units = self.run.units.iter();
            let units = units.map(|unit| unit.references.iter().map(value).collect());
            UnitEstimate::new(&units.collect::<Vec<Vec<f64>>>(), &options)
        };
        let all = || self.run.units.iter().flat_map(|unit| &unit.references);
        let counts = all().next().map_or_else(Vec::new, |reference| {
            reference.convergence.iter().map(|(m, _)| *m).collect()
        });
        let convergence = counts.into_iter().filter_map(|m: usize| {
            let at = || {
                all().filter_map(move |reference| {
                    reference
                        .convergence
                        .iter()
                        .find(|(n, _)| *n == m)
                        .map(|(_, found)| *found)
                })
            };
            let coverage = mean(at().filter_map(|found| found.coverage))?;
            let purity = mean(at().filter_map(|found| found.purity))?;
            Some((
                m,
                [
                    coverage,
                    purity,
                    mean(at().filter_map(|found| found.rank_ratio))?,
                ],
            ))
        });
        Ok(ReferenceSummary {
            effective_rank: of(&|reference| reference.effective_rank)?,
            consensus_rank: of(&|reference| reference.consensus_rank as f64)?,
            convergence: convergence.collect(),
        })
    }

    fn correlations(&self) -> Correlations {
        let models = self.entries.iter().filter(|entry| !entry.donor);
        let (accuracies, means): (Vec<f64>, Vec<f64>) = models
            .filter_map(|entry| Some((entry.accuracy, entry.profile_mean()?)))
            .unzip();
        let outcome = |found: Result<Outcome, neurogauge_stats::StatsError>| {
            found.unwrap_or(Err(Undefined::TooFewItems))
        };
        Correlations {
            n: means.len(),
            pearson: outcome(pearson(&accuracies, &means)),
            spearman: outcome(spearman(&accuracies, &means)),
        }
    }

    fn matched(&self) -> Result<Vec<Matched>, Error> {
        let scored = |entry: &Entry| {
            Some(ScoredSource {
                accuracy: entry.accuracy,
                profile_mean: entry.profile_mean()?,
            })
        };
        let of_unit = |unit: &Unit, name: &str| {
            let entries = self.entries.iter();
            let mut own = entries.filter(|e| !e.donor && e.unit == *unit && e.source == name);
            own.next().and_then(scored)
        };
        let donors: Vec<Vec<ScoredSource>> = self
            .run
            .units
            .iter()
            .map(|unit| {
                let own = self
                    .entries
                    .iter()
                    .filter(|e| e.donor && e.unit == unit.unit);
                own.filter_map(scored).collect()
            })
            .collect();
        let of_state = |state| self.config.sources.iter().filter(move |s| s.state == state);
        let pairs: Vec<Vec<(ScoredSource, ScoredSource)>> = self
            .run
            .units
            .iter()
            .map(|unit| {
                of_state(SourceState::Pretrained)
                    .filter(|one| one.architecture.is_some())
                    .flat_map(|one| of_state(SourceState::Random).map(move |other| (one, other)))
                    .filter(|(one, other)| one.architecture == other.architecture)
                    .filter_map(|(one, other)| {
                        Some((
                            of_unit(&unit.unit, &one.name)?,
                            of_unit(&unit.unit, &other.name)?,
                        ))
                    })
                    .collect()
            })
            .collect();
        let matched = ACCURACY_LIMITS.iter().map(|&limit| {
            let human = human_variation(&donors, limit)?;
            let pairs = MatchedPairs::new(&pairs, limit, &human);
            Ok(Matched {
                limit,
                human,
                pairs,
            })
        });
        matched.collect()
    }
}

/// What tables call all donors together.
pub(super) const OTHER_SUBJECTS: &str = "other subjects";

/// The conventions of every run.
const CONVENTIONS: [&str; 10] = [
    "recovery-zscore",
    "recovery-folds",
    "recovery-selection",
    "recovery-rank",
    "recovery-readout",
    "recovery-reference",
    "recovery-profile",
    "recovery-null",
    "recovery-source",
    "recovery-aggregates",
];
