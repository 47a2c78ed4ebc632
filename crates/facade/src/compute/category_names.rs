//! Metrics of the category names that a vision-language model returns.

use super::{Columns, Context, keep_details, of_kind, outcomes, transpose};
use crate::Error;
use crate::selection::Selection;
use neurogauge_core::{PairDetails, Side, Undefined};
use neurogauge_metrics::Compute;

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    details: &mut [PairDetails],
) -> Result<Columns, Error> {
    let metrics = of_kind(selection, |compute| match compute {
        Compute::CategoryNames(function) => Some(*function),
        _ => None,
    });
    let (Some(names), false) = (&context.dataset.category_names, metrics.is_empty()) else {
        return Ok(Columns::new());
    };
    let rows = names.pairs.iter().map(|pair| {
        let both = (&names.sides.gt[pair.gt].1, &names.sides.recon[pair.recon].1);
        let (Some(gt), Some(recon)) = both else {
            let side = if both.0.is_none() {
                Side::Gt
            } else {
                Side::Recon
            };
            let reason = Undefined::Because(format!("no VLM categories of the {side}").into());
            return Ok(vec![Err(reason).into(); metrics.len()]);
        };
        let options = &context.request.options;
        outcomes(&metrics, pair, |function| function(gt, recon, options))
    });
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    let rows = keep_details(rows.collect::<Result<Vec<_>, Error>>()?, details);
    Ok(transpose(&ids, rows))
}
