//! The one list of metrics: the command line, the documentation, Python and the tests read it.
//!
//! To add a metric: its file under `decoding/`, one entry here, a reference script, its golden, and
//! a line in the changelog.

use crate::decoding::cap_sim::{References, cap_sim};
use crate::decoding::feature_distance::correlation_distance;
use crate::decoding::near_miss::near_miss;
use crate::decoding::objects::object_scores;
use crate::decoding::pixcorr::pixcorr;
use crate::decoding::psnr::psnr;
use crate::decoding::seed::{detail_miss, seed, seed_parts};
use crate::decoding::ssim::ssim;
use crate::{MetricError, Options, Taxonomy};
use neurogauge_core::{Detections, Direction, Group, Image, MetricSpec, Outcome};

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
    /// Their detections.
    Detections(fn(&Detections, &Detections, &Taxonomy, &Options) -> Computed),
    /// Embeddings of the reference captions and of the reconstruction's caption.
    Captions(fn(&[&[f32]], &[f32], References) -> Computed),
    /// Feature rows of a model: the first of these names that the features folder holds.
    Features {
        /// File names, without `.npy`.
        models: &'static [&'static str],
        /// Compares two rows.
        compare: fn(&[f32], &[f32]) -> Computed,
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

impl Compute {
    /// What it needs, in words.
    pub fn needs(&self) -> String {
        match self {
            Compute::Pixels(_) => "images of both sides (--gt, --recon)".into(),
            Compute::Detections(_) => {
                "detections of both sides (--observations, or --gt-detections and \
                 --recon-detections)"
                    .into()
            }
            Compute::Captions(_) => "captions of both sides (--observations, or --gt-captions \
                                     and --recon-captions)"
                .into(),
            Compute::Features { models, .. } => format!(
                "{}.npy in the features folders of both sides (--observations, or --gt-features \
                 and --recon-features)",
                models.join(".npy or ")
            ),
            Compute::Scores { from, .. } => from.join(" and "),
        }
    }
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
    Metric {
        spec: MetricSpec {
            chance: Some(1.0),
            conventions: &["effnet-direction", "features-precision"],
            ..spec(
                "effnet",
                "EffNet",
                HIGH,
                Direction::Lower,
                (0.0, 2.0),
                "Correlation distance of EfficientNet-B1 features",
            )
        },
        compute: Compute::Features {
            models: &["efficientnet_b1.avgpool", "efficientnet_b1", "effnet"],
            compare: correlation_distance,
        },
    },
    Metric {
        spec: MetricSpec {
            chance: Some(1.0),
            conventions: &["effnet-direction", "features-precision"],
            ..spec(
                "swav",
                "SwAV",
                HIGH,
                Direction::Lower,
                (0.0, 2.0),
                "Correlation distance of SwAV ResNet-50 features",
            )
        },
        compute: Compute::Features {
            models: &["swav_resnet50.avgpool", "swav_resnet50", "swav"],
            compare: correlation_distance,
        },
    },
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
            conventions: &["cap-sim-encoder", "cap-sim-references"],
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
