//! Sentence embeddings of captions: computed once per text and model, kept in the run folder.

use crate::Error;
use crate::dataset::hash_bytes;
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_formats::{json, npy};
use neurogauge_models::registry::{Architecture, ModelEntry};
use neurogauge_models::weights::{DownloadProgress, LocalModel, WeightOptions};
use neurogauge_models::{MiniLm, ModelError, MpNet, TextEncoder, registry, stand_in, weights};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The text encoder that SEED uses.
pub const DEFAULT_ENCODER: &str = "all-MiniLM-L6-v2";
/// An encoder without weights whose numbers mean nothing.
pub const STAND_IN_ENCODER: &str = "stand-in";

/// Texts embedded between two saves.
const TEXTS_PER_SAVE: usize = 4096;

/// One embedding for each distinct text.
#[derive(Debug)]
pub(crate) struct Embeddings {
    n_features: usize,
    row_of: HashMap<String, usize>,
    data: Vec<f32>,
}

impl Embeddings {
    pub(crate) fn n_features(&self) -> usize {
        self.n_features
    }

    pub(crate) fn of(&self, text: &str) -> Option<&[f32]> {
        let row = *self.row_of.get(text)?;
        Some(&self.data[row * self.n_features..(row + 1) * self.n_features])
    }
}

/// Is there an encoder of this name?
pub(crate) fn check(encoder: &str) -> Result<(), Error> {
    if encoder != STAND_IN_ENCODER {
        text_encoder(encoder)?;
    }
    Ok(())
}

/// Which model `--text-encoder` names, without loading it. Where its hash is not published, its file says
/// it, which is fetched if need be.
pub(crate) fn identity(
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<ModelIdentity, Error> {
    if encoder == STAND_IN_ENCODER {
        return Ok(stand_in::HashedWords::new().identity().clone());
    }
    let entry = text_encoder(encoder)?;
    let sha256 = match entry.weights().sha256.full() {
        Some(published) => published.to_owned(),
        None => obtain(entry, settings, progress)?.sha256,
    };
    Ok(entry.identity(sha256))
}

fn text_encoder(id: &str) -> Result<&'static ModelEntry, Error> {
    Ok(registry::find_among(id, Architecture::is_of_sentences)?)
}

/// The encoder whose files are in a folder.
fn load_folder(architecture: Architecture, dir: &Path) -> Result<Box<dyn TextEncoder>, ModelError> {
    Ok(match architecture {
        Architecture::MpNet => Box::new(MpNet::load(dir)?),
        _ => Box::new(MiniLm::load(dir)?),
    })
}

