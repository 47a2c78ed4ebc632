//! Which weights models have, and where they run.

use neurogauge_models::{DeviceChoice, WeightPrecision};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Which weights models have and where they run: what decides numbers beside inputs and options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelChoices {
    /// Where models run. What they say is kept apart by it.
    pub device: DeviceChoice,
    /// What weights are rounded to when they are read (convention `weight-precision`). The ids of models say it.
    pub weight_precision: WeightPrecision,
    /// Checkpoints to take instead of the published ones, by model. What they hold is recorded.
    pub checkpoints: BTreeMap<String, PathBuf>,
    /// Files with the linear heads of LPIPS, one for each network. What they hold is recorded.
    pub lpips_heads: Vec<PathBuf>,
}

impl ModelChoices {
    /// Nothing but what is published, on the processor?
    pub fn are_default(&self) -> bool {
        *self == ModelChoices::default()
    }

    /// Takes these instead, where something is said.
    pub fn set(&mut self, overrides: &ModelOverrides) {
        self.device = overrides.device.unwrap_or(self.device);
        self.weight_precision = overrides.weight_precision.unwrap_or(self.weight_precision);
        self.checkpoints.extend(overrides.checkpoints.clone());
        if !overrides.lpips_heads.is_empty() {
            self.lpips_heads.clone_from(&overrides.lpips_heads);
        }
    }

    /// Every path.
    pub fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        self.checkpoints.values_mut().chain(&mut self.lpips_heads)
    }
}

/// What goes before the choices of a file or a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelOverrides {
    /// Another device.
    pub device: Option<DeviceChoice>,
    /// Another precision.
    pub weight_precision: Option<WeightPrecision>,
    /// Checkpoints of some models.
    pub checkpoints: BTreeMap<String, PathBuf>,
    /// All heads of LPIPS; none leaves them as they are.
    pub lpips_heads: Vec<PathBuf>,
}
