//! Pairs of sources of nearly equal accuracy for one target unit, by the kinds of their sources (Figure 3C), and the
//! best matched case (Figure 3A).

use crate::aligned::{Aligned, Kind, are_alike};
use neurogauge::Error;
use neurogauge::align::UnitScore;
use neurogauge::alignment::{ACCURACY_LIMITS, Unit, UnitEntry, UnitEstimate};
use neurogauge::stats::quantile;
use serde::Serialize;

/// The limit that figures and tables use.
pub(super) const MAIN_LIMIT: f64 = 0.01;
/// Pairs that only differ in training.
pub(super) const SAME_ARCHITECTURE: &str = "pretrained and untrained, same architecture";
/// The quantile of differences between people that is the threshold.
const HUMAN_QUANTILE: f64 = 0.9;

/// Pairs of one kind whose accuracies differ by no more than the limit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairCategory {
    /// Which sources, in words.
    pub pairs: String,
    /// Accuracies differ by at most this.
    pub limit: f64,
    /// Is the difference pretrained minus untrained? Otherwise it is the larger minus the smaller.
    pub signed: bool,
    pub difference: UnitEstimate,
    /// Mean absolute difference in accuracy; `None` without a pair.
    pub accuracy_difference: Option<f64>,
    /// 90th percentile of the differences between other subjects at this limit; `None` without such a pair.
    pub human_threshold: Option<f64>,
    /// Share of pairs that differ by more than that, in either direction.
    pub beyond: Option<f64>,
    /// Share of pairs that do so in favour of the pretrained model; `None` if differences have no sign.
    pub beyond_in_favour: Option<f64>,
    /// Every difference, for figures.
    #[serde(skip)]
    pub(super) differences: Vec<f64>,
}

/// The pretrained and the untrained model of one architecture (and layer) whose accuracies for a target unit are
/// closest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchedCase {
    pub unit: Unit,
    /// Names of the pretrained and of the untrained model.
    pub sources: [String; 2],
    pub accuracy: [f64; 2],
    pub profile_mean: [f64; 2],
    pub curves: [Vec<f64>; 2],
}

/// What two sources of a category have in common.
#[derive(Clone, Copy, PartialEq)]
enum Relation {
    Any,
    SameArchitecture,
    OtherArchitecture,
}

const CATEGORIES: [(&str, [Kind; 2], Relation); 7] = [
    ("two subjects", [Kind::Subject, Kind::Subject], Relation::Any),
    ("a subject and a pretrained model", [Kind::Subject, Kind::Pretrained], Relation::Any),
    ("a subject and an untrained model", [Kind::Subject, Kind::Untrained], Relation::Any),
    ("two pretrained models", [Kind::Pretrained, Kind::Pretrained], Relation::Any),
    ("two untrained models", [Kind::Untrained, Kind::Untrained], Relation::Any),
    (SAME_ARCHITECTURE, [Kind::Pretrained, Kind::Untrained], Relation::SameArchitecture),
    (
        "pretrained and untrained, other architecture",
        [Kind::Pretrained, Kind::Untrained],
        Relation::OtherArchitecture,
    ),
];

/// A pair: the first source's ProfileMean minus the second's, and the same for accuracy.
struct Pair<'a> {
    unit: &'a Unit,
    /// Which of the two are subjects.
    donors: Vec<&'a str>,
    difference: f64,
    accuracy: f64,
}

