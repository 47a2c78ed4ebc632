//! The paper's results beyond the alignment's own tables and figures.

mod architectures;
mod directions;
mod entries;
mod high_accuracy;
mod layers;
mod main_text;
mod objectives;
mod pair_categories;
mod paper_rows;
mod references;
mod seeds;
#[cfg(test)]
mod tests;

pub use architectures::ArchitectureShape;
pub use directions::RegionDirections;
pub use entries::Entry;
pub use high_accuracy::{HighAccuracy, NextFold, Quartiles};
pub use layers::{DepthProfile, LayerScore};
pub use objectives::{FamilyObjectives, ObjectiveScore, ObjectiveScores};
pub use pair_categories::{MatchedCase, OtherCurves, PairCategory};
pub use paper_rows::ModelOfPaper;
pub use references::{ReferenceWeights, SelectedPenalties};
pub use seeds::SeedControl;

use crate::RegionSizes;
use crate::aligned::{Aligned, Kind, shape_distance};
use crate::published::{self, paper};
use itertools::Itertools;
use neurogauge::align::Alignment;
use neurogauge::core::{Finding, counted};
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, is_drawn};
use neurogauge_exhibits::{Absent, Beside, Made, Records};
use serde::Serialize;
use serde_json::Value;

/// Increased when the layout of `paper.json` changes.
const SCHEMA: u32 = 3;
/// The kind of its record among the paper's exhibits.
const RECORDS: &str = "paper";

/// The content of `paper.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PaperRecord {
    /// The program and the seed of the intervals.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// SHA-256 of everything that affects the alignment.
    pub fingerprint: String,
    pub n_subjects: usize,
    pub n_units: usize,
    /// How intervals are computed.
    pub intervals: String,
    /// The k of ProfileMean in tables and figures.
    pub main_length: usize,
    /// Are other subjects sources?
    pub has_brains: bool,
    /// The score of layers, objectives and entries: BrainRefScore, or ProfileMean without other subjects.
    pub score_name: &'static str,
    /// The scores of every source and target unit.
    pub entries: Vec<Entry>,
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
    /// Do the layers of all these models have the same names?
    pub same_layers: bool,
    /// Single directions of references, by region.
    pub directions: Vec<RegionDirections>,
    /// Families of models that were trained on different objectives.
    pub objectives: Vec<FamilyObjectives>,
    /// Subspaces and shapes by architecture and state.
    pub architectures: Vec<ArchitectureShape>,
    /// ShapeDist of entries, by kind of model; empty without other subjects.
    pub shape_distances: Vec<(String, Quartiles)>,
    /// Regions of the Natural Scenes Dataset; `None` for other data.
    pub regions: Option<RegionSizes>,
    /// Models of the paper's Table 5; like the next two empty if the alignment asks a different question.
    pub models: Vec<ModelOfPaper>,
    /// What an alignment of the main text's four architectures alone would find; `None` without all of them.
    pub main_text: Option<Value>,
    /// The paper's values with the alignment's.
    pub published: Vec<Beside>,
    /// Are there scores of stimuli?
    pub stimulus_scores: bool,
    /// Tables and figures of the paper that the alignment does not have.
    pub absent: Vec<Absent>,
}

/// Tables and figures of the paper, from a finished alignment.
#[derive(Debug)]
pub struct PaperReport {
    pub record: PaperRecord,
    made: Made,
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
        let is_comparable = published::is_comparable(&aligned.config);
        let mut seeds = SeedControl::all(&aligned);
        if is_comparable {
            paper_rows::mark(&mut seeds, &aligned);
        }
        let mut record = PaperRecord {
            provenance: Provenance::new(SCHEMA, "align", Some(settings.seed)),
            fingerprint: alignment.record.fingerprint.clone(),
            n_subjects: aligned.units.iter().map(|unit| &unit.unit.subject).unique().count(),
            n_units: aligned.units.len(),
            intervals: aligned.intervals().words(),
            main_length: settings.main_length(),
            has_brains: aligned.has_brains(),
            score_name: aligned.score_name(),
            entries: entries::all(&aligned),
            references: references::weights(&aligned, settings.prefixes),
            penalties: references::penalties(&aligned),
            matched_case: pair_categories::matched_case(&aligned),
            pair_categories: pair_categories::categories(&aligned)?,
            seeds,
            high_accuracy: high_accuracy::high_accuracy(&aligned)?,
            next_fold: high_accuracy::next_fold(&aligned),
            objectives: objectives::families(&aligned, &depth)?,
            architectures: architectures::shapes(&aligned)?,
            shape_distances: Quartiles::by_kind(&aligned, &Kind::MODELS, shape_distance),
            same_layers: depth.iter().map(DepthProfile::names).all_equal(),
            directions: directions::by_region(&aligned),
            depth,
            regions,
            models: Vec::new(),
            main_text: None,
            published: Vec::new(),
            stimulus_scores,
            absent: Vec::new(),
        };
        let records = Records::default().with("align", &alignment.record)?;
        if is_comparable {
            record.models = paper_rows::models(&alignment.record.summary, &aligned);
            record.main_text = main_text::main_text(alignment, &aligned)?;
            record.published = paper()?.beside(&records.clone().with(RECORDS, &record)?)?;
        }
        let made = paper()?.make(&records.with(RECORDS, &record)?, Some(RECORDS))?;
        record.absent = made.absent.clone();
        let outside = outside.map(|why| Finding::warning("region_sizes", "regions", why));
        Ok(PaperReport {
            record,
            made,
            findings: outside.into_iter().collect(),
        })
    }

    /// Notes for the alignment's own tables: the origin of regions.
    pub fn notes(&self) -> Vec<String> {
        self.record.regions.iter().map(|regions| format!("regions are {}", regions.words())).collect()
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
        let tables = counted(self.made.tables().len(), "table");
        match self.record.absent.len() {
            0 => format!("{tables} of the recovery paper"),
            n => format!("{tables} of the recovery paper, and what {n} others need"),
        }
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        self.made.tables().into_iter().chain(self.made.absent_table()).collect()
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(self.made.figures())
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        paper().is_ok_and(|paper| paper.has_figure(RECORDS, stem)) && is_drawn(ending)
    }
}
