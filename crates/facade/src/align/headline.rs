//! The main result of an alignment in one sentence, and what its scores are.

use super::{AlignRecord, MAIN_LENGTH, NullP, SourceSummary};
use itertools::Itertools;
use neurogauge_alignment::UnitEstimate;
use neurogauge_alignment::study::{NOT_ABOVE, OTHER_SUBJECTS};
use neurogauge_report::{Cell, Ranked, Ranking, TestedDifference, fixed, p_in_words};
use std::cmp::Ordering;

/// The significance level of every claim.
const ALPHA: f64 = 0.05;
/// Names that a sentence lists.
const MOST_NAMES: usize = 3;

/// What the columns of the first table are.
pub(super) fn legend(record: &AlignRecord) -> Vec<String> {
    let k = record.config.settings.prefixes.min(MAIN_LENGTH);
    let always = "Accuracy: correlation of predicted and measured responses to held-out stimuli. Next fold: ProfileMean by the references \
                  of the next fold. Rank: number of dimensions that the fit keeps. Stability: how far these are the same in every fold.";
    let of_scores = match record.config.reverse {
        true => [
            format!(
                "Models are the targets and brains the sources. ProfileMean: how much of a model's first {k} dimensions, by their share \
                 of its variance, a brain's responses recover, 0 to 1."
            ),
            "A model has no measurement noise: accuracy has no noise ceiling on its side, noise of the brain lowers all scores, and \
             BrainRefScore and ShapeDist, which need other subjects' responses to the same target, have no value."
                .to_owned(),
        ],
        false => [
            format!(
                "ProfileMean: how much of the target's first {k} reproducible dimensions a source recovers, 0 to 1. Corrected: 0 at chance."
            ),
            "BrainRefScore: ProfileMean over that of the median other subject, which noise in the subjects' responses raises. \
             Noise-corrected: over what that subject would recover without noise, 1 for as much as another brain. ShapeDist: how far \
             the shape of its curve is from theirs, 0 for the same."
                .to_owned(),
        ],
    };
    of_scores.into_iter().chain([always.to_owned()]).collect()
}

/// The reason why the null does not tell whether a source recovers more than chance; `None` if it does.
fn chance_is_unknown(record: &AlignRecord) -> Option<String> {
    let (settings, n_draws) = (&record.config.settings, record.summary.null_draws);
    let are_enough = match settings.null_p {
        NullP::Draws => 1.0 / (1.0 + n_draws as f64) <= ALPHA,
        NullP::T => n_draws >= NullP::T.fewest_draws(),
    };
    match (n_draws, settings.null_select, are_enough) {
        (0, ..) => Some("Chance is unknown without draws of the null (`--null`)".to_owned()),
        (_, false, _) => {
            Some("Chance is unknown, since the null keeps rank and regularisation (`--null-keep`)".to_owned())
        }
        (n, true, false) => Some(format!(
            "Chance is not excluded: p of so few draws of the null ({n}) cannot be 0.05 or less (`--null 20`)"
        )),
        (_, true, true) => None,
    }
}

/// The score that ranks sources: above chance if that is known, otherwise as measured.
fn score(source: &SourceSummary, record: &AlignRecord) -> Option<UnitEstimate> {
    match record.summary.null_draws {
        0 => source.profile_mean().copied(),
        _ => Some(source.corrected),
    }
}

/// The sources that recover more than chance, and the best of them.
pub(super) fn headline(record: &AlignRecord) -> String {
    let over = format!("over {}", units(record));
    let value = |source: &SourceSummary| score(source, record)?.mean;
    let models = record.summary.sources.iter().filter(|source| source.source != OTHER_SUBJECTS);
    let mut models: Vec<&SourceSummary> = models.filter(|own| value(own).is_some()).collect();
    let order = |one: &&SourceSummary, other: &&SourceSummary| value(other).partial_cmp(&value(one));
    models.sort_by(|one, other| order(one, other).unwrap_or(Ordering::Equal));
    if models.is_empty() {
        return other_subjects_alone(record, &over);
    }
    let quantity = match record.summary.null_draws {
        0 => "ProfileMean",
        _ => "corrected ProfileMean",
    };
    let of = |own: &SourceSummary| format!("{quantity} {}", words(score(own, record).as_ref()));
    if let Some(why) = chance_is_unknown(record) {
        let rest = match models.as_slice() {
            [only] => format!("{} has {} {over}.", only.source, of(only)),
            _ => ranking(record, &models, "has the highest score", quantity),
        };
        return format!("{why}. {rest}");
    }
    let is_above = |own: &&SourceSummary| own.group_null.p_corrected.is_some_and(|p| p <= ALPHA);
    let (above, not): (Vec<_>, Vec<_>) = models.into_iter().partition(is_above);
    let mut sentences = match above.as_slice() {
        [] => Vec::new(),
        [only] => vec![format!("{} recovers more than chance: {} ({}) {over}.", only.source, of(only), p_of(only))],
        _ => vec![ranking(record, &above, "recovers most", quantity)],
    };
    if let Some(first) = above.first().filter(|_| !record.config.reverse) {
        sentences.push(beside_other_subjects(first, record));
    }
    sentences.extend(no_more_than_chance(&not, record));
    sentences.join(" ")
}

