//! An alignment's values beside the paper's.

use super::main_text::MainText;
use super::{PaperRecord, SeedControl};
use crate::aligned::Aligned;
use crate::preset::{MODELS, is_of_main_text};
use crate::published::{self, Printed, PublishedValue};
use neurogauge::Error;
use neurogauge::align::{Alignment, DirectionSummary, SourceSummary, StudySummary};
use neurogauge::alignment::UnitEstimate;
use neurogauge::alignment::study::{Baseline, OTHER_SUBJECTS};
use neurogauge::core::Outcome;
use serde::Serialize;

/// A quantity in the alignment and in the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BesidePublished {
    /// Its place in the paper.
    pub place: String,
    /// The model or architecture of Tables 4 and 5; empty if the quantity already names its subject.
    pub of: String,
    pub quantity: String,
    /// The alignment's value.
    pub here: f64,
    pub interval: Option<(f64, f64)>,
    /// The paper's value.
    pub published: f64,
    /// The interval of the paper's value.
    pub published_interval: Option<(f64, f64)>,
    #[serde(skip)]
    pub(super) decimals: usize,
}

/// A value, and its interval if there is one.
pub(super) type Own = (f64, Option<(f64, f64)>);

pub(super) fn of_estimate(of: &UnitEstimate) -> Option<Own> {
    Some((of.mean?, of.interval))
}

pub(super) fn alone(value: Option<f64>) -> Option<Own> {
    Some((value?, None))
}

pub(super) fn of_outcome(outcome: &Outcome) -> Option<Own> {
    alone(outcome.as_ref().ok().copied())
}

impl BesidePublished {
    fn new([place, of, quantity]: [&str; 3], own: Own, published: Printed) -> Self {
        BesidePublished {
            place: place.to_owned(),
            of: of.to_owned(),
            quantity: quantity.to_owned(),
            here: own.0,
            interval: own.1,
            published: published.value,
            published_interval: None,
            decimals: published.decimals,
        }
    }
}

/// All values of the text and of Tables 3 to 5 that the alignment has; empty if it asks a different question from the
/// paper.
pub(super) fn beside(
    alignment: &Alignment,
    aligned: &Aligned,
    record: &PaperRecord,
) -> Result<Vec<BesidePublished>, Error> {
    if !published::is_comparable(&aligned.config) {
        return Ok(Vec::new());
    }
    let values = Values {
        record,
        summary: &alignment.record.summary,
        main: MainText::of(alignment, aligned)?,
    };
    let mut found: Vec<BesidePublished> = published::values().filter_map(|printed| values.beside(printed)).collect();
    found.extend(of_seeds(record, aligned));
    found.extend(of_models(&alignment.record.summary.sources, aligned));
    Ok(found)
}

/// Table 5.
fn of_models(sources: &[SourceSummary], aligned: &Aligned) -> Vec<BesidePublished> {
    let mut found = Vec::new();
    for source in sources {
        let model = aligned.config.sources.iter().find(|own| own.name == source.source);
        let Some(id) = model.and_then(published::id_of) else {
            continue;
        };
        let own = [
            ("accuracy", Some(&source.accuracy)),
            ("ProfileMean", source.profile_mean()),
            ("BrainRefScore", Some(&source.brain_ref_score)),
            ("ShapeDist", Some(&source.shape_distance)),
        ];
        for ((quantity, own), printed) in own.into_iter().zip(published::of_model(id).into_iter().flatten()) {
            let Some(own) = own.and_then(of_estimate) else {
                continue;
            };
            found.push(BesidePublished::new(["Table 5", id, quantity], own, printed));
        }
    }
    found
}

