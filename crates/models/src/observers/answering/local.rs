//! Models that answer questions, by id.

use super::{Answerer, AnsweringOptions, WrittenAnswer};
use crate::architectures::qwen2_5_vl::Qwen25Vl;
use crate::checkpoint::model_files::{Local, ModelKind};
use crate::observers::placeholders::{ColourWords, colour};
use crate::registry::Architecture;
use crate::{Captioner, ModelError};
use neurogauge_core::{Image, ModelIdentity};

/// The id under which [`ColourWords`] answers, whatever is asked.
pub const PLACEHOLDER_ANSWERER: &str = "stand-in-mllm";

/// The kind of models that answer questions about pictures.
#[derive(Debug, Clone, Copy)]
pub enum Answering {}

/// A model that answers questions, whose weights are at hand, not yet loaded. It runs on the processor.
///
/// ```
/// use neurogauge_models::WeightOptions;
/// use neurogauge_models::answering::{LocalAnswerer, PLACEHOLDER_ANSWERER};
/// let found = LocalAnswerer::locate(PLACEHOLDER_ANSWERER, &WeightOptions::default())?.unwrap();
/// assert!(found.identity().stand_in);
/// assert_eq!(LocalAnswerer::ids(), ["qwen2.5-vl-7b", "qwen2.5-vl-3b", "stand-in-mllm"]);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub type LocalAnswerer = Local<Answering>;

impl ModelKind for Answering {
    fn includes(architecture: Architecture) -> bool {
        architecture == Architecture::Qwen25Vl
    }

    fn placeholder() -> Option<(&'static str, ModelIdentity)> {
        Some((
            PLACEHOLDER_ANSWERER,
            Captioner::identity(&ColourWords::new()).clone(),
        ))
    }
}

impl LocalAnswerer {
    /// Reads the weights.
    ///
    /// # Errors
    /// Those of [`Qwen25Vl::load`].
    pub fn load(&self) -> Result<Box<dyn Answerer>, ModelError> {
        Ok(match self.file() {
            Some((_, path)) => Box::new(Qwen25Vl::load(path, self.identity.clone())?),
            None => Box::new(ColourWords::new()),
        })
    }
}

/// Names colours, parted by commas: a list of names, whatever the question.
impl Answerer for ColourWords {
    fn identity(&self) -> &ModelIdentity {
        Captioner::identity(self)
    }

    fn answer(
        &self,
        picture: &Image<f32>,
        _question: &str,
        _options: &AnsweringOptions,
    ) -> Result<WrittenAnswer, ModelError> {
        let values: Vec<f32> = picture.data().iter().map(|v| 4.0 * v - 2.0).collect();
        let (upper, lower) = values.split_at(values.len() / 2);
        Ok(WrittenAnswer {
            text: format!("{}, {}", colour(upper), colour(lower)),
            is_cut_off: false,
        })
    }
}
