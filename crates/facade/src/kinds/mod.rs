//! The kinds of observations that runs compare. For each kind, a file says how its items are opened, reopened after an
//! observer wrote them, and compared.

mod captions;
mod detections;
mod features;
mod files;
mod images;
mod masks;
mod needs;
mod open;
mod pool;
mod scene_graphs;
mod step_inputs;
#[cfg(test)]
pub(crate) mod toy;
mod vqa_scores;
mod words;

pub(crate) use captions::CaptionKind;
pub(crate) use detections::DetectionKind;
pub(crate) use files::observed;
pub(crate) use masks::MaskKind;
pub use needs::{Needs, needs_of};
pub(crate) use open::open;

use images::ImageKind;

use crate::Error;
use crate::compute::alike::neighbours_are_alike;
use crate::compute::{Computed, Context, Loaded, Pairs, both, composites, of_scores, sameness};
use crate::dataset::{Dataset, Opening, Paired, SideItems};
use crate::execute::{FailedItem, Places, StepOutput};
use neurogauge_core::{ObservationKind, Pair, Side, Sides};
use neurogauge_metrics::Metric;
use std::path::PathBuf;

/// A kind of observation that runs compare.
pub(crate) trait ObservedKind {
    const KIND: ObservationKind;
    type Items: SideItems;

    fn of(dataset: &Dataset) -> Option<&Paired<Self::Items>> {
        dataset.items(Self::KIND)
    }

    /// Opens the user's files; `None` if SEED's layout, which is already open, has the items.
    fn open(_files: Option<&Sides<PathBuf>>, _opening: &mut Opening<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Opens what an observer wrote.
    fn reopen(_outputs: &[StepOutput], _places: &Places, _dataset: &mut Dataset) -> Result<(), Error> {
        Ok(())
    }

    /// Opens the items and whatever else the metric needs; without a metric, the items are only checked for faults.
    fn open_for(_metric: Option<&Metric>, opening: &mut Opening<'_>) -> Result<(), Error> {
        opening.kind(Self::KIND)
    }

    /// What a metric of this kind needs.
    fn needs(_metric: &Metric) -> Needs {
        Needs::of_file(Self::KIND)
    }

    /// Computes the metrics that compare the items.
    fn compare(_context: &Context<'_>, _computed: &mut Computed) -> Result<(), Error> {
        Ok(())
    }

    /// For each item in memory, a hash of its content; `None` if it is empty or missing.
    fn contents(_items: &Self::Items) -> Vec<Option<u64>> {
        Vec::new()
    }
}

/// A function that loads the items of both sides of the pair at a place.
trait LoadsBoth<T>: Fn(usize, &Pair) -> Loaded<Sides<T>> + Sync {}

impl<T, F: Fn(usize, &Pair) -> Loaded<Sides<T>> + Sync> LoadsBoth<T> for F {}

/// A kind whose items are compared pair by pair.
trait PairKind: ObservedKind {
    /// An item in the form in which it is compared.
    type Item<'a>;
    /// Are items read from files as they are compared? If so, progress is shown.
    const READS_FILES: bool = false;

    /// The item of a side for the pair at `place`, or the reason why there is none.
    fn load<'a>(
        items: &'a Paired<Self::Items>,
        place: usize,
        side: Side,
        context: &Context<'a>,
    ) -> Loaded<Self::Item<'a>>;

    /// The pairs that are compared, if the dataset has any.
    fn pairs<'a>(context: &'a Context<'a>) -> Option<Pairs<'a, impl LoadsBoth<Self::Item<'a>>>> {
        let items = Self::of(context.dataset)?;
        let load = move |place: usize, _: &Pair| both(|side| Self::load(items, place, side, context));
        let pairs = Pairs::new(&items.pairs, load);
        Some(match Self::READS_FILES {
            true => pairs.shown(format!("comparing {}", Self::KIND.noun()), context.progress),
            false => pairs,
        })
    }
}