/// Table 4, for architectures with all four untrained models.
fn of_seeds(record: &PaperRecord, aligned: &Aligned) -> Vec<BesidePublished> {
    let is_paper_s = |name: &str| {
        let of_main = MODELS.iter().filter(|model| is_of_main_text(model));
        let known = aligned.config.sources.iter().find(|own| own.model.as_deref() == Some(name));
        of_main.into_iter().any(|model| model.id == name) && known.is_some_and(|own| published::id_of(own).is_some())
    };
    let of_main = |own: &&SeedControl| own.n_seeds == 4 && is_paper_s(&own.architecture);
    let n_main = record.seeds.iter().filter(of_main).count();
    let n_all = record.seeds.iter().filter(|own| own.architecture != "overall").count();
    let is_shown = |own: &&SeedControl| match own.architecture.as_str() {
        "overall" => n_main == 4 && n_all == 4,
        _ => of_main(own),
    };
    let mut found = Vec::new();
    for seeds in record.seeds.iter().filter(is_shown) {
        let own = [
            ("pretrained ProfileMean", Some(seeds.pretrained)),
            ("mean over seeds", Some(seeds.mean)),
            ("SD over seeds", Some(seeds.sd)),
            ("lowest seed", Some(seeds.range.0)),
            ("highest seed", Some(seeds.range.1)),
            ("gap", Some(seeds.gap)),
            ("SD / gap", seeds.sd_over_gap),
        ];
        let printed = published::of_seeds(&seeds.architecture).into_iter().flatten();
        for ((quantity, own), printed) in own.into_iter().zip(printed) {
            let Some((own, printed)) = alone(own).zip(printed) else {
                continue;
            };
            found.push(BesidePublished::new(["Table 4", &seeds.architecture, quantity], own, printed));
        }
    }
    found
}

/// The data that values are computed from.
struct Values<'a> {
    record: &'a PaperRecord,
    summary: &'a StudySummary,
    main: Option<MainText>,
}

impl Values<'_> {
    fn beside(&self, printed: PublishedValue) -> Option<BesidePublished> {
        let own = match &self.main {
            Some(main) => self.of_brains(printed.key).or_else(|| main.value(printed.key)),
            None => self.of_brains(printed.key),
        };
        let what = [printed.place, "", printed.quantity];
        Some(BesidePublished {
            published_interval: printed.interval.map(|(low, high)| (low.value, high.value)),
            ..BesidePublished::new(what, own?, printed.printed)
        })
    }

    /// Values that do not depend on models.
    fn of_brains(&self, key: &str) -> Option<Own> {
        let brains = self.summary.sources.iter().find(|source| source.source == OTHER_SUBJECTS);
        let covered = |k: usize| alone(brains?.curve.get(k - 1).copied());
        let weight = |k: usize| alone(self.record.references.cumulative.get(k - 1).copied());
        let pca = |baseline| {
            let found = self.summary.controls.iter().find(|own| own.control == baseline && own.sources.is_none());
            of_estimate(&found?.full_ref_cov)
        };
        let balanced = self.summary.balanced.as_ref();
        match key {
            "brains_k1" => covered(1),
            "brains_k10" => covered(10),
            "brains_full" => of_estimate(&brains?.full_ref_cov),
            "weight_3" => weight(3),
            "weight_10" => weight(10),
            "effective_rank" => alone(self.record.references.median_effective_rank),
            "pca_1" => pca(Baseline::TargetPca(1)),
            "pca_2" => pca(Baseline::TargetPca(2)),
            "pca_matched" => pca(Baseline::TargetPcaMatched),
            "balanced_soft" => of_estimate(&balanced?.soft),
            "balanced_hard" => of_estimate(&balanced?.hard),
            "directions_brains" => of_outcome(&direction(self.summary, OTHER_SUBJECTS)?.pearson),
            "directions_brains_quarters" => alone(direction(self.summary, OTHER_SUBJECTS)?.high_less_low),
            _ => None,
        }
    }
}

pub(super) fn direction<'a>(summary: &'a StudySummary, sources: &str) -> Option<&'a DirectionSummary> {
    summary.directions.iter().find(|own| own.sources == sources)
}
