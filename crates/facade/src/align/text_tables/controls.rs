//! The controls that profiles are compared with, in addition to their null.

use super::{DECIMALS, estimate, outcome};
use crate::align::AlignRecord;
use neurogauge_alignment::study::is_group;
use neurogauge_report::{Cell, Table};

pub(super) fn subspaces(record: &AlignRecord) -> Option<Table> {
    let mut notes = vec![
        "Selected: the sources' own subspaces. BrainRefScore of fixed ranks and of balanced partitions is over \
         donors under the same control; rows of single models are in align.json. Chance: accuracy 0; random directions \
         show what as many directions cover without a fit. FullRefCov: ProfileMean of all dimensions, by their weight"
            .to_owned(),
    ];
    if let Some(balanced) = &record.summary.balanced {
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.DECIMALS$}"));
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
    let shown = record.summary.controls.iter().filter(|control| is_group(control.sources.as_ref()));
    Table::of("Controls", shown)
        .column("control", |control| Cell::text(control.control.to_string()))
        .column("of", |control| Cell::text(control.sources.as_deref().unwrap_or("the target")))
        .column("rank", |control| Cell::number(control.rank.mean))
        .column("accuracy", |control| Cell::number(control.accuracy.mean))
        .column("ProfileMean", |control| estimate(&control.profile_mean))
        .column("FullRefCov", |control| Cell::number(control.full_ref_cov.mean))
        .column("BrainRefScore", |control| Cell::number(control.brain_ref_score.mean))
        .noted(notes)
        .filled()
}

pub(super) fn directions(record: &AlignRecord) -> Option<Table> {
    let shown = record.summary.directions.iter().filter(|found| is_group(Some(&found.sources)));
    Table::of("Direction-wise held-out prediction beside coverage", shown)
        .column("sources", |found| Cell::text(&found.sources))
        .column("directions", |found| Cell::Count(found.n))
        .column("Pearson", |found| Cell::text(outcome(&found.pearson)))
        .column("high less low quarter", |found| Cell::number(found.high_less_low))
        .noted(vec![
            "DirCov against Pearson's r of predicted and measured test responses along the same directions of the \
             reference. Descriptive: directions, folds and sources are no independent sample"
                .to_owned(),
        ])
        .filled()
}

pub(super) fn auxiliary(record: &AlignRecord) -> Option<Table> {
    let shown = record.summary.auxiliary.iter().filter(|found| is_group(Some(&found.sources)));
    Table::of("Accuracy from all features and from the subspace", shown)
        .column("sources", |found| Cell::text(&found.sources))
        .column("rank", |found| Cell::number(found.rank.mean))
        .column("all features", |found| estimate(&found.full))
        .column("subspace", |found| estimate(&found.subspace))
        .column("source components", |found| estimate(&found.source_pca))
        .column("kept", |found| Cell::number(found.retained.mean))
        .noted(vec![
            "Regularisation of readouts selected on the reserved chunk, ranks to 32; source components: as many \
             principal components of the source"
                .to_owned(),
        ])
        .filled()
}
