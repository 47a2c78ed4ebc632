//! The models' weights and device.

use neurogauge_models::{DeviceChoice, WeightPrecision};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The models' weights and device, which affect numbers as inputs and options do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelChoices {
    /// The device of models. Results of different devices are stored separately.
    pub device: DeviceChoice,
    /// The precision that weights are rounded to when they are read (convention `weight-precision`). It is part of a
    /// model's id.
    pub weight_precision: WeightPrecision,
    /// Checkpoints to use instead of the published ones, by model. Their hashes are recorded.
    pub checkpoints: BTreeMap<String, PathBuf>,
    /// Files with the linear heads of LPIPS, one for each network. Their hashes are recorded.
    pub lpips_heads: Vec<PathBuf>,
}

impl ModelChoices {
    /// Replaces the choices that `overrides` sets.
    pub fn set(&mut self, overrides: &ModelOverrides) {
        self.device = overrides.device.unwrap_or(self.device);
        self.weight_precision = overrides.weight_precision.unwrap_or(self.weight_precision);
        self.checkpoints.extend(overrides.checkpoints.clone());
        if !overrides.lpips_heads.is_empty() {
            self.lpips_heads.clone_from(&overrides.lpips_heads);
        }
    }

    pub fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.checkpoints.values_mut().chain(&mut self.lpips_heads)
    }
}

/// Choices that override a file or a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelOverrides {
    pub device: Option<DeviceChoice>,
    pub weight_precision: Option<WeightPrecision>,
    pub checkpoints: BTreeMap<String, PathBuf>,
    /// All heads of LPIPS; if empty, they stay unchanged.
    pub lpips_heads: Vec<PathBuf>,
}
