//! Errors of models.

use crate::nearest::is_slip;
use neurogauge_core::image::{ResizeError, SizeMismatch};
use neurogauge_core::option_words::option;
use neurogauge_core::{Fault, MaskError};
use neurogauge_formats::FormatError;
use neurogauge_kernels::{KernelError, MayLackMemory};
use std::path::PathBuf;

/// The message about a name that no model has: the name that was probably meant, or, if none is similar, those that
/// could be.
fn instead(id: &str, nearest: &str, known: &str) -> String {
    let all = "`neurogauge models list` lists all";
    match (is_slip(id, nearest), known) {
        (true, _) => format!("did you mean {nearest:?}? {all}"),
        (false, "") => all.to_owned(),
        (false, known) => format!("known models: {known}"),
    }
}

/// Why a model could not be found, fetched, loaded or run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// No model of that name is in the registry.
    #[error("no model is called {id:?}; {}", instead(id, nearest, known))]
    UnknownModel {
        /// The name asked for.
        id: String,
        /// The known name that is nearest to it.
        nearest: String,
        /// The known names, comma separated, if none is similar; empty if any model could be meant.
        known: String,
    },

    /// A model has no layer of that name, or no output of it is offered.
    #[error("{architecture} has no layer {layer:?}; did you mean {nearest:?}? Its layers: {known}")]
    UnknownLayer {
        architecture: &'static str,
        /// The name asked for.
        layer: String,
        /// The known name that is nearest to it.
        nearest: String,
        /// All known names, comma separated.
        known: String,
    },

    /// A layer has no such positions.
    #[error("{architecture}: layer {layer} {has}, so the pooling {pooling} does not apply; choose another")]
    Pooling {
        architecture: &'static str,
        layer: String,
        /// The contents it has instead.
        has: &'static str,
        pooling: String,
    },

    /// A model cannot process images of this size, or not together.
    #[error("{architecture}: image {index} is {width_px} x {height_px} px, expected {expected}")]
    ImageSize {
        architecture: &'static str,
        /// Position of the image in the batch.
        index: usize,
        width_px: usize,
        height_px: usize,
        /// The accepted sizes.
        expected: String,
    },

    /// Images that are to be compared and have different sizes.
    #[error(
        "pair {index}: the stimulus is {} x {} px and the reconstruction {} x {} px; LPIPS compares \
         images of one size", gt_px.0, gt_px.1, recon_px.0, recon_px.1
    )]
    PairSizes {
        /// Position of the pair.
        index: usize,
        /// Width and height of the stimulus.
        gt_px: (usize, usize),
        /// The reconstruction's size.
        recon_px: (usize, usize),
    },

    /// Images that are to be compared one by one and do not have one partner each.
    #[error("{gt} stimuli and {recon} reconstructions do not make pairs")]
    PairCount {
        /// Number of stimuli.
        gt: usize,
        /// Number of reconstructions.
        recon: usize,
    },

    /// A distance that is no number.
    #[error(
        "the distance of {metric} is {value} in its layer {layer}; are the pixels within [0, 1] and \
         the weights sound?"
    )]
    NonFiniteDistance {
        metric: &'static str,
        layer: &'static str,
        value: f64,
    },

    /// Linear heads and a network that do not belong together.
    #[error("{metric} looks with {expected}, and the model given for it is {found}")]
    WrongBackbone {
        metric: &'static str,
        /// Id of the model that it needs.
        expected: &'static str,
        /// Id of the model given.
        found: String,
    },

    /// A preset does not cover a model.
    #[error(
        "the preset {preset} does not say how images are prepared for {model}; it does for: {known}. \
         Take {} for what a model's authors publish",
        option("preset", "published")
    )]
    NoPreprocessing {
        preset: String,
        /// The model's id.
        model: String,
        /// The models that it covers, comma separated.
        known: String,
    },

    /// 8-bit resizing without smoothing, which does not exist.
    #[error(
        "images cannot be prepared without antialias here: the published preprocessing works on \
         Pillow images, and Pillow always smooths; leave {} away or take another {}",
        option("antialias", ""),
        option("preset", "")
    )]
    PillowAntialias,

    /// An image with a pixel that is no number.
    #[error("the image has a pixel of value {value}; a model needs finite numbers")]
    NonFinitePixel { value: f32 },

    /// An image that cannot be resized.
    #[error(transparent)]
    Resize(#[from] ResizeError),

    /// Pixels that do not match their size: a bug of ours.
    #[error(transparent)]
    Pixels(#[from] SizeMismatch),

    /// An image smaller than the crop from its middle.
    #[error(
        "cannot cut {side_px} x {side_px} px out of an image that has {width_px} x {height_px} px \
         after resizing"
    )]
    Crop {
        side_px: usize,
        /// Width of the resized image.
        width_px: usize,
        height_px: usize,
    },

    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The attempted action, as a verb.
        action: &'static str,
        source: std::io::Error,
    },

    /// A folder holds some of a model's files and lacks others.
    #[error(
        "{} holds a part of {model} and lacks {missing}; \
         put the missing files there or remove the others",
        dir.display()
    )]
    IncompleteModel {
        dir: PathBuf,
        /// The model's id.
        model: String,
        /// The files that are missing, comma separated.
        missing: String,
    },

    /// A file differs from what the registry describes.
    #[error(
        "{} is not the published file of {model}: \
         it has {found_bytes} bytes and SHA-256 {found}, expected {} and SHA-256 {expected}; \
         nothing was loaded. Remove the file and fetch it again",
        path.display(),
        expected_bytes.map_or("a size that is not published".to_owned(), |n| format!("{n} bytes"))
    )]
    HashMismatch {
        path: PathBuf,
        /// The model's id.
        model: String,
        /// SHA-256 of the file, hexadecimal.
        found: String,
        /// The published part of the SHA-256, or the recorded hash.
        expected: String,
        /// Size of the file.
        found_bytes: u64,
        /// Size of the published file, where it is known.
        expected_bytes: Option<u64>,
    },

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

    /// A server that answers no request.
    #[error("{server}: {reason}")]
    VlmServer {
        server: String,
        /// The server's message, and advice.
        reason: String,
    },

    /// A model behind a server gave no answer about an image, or none that could be read.
    #[error("{reason}")]
    Answer {
        /// The fault of the answer.
        reason: String,
    },

    /// A configuration or tokenizer file cannot be understood.
    #[error("{}: {reason}", path.display())]
    MalformedFile {
        path: PathBuf,
        /// The fault and its place.
        reason: String,
    },

    /// A tokenizer in a format that is not read.
    #[error(
        "{} is missing: the tokenizer is there as {} only, which is not read here. Take tokenizer.json from \
         the same place, or write it with Python: transformers.AutoTokenizer.from_pretrained(FOLDER)\
         .save_pretrained(FOLDER)",
        expected.display(),
        found.file_name().unwrap_or_default().to_string_lossy()
    )]
    TokenizerFormat {
        /// The file that is there.
        found: PathBuf,
        /// The file that is needed.
        expected: PathBuf,
    },

    /// A configuration asks for something that the implementation does not do.
    #[error(
        "{}: {field} is {found}, and this implementation of {architecture} needs {expected}",
        path.display()
    )]
    UnsupportedConfig {
        /// The configuration file.
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        field: &'static str,
        found: String,
        /// The accepted values.
        expected: String,
    },

    /// The file of a checkpoint cannot be read as one.
    #[error("{source}; {architecture} was not loaded. If the file was cut short or changed, fetch it again")]
    UnreadableCheckpoint {
        /// The architecture that was to be loaded.
        architecture: &'static str,
        /// The file, the place, and the fault.
        source: FormatError,
    },

    /// The checkpoint lacks a tensor.
    #[error(
        "{} lacks the tensor {tensor} of shape {expected:?} that {architecture} needs{read_by}",
        path.display()
    )]
    MissingTensor {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        tensor: String,
        /// The shape it should have.
        expected: Vec<usize>,
        /// Which library's names the checkpoint was read by and why, if there are several.
        read_by: String,
    },

    /// A checkpoint has one tensor under two names, with different values.
    #[error(
        "{}: the tensors {first} and {second} differ, and {architecture} has one tensor in both places; export the checkpoint \
         again with both the same, or with {first} alone",
        path.display()
    )]
    ContradictingTensors {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        /// The tensor that is read.
        first: String,
        /// The other one.
        second: String,
    },

    /// A tensor whose shape contradicts the configuration.
    #[error(
        "{}: tensor {tensor} has shape {found:?}, and {architecture} with this configuration \
         needs {expected:?}",
        path.display()
    )]
    TensorShape {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        tensor: String,
        found: Vec<usize>,
        /// The shape it should have.
        expected: Vec<usize>,
    },

    /// A tensor holds something else than floating-point numbers.
    #[error(
        "{}: tensor {tensor} of {architecture} holds {found}, expected F32, F16, BF16 or F64",
        path.display()
    )]
    TensorType {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        tensor: String,
        /// Its element type.
        found: String,
    },

    /// A weight is too large for the precision that weights are rounded to.
    #[error(
        "{}: tensor {tensor} of {architecture} holds {value}, which {precision} cannot hold; take \
         {}{}",
        path.display(),
        option("weight-precision", "f32"),
        if precision == "f16" { " or bf16" } else { "" }
    )]
    WeightRange {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        tensor: String,
        value: f32,
        precision: String,
    },

    /// The checkpoint has a tensor that the architecture has no place for.
    #[error(
        "{}: tensor {tensor} of shape {found:?} has no place in {architecture} with this \
         configuration; is it the checkpoint of another model?{read_by}",
        path.display()
    )]
    UnexpectedTensor {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        tensor: String,
        found: Vec<usize>,
        /// Which library's names the checkpoint was read by and why, if there are several.
        read_by: String,
    },

    /// The checkpoint is in the layout of a library whose network is computed in another way.
    #[error(
        "{}: by its tensor {mark} this is a checkpoint of {library}, and {architecture} cannot be \
         read from it: {reason}",
        path.display()
    )]
    UnsupportedLayout {
        path: PathBuf,
        /// The architecture that was to be loaded.
        architecture: &'static str,
        /// The library whose names the tensors have.
        library: &'static str,
        /// The tensor by which they were recognised.
        mark: &'static str,
        /// The difference, and advice.
        reason: String,
    },

    /// The tokenizer refused a text.
    #[error("cannot tokenize text {index} ({text:?}): {reason}")]
    Tokenize {
        /// Position of the text in the list.
        index: usize,
        text: String,
        /// The tokenizer's error.
        reason: String,
    },

    /// Token ids that cannot be turned into a text.
    #[error("the tokenizer makes no text of the ids {ids:?}: {reason}")]
    Detokenize {
        ids: Vec<u32>,
        /// The tokenizer's error.
        reason: String,
    },

    /// A caption longer than a model can write.
    #[error("{architecture} can write {limit} tokens at most, and {asked} were asked for")]
    TooManyTokens {
        architecture: &'static str,
        asked: usize,
        /// Its number of positions.
        limit: usize,
    },

    /// A category that a detector cannot be asked for.
    #[error(
        "the category {name:?} does not fit among the {n_tokens} tokens that the detector reads of a prompt; give it a \
         shorter name ({})",
        option("labels", "")
    )]
    PromptName {
        /// Its name, as the prompt has it.
        name: String,
        n_tokens: usize,
    },

    /// Outputs of a detector that no objects can be made of.
    #[error("the detector's outputs cannot be read: {reason}; are the weights sound?")]
    RawDetections { reason: String },

    /// A prompt that a detector cannot process.
    #[error(
        "the prompt has {found} tokens, and {architecture} takes 1 to {limit}; name fewer categories \
         at a time"
    )]
    PromptLength {
        architecture: &'static str,
        /// Tokens of the prompt, special ones included.
        found: usize,
        limit: usize,
    },

    /// A token of a prompt that a detector does not have.
    #[error(
        "the prompt has a token {id}, and {architecture} knows {vocab_size}; was it made by the \
         tokenizer of another model?"
    )]
    PromptToken {
        architecture: &'static str,
        id: u32,
        /// Tokens of its table.
        vocab_size: usize,
    },

    /// A detector's output is NaN.
    #[error("{architecture}: {what} of query {query} are not numbers; are the weights sound?")]
    NonFiniteDetection {
        architecture: &'static str,
        /// Its logits or its box.
        what: &'static str,
        /// The query, counted from 0.
        query: usize,
    },

    /// A mask is asked for by something that is no place in an image.
    #[error(
        "mask prompt {index}: {reason}; expected finite corners, the first above and to the left of the second, or finite points"
    )]
    MaskPrompt {
        /// Position of the prompt.
        index: usize,
        /// The actual kind.
        reason: String,
    },

    /// A segmenter's output is NaN.
    #[error("{architecture}: the mask of prompt {prompt} has logits that are not numbers; are the weights sound?")]
    NonFiniteMask { architecture: &'static str, prompt: usize },

    /// A mask that cannot be.
    #[error(transparent)]
    Mask(#[from] MaskError),

    /// A layer, a device or a search failed.
    #[error(transparent)]
    Kernel(#[from] KernelError),
}

impl ModelError {
    /// The error of a file or folder on which an action, a verb, failed.
    pub(crate) fn io(path: impl Into<PathBuf>, action: &'static str, source: std::io::Error) -> Self {
        let path = path.into();
        ModelError::Io { path, action, source }
    }

    /// The error of a file that cannot be understood.
    #[expect(clippy::needless_pass_by_value, reason = "callers hand over errors and words")]
    pub(crate) fn malformed(path: impl Into<PathBuf>, reason: impl ToString) -> Self {
        let (path, reason) = (path.into(), reason.to_string());
        ModelError::MalformedFile { path, reason }
    }

    /// Of what the engine says of an operation, for `map_err`.
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
            ModelError::UnknownModel { .. }
            | ModelError::UnknownLayer { .. }
            | ModelError::Pooling { .. }
            | ModelError::NoPreprocessing { .. }
            | ModelError::PillowAntialias
            | ModelError::TooManyTokens { .. }
            | ModelError::PromptName { .. }
            | ModelError::PromptLength { .. } => Fault::Usage,
            ModelError::Pixels(_) | ModelError::Mask(_) => Fault::Ours,
            ModelError::Kernel(error) => error.fault(),
            ModelError::ImageSize { .. }
            | ModelError::PairSizes { .. }
            | ModelError::PairCount { .. }
            | ModelError::NonFiniteDistance { .. }
            | ModelError::WrongBackbone { .. }
            | ModelError::NonFinitePixel { .. }
            | ModelError::Resize(_)
            | ModelError::Crop { .. }
            | ModelError::Io { .. }
            | ModelError::IncompleteModel { .. }
            | ModelError::HashMismatch { .. }
            | ModelError::WeightsNotFound { .. }
            | ModelError::Download { .. }
            | ModelError::VlmServer { .. }
            | ModelError::Answer { .. }
            | ModelError::MalformedFile { .. }
            | ModelError::TokenizerFormat { .. }
            | ModelError::UnsupportedConfig { .. }
            | ModelError::UnreadableCheckpoint { .. }
            | ModelError::MissingTensor { .. }
            | ModelError::ContradictingTensors { .. }
            | ModelError::TensorShape { .. }
            | ModelError::TensorType { .. }
            | ModelError::WeightRange { .. }
            | ModelError::UnexpectedTensor { .. }
            | ModelError::UnsupportedLayout { .. }
            | ModelError::Tokenize { .. }
            | ModelError::Detokenize { .. }
            | ModelError::RawDetections { .. }
            | ModelError::PromptToken { .. }
            | ModelError::NonFiniteDetection { .. }
            | ModelError::MaskPrompt { .. }
            | ModelError::NonFiniteMask { .. } => Fault::Model,
        }
    }
}

impl MayLackMemory for ModelError {
    fn is_out_of_memory(&self) -> bool {
        matches!(self, ModelError::Kernel(error) if error.is_out_of_memory())
    }
}
