//! The kinds of observations that runs compare: for each a file that says how its items are opened, opened again after
//! an observer wrote them, and compared.

mod caption_words;
mod captions;
mod captions_of_images;
mod categories;
mod compared;
mod compute;
mod detections;
mod features;
mod files;
mod grounded_boxes;
mod images;
mod language;
mod masks;
mod open;
mod pool;
mod scene_graphs;
mod step_inputs;
mod vqa_scores;
mod words;

pub(crate) use captions::CaptionKind;
pub(crate) use compute::{compare_images, compute};
pub(crate) use detections::DetectionKind;
pub(crate) use files::observed;
pub(crate) use masks::MaskKind;
pub(crate) use open::open;

use crate::Error;
use crate::compute::{Computed, Context};
use crate::dataset::{Dataset, Opening, Paired, SideItems};
use crate::execute::{Places, StepOutput};
use neurogauge_core::{ObservationKind, Side, Sides};
use neurogauge_metrics::Metric;
use std::path::PathBuf;

/// A kind of observation whose items runs read.
pub(crate) trait ObservedKind {
    const KIND: ObservationKind;
    /// All items of a side.
    type Items: SideItems;

    /// The items of a dataset.
    fn of(dataset: &Dataset) -> Option<&Paired<Self::Items>> {
        dataset.items(Self::KIND)
    }

    /// Opens the user's files; `None` if SEED's layout, which is open already, has the items.
    fn open(_files: Option<&Sides<PathBuf>>, _opening: &mut Opening<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Opens what an observer wrote.
    fn reopen(_outputs: &[StepOutput], _places: &Places, _dataset: &mut Dataset) -> Result<(), Error> {
        Ok(())
    }

    /// For each item that is in memory, a hash of its content; `None` if it is empty or missing.
    fn contents(_items: &Self::Items) -> Vec<Option<u64>> {
        Vec::new()
    }
}

/// How the items of a kind are compared.
pub(crate) trait ComparedKind: ObservedKind {
    /// Opens the items, and what else the metric needs; there is no metric if only the items' faults are looked for.
    fn open_for(_metric: Option<&Metric>, opening: &mut Opening<'_>) -> Result<(), Error> {
        opening.kind(Self::KIND)
    }

    /// Computes the metrics that compare the items.
    fn compare(_context: &Context<'_>, _computed: &mut Computed) -> Result<(), Error> {
        Ok(())
    }
}

/// The functions of a kind.
struct KindFunctions {
    kind: ObservationKind,
    open_for: fn(Option<&Metric>, &mut Opening<'_>) -> Result<(), Error>,
    open: fn(Option<&Sides<PathBuf>>, &mut Opening<'_>) -> Result<(), Error>,
    reopen: fn(&[StepOutput], &Places, &mut Dataset) -> Result<(), Error>,
    compare: fn(&Context<'_>, &mut Computed) -> Result<(), Error>,
    contents: fn(&Dataset, Side) -> Vec<Option<u64>>,
}

impl KindFunctions {
    const fn of<K: ComparedKind>() -> Self {
        KindFunctions {
            kind: K::KIND,
            open_for: K::open_for,
            open: K::open,
            reopen: K::reopen,
            compare: K::compare,
            contents: |dataset, side| K::of(dataset).map_or(Vec::new(), |found| K::contents(found.sides.side(side))),
        }
    }
}

/// Every kind, in the order in which they are compared.
static KINDS: [KindFunctions; 10] = [
    KindFunctions::of::<images::ImageKind>(),
    KindFunctions::of::<features::FeatureKind>(),
    KindFunctions::of::<DetectionKind>(),
    KindFunctions::of::<CaptionKind>(),
    KindFunctions::of::<words::CategoryNameKind>(),
    KindFunctions::of::<words::ImageTextKind>(),
    KindFunctions::of::<MaskKind>(),
    KindFunctions::of::<categories::CategoryKind>(),
    KindFunctions::of::<scene_graphs::SceneGraphKind>(),
    KindFunctions::of::<vqa_scores::VqaScoreKind>(),
];

fn functions_of(kind: ObservationKind) -> Option<&'static KindFunctions> {
    KINDS.iter().find(|functions| functions.kind == kind)
}

/// Opens a step's outputs.
pub(crate) fn reopen(outputs: &[StepOutput], places: &Places, dataset: &mut Dataset) -> Result<(), Error> {
    let kind = outputs.first().map(|output| output.writes.kind);
    let functions = kind.and_then(functions_of);
    functions.map_or(Ok(()), |functions| (functions.reopen)(outputs, places, dataset))
}

/// Adds what `open` finds of the items of each side, which are those of the first kind that an observer reads.
fn add_observed<K: ObservedKind>(
    dataset: &mut Dataset,
    open: impl Fn(&Dataset, Side, &[String]) -> Result<K::Items, Error>,
) -> Result<(), Error> {
    let Some(read) = K::KIND.made_of().first().and_then(|kind| dataset.of[*kind].as_deref()) else {
        return Ok(());
    };
    let sides = Sides::of(|side| open(dataset, side, &read.stems(side)))?;
    let pairs = read.pairs().to_vec();
    dataset.add(K::KIND, Paired { sides, pairs });
    Ok(())
}
