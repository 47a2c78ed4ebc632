//! A loaded model, in the form that its kind needs.

use crate::architectures::bert::{MiniLm, MpNet};
use crate::architectures::blip2::Blip2;
use crate::architectures::clip::{ClipText, vectors_of_ids};
use crate::architectures::git::Git;
use crate::architectures::grounding_dino::GroundingDino;
use crate::architectures::qwen3::Qwen3Embedding;
use crate::architectures::sam2::Sam2;
use crate::checkpoint::weights::LocalModel;
use crate::registry::{Architecture, ModelEntry};
use crate::{
    Arithmetic, CaptionerMemory, ImageModel, LocalImageModel, ModelError, NetworkCaptioner, SceneGraphParser,
    SentenceEncoder, TextEncoder, WeightOptions,
};
use neurogauge_core::ModelIdentity;

/// A model from which quantities are computed.
pub(super) enum Subject {
    Sentences(Box<SentenceEncoder>),
    Images(Box<ImageTower>),
    Captioner(Box<NetworkCaptioner>),
    Detector(Box<GroundingDino>),
    Segmenter(Box<Sam2>),
    Parser(Box<SceneGraphParser>),
}

/// An image model, which can also load the text tower of the same checkpoint.
pub(super) struct ImageTower {
    pub(super) model: Box<dyn ImageModel>,
    /// The model before it was loaded.
    pub(super) local: LocalImageModel,
    files: LocalModel,
    identity: ModelIdentity,
}

impl ImageTower {
    /// Vectors of texts; the text tower is loaded when it is needed.
    pub(super) fn texts(&self, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        ClipText::load(&self.files.dir, self.identity.clone())?.encode(texts, &|_| {})
    }

    /// Vectors of texts given as token ids, before normalisation.
    pub(super) fn texts_of_ids(&self, ids: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, ModelError> {
        vectors_of_ids(&self.files.weights, &self.identity, ids)
    }
}

impl Subject {
    /// Reads the weights, in single precision.
    pub(super) fn load(entry: &ModelEntry, files: LocalModel, options: &WeightOptions) -> Result<Self, ModelError> {
        let identity = entry.identity(files.sha256.clone());
        let (dir, weights) = (&files.dir, &files.weights);
        Ok(match entry.architecture {
            Architecture::MiniLm => Subject::Sentences(Box::new(MiniLm::load(dir, Arithmetic::default())?)),
            Architecture::MpNet => Subject::Sentences(Box::new(MpNet::load(dir, Arithmetic::default())?)),
            Architecture::Qwen3Embedding => {
                Subject::Sentences(Box::new(Qwen3Embedding::load(dir, Arithmetic::default())?))
            }
            Architecture::Git => Subject::Captioner(Box::new(Git::load(weights, identity)?)),
            Architecture::Blip2 => {
                Subject::Captioner(Box::new(Blip2::load(weights, identity, CaptionerMemory::default())?))
            }
            Architecture::GroundingDino => Subject::Detector(Box::new(GroundingDino::load(weights, identity)?)),
            Architecture::Sam2 => Subject::Segmenter(Box::new(Sam2::load(entry.id, weights, identity)?)),
            Architecture::T5 => Subject::Parser(Box::new(SceneGraphParser::load(weights, identity)?)),
            _ => {
                let found = LocalImageModel::locate(entry.id, options)?;
                let found = found.ok_or_else(|| LocalImageModel::unknown(entry.id))?;
                Subject::Images(Box::new(ImageTower {
                    model: found.load()?,
                    local: found,
                    files,
                    identity,
                }))
            }
        })
    }
}
