//! Metrics of masks.

use super::families::BASIC_L;
use super::metric::{Compute, ComputedAndExplained, Metric, PairFunction, function};
use crate::Options;
use crate::decoding::basic_l::{Level, basic_l, basic_l_parts, level_ap, level_overlap};
use crate::decoding::mask_matching_ratio::mask_matching_ratio;
use neurogauge_core::{Explained, Group, Masks, ObservationKind};

type Compare = PairFunction<Masks>;

/// Overlap at a level, with the masks behind it.
fn explained(gt: &Masks, recon: &Masks, level: Level, options: &Options) -> ComputedAndExplained {
    let found = level_overlap(gt, recon, level, &options.basic_l)?;
    Ok(Explained::by(found.iou, BASIC_L, level.id(), found.details))
}

const fn of_two(compare: &'static Compare) -> Compute {
    Compute::Items(ObservationKind::Masks, compare)
}

const fn of_masks(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    conventions: &'static str,
    compare: &'static Compare,
) -> Metric {
    Metric::new(id, label, Group::Structure, about, of_two(compare)).conventions(conventions)
}

/// Overlap at a level.
const fn overlap(id: &'static str, label: &'static str, about: &'static str, compare: &'static Compare) -> Metric {
    const CONVENTIONS: &str = "basic-l-levels basic-l-categories basic-l-matching basic-l-empty mask-score \
        mask-size";
    of_masks(id, label, about, CONVENTIONS, compare)
}

/// Average precision at a level.
const fn average_precision(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    compare: &'static Compare,
) -> Metric {
    const CONVENTIONS: &str = "basic-l-levels basic-l-categories basic-l-average-precision basic-l-empty \
        mask-score mask-size";
    of_masks(id, label, about, CONVENTIONS, compare)
}

/// Metrics of masks outside BASIC-L.
pub(super) const FURTHER: &[Metric] = &[Metric::new(
    "mask_matching_ratio",
    "MMR",
    Group::Structure,
    "Share of the pixels that are foreground, or background, in both images",
    of_two(&function(|gt, recon, options| Ok(mask_matching_ratio(gt, recon, &options.basic_l)?.into()))),
)
.conventions("mask-matching-ratio basic-l-categories mask-score mask-size")
.on_request()];

pub(super) const METRICS: &[Metric] = &[
    overlap(
        "salient_iou",
        "Salient IoU",
        "Overlap of all foreground objects, as one mask",
        &function(|gt, recon, options| explained(gt, recon, Level::Salient, options)),
    ),
    overlap(
        "binary_iou",
        "Binary IoU",
        "Overlap of the foreground and of the background, averaged",
        &function(|gt, recon, options| explained(gt, recon, Level::Binary, options)),
    ),
    overlap(
        "semantic_iou",
        "Semantic IoU",
        "Overlap of the masks of each name, averaged",
        &function(|gt, recon, options| explained(gt, recon, Level::Semantic, options)),
    ),
    overlap(
        "instance_iou",
        "Instance IoU",
        "Overlap of objects that are paired one to one, missed and invented ones counting 0",
        &function(|gt, recon, options| explained(gt, recon, Level::Instance, options)),
    ),
    overlap(
        "part_iou",
        "Part IoU",
        "Overlap of the masks of each name of a part, averaged",
        &function(|gt, recon, options| explained(gt, recon, Level::Part, options)),
    ),
    average_precision(
        "salient_ap",
        "Salient AP",
        "COCO's average precision of all foreground objects as one mask",
        &function(|gt, recon, options| Ok(level_ap(gt, recon, Level::Salient, &options.basic_l)?.into())),
    ),
    average_precision(
        "binary_ap",
        "Binary AP",
        "COCO's average precision of foreground and background",
        &function(|gt, recon, options| Ok(level_ap(gt, recon, Level::Binary, &options.basic_l)?.into())),
    ),
    average_precision(
        "semantic_ap",
        "Semantic AP",
        "COCO's average precision of the masks of each name",
        &function(|gt, recon, options| Ok(level_ap(gt, recon, Level::Semantic, &options.basic_l)?.into())),
    ),
    average_precision(
        "instance_ap",
        "Instance AP",
        "COCO's average precision of single objects",
        &function(|gt, recon, options| Ok(level_ap(gt, recon, Level::Instance, &options.basic_l)?.into())),
    ),
    average_precision(
        "part_ap",
        "Part AP",
        "COCO's average precision of the masks of each name of a part",
        &function(|gt, recon, options| Ok(level_ap(gt, recon, Level::Part, &options.basic_l)?.into())),
    ),
    Metric::new(
        "basic_l",
        "BASIC-L",
        Group::Structure,
        "Weighted sum of salient, semantic, instance and part IoU",
        Compute::Scores {
            from: &["salient_iou", "semantic_iou", "instance_iou", "part_iou"],
            combine: |parts, _| basic_l([parts[0], parts[1], parts[2], parts[3]]),
            system: Some(|columns| basic_l_parts([columns[0], columns[1], columns[2], columns[3]])),
        },
    )
    .conventions("basic-l-weights"),
];
