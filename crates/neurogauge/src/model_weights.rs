//! Which weights models have and where they come from: the machine, or a download that is shown.

use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_models::weights::{DownloadProgress, WeightOptions};
use neurogauge_models::{DeviceChoice, ModelError, WeightPrecision};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which weights models have and where they run: what decides numbers beside inputs and options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelChoices {
    /// Where image models run. Features are kept apart by it.
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
    pub(crate) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
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

/// Where weights may lie and whether they may be downloaded.
pub(crate) fn weight_options(settings: &RunSettings) -> WeightOptions {
    WeightOptions::given(settings.weights.as_deref(), settings.allow_download)
}

/// The weights of model `id`: the user's own checkpoint, or the published one, which `published` finds or downloads; rounded as
/// was asked for.
pub(crate) fn obtain<T>(
    id: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
    custom: fn(&str, &Path) -> Result<T, ModelError>,
    published: fn(&str, &WeightOptions, &dyn DownloadProgress) -> Result<T, ModelError>,
    rounded: fn(T, WeightPrecision) -> T,
) -> Result<T, ModelError> {
    let found = match settings.models.checkpoints.get(id) {
        Some(path) => custom(id, path),
        None => published(id, &weight_options(settings), &DownloadBar(progress)),
    };
    Ok(rounded(found?, settings.models.weight_precision))
}

/// Says that a model runs on the processor, where another device was asked for.
pub(crate) fn note_device(model: &str, settings: &RunSettings, progress: &dyn Progress) {
    if settings.models.device != DeviceChoice::Cpu {
        progress.note(&format!(
            "{model} runs on the processor (cpu); --device {} is where image models run that give features",
            settings.models.device
        ));
    }
}

/// Shows a download as a stage.
pub struct DownloadBar<'a>(pub &'a dyn Progress);

impl DownloadProgress for DownloadBar<'_> {
    fn started(&self, file: &str, bytes: u64) {
        self.0.start(&format!("downloading {file}"), bytes, 0);
    }
    fn advanced(&self, bytes: u64) {
        self.0.advance(bytes);
    }
    fn finished(&self, _file: &str) {
        self.0.finish();
    }
}
