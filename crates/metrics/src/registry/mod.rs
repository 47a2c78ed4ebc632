//! The one list of metrics: the command line, the documentation, Python and the tests read it.
//!
//! To add a metric: its file under `decoding/`, one entry here, a reference script, its golden, and
//! a line in the changelog.

mod basic_h_metrics;
mod feature_metrics;
mod mask_metrics;

use crate::decoding::basic_h::BasicHScores;
use crate::decoding::basic_l::{Level, level_ap, level_iou};
use crate::decoding::cap_sim::{References, cap_sim};
use crate::decoding::near_miss::near_miss;
use crate::decoding::objects::object_scores;
use crate::decoding::pixcorr::pixcorr;
use crate::decoding::psnr::psnr;
use crate::decoding::seed::{detail_miss, seed, seed_parts};
use crate::decoding::ssim::ssim;
use crate::decoding::vlm_objects::vlm_object_f1;
use crate::{MetricError, Options, Taxonomy};
use feature_metrics::{
    ALEXNET2, ALEXNET5, CLIP, EFFNET, INCEPTION, SWAV, correlated, distant, identified,
    identified_in_pool,
};
use mask_metrics::{BASIC_L, average_precision, overlap};
use neurogauge_core::{
    CategoryNames, Detections, Direction, Group, Image, Masks, MetricSpec, Outcome,
};

type Computed = Result<Outcome, MetricError>;

/// From the columns of a composite's parts to the columns whose means make up a system's value.
pub type SystemColumns = fn(&[&[Outcome]]) -> Vec<Vec<Outcome>>;

/// A metric: how to read it and how to compute it.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// Name, direction, range and the rest.
    pub spec: MetricSpec,
    /// What it is computed from, and how.
    pub compute: Compute,
}

/// What a metric compares of the two images of a pair.
#[derive(Debug, Clone, Copy)]
pub enum Compute {
    /// The images, resized by [`PixelOptions`](crate::PixelOptions).
    Pixels(fn(&Image<f32>, &Image<f32>) -> Computed),
    /// The images, resized likewise, by a network that the caller has.
    Perceptual {
        /// What the network belongs to.
        model: &'static str,
    },
    /// Their detections.
    Detections(fn(&Detections, &Detections, &Taxonomy, &Options) -> Computed),
    /// The categories that somebody names in them.
    CategoryNames(fn(&CategoryNames, &CategoryNames, &Options) -> Computed),
    /// Their masks.
    Masks(fn(&Masks, &Masks, &Options) -> Computed),
    /// Embeddings of the reference captions and of the reconstruction's caption.
    Captions(fn(&[&[f32]], &[f32], References) -> Computed),
    /// What [`basic_h_scores`](crate::decoding::basic_h::basic_h_scores) says of their scene graphs.
    SceneGraphs(fn(&BasicHScores) -> Outcome),
    /// Feature rows of a model: the first of these names that the features folder holds.
    Features {
        /// File names, without `.npy`.
        models: &'static [&'static str],
        /// Compares two rows.
        compare: fn(&[f32], &[f32]) -> Computed,
    },
    /// Feature rows of all pairs: each pair is told from others by
    /// [`identify`](crate::decoding::identification::identify).
    Identification {
        /// File names, as for [`Compute::Features`].
        models: &'static [&'static str],
        /// What it is told from.
        others: Others,
        /// Metrics that are reported beside it wherever the inputs allow, asked for or not.
        beside: &'static [&'static str],
    },
    /// Other metrics' outcomes.
    Scores {
        /// Their ids; each stands before this metric in the registry.
        from: &'static [&'static str],
        /// The outcome for a pair.
        combine: fn(&[&Outcome], &Options) -> Outcome,
        /// Columns whose means are averaged for a system, where that is not the mean over pairs.
        system: Option<SystemColumns>,
    },
}

/// What the own one of a pair is told from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Those of the other pairs.
    OfPairs,
    /// The images of a pool that is the same for all systems.
    Pool,
}

impl Compute {
    /// Is it computed among the images of a common pool?
    pub fn needs_pool(&self) -> bool {
        matches!(
            self,
            Compute::Identification {
                others: Others::Pool,
                ..
            }
        )
    }

