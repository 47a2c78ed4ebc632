//! Settings that several commands share.

use crate::args::{BootstrapArgs, WeightArgs};
use neurogauge::RunSettings;
use neurogauge::models::{DeviceChoice, WeightPrecision};
use neurogauge::stats::BootstrapOptions;
use std::path::PathBuf;

pub(crate) fn settings(out: PathBuf, weights: &WeightArgs) -> RunSettings {
    RunSettings {
        out,
        weights: weights.weights.clone(),
        allow_download: !weights.offline,
        checkpoints: weights.checkpoint.clone(),
        device: DeviceChoice::Cpu,
        weight_precision: WeightPrecision::F32,
        lpips_heads: Vec::new(),
        overlays: Vec::new(),
        cache: None,
        on_failure: None,
        shard: None,
        export_official: false,
    }
}

pub(crate) fn bootstrap(args: &BootstrapArgs) -> BootstrapOptions {
    let mut options = BootstrapOptions::default();
    options.resamples = args.resamples.unwrap_or(options.resamples);
    options.level = args.level.unwrap_or(options.level);
    options.seed.0 = args.seed.unwrap_or(options.seed.0);
    options
}
