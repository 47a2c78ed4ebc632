//! Metrics of masks: one pair of files in memory per thread.

use super::nothing_seen::{content, sameness};
use super::{Columns, Context, keep_details, of_kind, outcomes, transpose};
use crate::Error;
use crate::dataset::listed;
use crate::selection::Selection;
use neurogauge_core::{Explained, Finding, Masks, PairDetails, Side, Sides, Undefined};
use neurogauge_formats::masks::MaskSource;
use neurogauge_metrics::decoding::basic_l::names_at_no_level;
use neurogauge_metrics::{Compute, MetricError, Options};
use rayon::prelude::*;

type MaskMetric = fn(&Masks, &Masks, &Options) -> Result<Explained, MetricError>;

/// The results of a pair.
struct Row {
    explained: Vec<Explained>,
    /// A name that is in no list of its categories.
    stray: Option<String>,
    /// The number of masks of both sides, and how many of them have no name.
    n_masks: usize,
    n_unlabelled: usize,
    /// What is on each side.
    contents: Sides<Option<u64>>,
}

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    findings: &mut Vec<Finding>,
    details: &mut [PairDetails],
) -> Result<Columns, Error> {
    let metrics: Vec<(&'static str, MaskMetric)> = of_kind(selection, |compute| match compute {
        Compute::Masks(function) => Some(*function),
        _ => None,
    });
    let (Some(masks), false) = (&context.dataset.masks, metrics.is_empty()) else {
        return Ok(Columns::new());
    };
    let options = &context.request.options;
    let n_pairs = masks.pairs.len();
    context.progress.start("comparing masks", n_pairs as u64, 0);
    let rows: Result<Vec<Row>, Error> = masks
        .pairs
        .par_iter()
        .map(|pair| {
            if let Some(side) = masks.side_without(pair, MaskSource::has) {
                context.progress.advance(1);
                let reason = Undefined::Because(format!("no masks of the {side}").into());
                return Ok(Row {
                    explained: vec![Err(reason).into(); metrics.len()],
                    stray: None,
                    n_masks: 0,
                    n_unlabelled: 0,
                    contents: Sides::default(),
                });
            }
            let gt = masks.sides.gt.load(pair.gt)?;
            let recon = masks.sides.recon.load(pair.recon)?;
            let explained = outcomes(&metrics, pair, |function| function(&gt, &recon, options))?;
            context.progress.advance(1);
            let strays = names_at_no_level(&gt, &recon, &options.basic_l);
            let both = gt.items.iter().chain(&recon.items);
            Ok(Row {
                explained,
                stray: strays.into_iter().find(|name| !name.is_empty()),
                n_masks: both.clone().count(),
                n_unlabelled: both.filter(|mask| mask.name.is_empty()).count(),
                contents: Sides {
                    gt: content(&gt.items),
                    recon: content(&recon.items),
                },
            })
        })
        .collect();
    context.progress.finish();
    let rows = rows?;
    findings.extend(no_categories(context));
    findings.extend(
        Side::BOTH
            .iter()
            .filter_map(|&side| sameness(side, "masks", rows.iter().map(|row| *row.contents.side(side)))),
    );
    let n_unlabelled: usize = rows.iter().map(|row| row.n_unlabelled).sum();
    if n_unlabelled > 0 {
        let n_masks: usize = rows.iter().map(|row| row.n_masks).sum();
        let message = format!(
            "{n_unlabelled} of {n_masks} masks have no label, since no word of the prompt fits their box well enough; where there \
             are categories they count at no level"
        );
        findings.push(Finding::warning("unlabelled_masks", "masks", message));
    }
    let strays: Vec<&str> = rows.iter().filter_map(|row| row.stray.as_deref()).collect();
    if !strays.is_empty() {
        findings.push(Finding::warning(
            "names_without_category",
            "masks",
            format!(
                "{} of {n_pairs} pairs have masks whose names are in no list of their categories, and which count at no \
                 level: {}",
                strays.len(),
                listed(strays.iter().copied())
            ),
        ));
    }
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    let rows = rows.into_iter().map(|row| row.explained).collect();
    Ok(transpose(&ids, keep_details(rows, details)))
}

/// A warning that no categories were given for the names of masks.
fn no_categories(context: &Context<'_>) -> Option<Finding> {
    let masks = context.dataset.masks.as_ref()?;
    let has = |side: Side| masks.sides.side(side).categories().is_some();
    let message = match (has(Side::Gt), has(Side::Recon)) {
        (true, _) => return None,
        (false, true) => {
            "only the reconstructions have categories (recon/categories.json); names that those lack count at no level"
        }
        (false, false) => {
            "no categories were given (gt/categories.json), so every name counts as a foreground object: there is no \
             background and there are no parts, and BASIC-L, which needs parts, has no value"
        }
    };
    Some(Finding::warning("no_categories", "masks", message))
}
