//! The contributions of each source's layers.

use super::estimate;
use crate::align::AlignRecord;
use neurogauge_report::{Cell, Table};

/// The table; `None` without that control.
pub(super) fn contributions(record: &AlignRecord) -> Option<Table> {
    let found = &record.summary.contributions;
    let table = Table::of("Contributions of layers", found)
        .column_of_groups("source", |own| own.source.clone())
        .column("layer", |own| Cell::text(own.block.as_str()))
        .column("all layers", |own| Cell::number(own.whole.mean))
        .column("alone", |own| estimate(&own.alone))
        .column("lost without", |own| estimate(&own.loss))
        .column("Shapley", |own| estimate(&own.shapley))
        .column("ProfileMean, alone", |own| Cell::number(own.profile_mean_alone.mean))
        .column("lost without it", |own| Cell::number(own.profile_mean_loss.mean));
    let has_null = found.iter().any(|own| own.null_loss.mean.is_some());
    let mut notes = vec![
        "Recovered variance: r |r| of predicted and measured responses to test stimuli along each of the first directions, mean by \
         their weight. Alone: rank and regularisation selected for the layer by itself; lost without: all layers less all others. \
         Shapley values are mean gains over all orders of adding layers, and sum to that of all layers. Layers that say the same \
         lose little each"
            .to_owned(),
    ];
    if !has_null {
        notes.push("Chance: recovered variance about 0".to_owned());
        return table.noted(notes).filled();
    }
    notes.push(
        "p ≤ 0.05: in how many target units all layers recover more than they do once the rows of this one are permuted; null: what \
         is lost without the permuted layer. Chance: recovered variance about 0, a loss that of the null"
            .to_owned(),
    );
    table
        .column("null", |own| Cell::number(own.null_loss.mean))
        .column("p ≤ 0.05, uncorrected", |own| Cell::text(format!("{} of {}", own.n_significant, own.loss.n)))
        .noted(notes)
        .filled()
}
