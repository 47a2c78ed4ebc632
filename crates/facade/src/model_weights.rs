//! Where the weights of models come from: this machine, or a download with a progress bar.

use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_core::option_words::option;
use neurogauge_models::weights::{DownloadProgress, WeightOptions, is_here};
use neurogauge_models::{DeviceChoice, Local, MODELS, ModelEntry, ModelError, ModelKind, WeightSource};

/// The places of weights, and whether they may be downloaded now; a dry run downloads nothing.
pub(crate) fn weight_options(settings: &RunSettings) -> WeightOptions {
    let is_later = settings.is_dry_run || settings.defers_downloads;
    let allow_download = settings.allow_download && !is_later;
    WeightOptions::given(settings.weights.as_deref(), allow_download)
}

/// May a run with these settings download weights, now or later?
pub(crate) fn may_download(settings: &RunSettings) -> bool {
    let options = WeightOptions::given(settings.weights.as_deref(), settings.allow_download);
    options.allow_download && !options.offline
}

/// The weights of model `id`, if they are on this machine: the user's checkpoint or the published one, rounded as
/// requested.
pub(crate) fn find<K: ModelKind>(id: &str, settings: &RunSettings) -> Result<Option<Local<K>>, ModelError> {
    Local::find(id, &source(settings, &weight_options(settings)))
}

/// Finds the weights, and downloads missing ones if allowed. A dry run continues without them.
pub(crate) fn obtain<K: ModelKind>(
    id: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Local<K>, ModelError> {
    let options = weight_options(settings);
    let source = source(settings, &options);
    if settings.is_dry_run {
        return Local::find_or_expect(id, &source);
    }
    if options.allow_download
        && !options.offline
        && !source.checkpoints.contains_key(id)
        && let Ok(entry) = Local::<K>::entry(id)
        && !is_here(entry, &options)?
    {
        ask_to_download(&[entry], progress)?;
    }
    Local::find_or_download(id, &source, &DownloadBar(progress))
}

/// Asks once whether the weights of all these models may be downloaded.
pub(crate) fn ask_to_download(entries: &[&ModelEntry], progress: &dyn Progress) -> Result<(), ModelError> {
    let listing = with_sizes(entries);
    let are = if entries.len() == 1 { "is" } else { "are" };
    if progress.allows_download(&format!("the weights of {listing} {are} not on this machine")) {
        return Ok(());
    }
    Err(ModelError::WeightsNotFound {
        model: listing,
        reason: "nothing is downloaded unless you allow it",
        instructions: format!("Allow it with {}, or fetch them first: {}", option("yes", ""), fetching(entries)),
    })
}

pub(crate) fn with_sizes(entries: &[&ModelEntry]) -> String {
    entries
        .iter()
        .map(|entry| format!("{} ({})", entry.id, entry.size()))
        .collect::<Vec<_>>()
        .join(", ")
}

pub(crate) fn fetching(entries: &[&ModelEntry]) -> String {
    let ids: Vec<&str> = entries.iter().map(|entry| entry.id).collect();
    format!("neurogauge models fetch {}", ids.join(" "))
}

fn source<'a>(settings: &'a RunSettings, options: &'a WeightOptions) -> WeightSource<'a> {
    WeightSource {
        options,
        checkpoints: &settings.models.checkpoints,
        precision: settings.models.weight_precision,
        device: settings.models.device,
    }
}

/// Keeps the models that have weights to download.
pub(crate) fn with_files(ids: Vec<String>) -> Vec<String> {
    let base = |id: String| {
        let is_it = |known: &&str| {
            ["", "-bf16", "-f16"].iter().any(|end| DeviceChoice::unmarked(&id) == format!("{known}{end}"))
        };
        MODELS.iter().map(|entry| entry.id).find(is_it).map(str::to_owned)
    };
    ids.into_iter().filter_map(base).collect()
}

/// The models whose weights must be downloaded and are not on this machine. Models with a user's checkpoint have other
/// ids in the record.
pub(crate) fn missing_weights<'m>(
    models: impl Iterator<Item = &'m ModelIdentity>,
    settings: &RunSettings,
) -> Result<Vec<&'static ModelEntry>, ModelError> {
    let options = weight_options(settings);
    let mut missing: Vec<&'static ModelEntry> = Vec::new();
    for id in with_files(models.map(|model| model.id.clone()).collect()) {
        let entry = neurogauge_models::find(&id)?;
        let is_known = missing.iter().any(|known| known.id == entry.id);
        if !is_known && !is_here(entry, &options)? {
            missing.push(entry);
        }
    }
    Ok(missing)
}

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
    fn waiting(&self, why: &str) {
        self.0.note(why);
    }
}
