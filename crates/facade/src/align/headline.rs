//! The main result of an alignment in one sentence, and an explanation of its scores.

use super::{AlignRecord, MAIN_LENGTH, SourceSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_alignment::study::OTHER_SUBJECTS;
use std::cmp::Ordering;

/// The sentence, and two lines on the scores.
pub(super) fn opening(record: &AlignRecord) -> Vec<String> {
    let mut lines = vec![headline(record)];
    let k = record.config.settings.prefixes.min(MAIN_LENGTH);
    if record.config.reverse {
        lines.push(format!(
            "Models are the targets and brains the sources. ProfileMean: how much of a model's first {k} dimensions, by their share \
             of its variance, a brain's responses recover, 0 to 1. FullRefCov: the same of all dimensions."
        ));
        lines.push(
            "A model has no measurement noise: accuracy has no noise ceiling on its side, noise of the brain lowers all scores, and \
             BrainRefScore and ShapeDist, which need other subjects' responses to the same target, have no value."
                .to_owned(),
        );
        return lines;
    }
    lines.push(format!(
        "ProfileMean: how much of the target's first {k} reproducible dimensions a source recovers, 0 to 1. FullRefCov: the \
         same of all dimensions, by their weight."
    ));
    lines.push(
        "BrainRefScore: ProfileMean over that of the median other subject, 1 for as much as another brain. ShapeDist: how far \
         the shape of its curve is from theirs, 0 for the same."
            .to_owned(),
    );
    lines
}

/// Which source recovers most, compared with other brains if there are any.
fn headline(record: &AlignRecord) -> String {
    let n_units = match record.units.len() {
        1 if record.config.reverse => "1 model".to_owned(),
        1 => "1 target unit".to_owned(),
        n if record.config.reverse => format!("{n} models"),
        n => format!("{n} target units"),
    };
    let sources = record.summary.sources.iter();
    let models = sources.filter(|source| source.source != OTHER_SUBJECTS);
    let brains = record.summary.sources.iter();
    let has_brains = brains.clone().any(|source| source.source == OTHER_SUBJECTS);
    let score = |source: &SourceSummary| match has_brains {
        true => source.brain_ref_score.mean,
        false => source.profile_mean()?.mean,
    };
    let mut ranked: Vec<(&SourceSummary, f64)> = models
        .filter_map(|source| Some((source, score(source)?)))
        .collect();
    ranked.sort_by(|one, other| other.1.partial_cmp(&one.1).unwrap_or(Ordering::Equal));
    let Some((first, _)) = ranked.first() else {
        let brains = brains.filter(|source| source.source == OTHER_SUBJECTS);
        let own = brains.filter_map(SourceSummary::profile_mean).next();
        return match own {
            Some(own) => format!(
                "Other subjects recover ProfileMean {} of the reproducible dimensions of {n_units}; no other source has a \
                 profile.",
                words(own)
            ),
            None => format!("No source has a profile for {n_units}."),
        };
    };
    let profile_mean = first.profile_mean().map_or_else(String::new, words);
    let recovers = match ranked.len() {
        1 => format!("{} recovers", first.source),
        n => format!("{} recovers most of {n} sources:", first.source),
    };
    let mut sentence = match has_brains {
        true => format!(
            "{recovers} {} of what the median other subject recovers (BrainRefScore; ProfileMean {profile_mean}), over {n_units}",
            words(&first.brain_ref_score)
        ),
        false if record.config.reverse => {
            format!("{recovers} ProfileMean {profile_mean} over {n_units}")
        }
        false => format!(
            "{recovers} ProfileMean {profile_mean} over {n_units}; there are no other subjects to compare with"
        ),
    };
    if let Some((second, value)) = ranked.get(1) {
        sentence.push_str(&format!(". Next: {} with {value:.3}", second.source));
    }
    sentence.push('.');
    sentence
}

/// A mean with its interval.
fn words(of: &UnitEstimate) -> String {
    match (of.mean, of.interval) {
        (Some(mean), Some((low, high))) => format!("{mean:.3} [{low:.3}, {high:.3}]"),
        (Some(mean), None) => format!("{mean:.3}"),
        (None, _) => "without a value".to_owned(),
    }
}
