//! Where the weights of models come from: the machine, or a download that is shown.

use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_models::DeviceChoice;
use neurogauge_models::weights::{DownloadProgress, WeightOptions};

/// Where weights may lie and whether they may be downloaded.
pub(crate) fn weight_options(settings: &RunSettings) -> WeightOptions {
    WeightOptions::given(settings.weights.as_deref(), settings.allow_download)
}

/// Says that a model runs on the processor, where another device was asked for.
pub(crate) fn note_device(model: &str, settings: &RunSettings, progress: &dyn Progress) {
    if settings.device != DeviceChoice::Cpu {
        progress.note(&format!(
            "{model} runs on the processor (cpu); --device {} is where image models run that give features",
            settings.device
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