/// All categories at all limits; for categories without a pair, estimates are undefined.
pub(super) fn categories(aligned: &Aligned) -> Result<Vec<PairCategory>, Error> {
    let mut found = Vec::new();
    for limit in ACCURACY_LIMITS {
        let mut threshold = None;
        for (words, kinds, relation) in CATEGORIES {
            let signed = relation != Relation::Any;
            let all = pairs(aligned, kinds, relation).into_iter();
            let near: Vec<Pair<'_>> = all.filter(|pair| pair.accuracy.abs() <= limit).collect();
            let value = |pair: &Pair<'_>| match signed {
                true => pair.difference,
                false => pair.difference.abs(),
            };
            let differences: Vec<f64> = near.iter().map(value).collect();
            if kinds == [Kind::Subject; 2] && !differences.is_empty() {
                threshold = Some(quantile(&differences, HUMAN_QUANTILE)?);
            }
            let n = differences.len();
            let share = |is_in: &dyn Fn(f64) -> bool| {
                let n_in = differences.iter().filter(|d| is_in(**d)).count();
                (n > 0).then(|| n_in as f64 / n as f64)
            };
            found.push(PairCategory {
                pairs: words.to_owned(),
                limit,
                signed,
                difference: aligned.estimate(near.iter().map(|pair| UnitEntry {
                    unit: pair.unit,
                    donors: pair.donors.clone(),
                    value: value(pair),
                }))?,
                accuracy_difference: neurogauge::stats::mean(near.iter().map(|pair| pair.accuracy.abs())),
                human_threshold: threshold,
                beyond: threshold.and_then(|t| share(&|d| d.abs() > t)),
                beyond_in_favour: threshold.filter(|_| signed).and_then(|t| share(&|d| d > t)),
                differences,
            });
        }
    }
    Ok(found)
}

/// All pairs of a category; pairs of the same kind are listed once.
fn pairs<'a>(aligned: &'a Aligned, kinds: [Kind; 2], relation: Relation) -> Vec<Pair<'a>> {
    let mut found = Vec::new();
    for unit in &aligned.units {
        let own: Vec<&UnitScore> = aligned
            .of_unit(&unit.unit)
            .filter(|entry| {
                let model = aligned.model_of(entry);
                model.is_none_or(|model| aligned.is_paired_seed(model))
            })
            .collect();
        for (place, one) in own.iter().enumerate() {
            // Two of one kind: the second comes after the first.
            let rest = if kinds[0] == kinds[1] { place + 1 } else { 0 };
            if aligned.kind_of(one) != kinds[0] {
                continue;
            }
            for other in &own[rest..] {
                if aligned.kind_of(other) != kinds[1] || !is_related(aligned, one, other, relation) {
                    continue;
                }
                found.extend(one.profile_mean().zip(other.profile_mean()).map(|(first, second)| {
                    Pair {
                        unit: &unit.unit,
                        donors: [*one, *other]
                            .into_iter()
                            .filter(|entry| entry.donor)
                            .map(|entry| entry.source.as_str())
                            .collect(),
                        difference: first - second,
                        accuracy: one.accuracy - other.accuracy,
                    }
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

/// The best matched pair of a pretrained and an untrained model of one architecture; `None` if accuracies differ by
/// more than the widest limit. It is chosen only by accuracy, so the choice favours no outcome.
pub(super) fn matched_case(aligned: &Aligned) -> Option<MatchedCase> {
    let mut best: Option<(f64, MatchedCase)> = None;
    for unit in &aligned.units {
        let own: Vec<&UnitScore> = aligned.of_unit(&unit.unit).collect();
        for one in &own {
            for other in &own {
                let apart = (one.accuracy - other.accuracy).abs();
                let kinds = [one, other].map(|entry| aligned.kind_of(entry));
                let is_chosen = aligned.model_of(other).is_some_and(|model| aligned.is_paired_seed(model));
                let is_pair = kinds == [Kind::Pretrained, Kind::Untrained]
                    && apart <= ACCURACY_LIMITS[ACCURACY_LIMITS.len() - 1]
                    && is_chosen
                    && is_related(aligned, one, other, Relation::SameArchitecture);
                if !is_pair || best.as_ref().is_some_and(|(nearest, _)| *nearest <= apart) {
                    continue;
                }
                let (Ok(first), Ok(second)) = (&one.recovered, &other.recovered) else {
                    continue;
                };
                let (Some(of_first), Some(of_second)) = (first.profile_mean(), second.profile_mean()) else {
                    continue;
                };
                let case = MatchedCase {
                    unit: unit.unit.clone(),
                    sources: [one.source.clone(), other.source.clone()],
                    accuracy: [one.accuracy, other.accuracy],
                    profile_mean: [of_first, of_second],
                    curves: [first.profile.top_k.clone(), second.profile.top_k.clone()],
                };
                best = Some((apart, case));
            }
        }
    }
    best.map(|(_, case)| case)
}
