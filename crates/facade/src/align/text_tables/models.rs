//! Each source's description and recovery.

use super::{DECIMALS, estimate};
use crate::align::headline::legend;
use crate::align::{AlignRecord, NullP, SourceState, SourceSummary, UnitInterval};
use crate::interval_notes::FEW_ITEMS;
use neurogauge_alignment::study::{HumanReference, NOT_ABOVE};
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, counted};
use neurogauge_report::{Cell, Described, Table};
use neurogauge_stats::{mean, student_reach};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn models(record: &AlignRecord) -> Table {
    let mut notes = legend(record);
    notes.push(means_over_units(record));
    notes.extend(few_units(record));
    notes.extend(undetermined(record));
    if !record.summary.undefined.is_empty() {
        notes.push(format!("{} entries have no profile; align.json lists them", record.summary.undefined.len()));
    }
    let units = counted(record.units.len(), "target unit");
    let title = format!("Recovery of reproducible response dimensions, {units}");
    notes.push(chance(record));
    notes.extend(record.dagger_note().map(str::to_owned));
    notes.extend(record.findings.iter().filter(|found| found.is_shown()).map(Finding::below_table));
    let table = Table::of(title, &record.summary.sources)
        .column("source", |source| Cell::text(&source.source))
        .column("accuracy", |source| estimate(&source.accuracy));
    scores(table, record)
        .column("BrainRefScore", |source| estimate(&source.brain_ref_score))
        .column("noise-corrected", |source| estimate(&source.noise_corrected))
        .column("ShapeDist", |source| Cell::number(source.shape_distance.mean))
        .column("next fold", |source| Cell::number(source.next_fold.mean))
        .column("rank", |source| Cell::number(source.selected_rank.mean))
        .column("stability", |source| Cell::number(source.stability.mean))
        .noted(notes)
}

/// What the means average over, and the population that their intervals refer to.
fn means_over_units(record: &AlignRecord) -> String {
    let intervals = record.intervals();
    let means = match record.config.reverse {
        true => "Means over models",
        false => "Means over target units (subject, hemisphere, region)",
    };
    match intervals.are_given() {
        true => format!("{means}, with {}", intervals.words()),
        false => format!("{means}; {} ({})", intervals.words(), option("interval-units", "")),
    }
}

/// A caveat about intervals over few subjects or target units.
fn few_units(record: &AlignRecord) -> Option<String> {
    let intervals = record.intervals();
    let (n, level) = (intervals.n_clusters(), intervals.level());
    (intervals.are_given() && (2..FEW_ITEMS).contains(&n)).then(|| {
        let what_it_supposes = match intervals.method() {
            UnitInterval::T => "it supposes that they are near normal",
            UnitInterval::Percentile => "percentiles of resamples, as here, reach less far still",
        };
        format!(
            "{} show little: a {}% interval of so few reaches {:.1} standard errors to each side of the mean, where that of \
             very many reaches {:.1}; {what_it_supposes}",
            intervals.clusters(),
            100.0 * level,
            student_reach(n, level),
            student_reach(usize::MAX, level)
        )
    })
}

/// A note on regularisations that the data do not determine.
fn undetermined(record: &AlignRecord) -> Option<String> {
    let found = &record.summary.undetermined;
    let [sources, references] = [found.of_sources, found.of_references];
    (found.n_units > 0).then(|| {
        format!(
            "In {} of {} target units all regularisations score the same in validation of some fits ({} of {} of sources, {} of {} \
             behind references): the data do not determine it there, and the smallest is taken. There may be too few stimuli in \
             each inner fold",
            found.n_units,
            record.units.len(),
            sources[1],
            sources[0],
            references[1],
            references[0]
        )
    })
}

/// A note on the score of a source without information.
fn chance(record: &AlignRecord) -> String {
    let of_coverage = match record.has_null() {
        true => "corrected 0: (ProfileMean - null) / (1 - null)",
        false => "ProfileMean has no zero floor, and without draws of the null its chance level is not known",
    };
    format!("Chance: accuracy 0; {of_coverage}")
}

/// The score above chance, with the measured value and the value at chance.
fn scores<'a>(table: Described<&'a SourceSummary>, record: &AlignRecord) -> Described<&'a SourceSummary> {
    let raw = |source: &&SourceSummary| source.profile_mean().map_or(Cell::Missing, estimate);
    if !record.has_null() {
        return table.column("ProfileMean", raw);
    }
    table
        .column("corrected", |source| estimate(&source.corrected))
        .column("ProfileMean", raw)
        .column("null", |source| Cell::number(source.null_mean.mean))
}

