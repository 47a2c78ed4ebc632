//! Text encoders, which turn captions and phrases into vectors.

use super::{About, Observer};
use crate::Error;
use crate::execute::{Executor, Keyed, Session, Sink, Texts, prefix_of};
use crate::model_weights::{find, obtain, weight_options};
use crate::option_names::{QWEN3_ENCODER, TEXT_INSTRUCTION};
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::{StoreFolder, TEXT_EMBEDDINGS, existing, warn_of_others_files};
use neurogauge_core::{ModelIdentity, ObservationKind};
use neurogauge_formats::FormatError;
use neurogauge_formats::store::{ContentKey, Matrices, Store};
use neurogauge_models::registry::{Architecture, ModelEntry};
use neurogauge_models::{Arithmetic, LocalTextEncoder, ModelError, TextEncoder, qwen3, registry, weights};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The text encoder that SEED uses.
pub const DEFAULT_ENCODER: &str = "all-MiniLM-L6-v2";
/// The encoder for CAPTURE's comparison of phrases.
pub const DEFAULT_PHRASE_ENCODER: &str = "all-mpnet-base-v2";
/// An encoder without weights whose numbers mean nothing.
pub use neurogauge_models::PLACEHOLDER_TEXT_ENCODER as PLACEHOLDER_ENCODER;

pub(crate) fn is_placeholder(encoder: &str) -> bool {
    encoder == PLACEHOLDER_ENCODER
}

/// The encoder for captions that are compared with images: that of the images' model, unless captions are embedded by a
/// placeholder.
pub(crate) fn encoder_beside_images<'a>(of_model: &'a str, of_captions: &'a str) -> &'a str {
    match is_placeholder(of_captions) {
        true => of_captions,
        false => of_model,
    }
}

pub(crate) fn check(encoder: &str) -> Result<(), Error> {
    if !is_placeholder(encoder) {
        text_encoder(encoder)?;
    }
    Ok(())
}

/// Fails if there is an instruction but the encoder of captions does not support instructions.
pub(crate) fn check_instruction(encoder: &str, instruction: Option<&str>) -> Result<(), Error> {
    if instruction.is_none() || is_placeholder(encoder) {
        return Ok(());
    }
    if text_encoder(encoder)?.architecture.reads_instructions() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{TEXT_INSTRUCTION}: {encoder} was not trained to read instructions; leave it away, or take \
         {QWEN3_ENCODER}"
    )))
}

/// The model that `--set text_encoder` names, without loading it. If its hash is not published, or if the checkpoint is the
/// user's, the hash is computed from the file, which is downloaded if needed.
pub(crate) fn identity(encoder: &str, settings: &RunSettings, progress: &dyn Progress) -> Result<ModelIdentity, Error> {
    check(encoder)?;
    if let Some(known) = known_identity(encoder, settings)? {
        return Ok(known);
    }
    let found: LocalTextEncoder = obtain(encoder, settings, progress)?;
    Ok(found.identity().clone())
}

/// The model's identity, if it can be known without a download.
fn known_identity(encoder: &str, settings: &RunSettings) -> Result<Option<ModelIdentity>, Error> {
    let models = &settings.models;
    if models.checkpoints.contains_key(encoder) {
        let found: Option<LocalTextEncoder> = find(encoder, settings)?;
        return Ok(found.map(|found| found.identity().clone()));
    }
    let known = LocalTextEncoder::known_identity(encoder)?;
    let (precision, device) = (models.weight_precision, models.device);
    Ok(known.map(|known| Arithmetic { precision, device }.marked(known)))
}

/// Are the encoder's weights on this machine, judging by the names and sizes of files? A placeholder needs none.
pub(crate) fn is_here(encoder: &str, settings: &RunSettings) -> Result<bool, Error> {
    if is_placeholder(encoder) || settings.models.checkpoints.contains_key(encoder) {
        return Ok(true);
    }
    Ok(weights::is_here(text_encoder(encoder)?, &weight_options(settings))?)
}

/// Does the store have the embeddings of all texts, so that [`embed`] needs no weights?
pub(crate) fn are_kept(
    texts: &BTreeSet<&str>,
    encoder: &str,
    instruction: Option<&str>,
    own: &Path,
    settings: &RunSettings,
) -> Result<bool, Error> {
    let known = known_identity(encoder, settings)?;
    let (Some(model), Some(folder)) = (known, existing(TEXT_EMBEDDINGS, own, settings)) else {
        return Ok(false);
    };
    let keys = keys(texts.iter().copied(), instruction, &model)?;
    let store = Matrices::open(Some(folder.join(&model.id)), model, Vec::new());
    Ok(keys.iter().all(|key| store.holds(key)))
}