fn obtain(
    entry: &ModelEntry,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalModel, Error> {
    let options = weight_options(settings);
    Ok(weights::obtain(entry, &options, &DownloadBar(progress))?)
}

fn load(
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Box<dyn TextEncoder>, Error> {
    if encoder == STAND_IN_ENCODER {
        return Ok(Box::new(stand_in::HashedWords::new()));
    }
    let entry = text_encoder(encoder)?;
    let model = obtain(entry, settings, progress)?;
    Ok(load_folder(entry.architecture, &model.dir)?)
}

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

/// Embeds every text, keeping nothing on disk.
pub(crate) fn embed_in_memory(
    texts: &BTreeSet<&str>,
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Embeddings, Error> {
    if texts.is_empty() {
        check(encoder)?;
        return Ok(Embeddings {
            n_features: 0,
            row_of: HashMap::new(),
            data: Vec::new(),
        });
    }
    let model = load(encoder, settings, progress)?;
    let texts: Vec<&str> = texts.iter().copied().collect();
    progress.start("embedding captions", texts.len() as u64, 0);
    let data = model.encode(&texts, &|n| progress.advance(n as u64))?;
    progress.finish();
    Ok(Embeddings {
        n_features: model.n_features(),
        row_of: texts.iter().map(|&text| text.to_owned()).zip(0..).collect(),
        data,
    })
}

/// Embeds every text, taking from the cache in `dir` what it already holds.
pub(crate) fn embed(
    texts: &BTreeSet<&str>,
    encoder: &str,
    dir: &Path,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Embeddings, Error> {
    let model = identity(encoder, settings, progress)?;
    let mut cache = Cache::open(dir, &model)?;
    let keys: Vec<String> = texts
        .iter()
        .map(|text| hash_bytes(text.as_bytes()))
        .collect();
    let missing: Vec<(&str, &String)> = texts
        .iter()
        .copied()
        .zip(&keys)
        .filter(|(_, key)| !cache.row_of.contains_key(*key))
        .collect();
    if !missing.is_empty() {
        let model = load(encoder, settings, progress)?;
        let done = texts.len() - missing.len();
        progress.start("embedding captions", texts.len() as u64, done as u64);
        for chunk in missing.chunks(TEXTS_PER_SAVE) {
            let batch: Vec<&str> = chunk.iter().map(|(text, _)| *text).collect();
            let rows = model.encode(&batch, &|n| progress.advance(n as u64))?;
            cache.add(
                chunk.iter().map(|(_, key)| (*key).clone()),
                model.n_features(),
                &rows,
            )?;
        }
        progress.finish();
    }
    let row_of = texts
        .iter()
        .zip(&keys)
        .filter_map(|(text, key)| Some(((*text).to_owned(), *cache.row_of.get(key)?)))
        .collect();
    Ok(Embeddings {
        n_features: cache.n_features,
        row_of,
        data: cache.data,
    })
}

/// `<model>.npy` with one row per text, and `<model>.keys.json` with the hash of each text.
struct Cache<'a> {
    dir: &'a Path,
    model: &'a ModelIdentity,
    n_features: usize,
    row_of: HashMap<String, usize>,
    keys: Vec<String>,
    data: Vec<f32>,
}

#[derive(Serialize, Deserialize)]
struct CacheKeys {
    model: ModelIdentity,
    /// SHA-256 of the text of each row.
    text_sha256: Vec<String>,
}

impl<'a> Cache<'a> {
    fn open(dir: &'a Path, model: &'a ModelIdentity) -> Result<Cache<'a>, Error> {
        let mut cache = Cache {
            dir,
            model,
            n_features: 0,
            row_of: HashMap::new(),
            keys: Vec::new(),
            data: Vec::new(),
        };
        let keys_path = cache.path("keys.json");
        if !keys_path.exists() {
            return Ok(cache);
        }
        let recorded: CacheKeys = json::read(&keys_path)?;
        if recorded.model != *model {
            return Ok(cache);
        }
        let (shape, data) = npy::read_f32(&cache.path("npy"))?;
        // The matrix is written before its keys, so after a crash it may only have rows too many.
        if let [rows, n_features] = shape[..]
            && rows as usize >= recorded.text_sha256.len()
        {
            cache.n_features = n_features as usize;
            cache.keys = recorded.text_sha256;
            cache.data = data;
            cache.data.truncate(cache.keys.len() * cache.n_features);
            cache.row_of = cache.keys.iter().cloned().zip(0..).collect();
        }
        Ok(cache)
    }

    fn path(&self, extension: &str) -> std::path::PathBuf {
        self.dir.join(format!("{}.{extension}", self.model.id))
    }

    fn add(
        &mut self,
        keys: impl Iterator<Item = String>,
        n_features: usize,
        rows: &[f32],
    ) -> Result<(), Error> {
        self.n_features = n_features;
        for key in keys {
            self.row_of.insert(key.clone(), self.keys.len());
            self.keys.push(key);
        }
        self.data.extend_from_slice(rows);
        let shape = [self.keys.len() as u64, n_features as u64];
        npy::write_f32(&self.path("npy"), &shape, &self.data)?;
        let recorded = CacheKeys {
            model: self.model.clone(),
            text_sha256: self.keys.clone(),
        };
        json::write(&self.path("keys.json"), &recorded)?;
        Ok(())
    }
}
