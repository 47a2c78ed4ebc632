//! What profiles are held against besides their null.

use super::{DECIMALS, estimate, headings, number, text};
use crate::align::summary::{AlignRecord, ControlSummary, is_group};
use neurogauge_core::Outcome;
use neurogauge_report::{Cell, TextTable};

pub(super) fn text_tables(record: &AlignRecord) -> Vec<TextTable> {
    let mut tables = Vec::new();
    if !record.controls.is_empty() {
        tables.push(subspaces(record));
    }
    if !record.directions.is_empty() {
        tables.push(directions(record));
    }
    if !record.auxiliary.is_empty() {
        tables.push(auxiliary(record));
    }
    tables
}

fn subspaces(record: &AlignRecord) -> TextTable {
    let shown = record.controls.iter();
    let shown = shown.filter(|control| is_group(control.sources.as_ref()));
    let rows = shown.map(|control: &ControlSummary| {
        let of = control.sources.as_deref().unwrap_or("the target");
        vec![
            text(control.control.to_string()),
            text(of),
            number(control.rank.mean),
            number(control.accuracy.mean),
            estimate(&control.profile_mean),
            number(control.full_ref_cov.mean),
            number(control.brain_ref_score.mean),
        ]
    });
    let mut notes = vec![
        "Selected: the sources' own subspaces. BrainRefScore of fixed ranks and of balanced partitions is over \
         donors under the same control; rows of single models are in align.json"
            .to_owned(),
    ];
    if let Some(balanced) = &record.balanced {
        let shown =
            |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.DECIMALS$}"));
        notes.push(format!(
            "References of balanced partitions beside the run's: similarity {}, consensus captured {}; ProfileMean \
             shifts by {}, Pearson {} over {} entries",
            shown(balanced.soft.mean),
            shown(balanced.hard.mean),
            shown(balanced.shift.mean),
            outcome(&balanced.profile_means.pearson),
            balanced.profile_means.n
        ));
    }
    TextTable {
        title: "Controls".to_owned(),
        headings: headings(&[
            "control",
            "of",
            "rank",
            "accuracy",
            "ProfileMean",
            "FullRefCov",
            "BrainRefScore",
        ]),
        rows: rows.collect(),
        notes,
    }
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => format!("{value:.DECIMALS$}"),
        Err(reason) => reason.to_string(),
    }
}

fn directions(record: &AlignRecord) -> TextTable {
    let shown = record.directions.iter();
    let rows = shown
        .filter(|found| is_group(Some(&found.sources)))
        .map(|found| {
            vec![
                text(&found.sources),
                Cell::Count(found.n),
                text(outcome(&found.pearson)),
                number(found.high_less_low),
            ]
        });
    TextTable {
        title: "Direction-wise held-out prediction beside coverage".to_owned(),
        headings: headings(&["sources", "directions", "Pearson", "high less low quarter"]),
        rows: rows.collect(),
        notes: vec![
            "DirCov against Pearson's r of predicted and measured test responses along the same directions of the \
             reference. Descriptive: directions, folds and sources are no independent sample"
                .to_owned(),
        ],
    }
}

fn auxiliary(record: &AlignRecord) -> TextTable {
    let shown = record.auxiliary.iter();
    let rows = shown
        .filter(|found| is_group(Some(&found.sources)))
        .map(|found| {
            vec![
                text(&found.sources),
                number(found.rank.mean),
                estimate(&found.full),
                estimate(&found.subspace),
                estimate(&found.source_pca),
                number(found.retained.mean),
            ]
        });
    TextTable {
        title: "Accuracy from all features and from the subspace".to_owned(),
        headings: headings(&[
            "sources",
            "rank",
            "all features",
            "subspace",
            "source components",
            "kept",
        ]),
        rows: rows.collect(),
        notes: vec![
            "Regularisation of readouts selected on the reserved chunk, ranks to 32; source components: as many \
             principal components of the source"
                .to_owned(),
        ],
    }
}
