//! Specifications of metrics that are in no table of reconstructions: of decoded captions, of features of any model, of
//! retrieval.

use super::metric::spec;
use neurogauge_core::{Direction, Group, MetricSpec};

/// Group, direction, range, and the value of unrelated images.
type Kind = (Group, Direction, (f64, f64), Option<f64>);

const SHARE: Kind = (Group::HighLevel, Direction::Higher, (0.0, 1.0), None);
const CORRELATION: Kind = (Group::HighLevel, Direction::Higher, (-1.0, 1.0), Some(0.0));
const OF_SHAPES: Kind = (Group::LowLevel, Direction::Lower, (0.0, f64::INFINITY), None);
const OF_SETS: Kind = (Group::HighLevel, Direction::Lower, (f64::NEG_INFINITY, f64::INFINITY), None);
const SETS: &str = "set-distances";
const RETRIEVAL: &str = "retrieval-draws identification-ties identification-intervals";

const fn of(
    (id, label): (&'static str, &'static str),
    (group, direction, range, chance): Kind,
    conventions: &'static str,
    about: &'static str,
) -> MetricSpec {
    MetricSpec {
        conventions,
        chance,
        ..spec(id, label, group, direction, range, about)
    }
}

/// The specifications of metrics that are not in [`METRICS`](super::METRICS), since no run of `neurogauge score`
/// computes them.
pub const STANDALONE_METRICS: &[MetricSpec] = &[
    of(
        ("two_way_identification", "Identification"),
        (Group::HighLevel, Direction::Higher, (0.0, 1.0), Some(0.5)),
        "identification-direction identification-ties identification-pool identification-copies \
            identification-intervals identification-ways",
        "Is a reconstruction more like its own stimulus than like others?",
    ),
    of(
        ("feature_correlation", "Correlation"),
        (Group::PoolFree, Direction::Higher, (-1.0, 1.0), None),
        "pool-free-correlation features-precision",
        "Correlation of a pair's features",
    ),
    of(
        ("profile_correlation", "Profile correlation"),
        CORRELATION,
        "feature-accuracy",
        "Correlation of decoded and true values of a feature over stimuli",
    ),
    of(
        ("pattern_correlation", "Pattern correlation"),
        CORRELATION,
        "feature-accuracy",
        "Correlation of decoded and true features of a stimulus",
    ),
    of(
        ("correlation_distance", "Correlation distance"),
        (Group::HighLevel, Direction::Lower, (0.0, 2.0), None),
        "effnet-direction features-precision",
        "One minus the correlation of a pair's features",
    ),
    of(
        ("n_way_accuracy", "N-way accuracy"),
        SHARE,
        "n-way-classes n-way-draws identification-ties",
        "Does a classifier see in the reconstruction what it sees in the stimulus?",
    ),
    of(
        ("chamfer_distance", "Chamfer"),
        OF_SHAPES,
        "chamfer-form point-cloud-scale point-cloud-samples",
        "How far points are from the nearest point of the other shape",
    ),
    of(
        ("earth_movers_distance", "EMD"),
        OF_SHAPES,
        "point-cloud-scale point-cloud-samples",
        "How far the points of one shape are to be moved to make the other",
    ),
    of(("kid", "KID"), OF_SETS, SETS, "Distance of the sets by a cubic kernel of Inception's features"),
    of(("fid", "FID"), OF_SETS, SETS, "Distance of normal distributions fitted to Inception's features"),
    of(("cmmd", "CMMD"), OF_SETS, SETS, "Distance of the sets by a Gaussian kernel of CLIP's embeddings"),
    of(("precision", "Precision"), SHARE, SETS, "Reconstructions that are near some stimulus"),
    of(("recall", "Recall"), SHARE, SETS, "Stimuli that are near some reconstruction"),
    of(
        ("forward_retrieval", "Forward retrieval"),
        SHARE,
        RETRIEVAL,
        "Is an image found by what the brain says of it?",
    ),
    of(
        ("backward_retrieval", "Backward retrieval"),
        SHARE,
        RETRIEVAL,
        "Is what the brain says of an image found by the image?",
    ),
];