    /// What it needs, in words.
    pub fn needs(&self) -> String {
        match self {
            Compute::Pixels(_) => "images of both sides (--gt, --recon)".into(),
            Compute::Perceptual { .. } => {
                "images of both sides (--gt, --recon), the weights of its \
                                           network and its linear heads (--lpips-heads FILE)"
                    .into()
            }
            Compute::Detections(_) => {
                "detections of both sides (--observations, or --gt-detections and \
                 --recon-detections)"
                    .into()
            }
            Compute::CategoryNames(_) => {
                "names of categories of both sides (vlm_categories.json in \
                                          --observations, or --gt-vlm-categories and \
                                          --recon-vlm-categories)"
                    .into()
            }
            Compute::Masks(_) => "masks of both sides (--observations, with gt/masks and \
                                  recon/masks, or --gt-masks and --recon-masks)"
                .into(),
            Compute::Captions(_) => "captions of both sides (--observations, or --gt-captions \
                                     and --recon-captions)"
                .into(),
            Compute::SceneGraphs(_) => "scene graphs of both sides (scene_graphs.json or \
                                        scene_graphs.txt in --observations, or --gt-scene-graphs \
                                        and --recon-scene-graphs)"
                .into(),
            Compute::Features { models, .. } => features_of_both_sides(models),
            Compute::Identification { models, others, .. } => match others {
                Others::OfPairs => features_of_both_sides(models),
                Others::Pool => format!(
                    "{}, and the same of other images in --pool",
                    features_of_both_sides(models)
                ),
            },
            Compute::Scores { from, .. } => from.join(" and "),
        }
    }
}

fn features_of_both_sides(models: &[&str]) -> String {
    format!(
        "{}.npy in the features folders of both sides (--observations, or --gt-features and \
         --recon-features)",
        models.join(".npy or ")
    )
}

const LOW: Group = Group::LowLevel;
const HIGH: Group = Group::HighLevel;
const SEMANTIC: Group = Group::Semantic;
const FAILURE: Group = Group::Failure;

const fn spec(
    id: &'static str,
    label: &'static str,
    group: Group,
    direction: Direction,
    range: (f64, f64),
    about: &'static str,
) -> MetricSpec {
    MetricSpec {
        id,
        label,
        about,
        group,
        direction,
        range,
        chance: None,
        conventions: &[],
        decimals: 3,
    }
}

/// LPIPS, whose network is its own id.
const fn perceptual(id: &'static str, label: &'static str, about: &'static str) -> Metric {
    let range = (0.0, f64::INFINITY);
    Metric {
        spec: MetricSpec {
            conventions: &["lpips-size", "antialias", "lpips-heads"],
            ..spec(id, label, LOW, Direction::Lower, range, about)
        },
        compute: Compute::Perceptual { model: id },
    }
}

