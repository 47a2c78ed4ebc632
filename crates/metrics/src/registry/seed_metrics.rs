//! Metrics of objects and captions, SEED, which joins them, and the failures that go with it.

use super::families::{OBJECT_F1, OBJECT_F1_VLM};
use super::metric::{Compute, ComputedAndExplained, Metric, spec};
use crate::Taxonomy;
use crate::decoding::cap_sim::cap_sim;
use crate::decoding::near_miss::near_miss;
use crate::decoding::objects::{ObjectScores, object_scores};
use crate::decoding::seed::{detail_miss, seed, seed_parts, seed_vlm};
use crate::decoding::text_recall::text_recall;
use crate::decoding::vlm_objects::vlm_details;
use crate::decoding::vqa_score::vqa_score;
use neurogauge_core::{Direction, Explained, Group, MetricSpec, Outcome};

const OBJECT_CONVENTIONS: &[&str] = &["object-presets", "object-score-order", "object-variants", "labels", "box-scale"];

/// One of the scores, with the categories that all of them count.
fn explained(scores: &ObjectScores, taxonomy: &Taxonomy, pick: fn(&ObjectScores) -> &Outcome) -> ComputedAndExplained {
    let found = scores.details(&|category| taxonomy.name(category));
    Ok(Explained::by(pick(scores).clone(), OBJECT_F1, "categories", found))
}

pub(super) const METRICS: &[Metric] = &[
    Metric {
        spec: MetricSpec {
            conventions: OBJECT_CONVENTIONS,
            ..spec(
                "object_recall",
                "Object Recall",
                Group::Semantic,
                Direction::Higher,
                (0.0, 1.0),
                "Share of the stimulus's object categories that the reconstruction has",
            )
        },
        compute: Compute::Detections(|gt, recon, taxonomy, options| {
            explained(&object_scores(gt, recon, &options.objects)?, taxonomy, |scores| &scores.recall)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: OBJECT_CONVENTIONS,
            ..spec(
                "object_precision",
                "Object Precision",
                Group::Semantic,
                Direction::Higher,
                (0.0, 1.0),
                "Share of the reconstruction's object categories that the stimulus has",
            )
        },
        compute: Compute::Detections(|gt, recon, taxonomy, options| {
            explained(&object_scores(gt, recon, &options.objects)?, taxonomy, |scores| &scores.precision)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: OBJECT_CONVENTIONS,
            ..spec(
                "object_f1",
                "Object F1",
                Group::Semantic,
                Direction::Higher,
                (0.0, 1.0),
                "Harmonic mean of object recall and precision",
            )
        },
        compute: Compute::Detections(|gt, recon, taxonomy, options| {
            explained(&object_scores(gt, recon, &options.objects)?, taxonomy, |scores| &scores.f1)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["vlm-categories", "object-presets"],
            ..spec(
                "object_f1_vlm",
                "Object F1 (VLM)",
                Group::Semantic,
                Direction::Higher,
                (0.0, 1.0),
                "Object F1 of the categories that a vision-language model names",
            )
        },
        compute: Compute::CategoryNames(|gt, recon, options| {
            let preset = options.objects.preset;
            let (f1, found) = vlm_details(gt, recon, options.vlm_names, preset);
            Ok(Explained::by(f1, OBJECT_F1_VLM, "categories", found))
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["cap-sim-encoder", "cap-sim-references", "text-instruction"],
            ..spec(
                "cap_sim",
                "Cap-Sim",
                Group::Semantic,
                Direction::Higher,
                (-1.0, 1.0),
                "Cosine similarity of the captions' sentence embeddings",
            )
        },
        compute: Compute::Captions(cap_sim),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["vqa-score", "chat-request"],
            on_request: true,
            ..spec(
                "vqa_score",
                "VQAScore",
                Group::Semantic,
                Direction::Higher,
                (0.0, 1.0),
                "Probability of yes when a model is asked whether the reconstruction shows what the stimulus's caption says",
            )
        },
        compute: Compute::VqaScores(vqa_score),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["image-texts"],
            on_request: true,
            ..spec(
                "text_recall",
                "Text Recall",
                Group::Semantic,
                Direction::Higher,
                (0.0, 1.0),
                "Share of the words written in the stimulus that are also written in the reconstruction",
            )
        },
        compute: Compute::ImageTexts(|gt, recon, _| Ok(text_recall(&gt.0, &recon.0).into())),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["seed-mean", "effnet-direction"],
            ..spec(
                "seed",
                "SEED",
                Group::Semantic,
                Direction::Higher,
                (-1.0, 1.0),
                "Mean of Object F1, Cap-Sim and EffNet similarity",
            )
        },
        compute: Compute::Scores {
            from: &["object_f1", "cap_sim", "effnet"],
            combine: |parts, _| seed(parts[0], parts[1], parts[2]),
            system: Some(|columns| seed_parts(columns[0], columns[1], columns[2])),
        },
    },
    Metric {
        spec: MetricSpec {
            conventions: &["seed-mean", "effnet-direction", "vlm-categories"],
            on_request: true,
            ..spec(
                "seed_vlm",
                "SEED (VLM)",
                Group::Semantic,
                Direction::Higher,
                (-1.0, 1.0),
                "Mean of Object F1 (VLM), Cap-Sim and EffNet similarity",
            )
        },
        compute: Compute::Scores {
            from: &["object_f1_vlm", "cap_sim", "effnet"],
            combine: |parts, _| seed_vlm(parts[0], parts[1], parts[2]),
            system: Some(|columns| seed_parts(columns[0], columns[1], columns[2])),
        },
    },
    Metric {
        spec: MetricSpec {
            conventions: &["snm-categories"],
            ..spec(
                "snm",
                "SNM",
                Group::Failure,
                Direction::Lower,
                (0.0, 1.0),
                "Semantic near-miss: right supercategory, wrong category",
            )
        },
        compute: Compute::Detections(|gt, recon, taxonomy, options| {
            Ok(near_miss(gt, recon, taxonomy, &options.near_miss)?.rate.into())
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["sdm-thresholds"],
            ..spec(
                "sdm",
                "SDM",
                Group::Failure,
                Direction::Lower,
                (0.0, 1.0),
                "Semantic detail miss: right objects, low SEED",
            )
        },
        compute: Compute::Scores {
            from: &["object_f1", "seed"],
            combine: |parts, options| detail_miss(parts[0], parts[1], &options.detail_miss),
            system: None,
        },
    },
];
