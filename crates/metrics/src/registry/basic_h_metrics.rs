//! BASIC-H and its parts.

use super::metric::{Compute, GraphFunction, Metric, function};
use crate::decoding::basic_h::basic_h;
use neurogauge_core::{Group, ObservationKind};

const MATCHING: &str = "basic-graphs basic-order basic-attributes basic-presets basic-containment \
    basic-synonyms basic-assignment basic-soft basic-negative-cosines basic-encoder basic-epsilon";

const fn part(id: &'static str, label: &'static str, about: &'static str, pick: &'static GraphFunction) -> Metric {
    Metric::new(id, label, Group::Semantic, about, Compute::Items(ObservationKind::SceneGraphs, pick))
        .conventions(MATCHING)
}

pub(super) const METRICS: &[Metric] = &[
    part(
        "basic_object_precision",
        "BASIC Object P",
        "Share of the objects in the reconstruction's caption that the stimulus's has",
        &function(|scores| scores.objects.precision.clone()),
    ),
    part(
        "basic_object_recall",
        "BASIC Object R",
        "Share of the objects in the stimulus's caption that the reconstruction's has",
        &function(|scores| scores.objects.recall.clone()),
    ),
    part(
        "basic_object_f1",
        "BASIC Object F1",
        "Harmonic mean of precision and recall of the captions' objects",
        &function(|scores| scores.objects.f1.clone()),
    ),
    part(
        "basic_attribute_precision",
        "BASIC Attribute P",
        "Share of the attributes in the reconstruction's caption that the stimulus's has",
        &function(|scores| scores.attributes.precision.clone()),
    ),
    part(
        "basic_attribute_recall",
        "BASIC Attribute R",
        "Share of the attributes in the stimulus's caption that the reconstruction's has",
        &function(|scores| scores.attributes.recall.clone()),
    ),
    part(
        "basic_attribute_f1",
        "BASIC Attribute F1",
        "Harmonic mean of precision and recall of the captions' attributes",
        &function(|scores| scores.attributes.f1.clone()),
    ),
    part(
        "basic_relation_precision",
        "BASIC Relation P",
        "Share of the relations in the reconstruction's caption that the stimulus's has",
        &function(|scores| scores.relations.precision.clone()),
    ),
    part(
        "basic_relation_recall",
        "BASIC Relation R",
        "Share of the relations in the stimulus's caption that the reconstruction's has",
        &function(|scores| scores.relations.recall.clone()),
    ),
    part(
        "basic_relation_f1",
        "BASIC Relation F1",
        "Harmonic mean of precision and recall of the captions' relations",
        &function(|scores| scores.relations.f1.clone()),
    ),
    Metric::new(
        "basic_h",
        "BASIC-H",
        Group::Semantic,
        "Weighted mean of the F1 of the captions' objects, attributes and relations",
        Compute::Scores {
            from: &["basic_object_f1", "basic_attribute_f1", "basic_relation_f1"],
            combine: |parts, options| basic_h(parts[0], parts[1], parts[2], &options.basic_h),
            system: None,
        },
    )
    .conventions("basic-weights"),
];
