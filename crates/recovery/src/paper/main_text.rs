//! The values in the paper's text and Table 3 about the main text's four architectures, for an alignment that has all
//! of them.

use super::{entries, models, pairs};
use crate::aligned::{Aligned, Kind};
use crate::preset::{MODELS, PAIRED_SEED};
use crate::published;
use neurogauge::Error;
use neurogauge::align::{Alignment, ControlScore, SourceFiles, StudySummary, UnitScore};
use neurogauge::alignment::study::Summarising;
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// Results for the main text's four architectures, pretrained and untrained, with the seed of cases and pairs: what an
/// alignment of these alone would find; their `seeds`; and what pretrained models `gain` over the mean of all seeds at
/// each k, with the least and the most from k = 2 to 10. `None` if one of the models is missing.
pub(super) fn main_text(alignment: &Alignment, aligned: &Aligned) -> Result<Option<Value>, Error> {
    let main = || MODELS.iter().filter(|model| model.is_of_main_text());
    let is_there = |id: &str| aligned.config.sources.iter().any(|own| published::id_of(own) == Some(id));
    let paired = |id: &str| format!("{id}-untrained-{PAIRED_SEED}");
    if !main().all(|model| is_there(model.id) && is_there(&paired(model.id))) {
        return Ok(None);
    }
    // The paper uses whole models, so sources with a single layer do not count.
    let of_main =
        |source: &SourceFiles| !source.each_layer && main().any(|own| source.architecture.as_deref() == Some(own.id));
    let with_seeds = aligned.of_sources(of_main);
    let of_pairs = with_seeds.of_sources(|source| published::id_of(source).is_some());
    let gain = gain(&with_seeds);
    let later = || gain.get(1..10).into_iter().flatten().copied();
    let all = |of: fn(&UnitScore) -> Option<f64>| {
        quantile(&of_pairs.of_models().filter_map(of).collect::<Vec<_>>(), 0.5).ok()
    };
    let by_state = |of: fn(&UnitScore) -> Option<f64>| {
        Kind::MODELS.map(|kind| -> Vec<f64> { of_pairs.of_kind(kind).filter_map(of).collect() })
    };
    Ok(Some(json!({
        "summary": summary(alignment, &of_pairs)?,
        "pair_categories": pairs::categories(&of_pairs)?,
        "next_fold": entries::next_fold(&of_pairs),
        "seeds": models::seeds(&with_seeds),
        "gain": gain,
        "later_gain": [later().reduce(f64::min), later().reduce(f64::max)],
        "fits": {
            "median_rank": all(|entry| Some(entry.selected_rank)),
            "median_effective_rank": all(|entry| entry.effective_rank),
            "mean_effective_rank": by_state(|entry| entry.effective_rank).map(mean),
            "median_stability": by_state(|entry| entry.stability).map(|own| quantile(&own, 0.5).ok()),
        },
    })))
}

/// The aggregates over only these sources.
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

/// For each k, TopKCov of pretrained minus untrained models (averaged over seeds), averaged over architectures.
fn gain(aligned: &Aligned) -> Vec<f64> {
    let at = |source: &SourceFiles, k: usize| {
        let own = aligned.of_model(source);
        mean(own.filter_map(|entry| entry.recovered()?.profile.top_k.get(k).copied()))
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
