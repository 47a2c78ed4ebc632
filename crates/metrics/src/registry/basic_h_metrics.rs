//! BASIC-H and its parts.

use super::{Compute, Metric, SEMANTIC, spec};
use crate::decoding::basic_h::{BasicHScores, basic_h};
use neurogauge_core::{Direction, MetricSpec, Outcome};

const MATCHING: &[&str] = &[
    "basic-graphs",
    "basic-order",
    "basic-attributes",
    "basic-presets",
    "basic-containment",
    "basic-synonyms",
    "basic-assignment",
    "basic-soft",
    "basic-negative-cosines",
    "basic-encoder",
    "basic-epsilon",
];

const fn part(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    pick: fn(&BasicHScores) -> Outcome,
) -> Metric {
    Metric {
        spec: MetricSpec {
            conventions: MATCHING,
            ..spec(id, label, SEMANTIC, Direction::Higher, (0.0, 1.0), about)
        },
        compute: Compute::SceneGraphs(pick),
    }
}

pub(super) const OBJECT_PRECISION: Metric = part(
    "basic_object_precision",
    "BASIC Object P",
    "Share of the objects in the reconstruction's caption that the stimulus's has",
    |scores| scores.objects.precision.clone(),
);
pub(super) const OBJECT_RECALL: Metric = part(
    "basic_object_recall",
    "BASIC Object R",
    "Share of the objects in the stimulus's caption that the reconstruction's has",
    |scores| scores.objects.recall.clone(),
);
pub(super) const OBJECT_F1: Metric = part(
    "basic_object_f1",
    "BASIC Object F1",
    "Harmonic mean of precision and recall of the captions' objects",
    |scores| scores.objects.f1.clone(),
);
pub(super) const ATTRIBUTE_PRECISION: Metric = part(
    "basic_attribute_precision",
    "BASIC Attribute P",
    "Share of the attributes in the reconstruction's caption that the stimulus's has",
    |scores| scores.attributes.precision.clone(),
);
pub(super) const ATTRIBUTE_RECALL: Metric = part(
    "basic_attribute_recall",
    "BASIC Attribute R",
    "Share of the attributes in the stimulus's caption that the reconstruction's has",
    |scores| scores.attributes.recall.clone(),
);
pub(super) const ATTRIBUTE_F1: Metric = part(
    "basic_attribute_f1",
    "BASIC Attribute F1",
    "Harmonic mean of precision and recall of the captions' attributes",
    |scores| scores.attributes.f1.clone(),
);
pub(super) const RELATION_PRECISION: Metric = part(
    "basic_relation_precision",
    "BASIC Relation P",
    "Share of the relations in the reconstruction's caption that the stimulus's has",
    |scores| scores.relations.precision.clone(),
);
pub(super) const RELATION_RECALL: Metric = part(
    "basic_relation_recall",
    "BASIC Relation R",
    "Share of the relations in the stimulus's caption that the reconstruction's has",
    |scores| scores.relations.recall.clone(),
);
pub(super) const RELATION_F1: Metric = part(
    "basic_relation_f1",
    "BASIC Relation F1",
    "Harmonic mean of precision and recall of the captions' relations",
    |scores| scores.relations.f1.clone(),
);

pub(super) const BASIC_H: Metric = Metric {
    spec: MetricSpec {
        conventions: &["basic-weights"],
        ..spec(
            "basic_h",
            "BASIC-H",
            SEMANTIC,
            Direction::Higher,
            (0.0, 1.0),
            "Weighted mean of the F1 of the captions' objects, attributes and relations",
        )
    },
    compute: Compute::Scores {
        from: &["basic_object_f1", "basic_attribute_f1", "basic_relation_f1"],
        combine: |parts, options| basic_h(parts[0], parts[1], parts[2], &options.basic_h),
        system: None,
    },
};

/// What `--metrics basic_h_all` stands for.
pub(super) const LIST: &[&str] = &[
    "basic_object_precision",
    "basic_object_recall",
    "basic_object_f1",
    "basic_attribute_precision",
    "basic_attribute_recall",
    "basic_attribute_f1",
    "basic_relation_precision",
    "basic_relation_recall",
    "basic_relation_f1",
    "basic_h",
];
