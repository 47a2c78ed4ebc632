//! The paper's results beyond the alignment's own tables and figures, and the values in its text and Table 3 about the main
//! text's four architectures.

mod entries;
mod models;
mod pairs;
#[cfg(test)]
mod tests;

use crate::aligned::{Aligned, Kind};
use crate::preset::{self, paper};
use crate::shown::{PaperReport, Shown};
use itertools::Itertools;
use neurogauge::align::{Alignment, ControlScore, SourceFiles, SourceSummary, StudySummary};
use neurogauge::alignment::study::Summarising;
use neurogauge::core::{Finding, counted};
use neurogauge::stats::mean;
use neurogauge::{Error, Provenance};
use neurogauge_exhibits::Records;
use serde_json::{Value, json};

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
        let regions = preset::regions(&aligned.config, &sizes);
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
            "references": entries::weights(&aligned, settings.prefixes),
            "penalties": entries::penalties(&aligned),
            "matched_case": pairs::matched_case(&aligned),
            "pair_categories": pairs::categories(&aligned)?,
            "seeds": models::seeds(&aligned),
            "high_accuracy": entries::high_accuracy(&aligned),
            "next_fold": entries::next_fold(&aligned),
            "architectures": models::architectures(&aligned)?,
            "families": models::families(&sources),
            "same_layers": layers.values().all_equal(),
            "directions": entries::directions(&aligned),
            "regions": regions.as_ref().map(|(words, _)| words),
            "sources": sources,
            "main_text": main_text(alignment, &aligned)?,
            "stimulus_scores": stimulus_scores,
            "published": [],
        });
        let records = Records::default().with("align", &alignment.record)?;
        if preset::is_comparable(&aligned.config) {
            shown["published"] = json!(paper()?.beside(&records.clone().with("paper", &shown)?)?);
        }
        let provenance = Provenance::new(Self::SCHEMA, "align", Some(settings.seed));
        let mut report = Shown::new(provenance, shown, records, String::new())?;
        report.record.shown["absent"] = json!(report.made.absent);
        let needed = match report.made.absent.len() {
            0 => String::new(),
            n => format!(", and what {n} others need"),
        };
        let n_tables = report.made.exhibits.iter().filter(|own| own.table.is_some()).count();
        report.done = format!("{} of the recovery paper{needed}", counted(n_tables, "table"));
        if let Some((words, warning)) = regions {
            report.notes.push(format!("regions are {words}"));
            report.findings.extend(warning.map(|why| Finding::warning("region_sizes", "regions", why)));
        }
        Ok(report)
    }
}

/// Results for the main text's four architectures, pretrained and untrained, with the seed of cases and pairs: what an
/// alignment of these alone would find; their `seeds`; and what pretrained models `gain` over the mean of all seeds at
/// each k. `None` for other data, or if one of the models is missing.
fn main_text(alignment: &Alignment, aligned: &Aligned) -> Result<Option<Value>, Error> {
    let main = preset::models()?.iter().filter(|own| preset::is_of(own, "main"));
    let main = main.filter_map(|own| own["model"].as_str()).filter(|id| preset::has_row(id)).collect_vec();
    let there = aligned.config.sources.iter().filter_map(preset::id_of).collect_vec();
    if !preset::is_comparable(&aligned.config) || !main.iter().all(|id| there.contains(id)) {
        return Ok(None);
    }
    // The paper uses whole models, so sources with a single layer do not count.
    let of_main = |source: &SourceFiles| {
        !source.each_layer && source.architecture.as_deref().is_some_and(|architecture| main.contains(&architecture))
    };
    let with_seeds = aligned.of_sources(of_main);
    let of_pairs = with_seeds.of_sources(|source| preset::id_of(source).is_some());
    Ok(Some(json!({
        "summary": summary(alignment, &of_pairs)?,
        "pair_categories": pairs::categories(&of_pairs)?,
        "next_fold": entries::next_fold(&of_pairs),
        "seeds": models::seeds(&with_seeds),
        "gain": gain(alignment, &with_seeds),
        "entries": entries::all(&of_pairs)?,
    })))
}

/// The aggregates over only these sources.
fn summary(alignment: &Alignment, aligned: &Aligned) -> Result<StudySummary, Error> {
    let descriptions = aligned.config.sources.iter().map(|source| source.described(None)).collect_vec();
    let is_own = |control: &&ControlScore| {
        control.donor || control.source.as_ref().is_none_or(|name| aligned.model(name, false).is_some())
    };
    let summarising = Summarising {
        settings: &aligned.config.settings,
        sources: &descriptions,
        blocks: &alignment.run.blocks,
        units: &aligned.units,
        unit_scores: &aligned.entries,
        controls: &alignment.controls.iter().filter(is_own).cloned().collect_vec(),
    };
    Ok(summarising.summary()?)
}

/// For each k, TopKCov of pretrained minus untrained models (averaged over seeds), averaged over architectures.
fn gain(alignment: &Alignment, aligned: &Aligned) -> Vec<f64> {
    let is_own = |own: &&SourceSummary| aligned.model(&own.source, false).is_some();
    let (untrained, trained): (Vec<_>, Vec<_>) =
        alignment.record.summary.sources.iter().filter(is_own).partition(|own| own.seed.is_some());
    let at_k = |k: usize| {
        mean(trained.iter().filter_map(|one| {
            let seeds = untrained.iter().filter(|own| own.architecture == one.architecture);
            Some(one.curve.get(k)? - mean(seeds.filter_map(|own| own.curve.get(k).copied()))?)
        }))
    };
    (0..aligned.config.settings.prefixes).map_while(at_k).collect()
}
