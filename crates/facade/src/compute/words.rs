//! Metrics of the words that a vision-language model returns: names of categories, and texts in images.

use super::{Columns, Context, keep_details, of_kind, outcomes, transpose};
use crate::Error;
use crate::selection::Selection;
use neurogauge_core::{CategoryNames, Explained, PairDetails, Side, Undefined};
use neurogauge_metrics::{Compute, MetricError, Options};

/// What compares the words of two images.
type Compare = fn(&CategoryNames, &CategoryNames, &Options) -> Result<Explained, MetricError>;

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    details: &mut [PairDetails],
) -> Result<Columns, Error> {
    let mut columns = Columns::new();
    for (&kind, words) in &context.dataset.words {
        let metrics = of_kind(selection, |compute| match compute {
            Compute::CategoryNames(compare) | Compute::ImageTexts(compare) if compute.kind() == Some(kind) => {
                Some(*compare as Compare)
            }
            _ => None,
        });
        if metrics.is_empty() {
            continue;
        }
        let rows = words.pairs.iter().map(|pair| {
            let both = (&words.sides.gt[pair.gt].1, &words.sides.recon[pair.recon].1);
            let (Some(gt), Some(recon)) = both else {
                let side = if both.0.is_none() { Side::Gt } else { Side::Recon };
                let reason = format!("no {} of the {side}", kind.noun());
                return Ok(vec![Err(Undefined::Because(reason.into())).into(); metrics.len()]);
            };
            let options = &context.request.options;
            outcomes(&metrics, pair, |compare| compare(gt, recon, options))
        });
        let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
        let rows = keep_details(rows.collect::<Result<Vec<_>, Error>>()?, details);
        columns.extend(transpose(&ids, rows));
    }
    Ok(columns)
}