pub(super) fn null(record: &AlignRecord) -> Table {
    let kept = "Stimuli of the source are permuted among the training images, and rank and regularisation are those \
                of the real fit: the null shows what as many of the target's strongest dimensions recover. A \
                source of few dimensions can lie below it, and p is no test of whether the source knows anything";
    let again = "Stimuli of the source are permuted among the training images, and rank and regularisation are \
                selected again: the null shows what a source without information recovers";
    let note = match record.config.settings.null_select {
        true => again,
        false => kept,
    };
    let (p, by) = match record.config.settings.null_p {
        NullP::Draws => ("", " by the largest of each draw"),
        NullP::T => (". p is that of Student's t for the logarithm of one more draw", " by Holm's method"),
    };
    Table::of("Above chance: coverage has no zero floor", &record.summary.sources)
        .column("source", |source| Cell::text(&source.source))
        .column("ProfileMean", |source| Cell::number(source.profile_mean().and_then(|own| own.mean)))
        .column("null", |source| Cell::number(source.null_mean.mean))
        .column("corrected", |source| estimate(&source.corrected))
        .column("p", |source| Cell::p_value(source.group_null.p))
        .column("p, corrected", |source| Cell::p_value(source.group_null.p_corrected))
        .column("p ≤ 0.05, uncorrected", |own| Cell::text(format!("{} of {}", own.n_significant, own.corrected.n)))
        .noted(vec![
            format!("{note}{p}"),
            format!(
                "p: of the mean over target units, which share the orders of the draws; corrected over the sources{by}. p ≤ 0.05, \
                 uncorrected: in how many target units p is at most 0.05, one by one; without information, about one in twenty is. \
                 Whether a source recovers more than chance is for p: all subjects saw the same stimuli, so what a source happens to \
                 share with these recurs in all of them, and an interval of the corrected score can miss 0"
            ),
        ])
}

/// The score by architecture and state. Seeds of an architecture are averaged, and so are layers that are separate
/// sources.
pub(super) fn architectures(record: &AlignRecord) -> Option<Table> {
    let is_corrected = record.has_null();
    let scores = |source: &SourceSummary| {
        let raw = source.profile_mean().and_then(|estimate| estimate.mean);
        [raw, source.corrected.mean.filter(|_| is_corrected).or(raw)]
    };
    // For each architecture and state, the scores of each seed; an untrained source without a seed counts as a separate
    // seed.
    type OfSeeds = BTreeMap<(Option<u64>, usize), Vec<[Option<f64>; 2]>>;
    let mut states: BTreeMap<&str, [OfSeeds; 2]> = BTreeMap::new();
    for (place, source) in record.summary.sources.iter().enumerate() {
        let (Some(name), Some(state)) = (&source.architecture, source.state) else {
            continue;
        };
        let own = &mut states.entry(name).or_default()[usize::from(state == SourceState::Random)];
        let seed = (source.seed, source.seed.map_or(place, |_| 0));
        own.entry(seed).or_default().push(scores(source));
    }
    let means = |own: &OfSeeds, score: usize| -> Vec<f64> {
        let of_seed = |values: &Vec<[Option<f64>; 2]>| mean(values.iter().filter_map(|own| own[score]));
        own.values().filter_map(of_seed).collect()
    };
    let average = |own: &OfSeeds, score: usize| Cell::number(mean(means(own, score)));
    let spread = |own: &OfSeeds| {
        let values = means(own, 1);
        let fold = |f: fn(f64, f64) -> f64| values.iter().copied().reduce(f);
        let (low, high) = (fold(f64::min), fold(f64::max));
        low.zip(high)
            .map_or(Cell::Missing, |(low, high)| Cell::text(format!("{low:.DECIMALS$} to {high:.DECIMALS$}")))
    };
    let title = match is_corrected {
        true => "ProfileMean above chance, by architecture and state",
        false => "ProfileMean by architecture and state",
    };
    let table = Table::of(title, states)
        .column("architecture", |(name, _)| Cell::text(*name))
        .column("pretrained", |(_, [trained, _])| average(trained, 1))
        .column("untrained", |(_, [_, random])| average(random, 1))
        .column("seeds from", |(_, [_, random])| spread(random))
        .column("seeds", |(_, [_, random])| Cell::Count(random.len()));
    if !is_corrected {
        return table.noted(vec![chance(record)]).filled();
    }
    table
        .column("pretrained, raw", |(_, [trained, _])| average(trained, 0))
        .column("untrained, raw", |(_, [_, random])| average(random, 0))
        .noted(vec![chance(record)])
        .filled()
}

