//! What the paper reports of a study beyond the alignment's own tables and figures.

mod absent;
mod beside_published;
mod figures;
mod high_accuracy;
mod layers;
mod main_text;
mod matched_pairs;
mod pair_categories;
mod references;
mod region_figure;
mod seeds;
mod tables;
#[cfg(test)]
mod tests;

pub use absent::Absent;
pub use beside_published::BesidePublished;
pub use high_accuracy::{HighAccuracy, NextFold, Quartiles};
pub use layers::{DepthProfile, LayerScore};
pub use pair_categories::{MatchedCase, PairCategory};
pub use references::{ReferenceWeights, SelectedPenalties};
pub use seeds::SeedControl;

use crate::RegionSizes;
use crate::aligned::Aligned;
use neurogauge::align::{Alignment, Matched};
use neurogauge::core::Warning;
use neurogauge::report::{Format, ResultTable};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles};
use serde::Serialize;

/// Raised when the layout of `paper.json` changes.
const SCHEMA: u32 = 2;

/// The content of `paper.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PaperRecord {
    /// The program and the seed of the intervals.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// SHA-256 of all that decides the alignment.
    pub fingerprint: String,
    /// Weights of the references.
    pub references: ReferenceWeights,
    /// What was selected in fits; none without a fit.
    pub penalties: Option<SelectedPenalties>,
    /// The best matched pair of a pretrained and an untrained model; none without one.
    pub matched_case: Option<MatchedCase>,
    /// Pairs of nearly equal accuracy, by what they are.
    pub pair_categories: Vec<PairCategory>,
    /// Untrained models over their seeds.
    pub seeds: Vec<SeedControl>,
    /// Models of the highest accuracy; none without a BrainRefScore.
    pub high_accuracy: Option<HighAccuracy>,
    /// Profiles of the next fold; none without one.
    pub next_fold: Option<NextFold>,
    /// Models whose layers are sources of their own.
    pub depth: Vec<DepthProfile>,
    /// Regions of the Natural Scenes Dataset; none of other data.
    pub regions: Option<RegionSizes>,
    /// Values that the paper prints, beside the alignment's; none where it asks another question.
    pub published: Vec<BesidePublished>,
    /// Tables and figures of the paper that the alignment does not give.
    pub absent: Vec<Absent>,
}

/// Tables and figures of the paper, out of a finished alignment.
#[derive(Debug)]
pub struct PaperReport {
    /// The numbers.
    pub record: PaperRecord,
    /// Pairs of a pretrained and an untrained model, as the alignment's own summary has them.
    matched: Vec<Matched>,
    aligned: Aligned,
    warnings: Vec<Warning>,
}

impl PaperReport {
    /// Everything that the alignment has the sources and units for.
    ///
    /// # Errors
    /// Options of the bootstrap out of range.
    pub fn of(alignment: &Alignment) -> Result<PaperReport, Error> {
        let aligned = Aligned::of(alignment);
        let settings = aligned.settings();
        let seed = Some(settings.seed);
        let sizes = alignment.record.units.iter();
        let sizes: Vec<usize> = sizes.map(|(_, n_voxels)| *n_voxels).collect();
        let regions = RegionSizes::of(&aligned.config, &sizes);
        let outside = regions.as_ref().and_then(RegionSizes::warning);
        let mut record = PaperRecord {
            provenance: Provenance::new(SCHEMA, "align", seed),
            fingerprint: alignment.record.fingerprint.clone(),
            references: references::weights(&aligned, settings.prefixes),
            penalties: references::penalties(&aligned),
            matched_case: pair_categories::matched_case(&aligned),
            pair_categories: pair_categories::categories(&aligned)?,
            seeds: SeedControl::all(&aligned),
            high_accuracy: high_accuracy::high_accuracy(&aligned)?,
            next_fold: high_accuracy::next_fold(&aligned),
            depth: layers::depth_profiles(&aligned)?,
            regions,
            published: Vec::new(),
            absent: Vec::new(),
        };
        record.published = beside_published::beside(alignment, &aligned, &record)?;
        record.absent = absent::absent(&alignment.record, &record);
        let outside = outside.map(|why| Warning::new("region_sizes", "regions", why));
        Ok(PaperReport {
            record,
            warnings: outside.into_iter().collect(),
            matched: alignment.record.summary.matched.clone(),
            aligned,
        })
    }

    /// What should be said beside the alignment's own tables: where regions come from, and what of the paper is absent.
    pub fn notes(&self) -> Vec<String> {
        let regions = self.record.regions.iter();
        let mut notes: Vec<String> = regions
            .map(|regions| format!("regions are {}", regions.words()))
            .collect();
        let absent = self.record.absent.iter();
        let absent: Vec<String> = absent
            .map(|own| format!("{} ({}) needs {}", own.item, own.shows, own.needs))
            .collect();
        if !absent.is_empty() {
            notes.push(format!(
                "tables and figures of the paper that are not here: {}",
                absent.join("; ")
            ));
        }
        notes
    }

    /// Tables of what the paper prints beside the alignment's values; none where it prints nothing comparable.
    pub fn published_tables(&self) -> Vec<ResultTable> {
        let tables = tables::published(&self.record, &self.aligned).into_iter();
        tables.map(ResultTable::from).collect()
    }
}

impl Report for PaperReport {
    const FILES: ResultFiles = ResultFiles {
        record: "paper.json",
        tables: "paper",
        formats: &[Format::Markdown],
    };
    type Record = PaperRecord;

    fn record(&self) -> &PaperRecord {
        &self.record
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn done(&self) -> String {
        "the paper's other tables are in paper.md".to_owned()
    }

    fn tables(&self, _: Format) -> Vec<ResultTable> {
        let tables = tables::all(&self.record, &self.aligned).into_iter();
        tables.map(ResultTable::from).collect()
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(figures::all(&self.record, &self.matched, &self.aligned))
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        figures::NAMES.contains(&stem) && ["svg", "png", "pdf"].contains(&ending)
    }
}
