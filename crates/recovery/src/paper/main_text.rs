//! The values in the paper's text and Table 3 about the main text's four architectures, from an alignment that has all
//! of them.

use super::beside_published::{Own, alone, direction, of_estimate, of_outcome};
use super::{NextFold, PairCategory, SeedControl, high_accuracy, pair_categories};
use crate::aligned::{Aligned, Kind};
use crate::preset::{MODELS, PAIRED_SEED, is_of_main_text};
use crate::published;
use neurogauge::Error;
use neurogauge::align::{Alignment, ControlScore, SourceFiles, StudySummary, UnitScore};
use neurogauge::alignment::study::{Baseline, Summarising};
use neurogauge::stats::{mean, quantile};

/// The main text's four architectures: pretrained, untrained with the seed of cases and pairs, and the mean over all
/// seeds.
pub(super) struct MainText {
    aligned: Aligned,
    summary: StudySummary,
    categories: Vec<PairCategory>,
    next_fold: Option<NextFold>,
    seeds: Vec<SeedControl>,
    /// For each k: pretrained minus the mean over seeds.
    gain: Vec<f64>,
}

impl MainText {
    /// `None` if one of its models is missing.
    pub(super) fn of(alignment: &Alignment, aligned: &Aligned) -> Result<Option<MainText>, Error> {
        let main = || MODELS.iter().filter(|model| is_of_main_text(model));
        let is_there = |id: &str| aligned.config.sources.iter().any(|own| published::id_of(own) == Some(id));
        let paired = |id: &str| format!("{id}-untrained-{PAIRED_SEED}");
        if !main().all(|model| is_there(model.id) && is_there(&paired(model.id))) {
            return Ok(None);
        }
        // The paper's models are whole; a layer as a source of its own is none of them.
        let of_main = |source: &SourceFiles| {
            !source.each_layer && main().any(|own| source.architecture.as_deref() == Some(own.id))
        };
        let with_seeds = aligned.of_sources(of_main);
        let of_pairs = with_seeds.of_sources(|source| published::id_of(source).is_some());
        Ok(Some(MainText {
            summary: summary(alignment, &of_pairs)?,
            categories: pair_categories::categories(&of_pairs)?,
            next_fold: high_accuracy::next_fold(&of_pairs),
            gain: gain(&with_seeds),
            seeds: SeedControl::all(&with_seeds),
            aligned: of_pairs,
        }))
    }