/// The paper's Table 5: each model's description and recovery.
pub(super) fn summary_of_models(record: &AlignRecord) -> Option<Table> {
    let words = |words: &Option<String>| words.as_ref().map_or(Cell::Missing, Cell::text);
    let of_state = |state: SourceState| record.summary.sources.iter().filter(move |source| source.state == Some(state));
    let states = [SourceState::Pretrained, SourceState::Random];
    let trained = |source: &SourceSummary| match source.state {
        Some(SourceState::Random) => "untrained",
        _ => "pretrained",
    };
    let table = Table::of("Summary of models", states.into_iter().flat_map(of_state))
        .column("architecture", |source| Cell::text(source.architecture.as_ref().unwrap_or(&source.source)))
        .column("state", |source| Cell::text(trained(source)))
        .column("weights", |source| words(&source.weights))
        .column("layers", |source| words(&source.layers))
        .column("held-out", |source| Cell::number(source.accuracy.mean));
    scores(table, record)
        .column("BrainRefScore", |source| Cell::number(source.brain_ref_score.mean))
        .column("ShapeDist", |source| Cell::number(source.shape_distance.mean))
        .noted(vec![
            "Held-out: prediction accuracy on test stimuli. A lower ShapeDist is nearer to the curve of other \
             subjects"
                .to_owned(),
            chance(record),
        ])
        .filled()
}

/// Whether other subjects recover more than chance, and how reliable that is.
pub(super) fn human_references(record: &AlignRecord) -> Option<Table> {
    let all = &record.summary.human_references;
    let region = |own: &&HumanReference| match own.hemisphere.as_str() {
        "" => own.roi.clone(),
        hemisphere => format!("{hemisphere} {}", own.roi),
    };
    let mut notes = vec![
        "BrainRefScore is over the median other subject as measured: the noisier the subjects, the higher it is, so that regions, \
         subjects and preprocessings of different reliability are not comparable by it. Noise-corrected: over null + (ProfileMean - \
         null) / reliability, what that subject would recover without noise. Reliability: of ProfileMean above chance, by the \
         Spearman-Brown formula from the means of repeats and single trials; no score is corrected below 0.5"
            .to_owned(),
    ];
    let without: usize = all.iter().map(|own| own.units - own.units_above_null.unwrap_or(own.units)).sum();
    if without > 0 {
        let n: usize = all.iter().map(|own| own.units).sum();
        notes.push(format!("No BrainRefScore in {without} of {n} target units: {NOT_ABOVE} there"));
    }
    let reasons: BTreeSet<String> =
        all.iter().filter_map(|own| Some(own.reliability.as_ref().err()?.to_string())).collect();
    let reasons = reasons.into_iter();
    notes.extend(reasons.map(|reason| format!("No reliability where {reason}")));
    Table::of("Other subjects as the reference", all)
        .column("region", |own| Cell::text(region(own)))
        .column("ProfileMean", |own| Cell::number(own.profile_mean))
        .column("null", |own| Cell::number(own.null))
        .column("p ≤ 0.05, median donor", |own| {
            own.units_above_null.map_or(Cell::Missing, |n| Cell::text(format!("{n} of {}", own.units)))
        })
        .column("repeats", |own| Cell::number(own.repeats))
        .column("single trials", |own| Cell::number(own.single_trials))
        .column("reliability", |own| Cell::number(own.reliability.as_ref().ok().copied()))
        .noted(notes)
        .filled()
}

/// The differences between the source with the highest score and every other one.
pub(super) fn differences(record: &AlignRecord) -> Option<Table> {
    let score = |name: &String| {
        let mut sources = record.summary.sources.iter();
        let own = sources.find(|own| own.source == *name)?;
        own.corrected.mean.or_else(|| own.profile_mean()?.mean)
    };
    let all = &record.summary.differences;
    let names = all.iter().flat_map(|own| &own.sources);
    let best = names.max_by(|one, other| score(one).partial_cmp(&score(other)).unwrap_or(Ordering::Equal))?;
    let rows = all.iter().filter_map(|own| Some((own.of(best)?, own)));
    let quantity = match record.has_null() {
        true => "corrected ProfileMean",
        false => "ProfileMean",
    };
    let table = Table::of(format!("{best} less other sources, {quantity}"), rows)
        .column("source", |((other, _), _)| Cell::text(*other))
        .column("difference", |((_, found), _)| estimate(found))
        .column("p", |(_, own)| Cell::p_value(own.p))
        .column("p, Holm", |(_, own)| Cell::p_value(own.p_corrected));
    let intervals = record.intervals();
    let how = match intervals.are_given() {
        true => format!(
            "95% t intervals over {} and {} folds of stimuli: they speak of new ones of both",
            intervals.clusters(),
            record.config.settings.outer_folds
        ),
        false => intervals.words(),
    };
    Some(table.noted(vec![format!(
        "{how}. Holm's correction is over every two sources ({}); align.json has all",
        all.len()
    )]))
}
