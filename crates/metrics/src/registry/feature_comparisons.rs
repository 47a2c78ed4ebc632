//! The ways to compare feature rows; metrics with the same way differ only in name and model.

use super::metric::{Compute, Distractors, FeatureComparison, Metric};
use crate::decoding::dreamsim::dreamsim;
use crate::decoding::feature_correlation::correlation;
use crate::decoding::feature_distance::correlation_distance;
use neurogauge_core::{Group, Outcome, Side};

/// Names under which a folder may hold the features of a model and layer, the first preferred.
pub(super) type ModelNames = &'static [&'static str];

/// Identification among the other pairs' stimuli.
pub(super) const fn identified(
    id: &'static str,
    label: &'static str,
    group: Group,
    about: &'static str,
    models: ModelNames,
) -> Metric {
    identified_among(id, label, group, about, models, Distractors::Pairs)
}

/// Identification among the images of a common pool.
pub(super) const fn identified_in_pool(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    models: ModelNames,
) -> Metric {
    identified_among(id, label, Group::CommonPool, about, models, Distractors::Pool)
}

const fn identified_among(
    id: &'static str,
    label: &'static str,
    group: Group,
    about: &'static str,
    models: ModelNames,
    distractors: Distractors,
) -> Metric {
    let compute = Compute::Identification { models, distractors };
    Metric::new(id, label, group, about, compute).chance(0.5).conventions(
        "identification-direction identification-ties identification-own identification-pool \
        identification-copies identification-intervals identification-ways image-presets model-weights \
        model-layers model-arithmetic",
    )
}

/// Correlation of the two feature rows of a pair.
pub(super) const fn correlated(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    models: ModelNames,
) -> Metric {
    let compare = FeatureComparison::Function(|rows, _| Ok(correlation(rows.gt, rows.recon)?.into()));
    Metric::new(id, label, Group::PoolFree, about, Compute::Features { models, compare })
        .range(-1.0, 1.0)
        .conventions(
            "pool-free-correlation features-precision image-presets model-weights model-layers model-arithmetic",
        )
}

/// Correlation distance, as printed by the field for EffNet and SwAV.
pub(super) const fn distant(id: &'static str, label: &'static str, about: &'static str, models: ModelNames) -> Metric {
    let compare = FeatureComparison::Function(|rows, _| Ok(correlation_distance(rows.gt, rows.recon)?.into()));
    Metric::new(id, label, Group::HighLevel, about, Compute::Features { models, compare })
        .lower_is_better()
        .range(0.0, 2.0)
        .conventions("effnet-direction features-precision image-presets model-weights model-layers model-arithmetic")
}

/// DreamSim in one of its forms.
pub(super) const fn dreamsim_of(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    models: ModelNames,
) -> Metric {
    let compare = FeatureComparison::Function(|rows, _| Ok(dreamsim(rows.gt, rows.recon)?.into()));
    Metric::new(id, label, Group::HighLevel, about, Compute::Features { models, compare })
        .lower_is_better()
        .range(0.0, 2.0)
        .conventions("dreamsim-form dreamsim-adapter features-precision image-presets model-weights model-arithmetic")
        .on_request()
}

/// Classification accuracy from the classes that a classifier sees; `chance` is that of the default options. If
/// `details` is given, the classes are in a run's details under this name.
pub(super) const fn classified(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    models: ModelNames,
    n_way: usize,
    details: Option<&'static str>,
) -> Metric {
    let compare = FeatureComparison::NWay { n_way, details };
    Metric::new(id, label, Group::HighLevel, about, Compute::Features { models, compare })
        .chance(3.0 / (n_way as f64 + 2.0))
        .conventions("n-way-classes n-way-draws identification-ties")
        .on_request()
}

/// Consistency of the frames of one side's clips.
pub(super) const fn consistent(
    id: &'static str,
    label: &'static str,
    about: &'static str,
    models: ModelNames,
    side: Side,
    compare: fn(&[&[f64]]) -> Outcome,
) -> Metric {
    Metric::new(id, label, Group::HighLevel, about, Compute::Frames { models, side, compare })
        .range(-1.0, 1.0)
        .conventions(
            "frame-consistency frames features-precision image-presets model-weights model-layers \
            model-arithmetic",
        )
        .on_request()
}
