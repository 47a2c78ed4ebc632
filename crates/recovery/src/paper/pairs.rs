//! Pairs of sources with nearly equal accuracy for one target unit, by the kinds of their sources (Figure 3C), and the
//! best matched case (Figure 3A).

use crate::aligned::Kind::{Pretrained, Subject, Untrained};
use crate::aligned::{Aligned, are_alike};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::alignment::{ACCURACY_LIMITS, Band, UnitEntry};
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// The limit that figures and tables use.
pub(super) const MAIN_LIMIT: f64 = 0.01;

/// Pairs that differ only in training.
pub(super) const SAME_ARCHITECTURE: &str = "pretrained and untrained, same architecture";
/// The place of these among the categories, from which on differences have a sign.
const SIGNED: usize = 5;

/// Two sources of one target unit, with their ProfileMean.
type Pair<'a> = [(&'a UnitScore, f64); 2];

/// All pairs of each category that have a ProfileMean. The kinds of a pair are in the order of [`Kind`].
fn pairs(aligned: &Aligned) -> [(&'static str, Vec<Pair<'_>>); 7] {
    let mut found = [
        "two subjects",
        "a subject and a pretrained model",
        "a subject and an untrained model",
        "two pretrained models",
        "two untrained models",
        SAME_ARCHITECTURE,
        "pretrained and untrained, other architecture",
    ]
    .map(|words| (words, Vec::new()));
    let is_chosen = |entry: &&UnitScore| aligned.model_of(entry).is_none_or(|model| aligned.is_paired_seed(model));
    let entries = aligned.entries.iter().filter(is_chosen);
    let scored = entries.filter_map(|entry| Some((entry, entry.profile_mean()?))).collect_vec();
    for of_unit in scored.chunk_by(|one, next| one.0.unit == next.0.unit) {
        let by_kind = of_unit.iter().copied().sorted_by_key(|own| aligned.kind_of(own.0));
        for (one, other) in by_kind.tuple_combinations() {
            let models = aligned.model_of(one.0).zip(aligned.model_of(other.0));
            let place = match [one, other].map(|own| aligned.kind_of(own.0)) {
                [Subject, Subject] => 0,
                [Subject, Pretrained] => 1,
                [Subject, _] => 2,
                [Pretrained, Pretrained] => 3,
                [Untrained, _] => 4,
                _ => match models.filter(|(one, _)| one.architecture.is_some()) {
                    Some((one, other)) if are_alike(one, other) => SIGNED,
                    // Another layer.
                    Some((one, other)) if one.architecture == other.architecture => continue,
                    _ => SIGNED + 1,
                },
            };
            found[place].1.push([one, other]);
        }
    }
    found
}

/// The absolute difference of the accuracies.
fn apart([one, other]: &Pair<'_>) -> f64 {
    (one.0.accuracy - other.0.accuracy).abs()
}

/// All categories at all limits; the estimates of those without a pair are undefined. Differences are pretrained minus
/// untrained where `signed`, otherwise absolute. The threshold is the 90th percentile between two subjects; `beyond` is the
/// share of pairs past it, `beyond_in_favour` that in favour of the pretrained model.
pub(super) fn categories(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let (mut found, all) = (Vec::new(), pairs(aligned));
    for limit in ACCURACY_LIMITS {
        let mut threshold = None;
        for (place, (words, pairs)) in all.iter().enumerate() {
            let near = pairs.iter().filter(|pair| apart(pair) <= limit).collect_vec();
            let signed = place >= SIGNED;
            let signless = |gain: f64| if signed { gain } else { gain.abs() };
            let value = |[one, other]: &Pair<'_>| signless(one.1 - other.1);
            let differences = near.iter().map(|pair| value(pair)).collect_vec();
            if place == 0 {
                threshold = quantile(&differences, 0.9).ok();
            }
            let share = |is_in: &dyn Fn(f64) -> bool| mean(differences.iter().map(|d| f64::from(is_in(*d))));
            let difference = aligned.estimate(near.iter().map(|pair| UnitEntry {
                unit: &pair[0].0.unit,
                donors: pair.iter().filter(|own| own.0.donor).map(|own| own.0.source.as_str()).collect(),
                value: value(pair),
            }))?;
            found.push(json!({
                "pairs": words,
                "limit": limit,
                "difference": difference,
                "accuracy_difference": mean(near.iter().map(|pair| apart(pair))),
                "human_threshold": threshold,
                "beyond": threshold.and_then(|t| share(&|d| d.abs() > t)),
                "beyond_in_favour": threshold.filter(|_| signed).and_then(|t| share(&|d| d > t)),
                "differences": if limit == MAIN_LIMIT { differences } else { Vec::new() },
            }));
        }
    }
    Ok(found)
}

/// The best matched pair of a pretrained and an untrained model of one architecture, with their curves and those of other
/// subjects; null if accuracies differ by more than the widest limit. It is chosen by accuracy alone, so the choice favours
/// no outcome.
pub(super) fn matched_case(aligned: &Aligned) -> Value {
    let near = pairs(aligned)[SIGNED].1.iter().min_by(|one, other| apart(one).total_cmp(&apart(other))).copied();
    let Some(nearest) = near.filter(|pair| apart(pair) <= ACCURACY_LIMITS[ACCURACY_LIMITS.len() - 1]) else {
        return Value::Null;
    };
    let profile = |entry: &UnitScore| Some(entry.recovered()?.profile.clone());
    let unit = &nearest[0].0.unit;
    let donors = aligned.entries.iter().filter(|entry| entry.donor && entry.unit == *unit).filter_map(profile);
    let others = Band::new(&donors.collect_vec()).ok();
    json!({
        "unit": unit,
        "sources": nearest.map(|own| &own.0.source),
        "accuracy": nearest.map(|own| own.0.accuracy),
        "profile_mean": nearest.map(|own| own.1),
        "curves": nearest.map(|own| profile(own.0).map(|own| own.top_k)),
        "others": others.map(|band| json!({"median": band.median, "range": band.range})),
    })
}
