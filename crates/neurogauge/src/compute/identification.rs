//! Metrics that tell the own image of each pair from others.

use super::{Columns, Context};
use crate::Error;
use crate::run_record::PoolRecord;
use crate::selection::{Origin, Selection};
use neurogauge_core::Warning;
use neurogauge_metrics::Compute;
use neurogauge_metrics::decoding::identification::{
    Identification, IdentificationDirection, identify,
};
use std::collections::HashMap;

/// Stems that a warning lists.
const SHOWN: usize = 5;

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<(Columns, Vec<PoolRecord>), Error> {
    let (mut columns, mut pools) = (Columns::new(), Vec::new());
    let options = &context.request.options.identification;
    for selected in &selection.metrics {
        let compute = &selected.metric.compute;
        let (Compute::Identification { .. }, Origin::Features(model)) = (compute, &selected.origin)
        else {
            continue;
        };
        let Some(features) = context.dataset.features_of(model) else {
            continue;
        };
        let id = selected.metric.spec.id;
        let sides = &features.sides;
        let pairs: Vec<(&[f32], &[f32])> = features
            .pairs
            .iter()
            .map(|pair| (sides.gt.row(pair.gt), sides.recon.row(pair.recon)))
            .collect();
        let pool = context.dataset.pool.iter().find(|(name, _)| name == model);
        let pool = pool.filter(|_| compute.needs_pool()).map(|(_, pool)| pool);
        let others: Option<Vec<&[f32]>> =
            pool.map(|pool| (0..pool.ids().len()).map(|row| pool.row(row)).collect());

        context.progress.start(&format!("identifying, {id}"), 1, 0);
        let identified = identify(&pairs, others.as_deref(), options);
        context.progress.finish();
        let Identification {
            outcomes,
            n_others,
            left_out,
        } = identified.map_err(|source| Error::AllPairs { figure: id, source })?;

        let stem = |other: usize| match pool {
            Some(pool) => pool.ids()[other].as_str(),
            None => features.pairs[other].stem.as_str(),
        };
        if !left_out.is_empty() {
            warnings.push(Warning::new(
                "left_out_of_pool",
                id,
                format!(
                    "{} of the images that pairs are told from have features that are all equal or \
                     not finite and were left out: {}",
                    left_out.len(),
                    listed(left_out.iter().map(|(other, _)| stem(*other)))
                ),
            ));
        }
        if let Some(others) = &others {
            let own = pairs.iter().map(|(gt, recon)| match options.direction {
                IdentificationDirection::Reconstruction => *gt,
                IdentificationDirection::Stimulus => *recon,
            });
            let twins = twins(&own.collect::<Vec<_>>(), others);
            if !twins.is_empty() {
                warnings.push(Warning::new(
                    "pool_holds_own",
                    id,
                    format!(
                        "{} images of the pool have the features of an image that is to be told \
                         from them, and tie with it: {}",
                        twins.len(),
                        listed(twins.into_iter().map(stem))
                    ),
                ));
            }
        }
        pools.push(PoolRecord {
            metric: id.to_owned(),
            n_others,
            n_left_out: left_out.len(),
        });
        columns.push((id, outcomes));
    }
    Ok((columns, pools))
}

/// The first few stems.
fn listed<'a>(stems: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = if stems.len() > SHOWN { ", ..." } else { "" };
    let shown: Vec<&str> = stems.take(SHOWN).collect();
    format!("{}{more}", shown.join(", "))
}

/// Positions of the others that equal one of `own`, value by value.
fn twins(own: &[&[f32]], others: &[&[f32]]) -> Vec<usize> {
    // Few rows begin alike, so few are compared whole.
    let beginning = |row: &[f32]| {
        row.iter()
            .take(8)
            .map(|v| v.to_bits())
            .collect::<Vec<u32>>()
    };
    let mut beginnings: HashMap<Vec<u32>, Vec<&[f32]>> = HashMap::new();
    for row in own {
        beginnings.entry(beginning(row)).or_default().push(row);
    }
    (0..others.len())
        .filter(|&other| {
            let candidates = beginnings.get(&beginning(others[other]));
            candidates.is_some_and(|rows| rows.contains(&others[other]))
        })
        .collect()
}