struct KindFunctions {
    kind: ObservationKind,
    open_for: fn(Option<&Metric>, &mut Opening<'_>) -> Result<(), Error>,
    open: fn(Option<&Sides<PathBuf>>, &mut Opening<'_>) -> Result<(), Error>,
    reopen: fn(&[StepOutput], &Places, &mut Dataset) -> Result<(), Error>,
    needs: fn(&Metric) -> Needs,
    compare: fn(&Context<'_>, &mut Computed) -> Result<(), Error>,
    contents: fn(&Dataset, Side) -> Vec<Option<u64>>,
}

impl KindFunctions {
    const fn of<K: ObservedKind>() -> Self {
        KindFunctions {
            kind: K::KIND,
            open_for: K::open_for,
            open: K::open,
            reopen: K::reopen,
            needs: K::needs,
            compare: K::compare,
            contents: |dataset, side| K::of(dataset).map_or(Vec::new(), |found| K::contents(found.sides.side(side))),
        }
    }
}

/// Every kind, in the order in which they are compared.
static KINDS: &[KindFunctions] = &[
    KindFunctions::of::<ImageKind>(),
    KindFunctions::of::<features::FeatureKind>(),
    KindFunctions::of::<DetectionKind>(),
    KindFunctions::of::<CaptionKind>(),
    KindFunctions::of::<words::WordKind<false>>(),
    KindFunctions::of::<words::WordKind<true>>(),
    KindFunctions::of::<MaskKind>(),
    KindFunctions::of::<masks::CategoryKind>(),
    KindFunctions::of::<scene_graphs::SceneGraphKind>(),
    KindFunctions::of::<vqa_scores::VqaScoreKind>(),
    #[cfg(test)]
    KindFunctions::of::<toy::BrightnessKind>(),
];

fn functions_of(kind: ObservationKind) -> Option<&'static KindFunctions> {
    KINDS.iter().find(|functions| functions.kind == kind)
}

/// Opens a step's outputs.
pub(crate) fn reopen(outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
    let functions = outputs.first().and_then(|output| functions_of(output.writes.kind));
    functions.map_or(Ok(()), |functions| (functions.reopen)(outputs, places, dataset))
}

/// Adds what `open` finds for the items of each side, which are those of the first kind that an observer reads.
fn add_observed<K: ObservedKind>(
    dataset: &mut Dataset,
    open: impl Fn(&Dataset, Side, &[String]) -> Result<K::Items, Error>,
) -> Result<(), Error> {
    let read = K::KIND.made_of().first().and_then(|kind| dataset.of[*kind].as_deref());
    let Some((pairs, stems)) = read.map(|read| read.pairs_and_stems()) else {
        return Ok(());
    };
    let sides = Sides::of(|side| open(dataset, side, stems.side(side)))?;
    dataset.add(K::KIND, Paired { sides, pairs });
    Ok(())
}

/// Compares the images of the pairs in the settings' shard, since only these results are kept pair by pair. Returns the
/// images that could not be read.
pub(crate) fn compare_images(context: &Context<'_>) -> Result<Vec<FailedItem>, Error> {
    // The process that finishes the run finds their warnings in the journal.
    let mut computed = Computed::of_inputs(context.dataset);
    ImageKind::compare(context, &mut computed)?;
    Ok(computed.unreadable)
}

/// Computes every selected metric. The scores are in the order of the selection.
pub(crate) fn compute(context: &Context<'_>) -> Result<Computed, Error> {
    let mut computed = Computed::of_inputs(context.dataset);
    for kind in KINDS {
        (kind.compare)(context, &mut computed)?;
    }
    composites::compute(context, &mut computed);
    let order: Vec<&str> = context.selection.metrics.iter().map(|selected| selected.metric.spec.id).collect();
    let place = |id: &String| order.iter().position(|known| known == id);
    computed.scores.columns.retain(|(id, _)| place(id).is_some());
    computed.scores.columns.sort_by_key(|(id, _)| place(id));
    // The contents of detections and masks are checked during their comparison.
    for side in Side::BOTH {
        for kind in KINDS.iter().filter(|kind| kind.kind.sides().contains(&side)) {
            let contents = (kind.contents)(context.dataset, side);
            computed.findings.extend(sameness(side, kind.kind.noun(), contents.into_iter()));
        }
    }
    let of_scores = of_scores(context, &computed, |place| captions::are_blank(context.dataset, place));
    computed.findings.extend(of_scores);
    let alike = neighbours_are_alike(&computed, context)?;
    computed.findings.extend(alike);
    if computed.details.iter().all(|pair| pair.metrics.is_empty()) {
        computed.details.clear();
    }
    Ok(computed)
}
