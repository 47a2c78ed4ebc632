//! What each source is and recovers.

use super::{DECIMALS, estimate, number, text};
use crate::align::{AlignRecord, SourceState, SourceSummary};
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::mean;
use std::collections::BTreeMap;

pub(super) fn models(record: &AlignRecord) -> TextTable {
    let mut notes = vec![
        "Means over target units (subject, hemisphere, region), with 95% intervals of a bootstrap \
         that draws units"
            .to_owned(),
    ];
    if !record.summary.undefined.is_empty() {
        notes.push(format!(
            "{} entries have no profile; align.json lists them",
            record.summary.undefined.len()
        ));
    }
    let title = format!(
        "Recovery of reproducible response dimensions, {} target units",
        record.units.len()
    );
    TextTable::of(title, &record.summary.sources)
        .column("source", |source| text(&source.source))
        .column("accuracy", |source| estimate(&source.accuracy))
        .column("ProfileMean", |source| {
            source.profile_mean().map_or(Cell::Missing, estimate)
        })
        .column("BrainRefScore", |source| estimate(&source.brain_ref_score))
        .column("ShapeDist", |source| number(source.shape_distance.mean))
        .column("next fold", |source| number(source.next_fold.mean))
        .column("rank", |source| number(source.selected_rank.mean))
        .column("stability", |source| number(source.stability.mean))
        .noted(notes)
}

pub(super) fn null(record: &AlignRecord) -> TextTable {
    let kept = "Stimuli of the source permuted among the training images; rank and regularisation are those \
                of the real fit, so the null finds as many strong dimensions of the target as \
                the source did, and a source of few dimensions can lie below it. With null_select = true \
                both are selected anew";
    let anew = "Stimuli of the source permuted among the training images; rank and regularisation \
                selected anew";
    let note = if record.config.settings.null_select {
        anew
    } else {
        kept
    };
    TextTable::of(
        "Above chance: coverage has no zero floor",
        &record.summary.sources,
    )
    .column("source", |source| text(&source.source))
    .column("ProfileMean", |source| {
        number(source.profile_mean().and_then(|own| own.mean))
    })
    .column("null", |source| number(source.null_mean.mean))
    .column("corrected", |source| estimate(&source.corrected))
    .column("p ≤ 0.05", |source| {
        text(format!(
            "{} of {}",
            source.n_significant, source.corrected.n
        ))
    })
    .noted(vec![note.to_owned()])
}

/// Profile mean by architecture and state; seeds of an architecture are averaged.
pub(super) fn architectures(record: &AlignRecord) -> TextTable {
    let mut states: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
    for source in &record.summary.sources {
        let (Some(name), Some(state)) = (&source.architecture, source.state) else {
            continue;
        };
        let column = usize::from(state == SourceState::Random);
        let mean = source.profile_mean().and_then(|estimate| estimate.mean);
        states.entry(name).or_default()[column].extend(mean);
    }
    let spread = |values: &[f64]| {
        let fold = |f: fn(f64, f64) -> f64| values.iter().copied().reduce(f);
        let (low, high) = (fold(f64::min), fold(f64::max));
        low.zip(high).map_or(Cell::Missing, |(low, high)| {
            text(format!("{low:.DECIMALS$} to {high:.DECIMALS$}"))
        })
    };
    let average = |values: &[f64]| number(mean(values.iter().copied()));
    TextTable::of("ProfileMean by architecture and state", states)
        .column("architecture", |(name, _)| text(*name))
        .column("pretrained", |(_, [pretrained, _])| average(pretrained))
        .column("untrained", |(_, [_, random])| average(random))
        .column("seeds from", |(_, [_, random])| spread(random))
        .column("seeds", |(_, [_, random])| Cell::Count(random.len()))
        .noted(Vec::new())
}

/// The paper's Table 5: what each model is, and what it recovers.
pub(super) fn summary_of_models(record: &AlignRecord) -> TextTable {
    let words = |words: &Option<String>| words.as_ref().map_or(Cell::Missing, text);
    let of_state = |state: SourceState| {
        let sources = record.summary.sources.iter();
        sources.filter(move |source| source.state == Some(state))
    };
    let states = [SourceState::Pretrained, SourceState::Random];
    let trained = |source: &SourceSummary| match source.state {
        Some(SourceState::Random) => "untrained",
        _ => "pretrained",
    };
    TextTable::of("Summary of models", states.into_iter().flat_map(of_state))
        .column("architecture", |source| {
            text(source.architecture.as_ref().unwrap_or(&source.source))
        })
        .column("state", |source| text(trained(source)))
        .column("weights", |source| words(&source.weights))
        .column("layers", |source| words(&source.layers))
        .column("held-out", |source| number(source.accuracy.mean))
        .column("ProfileMean", |source| number(source.profile_mean().and_then(|own| own.mean)))
        .column("BrainRefScore", |source| number(source.brain_ref_score.mean))
        .column("ShapeDist", |source| number(source.shape_distance.mean))
        .noted(vec![
            "Held-out: prediction accuracy on test stimuli. A lower ShapeDist is nearer to the curve of other \
             subjects"
                .to_owned(),
        ])
}
