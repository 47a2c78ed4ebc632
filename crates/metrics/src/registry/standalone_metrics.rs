//! Specifications of metrics that are in no table of reconstructions: of decoded captions, of features of any model, of
//! retrieval.

use super::metric::spec;
use neurogauge_core::{Direction, Group, MetricSpec};

const fn of_retrieval(id: &'static str, label: &'static str, about: &'static str) -> MetricSpec {
    let (group, direction) = (Group::HighLevel, Direction::Higher);
    MetricSpec {
        conventions: "retrieval-draws identification-ties identification-intervals",
        ..spec(id, label, group, direction, (0.0, 1.0), about)
    }
}

const fn of_shapes(
    id: &'static str,
    label: &'static str,
    conventions: &'static str,
    about: &'static str,
) -> MetricSpec {
    let (group, direction) = (Group::LowLevel, Direction::Lower);
    MetricSpec {
        conventions,
        ..spec(id, label, group, direction, (0.0, f64::INFINITY), about)
    }
}

const fn of_sets(
    id: &'static str,
    label: &'static str,
    direction: Direction,
    range: (f64, f64),
    about: &'static str,
) -> MetricSpec {
    MetricSpec {
        conventions: "set-distances",
        ..spec(id, label, Group::HighLevel, direction, range, about)
    }
}

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const SHARE: (f64, f64) = (0.0, 1.0);

/// The specifications of metrics that are not in [`METRICS`](super::METRICS), since no run of `neurogauge score`
/// computes them.
pub const STANDALONE_METRICS: &[MetricSpec] = &[
    MetricSpec {
        chance: Some(0.5),
        conventions: "identification-direction identification-ties identification-pool identification-copies \
            identification-intervals identification-ways",
        ..spec(
            "two_way_identification",
            "Identification",
            Group::HighLevel,
            Direction::Higher,
            (0.0, 1.0),
            "Is a reconstruction more like its own stimulus than like others?",
        )
    },
    MetricSpec {
        conventions: "pool-free-correlation features-precision",
        ..spec(
            "feature_correlation",
            "Correlation",
            Group::PoolFree,
            Direction::Higher,
            (-1.0, 1.0),
            "Correlation of a pair's features",
        )
    },
    MetricSpec {
        chance: Some(0.0),
        conventions: "feature-accuracy",
        ..spec(
            "profile_correlation",
            "Profile correlation",
            Group::HighLevel,
            Direction::Higher,
            (-1.0, 1.0),
            "Correlation of decoded and true values of a feature over stimuli",
        )
    },
    MetricSpec {
        chance: Some(0.0),
        conventions: "feature-accuracy",
        ..spec(
            "pattern_correlation",
            "Pattern correlation",
            Group::HighLevel,
            Direction::Higher,
            (-1.0, 1.0),
            "Correlation of decoded and true features of a stimulus",
        )
    },
    MetricSpec {
        conventions: "effnet-direction features-precision",
        ..spec(
            "correlation_distance",
            "Correlation distance",
            Group::HighLevel,
            Direction::Lower,
            (0.0, 2.0),
            "One minus the correlation of a pair's features",
        )
    },
    MetricSpec {
        conventions: "n-way-classes n-way-draws identification-ties",
        ..spec(
            "n_way_accuracy",
            "N-way accuracy",
            Group::HighLevel,
            Direction::Higher,
            (0.0, 1.0),
            "Does a classifier see in the reconstruction what it sees in the stimulus?",
        )
    },
    of_shapes(
        "chamfer_distance",
        "Chamfer",
        "chamfer-form point-cloud-scale point-cloud-samples",
        "How far points are from the nearest point of the other shape",
    ),
    of_shapes(
        "earth_movers_distance",
        "EMD",
        "point-cloud-scale point-cloud-samples",
        "How far the points of one shape are to be moved to make the other",
    ),
    of_sets(
        "kid",
        "KID",
        Direction::Lower,
        ANY,
        "Distance of the sets by a cubic kernel of Inception's features",
    ),
    of_sets(
        "fid",
        "FID",
        Direction::Lower,
        ANY,
        "Distance of normal distributions fitted to Inception's features",
    ),
    of_sets(
        "cmmd",
        "CMMD",
        Direction::Lower,
        ANY,
        "Distance of the sets by a Gaussian kernel of CLIP's embeddings",
    ),
    of_sets("precision", "Precision", Direction::Higher, SHARE, "Reconstructions that are near some stimulus"),
    of_sets("recall", "Recall", Direction::Higher, SHARE, "Stimuli that are near some reconstruction"),
    of_retrieval("forward_retrieval", "Forward retrieval", "Is an image found by what the brain says of it?"),
    of_retrieval("backward_retrieval", "Backward retrieval", "Is what the brain says of an image found by the image?"),
];
