//! The paper's results beyond the alignment's own tables and figures.

mod entries;
mod main_text;
mod models;
mod pairs;
mod references;
#[cfg(test)]
mod tests;

use crate::aligned::{Aligned, Kind};
use crate::published::{self, paper};
use crate::region_sizes::RegionSizes;
use itertools::Itertools;
use neurogauge::align::Alignment;
use neurogauge::core::{Finding, counted};
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Figures, Provenance, Report, ResultFiles, is_drawn};
use neurogauge_exhibits::{Absent, Beside, Made, Records};
use serde::Serialize;
use serde_json::{Value, json};

/// Increased when the layout of `paper.json` changes.
const SCHEMA: u32 = 5;
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
    /// What the paper's exhibits show, by the names that they give it.
    #[serde(flatten)]
    pub shown: Value,
    /// The paper's values with the alignment's; empty if it asks a different question.
    pub published: Vec<Beside>,
    /// Tables and figures of the paper that the alignment does not have.
    pub absent: Vec<Absent>,
}

/// Tables and figures of the paper, from a finished alignment.
#[derive(Debug)]
pub struct PaperReport {
    pub record: PaperRecord,
    made: Made,
    /// Regions of the Natural Scenes Dataset; `None` for other data.
    regions: Option<RegionSizes>,
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
        let sizes = alignment.record.units.iter().map(|(_, n_voxels)| *n_voxels).collect_vec();
        let regions = RegionSizes::of(&aligned.config, &sizes);
        let is_comparable = published::is_comparable(&aligned.config);
        let main_text = || main_text::main_text(alignment, &aligned);
        let main_text = is_comparable.then(main_text).transpose()?.flatten();
        let sources = models::sources(&aligned)?;
        let layers = sources.iter().filter(|own| !own["depth"].is_null()).chunk_by(|own| &own["model"]);
        let layers = layers.into_iter().map(|(_, own)| own.map(|own| &own["layer"]).collect_vec()).collect_vec();
        let mut record = PaperRecord {
            provenance: Provenance::new(SCHEMA, "align", Some(settings.seed)),
            fingerprint: alignment.record.fingerprint.clone(),
            shown: json!({
                "n_subjects": aligned.units.iter().map(|unit| &unit.unit.subject).unique().count(),
                "n_units": aligned.units.len(),
                "intervals": aligned.intervals().words(),
                "main_length": settings.main_length(),
                "has_brains": aligned.has_brains(),
                "score_name": if aligned.has_brains() { "BrainRefScore" } else { "ProfileMean" },
                "kinds": Kind::ALL.map(Kind::label),
                "entries": entries::all(&aligned),
                "references": references::weights(&aligned, settings.prefixes),
                "penalties": references::penalties(&aligned),
                "matched_case": pairs::matched_case(&aligned),
                "pair_categories": pairs::categories(&aligned)?,
                "seeds": models::seeds(&aligned),
                "high_accuracy": entries::high_accuracy(&aligned)?,
                "next_fold": entries::next_fold(&aligned),
                "architectures": models::architectures(&aligned)?,
                "families": models::families(&sources),
                "same_layers": layers.iter().all_equal(),
                "directions": references::directions(&aligned),
                "regions": regions,
                "sources": sources,
                "main_text": main_text,
                "stimulus_scores": stimulus_scores,
            }),
            published: Vec::new(),
            absent: Vec::new(),
        };
        let records = Records::default().with("align", &alignment.record)?;
        if is_comparable {
            record.published = paper()?.beside(&records.clone().with(RECORDS, &record)?)?;
        }
        let made = paper()?.make(&records.with(RECORDS, &record)?, Some(RECORDS))?;
        record.absent.clone_from(&made.absent);
        let outside = regions.iter().filter_map(RegionSizes::warning);
        Ok(PaperReport {
            findings: outside.map(|why| Finding::warning("region_sizes", "regions", why)).collect(),
            record,
            made,
            regions,
        })
    }

    /// Notes for the alignment's own tables: the origin of regions.
    pub fn notes(&self) -> Vec<String> {
        self.regions.iter().map(|regions| format!("regions are {}", regions.words())).collect()
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