/// The store's keys for the embeddings of these texts.
fn keys<'t>(
    texts: impl Iterator<Item = &'t str>,
    instruction: Option<&str>,
    model: &ModelIdentity,
) -> Result<Vec<ContentKey>, Error> {
    let prefix = prefix_of(&TextObserver::ABOUT, model, model)?;
    Ok(texts.map(|text| prefix.key(&[&as_read(text, instruction)])).collect())
}

fn as_read(text: &str, instruction: Option<&str>) -> String {
    match instruction {
        Some(instruction) => qwen3::instructed(instruction, text),
        None => text.to_owned(),
    }
}

fn text_encoder(id: &str) -> Result<&'static ModelEntry, Error> {
    Ok(registry::find_among(id, Architecture::is_of_sentences)?)
}

/// An encoder whose weights are found when the first text needs them.
struct TextObserver<'a> {
    model: ModelIdentity,
    encoder: &'a str,
    instruction: Option<&'a str>,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
}

impl Observer for TextObserver<'_> {
    type Item = String;
    type Recipe = ModelIdentity;
    type Model = dyn TextEncoder;
    type Input = String;
    type Output = Vec<f32>;

    // Number of texts between two saves; encoders split them into batches themselves.
    const ABOUT: About = About::of("text_embedding", "0.1.1", ObservationKind::Features, 4096);

    fn identity(&self) -> &ModelIdentity {
        &self.model
    }

    fn recipe(&self) -> &ModelIdentity {
        &self.model
    }

    fn load(&self) -> Result<Box<dyn TextEncoder>, Error> {
        let found: LocalTextEncoder = obtain(self.encoder, self.settings, self.progress)?;
        Ok(found.load()?)
    }

    fn prepare(&self, text: String) -> Result<String, ModelError> {
        Ok(as_read(&text, self.instruction))
    }

    fn observe(
        &self,
        model: &dyn TextEncoder,
        texts: &[String],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok(model.encode(&texts, progress)?.chunks(model.n_features().max(1)).map(<[f32]>::to_vec).collect())
    }
}

/// One embedding for each distinct text.
#[derive(Debug, Default)]
pub(crate) struct Embeddings(HashMap<String, Vec<f32>>);

impl Embeddings {
    pub(crate) fn n_features(&self) -> usize {
        self.0.values().next().map_or(0, Vec::len)
    }

    pub(crate) fn of(&self, text: &str) -> Option<&[f32]> {
        self.0.get(text).map(Vec::as_slice)
    }
}

struct InMemory(Vec<Vec<f32>>);

impl Sink<Vec<f32>> for InMemory {
    fn lacks(&self, _item: usize) -> bool {
        true
    }

    fn put(&mut self, results: Vec<(usize, Vec<f32>)>) -> Result<(), Error> {
        self.0.extend(results.into_iter().map(|(_, row)| row));
        Ok(())
    }
}

/// Embeds every text, with the instruction before it if there is one. Stored embeddings are not made again. Without a
/// cache, the store is the folder `own`; without that too, nothing is stored.
pub(crate) fn embed(
    texts: &BTreeSet<&str>,
    encoder: &str,
    instruction: Option<&str>,
    own: Option<&Path>,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Embeddings, Error> {
    if texts.is_empty() {
        check(encoder)?;
        return Ok(Embeddings::default());
    }
    let model = identity(encoder, settings, progress)?;
    let texts: Vec<&str> = texts.iter().copied().collect();
    let observer = TextObserver {
        model: model.clone(),
        encoder,
        instruction,
        settings,
        progress,
    };
    let mut session = Session::new(observer, Executor::stopping(progress));
    let items = Texts(texts.clone());
    let stage = "embedding captions";
    let rows = match own {
        None => {
            let mut rows = InMemory(Vec::with_capacity(texts.len()));
            session.observe(&items, stage, &mut rows)?;
            rows.0
        }
        Some(own) => {
            let keys = keys(texts.iter().copied(), instruction, &model)?;
            warn_of_others_files(TEXT_EMBEDDINGS, &model.id, settings, progress);
            let folder = StoreFolder::of_observer(TEXT_EMBEDDINGS, &model.id, own, settings)?;
            let mut store = Matrices::open(Some(folder), model, Vec::new());
            let mut sink = Keyed {
                keys: &keys,
                store: &mut store,
            };
            session.observe(&items, stage, &mut sink)?;
            let rows = keys.iter().map(|key| store.get(key));
            let rows: Option<Vec<Vec<f32>>> = rows.collect::<Result<_, FormatError>>()?;
            rows.unwrap_or_default()
        }
    };
    Ok(Embeddings(texts.into_iter().map(str::to_owned).zip(rows).collect()))
}
