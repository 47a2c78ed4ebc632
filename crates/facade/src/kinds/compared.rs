//! Compares the items of a kind pair by pair.

use super::ObservedKind;
use crate::Error;
use crate::compute::{Computed, Context, ids, outcomes};
use crate::dataset::Paired;
use crate::progress::Progress;
use neurogauge_core::{Explained, Pair, Side, Sides, Silent, Undefined};
use neurogauge_metrics::MetricError;
use rayon::prelude::*;

/// An item, if it exists.
pub(crate) type Loaded<T> = Result<Option<T>, Error>;

/// A kind whose items are compared pair by pair.
pub(crate) trait PairKind: ObservedKind {
    /// An item in the form in which it is compared.
    type Item<'a>: Send + Sync;
    /// Are items read from files as they are compared? If so, progress is shown.
    const READS_FILES: bool = false;

    /// The reason why a pair has no value if this side has no item.
    fn absent(side: Side) -> Undefined {
        Undefined::Because(format!("no {} of the {side}", Self::KIND.noun()).into())
    }

    /// The item of a side for the pair at `place`.
    fn load<'a>(
        items: &'a Paired<Self::Items>,
        place: usize,
        side: Side,
        context: &Context<'a>,
    ) -> Loaded<Self::Item<'a>>;
}

/// The items of both sides of the pair at `place`, or the reason why a side has none.
pub(super) fn both<'a, K: PairKind>(
    items: &'a Paired<K::Items>,
    place: usize,
    context: &Context<'a>,
) -> Result<Result<Sides<K::Item<'a>>, Undefined>, Error> {
    let load = |side: Side| K::load(items, place, side, context);
    Ok(match (load(Side::Gt)?, load(Side::Recon)?) {
        (Some(gt), Some(recon)) => Ok(Sides { gt, recon }),
        (None, _) => Err(K::absent(Side::Gt)),
        (_, None) => Err(K::absent(Side::Recon)),
    })
}

/// Compares the items of every pair and adds one column for each metric. Returns the result of `look` for each pair
/// that has items on both sides.
pub(super) fn compared<'a, K, F, L>(
    metrics: &[(&'static str, F)],
    context: &Context<'a>,
    computed: &mut Computed,
    compare: impl Fn(&F, &Pair, &Sides<K::Item<'a>>) -> Result<Explained, MetricError> + Sync,
    look: impl Fn(&Pair, &Sides<K::Item<'a>>) -> L + Sync,
) -> Result<Vec<Option<L>>, Error>
where
    K: PairKind,
    F: Sync,
    L: Send,
{
    let (Some(items), false) = (K::of(context.dataset), metrics.is_empty()) else {
        return Ok(Vec::new());
    };
    let progress: &dyn Progress = if K::READS_FILES { context.progress } else { &Silent };
    progress.start(&format!("comparing {}", K::KIND.noun()), items.pairs.len() as u64, 0);
    let of_pair = |(place, pair): (usize, &Pair)| {
        let found = match both::<K>(items, place, context)? {
            Ok(sides) => (outcomes(metrics, pair, |metric| compare(metric, pair, &sides))?, Some(look(pair, &sides))),
            Err(reason) => (vec![Err(reason).into(); metrics.len()], None),
        };
        progress.advance(1);
        Ok(found)
    };
    let rows: Result<Vec<_>, Error> = items.pairs.par_iter().enumerate().map(of_pair).collect();
    progress.finish();
    let (rows, seen): (Vec<_>, Vec<_>) = rows?.into_iter().unzip();
    computed.add_explained(&ids(metrics), rows);
    Ok(seen)
}
