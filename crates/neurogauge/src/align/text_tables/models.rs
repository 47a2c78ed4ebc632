//! What each source is and recovers.

use super::{DECIMALS, estimate, headings, number, profile_mean, text};
use crate::align::config::SourceState;
use crate::align::summary::AlignRecord;
use neurogauge_report::{Cell, TextTable};
use neurogauge_stats::mean;
use std::collections::BTreeMap;

pub(super) fn models(record: &AlignRecord) -> TextTable {
    let rows = record.sources.iter().map(|source| {
        vec![
            text(&source.source),
            estimate(&source.accuracy),
            profile_mean(source).map_or(Cell::Missing, estimate),
            estimate(&source.brain_ref_score),
            number(source.shape_distance.mean),
            number(source.next_fold.mean),
            number(source.selected_rank.mean),
            number(source.stability.mean),
        ]
    });
    let mut notes = vec![
        "Means over target units (subject, hemisphere, region), with 95% intervals of a bootstrap \
         that draws units"
            .to_owned(),
    ];
    if !record.undefined.is_empty() {
        notes.push(format!(
            "{} entries have no profile; align.json lists them",
            record.undefined.len()
        ));
    }
    TextTable {
        title: format!(
            "Recovery of reproducible response dimensions, {} target units",
            record.units.len()
        ),
        headings: headings(&[
            "source",
            "accuracy",
            "ProfileMean",
            "BrainRefScore",
            "ShapeDist",
            "next fold",
            "rank",
            "stability",
        ]),
        rows: rows.collect(),
        notes,
    }
}

pub(super) fn null(record: &AlignRecord) -> TextTable {
    let rows = record.sources.iter().map(|source| {
        vec![
            text(&source.source),
            profile_mean(source).map_or(Cell::Missing, |mean| number(mean.mean)),
            number(source.null_mean.mean),
            estimate(&source.corrected),
            text(format!(
                "{} of {}",
                source.n_significant, source.corrected.n
            )),
        ]
    });
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
    TextTable {
        title: "Above chance: coverage has no zero floor".to_owned(),
        headings: headings(&["source", "ProfileMean", "null", "corrected", "p ≤ 0.05"]),
        rows: rows.collect(),
        notes: vec![note.to_owned()],
    }
}

/// Profile mean by architecture and state; seeds of an architecture are averaged.
pub(super) fn architectures(record: &AlignRecord) -> TextTable {
    let mut states: BTreeMap<&str, [Vec<f64>; 2]> = BTreeMap::new();
    for source in &record.sources {
        let (Some(name), Some(state)) = (&source.architecture, source.state) else {
            continue;
        };
        let column = usize::from(state == SourceState::Random);
        let mean = profile_mean(source).and_then(|estimate| estimate.mean);
        states.entry(name).or_default()[column].extend(mean);
    }
    let rows = states.into_iter().map(|(name, [pretrained, random])| {
        let spread = |values: &[f64]| {
            let fold = |f: fn(f64, f64) -> f64| values.iter().copied().reduce(f);
            let (low, high) = (fold(f64::min), fold(f64::max));
            low.zip(high).map_or(Cell::Missing, |(low, high)| {
                text(format!("{low:.DECIMALS$} to {high:.DECIMALS$}"))
            })
        };
        let average = |values: &[f64]| number(mean(values.iter().copied()));
        vec![
            text(name),
            average(&pretrained),
            average(&random),
            spread(&random),
            Cell::Count(random.len()),
        ]
    });
    TextTable {
        title: "ProfileMean by architecture and state".to_owned(),
        headings: headings(&[
            "architecture",
            "pretrained",
            "untrained",
            "seeds from",
            "seeds",
        ]),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// The paper's Table 5: what each model is, and what it recovers.
pub(super) fn summary_of_models(record: &AlignRecord) -> TextTable {
    let words = |words: &Option<String>| words.as_ref().map_or(Cell::Missing, text);
    let of_state = |state: SourceState| {
        let sources = record.sources.iter();
        sources.filter(move |source| source.state == Some(state))
    };
    let states = [SourceState::Pretrained, SourceState::Random];
    let rows = states.into_iter().flat_map(of_state).map(|source| {
        let trained = match source.state {
            Some(SourceState::Random) => "untrained",
            _ => "pretrained",
        };
        vec![
            text(source.architecture.as_ref().unwrap_or(&source.source)),
            text(trained),
            words(&source.weights),
            words(&source.layers),
            number(source.accuracy.mean),
            profile_mean(source).map_or(Cell::Missing, |mean| number(mean.mean)),
            number(source.brain_ref_score.mean),
            number(source.shape_distance.mean),
        ]
    });
    TextTable {
        title: "Summary of models".to_owned(),
        headings: headings(&[
            "architecture",
            "state",
            "weights",
            "layers",
            "held-out",
            "ProfileMean",
            "BrainRefScore",
            "ShapeDist",
        ]),
        rows: rows.collect(),
        notes: vec![
            "Held-out: prediction accuracy on test stimuli. A lower ShapeDist is nearer to the curve of other \
             subjects"
                .to_owned(),
        ],
    }
}
