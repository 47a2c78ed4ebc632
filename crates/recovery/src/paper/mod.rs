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
use crate::shown::{PaperReport, Shown};
use itertools::Itertools;
use neurogauge::align::Alignment;
use neurogauge::core::{Finding, counted};
use neurogauge::{Error, Provenance};
use neurogauge_exhibits::Records;
use serde_json::json;

impl PaperReport {
    /// Everything for which the alignment has the sources and units; with `stimulus_scores` there is a
    /// [`StimulusReport`](crate::StimulusReport) too.
    ///
    /// # Errors
    /// Options of the bootstrap are out of range.
    pub fn of(alignment: &Alignment, stimulus_scores: bool) -> Result<PaperReport, Error> {
        let aligned = Aligned::of(alignment);
        let settings = &aligned.config.settings;
        let sizes = alignment.record.units.iter().map(|(_, n_voxels)| *n_voxels).collect_vec();
        let regions = published::regions(&aligned.config, &sizes);
        let sources = models::sources(&aligned)?;
        let layers = sources.iter().filter(|own| !own["depth"].is_null());
        let layers = layers.map(|own| (own["model"].as_str(), &own["layer"])).into_group_map();
        let mut shown = json!({
            "fingerprint": alignment.record.fingerprint,
            "n_subjects": aligned.units.iter().map(|unit| &unit.unit.subject).unique().count(),
            "n_units": aligned.units.len(),
            "intervals": aligned.intervals().words(),
            "main_length": settings.main_length(),
            "has_brains": aligned.has_brains(),
            "score_name": if aligned.has_brains() { "BrainRefScore" } else { "ProfileMean" },
            "kinds": Kind::ALL,
            "entries": entries::all(&aligned)?,
            "references": references::weights(&aligned, settings.prefixes),
            "penalties": references::penalties(&aligned),
            "matched_case": pairs::matched_case(&aligned),
            "pair_categories": pairs::categories(&aligned)?,
            "seeds": models::seeds(&aligned),
            "high_accuracy": entries::high_accuracy(&aligned),
            "next_fold": entries::next_fold(&aligned),
            "architectures": models::architectures(&aligned)?,
            "families": models::families(&sources),
            "same_layers": layers.values().all_equal(),
            "directions": references::directions(&aligned),
            "regions": regions.as_ref().map(|(words, _)| words),
            "sources": sources,
            "main_text": main_text::main_text(alignment, &aligned)?,
            "stimulus_scores": stimulus_scores,
            "published": [],
        });
        let records = Records::default().with("align", &alignment.record)?;
        if published::is_comparable(&aligned.config) {
            shown["published"] = json!(paper()?.beside(&records.clone().with("paper", &shown)?)?);
        }
        let provenance = Provenance::new(Self::SCHEMA, "align", Some(settings.seed));
        let mut report = Shown::new(provenance, shown, records, String::new())?;
        report.record.shown["absent"] = json!(report.made.absent);
        let needed = match report.made.absent.len() {
            0 => String::new(),
            n => format!(", and what {n} others need"),
        };
        report.done = format!("{} of the recovery paper{needed}", counted(report.made.tables().len(), "table"));
        if let Some((words, warning)) = regions {
            report.notes.push(format!("regions are {words}"));
            report.findings.extend(warning.map(|why| Finding::warning("region_sizes", "regions", why)));
        }
        Ok(report)
    }
}
