//! Text encoders: captions and phrases to vectors.

use super::{About, Observer};
use crate::Error;
use crate::execute::{Executor, Keyed, Session, Sink, Texts};
use crate::model_weights::{DownloadBar, weight_options};
use crate::option_names::{QWEN3_ENCODER, TEXT_INSTRUCTION};
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::store::{StoreFolder, TEXT_EMBEDDINGS};
use neurogauge_core::{ModelIdentity, ObservationKind};
use neurogauge_formats::FormatError;
use neurogauge_formats::store::{ContentKey, KeyPrefix, Matrices, Store};
use neurogauge_models::registry::{Architecture, ModelEntry};
use neurogauge_models::{LocalTextEncoder, ModelError, TextEncoder, qwen3, registry};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The text encoder that SEED uses.
pub const DEFAULT_ENCODER: &str = "all-MiniLM-L6-v2";
/// An encoder without weights whose numbers mean nothing.
pub use neurogauge_models::PLACEHOLDER_TEXT_ENCODER as PLACEHOLDER_ENCODER;

/// Is there an encoder of this name?
pub(crate) fn check(encoder: &str) -> Result<(), Error> {
    if encoder != PLACEHOLDER_ENCODER {
        text_encoder(encoder)?;
    }
    Ok(())
}

/// Does the encoder of captions read the instruction, if there is one?
pub(crate) fn check_instruction(encoder: &str, instruction: Option<&str>) -> Result<(), Error> {
    if instruction.is_none() || encoder == PLACEHOLDER_ENCODER {
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

/// Which model `--text-encoder` names, without loading it. Where its hash is not published, its file says
/// it, which is fetched if need be.
pub(crate) fn identity(
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<ModelIdentity, Error> {
    check(encoder)?;
    let precision = settings.models.weight_precision;
    if let Some(known) = LocalTextEncoder::known_identity(encoder)? {
        return Ok(precision.marked(known));
    }
    let found = published(encoder, settings, progress)?;
    Ok(found.identity().clone())
}

/// Its weights, which are downloaded where that is allowed.
fn published(
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalTextEncoder, Error> {
    let options = weight_options(settings);
    let found = LocalTextEncoder::obtain(encoder, &options, &DownloadBar(progress))?;
    Ok(found.rounded(settings.models.weight_precision))
}

fn text_encoder(id: &str) -> Result<&'static ModelEntry, Error> {
    Ok(registry::find_among(id, Architecture::is_of_sentences)?)
}

/// An encoder whose weights are looked for when the first text needs them.
struct TextObserver<'a> {
    model: ModelIdentity,
    encoder: &'a str,
    /// What stands before each text.
    instruction: Option<&'a str>,
    settings: &'a RunSettings,
    progress: &'a dyn Progress,
}

impl Observer for TextObserver<'_> {
    type Item = String;
    type Recipe = ModelIdentity;
    type Model = dyn TextEncoder;
    /// The text as the model reads it.
    type Input = String;
    type Output = Vec<f32>;

    const ABOUT: About = About {
        name: "text_embedding",
        revision: "0.1.0",
        makes: ObservationKind::Features,
        // Texts between two saves; encoders make batches of their own.
        batch: 4096,
    };

    fn identity(&self) -> &ModelIdentity {
        &self.model
    }

    fn recipe(&self) -> &ModelIdentity {
        &self.model
    }

    fn load(&self) -> Result<Box<dyn TextEncoder>, Error> {
        Ok(published(self.encoder, self.settings, self.progress)?.load()?)
    }

    fn prepare(&self, text: String) -> Result<String, ModelError> {
        Ok(match self.instruction {
            Some(instruction) => qwen3::instructed(instruction, &text),
            None => text,
        })
    }

    fn observe(
        &self,
        model: &dyn TextEncoder,
        texts: &[String],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let values = model.encode(&texts, progress)?;
        let rows = values.chunks(model.n_features().max(1));
        Ok(rows.map(<[f32]>::to_vec).collect())
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

/// Keeps what comes in memory.
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

/// Embeds every text, behind the instruction if there is one. What the store has is not embedded again; without a cache, it
/// is the folder `own`, and where there is none either, nothing is kept.
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
    let stage = "embedding captions";
    let rows = match own {
        None => {
            let mut rows = InMemory(Vec::with_capacity(texts.len()));
            session.observe(&Texts(&texts), stage, &mut rows)?;
            rows.0
        }
        Some(own) => {
            let about = TextObserver::ABOUT;
            let prefix = KeyPrefix::of(about.name, about.revision, &model)?;
            let read = texts
                .iter()
                .map(|text| session.observer.prepare((*text).to_owned()));
            let keys = read.map(|read| Ok(prefix.key(&[&read?])));
            let keys: Vec<ContentKey> = keys.collect::<Result<_, Error>>()?;
            let folder = StoreFolder::open(TEXT_EMBEDDINGS, own, settings)?.path;
            let mut store = Matrices::open(Some(folder.join(&model.id)), model);
            let mut sink = Keyed {
                keys: &keys,
                store: &mut store,
            };
            session.observe(&Texts(&texts), stage, &mut sink)?;
            let rows = keys.iter().map(|key| store.get(key));
            let rows: Option<Vec<Vec<f32>>> = rows.collect::<Result<_, FormatError>>()?;
            rows.unwrap_or_default()
        }
    };
    let texts = texts.into_iter().map(str::to_owned);
    Ok(Embeddings(texts.zip(rows).collect()))
}
