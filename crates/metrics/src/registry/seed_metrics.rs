//! Metrics of objects and captions, SEED, which combines them, and rates of failures.

use super::families::{OBJECT_F1, OBJECT_F1_VLM};
use super::metric::{
    Compute, ComputedAndExplained, DetectionFunction, EmbeddingFunction, Metric, PairFunction, ScoreFunction, function,
};
use crate::Taxonomy;
use crate::decoding::cap_sim::cap_sim;
use crate::decoding::near_miss::near_miss;
use crate::decoding::objects::{ObjectScores, object_scores};
use crate::decoding::seed::{detail_miss, seed, seed_parts, seed_vlm};
use crate::decoding::text_recall::text_recall;
use crate::decoding::vlm_objects::vlm_details;
use crate::decoding::vqa_score::vqa_score;
use neurogauge_core::{CategoryNames, Explained, Group, ObservationKind, Outcome};

const OBJECT_CONVENTIONS: &str = "object-presets object-score-order object-variants labels box-scale";

/// One of the scores, with the categories behind all of them.
fn explained(scores: &ObjectScores, taxonomy: &Taxonomy, pick: fn(&ObjectScores) -> &Outcome) -> ComputedAndExplained {
    let found = scores.details(&|category| taxonomy.name(category));
    Ok(Explained::by(pick(scores).clone(), OBJECT_F1, "categories", found))
}

const fn of_detections(compare: &'static DetectionFunction) -> Compute {
    Compute::Items(ObservationKind::Detections, compare)
}

const fn of_words(kind: ObservationKind, compare: &'static PairFunction<CategoryNames>) -> Compute {
    Compute::Items(kind, compare)
}

pub(super) const METRICS: &[Metric] = &[
    Metric::new(
        "object_recall",
        "Object Recall",
        Group::Semantic,
        "Share of the stimulus's object categories that the reconstruction has",
        of_detections(&function(|gt, recon, taxonomy, options| {
            explained(&object_scores(gt, recon, &options.objects)?, taxonomy, |scores| &scores.recall)
        })),
    )
    .conventions(OBJECT_CONVENTIONS),
    Metric::new(
        "object_precision",
        "Object Precision",
        Group::Semantic,
        "Share of the reconstruction's object categories that the stimulus has",
        of_detections(&function(|gt, recon, taxonomy, options| {
            explained(&object_scores(gt, recon, &options.objects)?, taxonomy, |scores| &scores.precision)
        })),
    )
    .conventions(OBJECT_CONVENTIONS),
    Metric::new(
        "object_f1",
        "Object F1",
        Group::Semantic,
        "Harmonic mean of object recall and precision",
        of_detections(&function(|gt, recon, taxonomy, options| {
            explained(&object_scores(gt, recon, &options.objects)?, taxonomy, |scores| &scores.f1)
        })),
    )
    .conventions(OBJECT_CONVENTIONS),
    Metric::new(
        "object_f1_vlm",
        "Object F1 (VLM)",
        Group::Semantic,
        "Object F1 of the categories that a vision-language model names",
        of_words(
            ObservationKind::CategoryNames,
            &function(|gt, recon, options| {
                let preset = options.objects.preset;
                let (f1, found) = vlm_details(gt, recon, options.vlm_names, preset);
                Ok(Explained::by(f1, OBJECT_F1_VLM, "categories", found))
            }),
        ),
    )
    .conventions("vlm-categories object-presets"),
    Metric::new(
        "cap_sim",
        "Cap-Sim",
        Group::Semantic,
        "Cosine similarity of the captions' sentence embeddings",
        Compute::Items(ObservationKind::Captions, &(cap_sim as EmbeddingFunction)),
    )
    .range(-1.0, 1.0)
    .conventions("cap-sim-encoder cap-sim-references text-instruction"),
    Metric::new(
        "vqa_score",
        "VQAScore",
        Group::Semantic,
        "Probability of yes when a model is asked whether the reconstruction shows what the stimulus's caption says",
        Compute::Items(ObservationKind::VqaScores, &(vqa_score as ScoreFunction)),
    )
    .conventions("vqa-score chat-request")
    .on_request(),
    Metric::new(
        "text_recall",
        "Text Recall",
        Group::Semantic,
        "Share of the words written in the stimulus that are also written in the reconstruction",
        of_words(ObservationKind::ImageTexts, &function(|gt, recon, _| Ok(text_recall(&gt.0, &recon.0).into()))),
    )
    .conventions("image-texts")
    .on_request(),
    Metric::new(
        "seed",
        "SEED",
        Group::Semantic,
        "Mean of Object F1, Cap-Sim and EffNet similarity",
        Compute::Scores {
            from: &["object_f1", "cap_sim", "effnet"],
            combine: |parts, _| seed(parts[0], parts[1], parts[2]),
            system: Some(|columns| seed_parts(columns[0], columns[1], columns[2])),
        },
    )
    .range(-1.0, 1.0)
    .conventions("seed-mean effnet-direction"),
    Metric::new(
        "seed_vlm",
        "SEED (VLM)",
        Group::Semantic,
        "Mean of Object F1 (VLM), Cap-Sim and EffNet similarity",
        Compute::Scores {
            from: &["object_f1_vlm", "cap_sim", "effnet"],
            combine: |parts, _| seed_vlm(parts[0], parts[1], parts[2]),
            system: Some(|columns| seed_parts(columns[0], columns[1], columns[2])),
        },
    )
    .range(-1.0, 1.0)
    .conventions("seed-mean effnet-direction vlm-categories")
    .on_request(),
    Metric::new(
        "snm",
        "SNM",
        Group::Failure,
        "Semantic near-miss: right supercategory, wrong category",
        Compute::Items(
            ObservationKind::Detections,
            &((|gt, recon, taxonomy, options| Ok(near_miss(gt, recon, taxonomy, &options.near_miss)?.rate.into()))
                as DetectionFunction),
        ),
    )
    .lower_is_better()
    .conventions("snm-categories"),
    Metric::new(
        "sdm",
        "SDM",
        Group::Failure,
        "Semantic detail miss: right objects, low SEED",
        Compute::Scores {
            from: &["object_f1", "seed"],
            combine: |parts, options| detail_miss(parts[0], parts[1], &options.detail_miss),
            system: None,
        },
    )
    .lower_is_better()
    .conventions("sdm-thresholds"),
];
