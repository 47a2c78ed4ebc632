//! Where the weights of models come from: the machine, or a download that is shown.

use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_models::weights::{DownloadProgress, WeightOptions};

/// Where weights may lie and whether they may be downloaded.
pub(crate) fn weight_options(settings: &RunSettings) -> WeightOptions {
    let mut options = WeightOptions::from_env();
    if settings.weights.is_some() {
        options.dir.clone_from(&settings.weights);
    }
    options.allow_download &= settings.allow_download;
    options
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
