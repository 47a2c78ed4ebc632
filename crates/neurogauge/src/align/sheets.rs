//! The tables made for reading.

use super::config::SourceState;
use super::entries::MAIN_LENGTH;
use super::summary::{AlignRecord, SourceSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::{Cell, Sheet};
use std::collections::BTreeMap;

const DECIMALS: usize = 3;

pub(super) fn sheets(record: &AlignRecord) -> Vec<Sheet> {
    let mut sheets = vec![models(record)];
    if record
        .sources
        .iter()
        .any(|source| !source.null_curve.is_empty())
    {
        sheets.push(null(record));
    }
    if record
        .sources
        .iter()
        .any(|source| source.architecture.is_some())
    {
        sheets.push(architectures(record));
    }
    if record.matched.iter().any(|matched| matched.pairs.n > 0) {
        sheets.push(matched(record));
    }
    sheets.push(references(record));
    sheets
}

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

fn headings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn estimate(estimate: &UnitEstimate) -> Cell {
    match (estimate.mean, estimate.interval) {
        (Some(mean), Some(ends)) => Cell::Estimate(mean, ends, DECIMALS),
        (Some(mean), None) => Cell::Number(mean, DECIMALS),
        (None, _) => Cell::Missing,
    }
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value, DECIMALS))
}

/// ProfileMean at the main length, or the longest below it.
fn profile_mean(source: &SourceSummary) -> Option<&UnitEstimate> {
    let means = source.profile_means.iter();
    means
        .rev()
        .find(|(k, _)| *k <= MAIN_LENGTH)
        .map(|(_, mean)| mean)
}

fn models(record: &AlignRecord) -> Sheet {
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
    Sheet {
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

fn null(record: &AlignRecord) -> Sheet {
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
    Sheet {
        title: "Above chance: coverage has no zero floor".to_owned(),
        headings: headings(&["source", "ProfileMean", "null", "corrected", "p ≤ 0.05"]),
        rows: rows.collect(),
        notes: vec![note.to_owned()],
    }
}

/// Profile mean by architecture and state; seeds of an architecture are averaged.
fn architectures(record: &AlignRecord) -> Sheet {
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
        let mean = |values: &[f64]| number(super::entries::mean(values.iter().copied()));
        vec![
            text(name),
            mean(&pretrained),
            mean(&random),
            spread(&random),
            Cell::Count(random.len()),
        ]
    });
    Sheet {
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

fn matched(record: &AlignRecord) -> Sheet {
    let percent = |share: Option<f64>| {
        share.map_or(Cell::Missing, |share| {
            text(format!("{:.1}%", 100.0 * share))
        })
    };
    let rows = record.matched.iter().map(|matched| {
        vec![
            Cell::Number(matched.limit, DECIMALS),
            Cell::Count(matched.pairs.n),
            number(matched.pairs.mean),
            percent(matched.pairs.positive),
            number(matched.human.threshold),
            percent(matched.pairs.beyond),
        ]
    });
    Sheet {
        title: "Pretrained against untrained at nearly equal accuracy".to_owned(),
        headings: headings(&[
            "accuracy within",
            "pairs",
            "ProfileMean, difference",
            "positive",
            "human threshold",
            "beyond it",
        ]),
        rows: rows.collect(),
        notes: vec![
            "Human threshold: 90th percentile of the differences between donors of nearly equal \
             accuracy"
                .to_owned(),
        ],
    }
}

fn references(record: &AlignRecord) -> Sheet {
    let references = &record.references;
    let mut rows = vec![
        vec![text("effective rank"), estimate(&references.effective_rank)],
        vec![text("consensus rank"), estimate(&references.consensus_rank)],
    ];
    for (m, [coverage, purity, _]) in &references.convergence {
        let name = format!("{m} partitions: coverage, purity");
        let values = format!("{coverage:.DECIMALS$}, {purity:.DECIMALS$}");
        rows.push(vec![text(name), text(values)]);
    }
    let correlations = &record.accuracy_and_profile;
    let shown = |outcome: &neurogauge_core::Outcome| match outcome {
        Ok(value) => format!("{value:.DECIMALS$}"),
        Err(reason) => reason.to_string(),
    };
    Sheet {
        title: "Target references".to_owned(),
        headings: headings(&["", "value"]),
        rows,
        notes: vec![format!(
            "Accuracy against ProfileMean over {} entries of models: Pearson {}, Spearman {}",
            correlations.n,
            shown(&correlations.pearson),
            shown(&correlations.spearman)
        )],
    }
}