/// Every metric, in the order of the field's tables.
pub const METRICS: &[Metric] = &[
    Metric {
        spec: MetricSpec {
            chance: Some(0.0),
            conventions: &["pixel-size", "antialias", "pixcorr-rgb"],
            ..spec(
                "pixcorr",
                "PixCorr",
                LOW,
                Direction::Higher,
                (-1.0, 1.0),
                "Pearson correlation of the pixel values",
            )
        },
        compute: Compute::Pixels(pixcorr),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["pixel-size", "antialias", "ssim-flavour"],
            ..spec(
                "ssim",
                "SSIM",
                LOW,
                Direction::Higher,
                (-1.0, 1.0),
                "Structural similarity of the grey images",
            )
        },
        compute: Compute::Pixels(ssim),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["pixel-size", "antialias", "psnr-identical"],
            decimals: 2,
            ..spec(
                "psnr",
                "PSNR",
                LOW,
                Direction::Higher,
                (0.0, f64::INFINITY),
                "Peak signal-to-noise ratio in dB, data range 1",
            )
        },
        compute: Compute::Pixels(psnr),
    },
    perceptual(
        "lpips_alex",
        "LPIPS (AlexNet)",
        "Weighted distance of AlexNet's features, layer by layer and place by place",
    ),
    perceptual(
        "lpips_vgg",
        "LPIPS (VGG)",
        "Weighted distance of VGG-16's features, layer by layer and place by place",
    ),
    identified(
        "alexnet2",
        "AlexNet(2)",
        LOW,
        "Identification by AlexNet's features behind the second convolution",
        ALEXNET2,
        &["alexnet2_correlation", "alexnet2_pool"],
    ),
    identified(
        "alexnet5",
        "AlexNet(5)",
        LOW,
        "Identification by AlexNet's features behind the fifth convolution",
        ALEXNET5,
        &["alexnet5_correlation", "alexnet5_pool"],
    ),
    identified(
        "inception",
        "Inception",
        HIGH,
        "Identification by Inception v3's pooled features",
        INCEPTION,
        &["inception_correlation", "inception_pool"],
    ),
    identified(
        "clip",
        "CLIP",
        HIGH,
        "Identification by CLIP ViT-L/14 image embeddings",
        CLIP,
        &["clip_correlation", "clip_pool"],
    ),
    distant(
        "effnet",
        "EffNet",
        "Correlation distance of EfficientNet-B1 features",
        EFFNET,
    ),
    distant(
        "swav",
        "SwAV",
        "Correlation distance of SwAV ResNet-50 features",
        SWAV,
    ),
    correlated(
        "alexnet2_correlation",
        "AlexNet(2) r",
        "Correlation of AlexNet's features behind the second convolution",
        ALEXNET2,
    ),
    correlated(
        "alexnet5_correlation",
        "AlexNet(5) r",
        "Correlation of AlexNet's features behind the fifth convolution",
        ALEXNET5,
    ),
    correlated(
        "inception_correlation",
        "Inception r",
        "Correlation of Inception v3's pooled features",
        INCEPTION,
    ),
    correlated(
        "clip_correlation",
        "CLIP r",
        "Correlation of CLIP ViT-L/14 image embeddings",
        CLIP,
    ),
    identified_in_pool(
        "alexnet2_pool",
        "AlexNet(2) pool",
        "Identification among a common pool, AlexNet behind the second convolution",
        ALEXNET2,
    ),
    identified_in_pool(
        "alexnet5_pool",
        "AlexNet(5) pool",
        "Identification among a common pool, AlexNet behind the fifth convolution",
        ALEXNET5,
    ),
    identified_in_pool(
        "inception_pool",
        "Inception pool",
        "Identification among a common pool, Inception v3's pooled features",
        INCEPTION,
    ),
    identified_in_pool(
        "clip_pool",
        "CLIP pool",
        "Identification among a common pool, CLIP ViT-L/14 image embeddings",
        CLIP,
    ),
    Metric {
        spec: MetricSpec {
            conventions: OBJECT_CONVENTIONS,
            ..spec(
                "object_recall",
                "Object Recall",
                SEMANTIC,
                Direction::Higher,
                (0.0, 1.0),
                "Share of the stimulus's object categories that the reconstruction has",
            )
        },
        compute: Compute::Detections(|gt, recon, _, options| {
            Ok(object_scores(gt, recon, &options.objects)?.recall)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: OBJECT_CONVENTIONS,
            ..spec(
                "object_precision",
                "Object Precision",
                SEMANTIC,
                Direction::Higher,
                (0.0, 1.0),
                "Share of the reconstruction's object categories that the stimulus has",
            )
        },
        compute: Compute::Detections(|gt, recon, _, options| {
            Ok(object_scores(gt, recon, &options.objects)?.precision)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: OBJECT_CONVENTIONS,
            ..spec(
                "object_f1",
                "Object F1",
                SEMANTIC,
                Direction::Higher,
                (0.0, 1.0),
                "Harmonic mean of object recall and precision",
            )
        },
        compute: Compute::Detections(|gt, recon, _, options| {
            Ok(object_scores(gt, recon, &options.objects)?.f1)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["vlm-categories", "object-presets"],
            ..spec(
                "object_f1_vlm",
                "Object F1 (VLM)",
                SEMANTIC,
                Direction::Higher,
                (0.0, 1.0),
                "Object F1 of the categories that a vision-language model names",
            )
        },
        compute: Compute::CategoryNames(|gt, recon, options| {
            let preset = options.objects.preset;
            Ok(vlm_object_f1(gt, recon, options.vlm_names, preset))
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["cap-sim-encoder", "cap-sim-references", "text-instruction"],
            ..spec(
                "cap_sim",
                "Cap-Sim",
                SEMANTIC,
                Direction::Higher,
                (-1.0, 1.0),
                "Cosine similarity of the captions' sentence embeddings",
            )
        },
        compute: Compute::Captions(cap_sim),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["seed-mean", "effnet-direction"],
            ..spec(
                "seed",
                "SEED",
                SEMANTIC,
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
            conventions: &["snm-categories"],
            ..spec(
                "snm",
                "SNM",
                FAILURE,
                Direction::Lower,
                (0.0, 1.0),
                "Semantic near-miss: right supercategory, wrong category",
            )
        },
        compute: Compute::Detections(|gt, recon, taxonomy, options| {
            Ok(near_miss(gt, recon, taxonomy, &options.near_miss)?.rate)
        }),
    },
    Metric {
        spec: MetricSpec {
            conventions: &["sdm-thresholds"],
            ..spec(
                "sdm",
                "SDM",
                FAILURE,
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
    basic_h_metrics::OBJECT_PRECISION,
    basic_h_metrics::OBJECT_RECALL,
    basic_h_metrics::OBJECT_F1,
    basic_h_metrics::ATTRIBUTE_PRECISION,
    basic_h_metrics::ATTRIBUTE_RECALL,
    basic_h_metrics::ATTRIBUTE_F1,
    basic_h_metrics::RELATION_PRECISION,
    basic_h_metrics::RELATION_RECALL,
    basic_h_metrics::RELATION_F1,
    basic_h_metrics::BASIC_H,
    overlap(
        "salient_iou",
        "Salient IoU",
        "Overlap of all foreground objects, as one mask",
        |gt, recon, options| level_iou(gt, recon, Level::Salient, &options.basic_l),
    ),
    overlap(
        "binary_iou",
        "Binary IoU",
        "Overlap of the foreground and of the background, averaged",
        |gt, recon, options| level_iou(gt, recon, Level::Binary, &options.basic_l),
    ),
    overlap(
        "semantic_iou",
        "Semantic IoU",
        "Overlap of the masks of each name, averaged",
        |gt, recon, options| level_iou(gt, recon, Level::Semantic, &options.basic_l),
    ),
    overlap(
        "instance_iou",
        "Instance IoU",
        "Overlap of objects that are paired one to one, missed and invented ones counting 0",
        |gt, recon, options| level_iou(gt, recon, Level::Instance, &options.basic_l),
    ),
    overlap(
        "part_iou",
        "Part IoU",
        "Overlap of the masks of each name of a part, averaged",
        |gt, recon, options| level_iou(gt, recon, Level::Part, &options.basic_l),
    ),
    average_precision(
        "salient_ap",
        "Salient AP",
        "COCO's average precision of all foreground objects as one mask",
        |gt, recon, options| level_ap(gt, recon, Level::Salient, &options.basic_l),
    ),
    average_precision(
        "binary_ap",
        "Binary AP",
        "COCO's average precision of foreground and background",
        |gt, recon, options| level_ap(gt, recon, Level::Binary, &options.basic_l),
    ),
    average_precision(
        "semantic_ap",
        "Semantic AP",
        "COCO's average precision of the masks of each name",
        |gt, recon, options| level_ap(gt, recon, Level::Semantic, &options.basic_l),
    ),
    average_precision(
        "instance_ap",
        "Instance AP",
        "COCO's average precision of single objects",
        |gt, recon, options| level_ap(gt, recon, Level::Instance, &options.basic_l),
    ),
    average_precision(
        "part_ap",
        "Part AP",
        "COCO's average precision of the masks of each name of a part",
        |gt, recon, options| level_ap(gt, recon, Level::Part, &options.basic_l),
    ),
    BASIC_L,
];

const OBJECT_CONVENTIONS: &[&str] = &[
    "object-presets",
    "object-score-order",
    "object-variants",
    "labels",
    "box-scale",
];

/// The metric with this id.
pub fn find(id: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.spec.id == id)
}

/// Names that stand for several metrics.
pub const LISTS: &[(&str, &[&str])] = &[
    (
        "nsd8",
        &[
            "pixcorr",
            "ssim",
            "alexnet2",
            "alexnet5",
            "inception",
            "clip",
            "effnet",
            "swav",
        ],
    ),
    ("basic", &["basic_h", "basic_l"]),
    ("basic_h_all", basic_h_metrics::LIST),
    ("basic_l_all", mask_metrics::LIST),
];

/// The metrics that a name of [`LISTS`] stands for.
pub fn list(name: &str) -> Option<&'static [&'static str]> {
    let found = LISTS.iter().find(|(known, _)| *known == name)?;
    Some(found.1)
}
