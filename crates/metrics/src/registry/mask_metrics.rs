//! Metrics of masks.

use super::{Compute, Computed, Metric, spec};
use crate::Options;
use crate::decoding::basic_l::{basic_l, basic_l_parts};
use neurogauge_core::{Direction, Group, Masks, MetricSpec};

type Compare = fn(&Masks, &Masks, &Options) -> Computed;

const fn of_masks(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    conventions: &'static [&'static str],
    compare: Compare,
) -> Metric {
    Metric {
        spec: MetricSpec {
            conventions,
            ..spec(
                id,
                label,
                Group::Structure,
                Direction::Higher,
                (0.0, 1.0),
                about,
            )
        },
        compute: Compute::Masks(compare),
    }
}

/// Overlap at a level.
pub(super) const fn overlap(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    compare: Compare,
) -> Metric {
    const CONVENTIONS: &[&str] = &[
        "basic-l-levels",
        "basic-l-categories",
        "basic-l-matching",
        "basic-l-empty",
        "mask-score",
        "mask-size",
    ];
    of_masks(id, label, about, CONVENTIONS, compare)
}

/// Average precision at a level.
pub(super) const fn average_precision(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    compare: Compare,
) -> Metric {
    const CONVENTIONS: &[&str] = &[
        "basic-l-levels",
        "basic-l-categories",
        "basic-l-average-precision",
        "basic-l-empty",
        "mask-score",
        "mask-size",
    ];
    of_masks(id, label, about, CONVENTIONS, compare)
}

/// BASIC-L.
pub(super) const BASIC_L: Metric = Metric {
    spec: MetricSpec {
        conventions: &["basic-l-weights"],
        ..spec(
            "basic_l",
            "BASIC-L",
            Group::Structure,
            Direction::Higher,
            (0.0, 1.0),
            "Weighted sum of salient, semantic, instance and part IoU",
        )
    },
    compute: Compute::Scores {
        from: &["salient_iou", "semantic_iou", "instance_iou", "part_iou"],
        combine: |parts, _| basic_l([parts[0], parts[1], parts[2], parts[3]]),
        system: Some(|columns| basic_l_parts([columns[0], columns[1], columns[2], columns[3]])),
    },
};

/// What `--metrics basic_l_all` stands for.
pub(super) const LIST: &[&str] = &[
    "salient_iou",
    "binary_iou",
    "semantic_iou",
    "instance_iou",
    "part_iou",
    "salient_ap",
    "binary_ap",
    "semantic_ap",
    "instance_ap",
    "part_ap",
    "basic_l",
];