    pub(super) fn value(&self, key: &str) -> Option<Own> {
        let n = |count: usize| Some((count as f64, None));
        if let Some(limit) = key.strip_prefix("limit_") {
            let (limit, what) = limit.split_once('_').unwrap_or((limit, ""));
            let limit: f64 = limit.parse().ok()?;
            let found = self.summary.matched.iter().find(|own| own.limit == limit)?;
            return match what {
                "n" => n(found.pairs.n),
                "positive" => alone(found.pairs.positive),
                _ => of_estimate(&found.difference),
            };
        }
        let near = || {
            let mut all = self.categories.iter();
            all.find(|own| own.limit == pair_categories::MAIN_LIMIT && own.pairs == pair_categories::SAME_ARCHITECTURE)
        };
        let overall = || self.seeds.iter().find(|own| own.architecture == "overall");
        let sensitivity = |k: usize| of_estimate(&self.summary.sensitivity.iter().find(|own| own.k == k)?.difference);
        let score = |baseline, sources: &str| {
            let mut controls = self.summary.controls.iter();
            let found = controls.find(|own| own.control == baseline && own.sources.as_deref() == Some(sources));
            of_estimate(&found?.brain_ref_score)
        };
        let (trained, untrained) = ("pretrained models", "untrained models");
        let later = || self.gain.get(1..10).map(|later| later.iter().copied());
        match key {
            "near_n" => n(near()?.difference.n),
            "near_difference" => of_estimate(&near()?.difference),
            "near_accuracy" => alone(near()?.accuracy_difference),
            "near_threshold" => alone(near()?.human_threshold),
            "near_beyond" => alone(near()?.beyond),
            "near_in_favour" => alone(near()?.beyond_in_favour),
            "seeds_gap" => Some((overall()?.gap, None)),
            "seeds_sd" => Some((overall()?.sd, None)),
            "gain_k1" => alone(self.gain.first().copied()),
            "gain_lowest" => alone(later()?.reduce(f64::min)),
            "gain_highest" => alone(later()?.reduce(f64::max)),
            "selected_pretrained" => score(Baseline::Selected, trained),
            "selected_untrained" => score(Baseline::Selected, untrained),
            "fixed_2_pretrained" => score(Baseline::FixedRank(2), trained),
            "fixed_2_untrained" => score(Baseline::FixedRank(2), untrained),
            "fixed_3_pretrained" => score(Baseline::FixedRank(3), trained),
            "fixed_3_untrained" => score(Baseline::FixedRank(3), untrained),
            "balanced_pearson" => of_outcome(&self.summary.balanced.as_ref()?.profile_means.pearson),
            "balanced_shift" => of_estimate(&self.summary.balanced.as_ref()?.shift),
            "k_5" => sensitivity(5),
            "k_10" => sensitivity(10),
            "k_20" => sensitivity(20),
            "directions_pretrained" => of_outcome(&direction(&self.summary, trained)?.pearson),
            "directions_untrained" => of_outcome(&direction(&self.summary, untrained)?.pearson),
            "directions_pretrained_quarters" => alone(direction(&self.summary, trained)?.high_less_low),
            "directions_untrained_quarters" => alone(direction(&self.summary, untrained)?.high_less_low),
            "next_fold_pearson" => of_outcome(&self.next_fold.as_ref()?.pearson),
            "next_fold_ratio" => alone(self.next_fold.as_ref()?.mean_ratio),
            "source_rank" => self.median(None, |entry| Some(entry.selected_rank)),
            "source_effective_rank" => self.median(None, |entry| entry.effective_rank),
            "source_effective_pretrained" => {
                alone(mean(self.entries(Some(Kind::Pretrained), |entry| entry.effective_rank)))
            }
            "source_effective_untrained" => {
                alone(mean(self.entries(Some(Kind::Untrained), |entry| entry.effective_rank)))
            }
            "stability_pretrained" => self.median(Some(Kind::Pretrained), |entry| entry.stability),
            "stability_untrained" => self.median(Some(Kind::Untrained), |entry| entry.stability),
            _ => None,
        }
    }

    /// A quantity of the entries of models of a kind, or of all models.
    fn entries(&self, kind: Option<Kind>, of: fn(&UnitScore) -> Option<f64>) -> Vec<f64> {
        let own = self.aligned.of_models().filter(|entry| kind.is_none_or(|kind| self.aligned.kind_of(entry) == kind));
        own.filter_map(of).collect()
    }

    fn median(&self, kind: Option<Kind>, of: fn(&UnitScore) -> Option<f64>) -> Option<Own> {
        alone(quantile(&self.entries(kind, of), 0.5).ok())
    }
}

/// The aggregates over these sources only.
fn summary(alignment: &Alignment, aligned: &Aligned) -> Result<StudySummary, Error> {
    let descriptions = aligned.config.sources.iter().map(|source| source.described(None));
    let is_own = |control: &&ControlScore| {
        let mut sources = aligned.config.sources.iter();
        let name = control.source.as_ref();
        control.donor || name.is_none_or(|name| sources.any(|own| own.name == *name))
    };
    let controls = alignment.controls.iter().filter(is_own);
    let summarising = Summarising {
        settings: aligned.settings(),
        sources: &descriptions.collect::<Vec<_>>(),
        blocks: &alignment.run.blocks,
        units: &aligned.units,
        unit_scores: &aligned.entries,
        controls: &controls.cloned().collect::<Vec<_>>(),
    };
    Ok(summarising.summary()?)
}

/// For each k, the TopKCov of pretrained minus untrained models (averaged over seeds), averaged over architectures.
fn gain(aligned: &Aligned) -> Vec<f64> {
    let at = |source: &SourceFiles, k: usize| {
        let own = aligned.of_model(source);
        mean(own.filter_map(|entry| entry.recovered.as_ref().ok()?.profile.top_k.get(k).copied()))
    };
    let sources = || aligned.config.sources.iter();
    let trained = || sources().filter(|own| own.seed.is_none());
    let at_k = |k: usize| {
        mean(trained().filter_map(|one| {
            let seeds = sources().filter(|own| own.seed.is_some() && own.architecture == one.architecture);
            Some(at(one, k)? - mean(seeds.filter_map(|own| at(own, k)))?)
        }))
    };
    (0..aligned.settings().prefixes).map_while(at_k).collect()
}
