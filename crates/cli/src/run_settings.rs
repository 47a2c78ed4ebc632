//! Settings that several commands share.

use crate::args::{BootstrapArgs, DeviceArgs, IntervalArgs, WeightArgs};
use crate::confirmation::allow_downloads;
use crate::predefined::set;
use neurogauge::stats::BootstrapOptions;
use neurogauge::{ModelChoices, ModelOverrides, RunSettings};
use std::path::PathBuf;

pub(crate) fn settings(out: PathBuf, weights: &WeightArgs) -> RunSettings {
    if weights.yes {
        allow_downloads();
    }
    RunSettings {
        out,
        weights: weights.weights.clone(),
        allow_download: !weights.offline,
        ..RunSettings::default()
    }
}

/// Overrides of the models' weights and device.
pub(crate) fn model_overrides(weights: &WeightArgs, device: &DeviceArgs) -> ModelOverrides {
    neurogauge::models::weights::hold_in_f32(device.weights_in_f32);
    ModelOverrides {
        device: device.device,
        weight_precision: device.precision(),
        checkpoints: weights.checkpoint.iter().cloned().collect(),
        lpips_heads: Vec::new(),
    }
}

/// The same for commands without a file or record to override.
pub(crate) fn model_choices(weights: &WeightArgs, device: &DeviceArgs) -> ModelChoices {
    let mut choices = ModelChoices::default();
    choices.set(&model_overrides(weights, device));
    choices
}

pub(crate) fn bootstrap(args: &BootstrapArgs, interval: &IntervalArgs) -> BootstrapOptions {
    let mut options = BootstrapOptions::default();
    set(&mut options.resamples, args.resamples);
    set(&mut options.level, args.level);
    set(&mut options.seed.0, args.seed);
    set(&mut options.interval, interval.interval);
    options
}
