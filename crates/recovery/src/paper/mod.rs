//! The paper's results beyond the alignment's own tables and figures.

mod absent;
mod architectures;
mod beside_published;
mod figures;
mod high_accuracy;
mod layers;
mod main_text;
mod matched_pairs;
mod objectives;
mod pair_categories;
mod references;
mod region_figure;
mod seeds;
mod tables;
#[cfg(test)]
mod tests;

pub use absent::Absent;
pub use architectures::ArchitectureShape;
pub use beside_published::BesidePublished;
pub use high_accuracy::{HighAccuracy, NextFold, Quartiles};
pub use layers::{DepthProfile, LayerScore};
pub use objectives::{FamilyObjectives, ObjectiveScores};
pub use pair_categories::{MatchedCase, PairCategory};
pub use references::{ReferenceWeights, SelectedPenalties};
pub use seeds::SeedControl;

use crate::RegionSizes;
use crate::aligned::{Aligned, Kind, shape_distance};
use itertools::Itertools;
use neurogauge::align::{Alignment, Matched};
use neurogauge::core::Finding;
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, is_drawn};
use serde::Serialize;

/// Increased when the layout of `paper.json` changes.
const SCHEMA: u32 = 2;

/// The content of `paper.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PaperRecord {
    /// The program and the seed of the intervals.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// SHA-256 of everything that affects the alignment.
    pub fingerprint: String,
    pub references: ReferenceWeights,
    /// The regularisations selected in fits; `None` without a fit.
    pub penalties: Option<SelectedPenalties>,
    /// The best matched pair of a pretrained and an untrained model; `None` without one.
    pub matched_case: Option<MatchedCase>,
    /// Pairs of nearly equal accuracy, by category.
    pub pair_categories: Vec<PairCategory>,
    /// Untrained models, summarised over their seeds.
    pub seeds: Vec<SeedControl>,
    /// The models with the highest accuracy; `None` without a BrainRefScore.
    pub high_accuracy: Option<HighAccuracy>,
    /// Profiles against the next fold; `None` without one.
    pub next_fold: Option<NextFold>,
    /// Models whose layers are separate sources.
    pub depth: Vec<DepthProfile>,
    /// Families of models that were trained on different objectives.
    pub objectives: Vec<FamilyObjectives>,
    /// Subspaces and shapes by architecture and state.
    pub architectures: Vec<ArchitectureShape>,
    /// ShapeDist of entries, by kind of model; empty without other subjects.
    pub shape_distances: Vec<(String, Quartiles)>,
    /// Regions of the Natural Scenes Dataset; `None` for other data.
    pub regions: Option<RegionSizes>,
    /// The paper's values with the alignment's; empty if the alignment asks a different question.
    pub published: Vec<BesidePublished>,
    /// Tables and figures of the paper that the alignment does not have.
    pub absent: Vec<Absent>,
}

/// Tables and figures of the paper, from a finished alignment.
#[derive(Debug)]
pub struct PaperReport {
    pub record: PaperRecord,
    /// Pairs of a pretrained and an untrained model, from the alignment's summary.
    matched: Vec<Matched>,
    aligned: Aligned,
    findings: Vec<Finding>,
}

impl PaperReport {
    /// Everything for which the alignment has the sources and units; `stimulus_scores` says whether there is also a
    /// [`StimulusReport`].
    ///
    /// [`StimulusReport`]: crate::StimulusReport
    ///
    /// # Errors
    /// Options of the bootstrap are out of range.
    pub fn of(alignment: &Alignment, stimulus_scores: bool) -> Result<PaperReport, Error> {
        let aligned = Aligned::of(alignment);
        let settings = aligned.settings();
        let sizes: Vec<usize> = alignment.record.units.iter().map(|(_, n_voxels)| *n_voxels).collect();
        let regions = RegionSizes::of(&aligned.config, &sizes);
        let outside = regions.as_ref().and_then(RegionSizes::warning);
        let depth = layers::depth_profiles(&aligned)?;
        let mut record = PaperRecord {
            provenance: Provenance::new(SCHEMA, "align", Some(settings.seed)),
            fingerprint: alignment.record.fingerprint.clone(),
            references: references::weights(&aligned, settings.prefixes),
            penalties: references::penalties(&aligned),
            matched_case: pair_categories::matched_case(&aligned),
            pair_categories: pair_categories::categories(&aligned)?,
            seeds: SeedControl::all(&aligned),
            high_accuracy: high_accuracy::high_accuracy(&aligned)?,
            next_fold: high_accuracy::next_fold(&aligned),
            objectives: objectives::families(&aligned, &depth)?,
            architectures: architectures::shapes(&aligned)?,
            shape_distances: Quartiles::by_kind(&aligned, &Kind::MODELS, shape_distance),
            depth,
            regions,
            published: Vec::new(),
            absent: Vec::new(),
        };
        record.published = beside_published::beside(alignment, &aligned, &record)?;
        record.absent = absent::absent(&alignment.record, &record, stimulus_scores);
        let outside = outside.map(|why| Finding::warning("region_sizes", "regions", why));
        Ok(PaperReport {
            record,
            findings: outside.into_iter().collect(),
            matched: alignment.record.summary.matched.clone(),
            aligned,
        })
    }

    /// Notes for the alignment's own tables: the origin of regions, and the paper's missing items.
    pub fn notes(&self) -> Vec<String> {
        let regions = self.record.regions.iter().map(|regions| format!("regions are {}", regions.words()));
        let absent = self.record.absent.iter();
        let absent = absent.map(|own| format!("{} ({}) needs {}", own.item, own.shows, own.needs)).join("; ");
        let absent = format!("tables and figures of the paper that are not here: {absent}");
        regions.chain((!self.record.absent.is_empty()).then_some(absent)).collect()
    }

    /// Tables that compare the alignment's values with the paper's; empty if the paper has nothing comparable.
    pub fn published_tables(&self) -> Vec<Table> {
        tables::published(&self.record, &self.aligned)
    }
}

impl Report for PaperReport {
    const FILES: ResultFiles = ResultFiles::of("paper.json", "paper", &[Format::Markdown]);
    type Record = PaperRecord;

    fn record(&self) -> &PaperRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.findings
    }

    fn done(&self) -> String {
        "the paper's other tables are in paper.md".to_owned()
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        tables::all(&self.record, &self.aligned)
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(figures::all(self))
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        let is_own = figures::FIGURES.iter().any(|(name, _)| *name == stem) || stem.starts_with(figures::OBJECTIVES);
        is_own && is_drawn(ending)
    }
}
