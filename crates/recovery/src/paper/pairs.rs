//! Pairs of sources with nearly equal accuracy for one target unit, by the kinds of their sources (Figure 3C), and the
//! best matched case (Figure 3A).

use crate::aligned::Kind::{self, Pretrained, Subject, Untrained};
use crate::aligned::{Aligned, are_alike};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::alignment::{ACCURACY_LIMITS, Band, Profile, UnitEntry};
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// The limit that figures and tables use.
pub(super) const MAIN_LIMIT: f64 = 0.01;
/// Pairs that differ only in training.
pub(super) const SAME_ARCHITECTURE: &str = "pretrained and untrained, same architecture";
/// The quantile of differences between subjects that serves as the threshold.
const HUMAN_QUANTILE: f64 = 0.9;

/// What two sources of a category have in common.
#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Any,
    SameArchitecture,
    OtherArchitecture,
}

const CATEGORIES: [(&str, [Kind; 2], Relation); 7] = [
    ("two subjects", [Subject, Subject], Relation::Any),
    ("a subject and a pretrained model", [Subject, Pretrained], Relation::Any),
    ("a subject and an untrained model", [Subject, Untrained], Relation::Any),
    ("two pretrained models", [Pretrained, Pretrained], Relation::Any),
    ("two untrained models", [Untrained, Untrained], Relation::Any),
    (SAME_ARCHITECTURE, [Pretrained, Untrained], Relation::SameArchitecture),
    ("pretrained and untrained, other architecture", [Pretrained, Untrained], Relation::OtherArchitecture),
];

/// Two sources of one target unit that both have a profile.
struct Pair<'a> {
    entries: [&'a UnitScore; 2],
    profile_mean: [f64; 2],
}

impl Pair<'_> {
    /// The first source's ProfileMean minus the second's.
    fn difference(&self) -> f64 {
        self.profile_mean[0] - self.profile_mean[1]
    }

    /// The absolute difference of the accuracies.
    fn apart(&self) -> f64 {
        (self.entries[0].accuracy - self.entries[1].accuracy).abs()
    }
}

/// All categories at all limits; the estimates of those without a pair are undefined. Differences are pretrained minus
/// untrained where `signed`, otherwise absolute. The threshold is the 90th percentile between two subjects; `beyond` is the
/// share of pairs past it, `beyond_in_favour` that in favour of the pretrained model.
pub(super) fn categories(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let mut found = Vec::new();
    for limit in ACCURACY_LIMITS {
        let mut threshold = None;
        for (words, kinds, relation) in CATEGORIES {
            let signed = relation != Relation::Any;
            let mut near = pairs(aligned, kinds, relation);
            near.retain(|pair| pair.apart() <= limit);
            let value = |pair: &Pair<'_>| match signed {
                true => pair.difference(),
                false => pair.difference().abs(),
            };
            let differences = near.iter().map(value).collect_vec();
            if kinds == [Subject; 2] && !differences.is_empty() {
                threshold = Some(quantile(&differences, HUMAN_QUANTILE)?);
            }
            let share = |is_in: &dyn Fn(f64) -> bool| mean(differences.iter().map(|d| f64::from(is_in(*d))));
            let difference = aligned.estimate(near.iter().map(|pair| UnitEntry {
                unit: &pair.entries[0].unit,
                donors: pair.entries.iter().filter(|own| own.donor).map(|own| own.source.as_str()).collect(),
                value: value(pair),
            }))?;
            found.push(json!({
                "pairs": words,
                "limit": limit,
                "signed": signed,
                "difference": difference,
                "accuracy_difference": mean(near.iter().map(Pair::apart)),
                "human_threshold": threshold,
                "beyond": threshold.and_then(|t| share(&|d| d.abs() > t)),
                "beyond_in_favour": threshold.filter(|_| signed).and_then(|t| share(&|d| d > t)),
                "differences": if limit == MAIN_LIMIT { differences } else { Vec::new() },
            }));
        }
    }
    Ok(found)
}

/// All pairs of a category; a pair of the same kind is listed only once.
fn pairs(aligned: &Aligned, kinds: [Kind; 2], relation: Relation) -> Vec<Pair<'_>> {
    let is_chosen = |entry: &UnitScore| aligned.model_of(entry).is_none_or(|model| aligned.is_paired_seed(model));
    let mut found = Vec::new();
    for unit in &aligned.units {
        let own = aligned.entries.iter().filter(|entry| entry.unit == unit.unit && is_chosen(entry)).collect_vec();
        for ((at, one), (place, other)) in own.iter().enumerate().cartesian_product(own.iter().enumerate()) {
            let is_twice = kinds[0] == kinds[1] && place <= at;
            let is_of_kinds = [one, other].map(|entry| aligned.kind_of(entry)) == kinds;
            if !is_twice && is_of_kinds && is_related(aligned, one, other, relation) {
                let means = one.profile_mean().zip(other.profile_mean());
                found.extend(means.map(|(first, second)| Pair {
                    entries: [*one, *other],
                    profile_mean: [first, second],
                }));
            }
        }
    }
    found
}

fn is_related(aligned: &Aligned, one: &UnitScore, other: &UnitScore, relation: Relation) -> bool {
    let named = aligned.model_of(one).zip(aligned.model_of(other)).filter(|(one, _)| one.architecture.is_some());
    match relation {
        Relation::Any => true,
        Relation::SameArchitecture => named.is_some_and(|(one, other)| are_alike(one, other)),
        Relation::OtherArchitecture => named.is_none_or(|(one, other)| one.architecture != other.architecture),
    }
}

/// The best matched pair of a pretrained and an untrained model of one architecture, with their curves and those of other
/// subjects; null if accuracies differ by more than the widest limit. It is chosen by accuracy alone, so the choice favours
/// no outcome.
pub(super) fn matched_case(aligned: &Aligned) -> Value {
    let pairs = pairs(aligned, Kind::MODELS, Relation::SameArchitecture).into_iter();
    let near = pairs.filter(|pair| pair.apart() <= ACCURACY_LIMITS[ACCURACY_LIMITS.len() - 1]);
    let Some(nearest) = near.min_by(|one, other| one.apart().total_cmp(&other.apart())) else {
        return Value::Null;
    };
    let profile = |entry: &UnitScore| Some(entry.recovered()?.profile.clone());
    let unit = &nearest.entries[0].unit;
    let donors = aligned.entries.iter().filter(|entry| entry.donor && entry.unit == *unit).filter_map(profile);
    let others = Band::new(&donors.collect::<Vec<Profile>>()).ok();
    json!({
        "unit": unit,
        "sources": nearest.entries.map(|own| &own.source),
        "accuracy": nearest.entries.map(|own| own.accuracy),
        "profile_mean": nearest.profile_mean,
        "curves": nearest.entries.map(|own| profile(own).map(|own| own.top_k)),
        "others": others.map(|band| json!({"median": band.median, "range": band.range})),
    })
}