/// The number of units, such as `2 target units`.
fn units(record: &AlignRecord) -> String {
    match (record.units.len(), record.config.reverse) {
        (1, true) => "1 model".to_owned(),
        (n, true) => format!("{n} models"),
        (1, false) => "1 target unit".to_owned(),
        (n, false) => format!("{n} target units"),
    }
}

fn other_subjects_alone(record: &AlignRecord, over: &str) -> String {
    let mut sources = record.summary.sources.iter();
    match sources.find(|source| source.source == OTHER_SUBJECTS) {
        Some(own) => format!(
            "Other subjects have ProfileMean {} {over}; no other source has a profile.",
            words(own.profile_mean())
        ),
        None => format!("No source has a profile {over}."),
    }
}

/// Says which source ranks first, as far as tests show it.
fn ranking(record: &AlignRecord, ranked: &[&SourceSummary], claim: &str, quantity: &str) -> String {
    let named: Vec<Ranked<'_>> = (ranked.iter())
        .filter_map(|source| {
            Some(Ranked {
                name: &source.source,
                value: score(source, record)?.mean?,
                interval: score(source, record)?.interval,
            })
        })
        .collect();
    let differences = &record.summary.differences;
    let difference = |other: usize| {
        let [first, other] = [named.first()?.name, named.get(other)?.name];
        let mut of_first = differences.iter().filter_map(|own| Some((own.of(first)?, own.p_corrected)));
        let ((_, found), p) = of_first.find(|((name, _), _)| *name == other)?;
        Some(TestedDifference {
            value: found.mean?,
            interval: found.interval,
            p,
        })
    };
    let kind = if record.config.reverse { "brain" } else { "source" };
    let tested = differences.iter().filter(|own| own.p.is_some()).count();
    let correction = match tested {
        0 => format!("too few for a test: {}", record.intervals().clusters()),
        1 => record.intervals().clusters(),
        n => format!("Holm, {n} differences, {}", record.intervals().clusters()),
    };
    let ranking = Ranking {
        kind,
        claim,
        quantity,
        correction: &correction,
        alpha: ALPHA,
        decimals: Cell::DECIMALS,
    };
    ranking.sentence(&named, difference)
}

/// Describes the sources that are not shown to be above chance.
fn no_more_than_chance(sources: &[&SourceSummary], record: &AlignRecord) -> Option<String> {
    let n_units = record.units.len();
    match sources {
        [] => None,
        [own] => {
            let how = match own.n_significant {
                0 => format!("recovers no more than chance in {n_units} of {}", units(record)),
                _ => format!("is not shown to recover more than chance over {}", units(record)),
            };
            let corrected = words(Some(&own.corrected));
            let p = p_of(own);
            Some(format!("{} {how}: corrected ProfileMean {corrected} ({p}).", own.source))
        }
        _ => {
            let named = sources.iter().take(MOST_NAMES);
            let mut names = named.map(|own| format!("{} ({})", own.source, p_of(own))).join(", ");
            if sources.len() > MOST_NAMES {
                names.push_str(&format!(" and {} more", sources.len() - MOST_NAMES));
            }
            Some(format!("Not shown to recover more than chance over {}: {names}.", units(record)))
        }
    }
}

/// A source's score relative to other subjects, or the reason why it has none.
fn beside_other_subjects(source: &SourceSummary, record: &AlignRecord) -> String {
    if record.summary.human_references.is_empty() {
        return "There are no other subjects to compare with.".to_owned();
    }
    let Some(as_measured) = source.brain_ref_score.mean else {
        return format!("There is no BrainRefScore: {NOT_ABOVE}.");
    };
    let name = &source.source;
    let measured = fixed(as_measured, Cell::DECIMALS);
    match source.noise_corrected.mean {
        Some(_) => format!(
            "{name} recovers {} of what the median other subject would recover without noise (noise-corrected BrainRefScore; {measured} \
             as measured).",
            words(Some(&source.noise_corrected))
        ),
        None => format!(
            "BrainRefScore of {name} is {measured}; it depends on the noise of the subjects and is not comparable between regions or \
             subjects, and their reliability is too low, or unknown, to correct it."
        ),
    }
}

fn p_of(source: &SourceSummary) -> String {
    let p = source.group_null.p_corrected;
    p.map_or_else(|| "no p".to_owned(), p_in_words)
}

/// A mean with its interval, in words.
fn words(of: Option<&UnitEstimate>) -> String {
    let Some(UnitEstimate {
        mean: Some(mean),
        interval: ends,
        ..
    }) = of
    else {
        return "without a value".to_owned();
    };
    let fixed = |value: f64| fixed(value, Cell::DECIMALS);
    let ends = ends.map(|(low, high)| format!(" [{}, {}]", fixed(low), fixed(high)));
    format!("{}{}", fixed(*mean), ends.unwrap_or_default())
}
