//! Errors of models.

use crate::nearest::{is_slip, nearest};
use neurogauge_core::image::{ResizeError, SizeMismatch};
use neurogauge_core::option_words::option;
use neurogauge_core::{Fault, MaskError};
use neurogauge_kernels::{KernelError, MayLackMemory};
use std::fmt::Display;
use std::path::Path;

/// Why a model could not be found, fetched, loaded or run.
///
/// Programs distinguish these variants. The last three cover every other problem, with a message that says what was
/// found and what was expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model of that name is in the registry.
    #[error("{0}")]
    UnknownModel(String),

    /// The weights are nowhere on this machine and must not, or need not, be downloaded.
    #[error("the weights of {model} are not on this machine, and {reason}.\n{instructions}")]
    WeightsNotFound {
        /// The model's id.
        model: String,
        /// Why they are not downloaded.
        reason: &'static str,
        /// Which files to put where.
        instructions: String,
    },

    #[error("downloading {url} failed: {reason}.\n{instructions}")]
    Download {
        url: String,
        reason: String,
        /// Which files to put where by hand.
        instructions: String,
    },

    /// Two images to compare have different sizes.
    #[error(
        "pair {index}: the stimulus is {} x {} px and the reconstruction {} x {} px; LPIPS compares \
         images of one size", gt_px.0, gt_px.1, recon_px.0, recon_px.1
    )]
    PairSizes {
        /// Position of the pair.
        index: usize,
        /// Width and height of the stimulus.
        gt_px: (usize, usize),
        /// Width and height of the reconstruction.
        recon_px: (usize, usize),
    },

    /// 8-bit resizing without antialiasing, which does not exist.
    #[error(
        "images cannot be prepared without antialias here: the published preprocessing works on \
         Pillow images, and Pillow always smooths; leave {} away or take another {}",
        option("antialias", ""),
        option("preset", "")
    )]
    PillowAntialias,

    #[error(transparent)]
    Resize(#[from] ResizeError),

    /// The number of pixels does not match the size: a bug of ours.
    #[error(transparent)]
    Pixels(#[from] SizeMismatch),

    /// An invalid mask.
    #[error(transparent)]
    Mask(#[from] MaskError),

    /// A layer, a device or a search failed.
    #[error(transparent)]
    Kernel(#[from] KernelError),

    /// A request that the model cannot fulfil.
    #[error("{0}")]
    Usage(String),

    /// An image, a text or an answer that cannot be processed; others may work.
    #[error("{0}")]
    Item(String),

    /// A problem of files, weights or servers.
    #[error("{0}")]
    Other(String),
}

impl ModelError {
    pub(crate) fn usage(words: impl Display) -> Self {
        ModelError::Usage(words.to_string())
    }

    pub fn item(words: impl Display) -> Self {
        ModelError::Item(words.to_string())
    }

    pub(crate) fn other(words: impl Display) -> Self {
        ModelError::Other(words.to_string())
    }

    /// `id` is not among `known`. If no known name is similar, the message lists `shown`, or says how to list all.
    pub(crate) fn unknown_model<'a>(id: &str, known: impl IntoIterator<Item = &'a str>, shown: &str) -> Self {
        let nearest = nearest(id, known.into_iter());
        let all = "`neurogauge list models` lists all";
        let instead = match (is_slip(id, nearest), shown) {
            (true, _) => format!("did you mean {nearest:?}? {all}"),
            (false, "") => all.to_owned(),
            (false, shown) => format!("known models: {shown}"),
        };
        ModelError::UnknownModel(format!("no model is called {id:?}; {instead}"))
    }

    /// The model has no layer of that name, or does not offer its output.
    pub(crate) fn unknown_layer(architecture: &str, layer: &str, known: &[&str]) -> Self {
        let nearest = nearest(layer, known.iter().copied());
        let known = known.join(", ");
        Self::usage(format_args!(
            "{architecture} has no layer {layer:?}; did you mean {nearest:?}? Its layers: {known}"
        ))
    }

    /// The layer's output lacks the positions that the pooling needs; it `has` something else.
    pub(crate) fn no_pooling(architecture: &str, layer: &str, has: &str, pooling: impl Display) -> Self {
        Self::usage(format_args!(
            "{architecture}: layer {layer} {has}, so the pooling {pooling} does not apply; choose another"
        ))
    }

    /// A model cannot process images of this size, or not in one batch. `index` is the image's position in the batch.
    pub(crate) fn image_size(
        architecture: &str,
        index: usize,
        (width_px, height_px): (usize, usize),
        expected: impl Display,
    ) -> Self {
        Self::item(format_args!("{architecture}: image {index} is {width_px} x {height_px} px, expected {expected}"))
    }

    /// A text longer than a model can write.
    pub(crate) fn too_many_tokens(architecture: &str, asked: usize, limit: usize) -> Self {
        Self::usage(format_args!("{architecture} can write {limit} tokens at most, and {asked} were asked for"))
    }

    /// Outputs of a detector that cannot be turned into objects.
    pub(crate) fn raw_detections(reason: impl Display) -> Self {
        Self::item(format_args!("the detector's outputs cannot be read: {reason}; are the weights sound?"))
    }

    /// A prompt that is not a place in the image, so no mask can be made of it. `index` is the position of the prompt.
    pub(crate) fn mask_prompt(index: usize, reason: impl Display) -> Self {
        Self::item(format_args!(
            "mask prompt {index}: {reason}; expected finite corners, the first above and to the left of the second, or finite points"
        ))
    }

    /// The tokenizer refused a text, the one at position `index` of a list.
    pub(crate) fn tokenize(index: usize, text: &str, reason: impl Display) -> Self {
        Self::item(format_args!("cannot tokenize text {index} ({text:?}): {reason}"))
    }

    /// A folder has some of a model's files but not all.
    pub(crate) fn incomplete(dir: &Path, model: &str, missing: &[impl AsRef<str>]) -> Self {
        let missing: Vec<&str> = missing.iter().map(AsRef::as_ref).collect();
        Self::other(format_args!(
            "{} holds a part of {model} and lacks {}; put the missing files there or remove the others",
            dir.display(),
            missing.join(", ")
        ))
    }

    /// A file differs from what the registry describes: number of bytes and SHA-256, found and expected.
    pub(crate) fn hash_mismatch(
        path: &Path,
        model: &str,
        (found_bytes, found): (u64, &str),
        (expected_bytes, expected): (Option<u64>, impl Display),
    ) -> Self {
        let expected_bytes = expected_bytes.map_or(String::new(), |n| format!("{n} bytes and "));
        Self::other(format_args!(
            "{} is not the published file of {model}: it has {found_bytes} bytes and SHA-256 {found}, expected \
             {expected_bytes}SHA-256 {expected}; nothing was loaded. Remove the file and fetch it again",
            path.display()
        ))
    }

    /// An action (a verb) failed on a file or folder.
    pub(crate) fn io(path: impl AsRef<Path>, action: &str, source: impl Display) -> Self {
        Self::other(format_args!("cannot {action} {}: {source}", path.as_ref().display()))
    }

    /// A file with content that cannot be understood.
    pub(crate) fn malformed(path: impl AsRef<Path>, reason: impl Display) -> Self {
        Self::other(format_args!("{}: {reason}", path.as_ref().display()))
    }

    /// A file that cannot be read as a checkpoint.
    pub(crate) fn unreadable(architecture: &str, source: impl Display) -> Self {
        Self::other(format_args!(
            "{source}; {architecture} was not loaded. If the file was cut short or changed, fetch it again"
        ))
    }

    /// Wraps an engine error of an operation, for `map_err`.
    pub(crate) fn engine(
        architecture: &'static str,
        operation: &'static str,
    ) -> impl Fn(candle_core::Error) -> ModelError {
        let engine = KernelError::engine(architecture, operation);
        move |error| engine(error).into()
    }

    /// Whose fault it is.
    #[deny(clippy::wildcard_enum_match_arm)]
    pub fn fault(&self) -> Fault {
        match self {
            ModelError::UnknownModel(_) | ModelError::PillowAntialias | ModelError::Usage(_) => Fault::Usage,
            ModelError::Pixels(_) | ModelError::Mask(_) => Fault::Ours,
            ModelError::Kernel(error) => error.fault(),
            ModelError::WeightsNotFound { .. }
            | ModelError::Download { .. }
            | ModelError::PairSizes { .. }
            | ModelError::Resize(_)
            | ModelError::Item(_)
            | ModelError::Other(_) => Fault::Model,
        }
    }
}

impl MayLackMemory for ModelError {
    fn is_out_of_memory(&self) -> bool {
        matches!(self, ModelError::Kernel(error) if error.is_out_of_memory())
    }
}
