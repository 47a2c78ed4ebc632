//! The model that embeds captions, by name.

use crate::Error;
use crate::model_weights::{DownloadBar, weight_options};
use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::ModelIdentity;
use neurogauge_models::registry::{Architecture, ModelEntry};
use neurogauge_models::weights::LocalModel;
use neurogauge_models::{
    MiniLm, ModelError, MpNet, Qwen3Embedding, TextEncoder, WeightPrecision, registry, stand_in,
    weights,
};
use std::path::Path;

/// The text encoder that SEED uses.
pub const DEFAULT_ENCODER: &str = "all-MiniLM-L6-v2";
/// An encoder without weights whose numbers mean nothing.
pub const STAND_IN_ENCODER: &str = "stand-in";

/// Is there an encoder of this name?
pub(crate) fn check(encoder: &str) -> Result<(), Error> {
    if encoder != STAND_IN_ENCODER {
        text_encoder(encoder)?;
    }
    Ok(())
}

/// Does the encoder of captions read the instruction, if there is one?
pub(crate) fn check_instruction(encoder: &str, instruction: Option<&str>) -> Result<(), Error> {
    if instruction.is_none() || encoder == STAND_IN_ENCODER {
        return Ok(());
    }
    if text_encoder(encoder)?.architecture.reads_instructions() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--text-instruction: {encoder} was not trained to read instructions; leave it away, or take \
         --text-encoder Qwen3-Embedding-0.6B"
    )))
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
    Ok(settings.weight_precision.marked(entry.identity(sha256)))
}

pub(super) fn load(
    encoder: &str,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Box<dyn TextEncoder>, Error> {
    if encoder == STAND_IN_ENCODER {
        return Ok(Box::new(stand_in::HashedWords::new()));
    }
    let entry = text_encoder(encoder)?;
    let model = obtain(entry, settings, progress)?;
    let precision = settings.weight_precision;
    Ok(load_folder(entry.architecture, &model.dir, precision)?)
}

fn text_encoder(id: &str) -> Result<&'static ModelEntry, Error> {
    Ok(registry::find_among(id, Architecture::is_of_sentences)?)
}

/// The encoder whose files are in a folder.
fn load_folder(
    architecture: Architecture,
    dir: &Path,
    precision: WeightPrecision,
) -> Result<Box<dyn TextEncoder>, ModelError> {
    let encoder = match architecture {
        Architecture::MpNet => MpNet::load_rounded(dir, precision),
        Architecture::Qwen3Embedding => Qwen3Embedding::load_rounded(dir, precision),
        _ => MiniLm::load_rounded(dir, precision),
    };
    Ok(Box::new(encoder?))
}

fn obtain(
    entry: &ModelEntry,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<LocalModel, Error> {
    let options = weight_options(settings);
    Ok(weights::obtain(entry, &options, &DownloadBar(progress))?)
}
