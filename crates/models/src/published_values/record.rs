//! Published values as data.

use crate::ModelError;
use crate::checkpoint::config_json::whole;
use neurogauge_core::image::Filter;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A published value of published weights.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedValues {
    /// The record's id.
    pub id: String,
    /// The registry's model that the values belong to.
    pub model: String,
    /// How much agreement proves.
    pub grade: Grade,
    /// The model's input.
    pub input: PublishedInput,
    /// The expected results.
    pub checks: Vec<Check>,
    /// Where it is published: repository, commit, file.
    pub source: String,
    #[serde(default)]
    pub note: Option<String>,
}

/// How much agreement with published values proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grade {
    /// The reference's own test asserts these numbers closely, in single precision, for a fixed input.
    A,
    /// Nearly as much as `A`: the input is a JPEG, or the numbers are printed but not asserted.
    #[serde(rename = "A-")]
    NearlyA,
    /// The numbers are printed, asserted loosely, in half precision, or depend on details of the input.
    B,
    /// The values are only ranks or texts, which reveal gross errors.
    C,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::A => "A",
            Grade::NearlyA => "A-",
            Grade::B => "B",
            Grade::C => "C",
        })
    }
}

/// A model's input.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PublishedInput {
    Texts(Vec<String>),
    /// Texts given as token ids.
    TokenIds(Vec<Vec<u32>>),
    /// The ids of a text that ends at the first of its largest ids: `torch.manual_seed(seed)`, `torch.randn(1, 3, n,
    /// n)` for each n of `behind_px`, then `torch.randint(vocabulary, (1, length))`.
    SeededIds {
        seed: u64,
        /// Sides of the images that are drawn first.
        behind_px: Vec<usize>,
        /// Number of tokens in the vocabulary.
        vocabulary: u32,
        /// Number of tokens in the text.
        length: usize,
    },
    /// `torch.randint(255, (3, height, width))` with a generator of this seed: an image of bytes, channels first.
    SeededBytes {
        seed: u64,
        width_px: usize,
        height_px: usize,
        /// Normalisation after the division by 255.
        statistics: Statistics,
    },
    /// `torch.manual_seed(seed); torch.randn(1, 3, height, width)`, which is not preprocessed.
    SeededNormal {
        seed: u64,
        width_px: usize,
        height_px: usize,
    },
    Picture {
        file: String,
        /// The preprocessing; the model's own if this is absent.
        #[serde(default)]
        prepared: Option<PreparedAs>,
    },
    /// The frames of a clip, stored as an array of bytes.
    Frames {
        file: String,
        prepared: PreparedAs,
    },
    /// One image, stored as an array of floats.
    Array {
        file: String,
        /// Do the channels come last? Otherwise they come first.
        #[serde(default)]
        channels_last: bool,
        /// The normalisation that is still to be applied.
        #[serde(default)]
        statistics: Option<Statistics>,
    },
    /// Pairs of pictures, for a distance in a network's features, with LPIPS's heads if there are any.
    PicturePairs {
        /// Ids of the files.
        pairs: Vec<[String; 2]>,
        /// Id of the file of LPIPS's linear heads.
        #[serde(default)]
        heads: Option<String>,
    },
    /// A folder of pictures with a subfolder for each class. It must not be redistributed; users put it beside the
    /// other inputs.
    Classes {
        folder: String,
    },
}

impl PublishedInput {
    /// Ids of the files that the input consists of.
    pub fn files(&self) -> Vec<&str> {
        match self {
            PublishedInput::Picture { file, .. }
            | PublishedInput::Frames { file, .. }
            | PublishedInput::Array { file, .. } => vec![file],
            PublishedInput::PicturePairs { pairs, heads } => {
                let files = pairs.iter().flatten().chain(heads);
                files.map(String::as_str).collect()
            }
            PublishedInput::Texts(_)
            | PublishedInput::TokenIds(_)
            | PublishedInput::SeededIds { .. }
            | PublishedInput::SeededBytes { .. }
            | PublishedInput::SeededNormal { .. }
            | PublishedInput::Classes { .. } => Vec::new(),
        }
    }
}

/// How a picture is preprocessed with Pillow.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreparedAs {
    /// Length of the shorter side afterwards, px.
    pub shorter_px: usize,
    /// Does the longer side get the same length, regardless of the proportions?
    #[serde(default)]
    pub squashed: bool,
    /// Side of the centre crop, px.
    #[serde(default)]
    pub crop_px: Option<usize>,
    pub filter: Filter,
    pub statistics: Statistics,
}

/// Means and standard deviations of the channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistics {
    Imagenet,
    Clip,
    /// 0.5 for all means and standard deviations.
    Halves,
}

/// What a mask is wanted of, in pixels of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskAsk {
    /// The object at this point: x, y.
    Point([f64; 2]),
    /// The object within these edges: left, top, right, bottom.
    Box([f64; 4]),
}

/// Which of a prompt's masks are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MasksOf {
    /// The chosen one (convention `mask-choice`).
    Chosen,
    /// The three masks that differ in extent, in the network's order.
    Three,
    /// The same three, the one with the largest predicted overlap first.
    ThreeByScore,
}

/// A quantity and its published values.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    pub quantity: Quantity,
    pub expected: Expected,
    /// Absolute tolerance of a number.
    #[serde(default)]
    pub tolerance: f64,
    /// Additional tolerance, relative to the published number.
    #[serde(default)]
    pub relative: f64,
}

/// Published values.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Expected {
    Numbers(Vec<f64>),
    Text(String),
    /// All numbers of an array in a file.
    File {
        file: String,
    },
}

/// A quantity computed from a model's output.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Quantity {
    /// Cosines of pairs of texts.
    Cosines(Vec<[usize; 2]>),
    /// Minus the sum of absolute differences between the unit vectors of pairs of texts.
    NegativeManhattan(Vec<[usize; 2]>),
    /// Elements of a text's vector before normalisation.
    BeforeNorm {
        text: usize,
        at: Vec<usize>,
    },
    /// Elements of a layer; all elements if none are listed.
    Layer {
        name: String,
        at: Vec<usize>,
    },
    /// Class probabilities: elements of the softmax of a layer.
    Softmax {
        layer: String,
        at: Vec<usize>,
    },
    Sum {
        layer: String,
    },
    /// The mean of a layer after normalisation to unit length.
    MeanOfUnit {
        layer: String,
    },
    /// The classes with the largest values, the largest first.
    TopClasses {
        layer: String,
        n: usize,
    },
    /// Indices of the largest values, in ascending order.
    TopSet {
        layer: String,
        n: usize,
    },
    /// 100 times the cosines between the image and these texts.
    TextLogits {
        layer: String,
        texts: Vec<String>,
    },
    /// The same for texts given as token ids.
    TokenLogits {
        layer: String,
        ids: Vec<Vec<u32>>,
    },
    Lpips,
    /// One minus the cosine between a layer's vectors for each pair.
    CosineDistances {
        layer: String,
    },
    /// The percentage of pictures whose own class has the largest value.
    TopOneAccuracy {
        layer: String,
    },
    /// Logits of words at the beginning of a caption.
    FirstLogits(Vec<usize>),
    /// The caption, by greedy search or with beams.
    Caption {
        max_new_tokens: usize,
        #[serde(default = "whole::<1>")]
        n_beams: usize,
    },
    /// Logits of the first queries for the first tokens of the prompt.
    QueryLogits {
        prompt: String,
        queries: usize,
        tokens: usize,
    },
    /// The first numbers (centre x, centre y, width, height) of the first queries' boxes.
    QueryBoxes {
        prompt: String,
        queries: usize,
        sides: usize,
    },
    /// Scores of the queries above a threshold, in their order; a query's score is its largest probability over the
    /// tokens.
    FoundScores {
        prompt: String,
        threshold: f64,
    },
    /// Corners of the same queries' boxes as shares of the image: left, top, right, bottom.
    FoundBoxes {
        prompt: String,
        threshold: f64,
    },
    /// Predicted overlaps of the masks of each prompt.
    MaskScores {
        prompts: Vec<MaskAsk>,
        masks: MasksOf,
    },
    /// Logits in the upper left corner of each prompt's first mask, before it is enlarged, row by row.
    MaskCorner {
        prompts: Vec<MaskAsk>,
        masks: MasksOf,
        side: usize,
    },
    /// The facts of a sentence's scene graph.
    Facts {
        n_beams: usize,
        max_new_tokens: usize,
    },
}

/// All published values.
///
/// # Errors
/// A malformed file, which would be a bug of this program.
///
/// ```
/// use neurogauge_models::published_values::{Grade, published_values};
/// let all = published_values()?;
/// let of_minilm = all.iter().filter(|reported| reported.model == "all-MiniLM-L6-v2");
/// assert_eq!(of_minilm.map(|reported| reported.grade).collect::<Vec<_>>(), [Grade::A, Grade::A, Grade::B]);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn published_values() -> Result<Vec<PublishedValues>, ModelError> {
    let mut all = Vec::new();
    for (name, text) in [
        ("texts.json", include_str!("data/texts.json")),
        ("classifiers.json", include_str!("data/classifiers.json")),
        ("clip.json", include_str!("data/clip.json")),
        ("captioners.json", include_str!("data/captioners.json")),
        ("detectors.json", include_str!("data/detectors.json")),
        ("segmenters.json", include_str!("data/segmenters.json")),
        ("lpips.json", include_str!("data/lpips.json")),
        ("dreamsim.json", include_str!("data/dreamsim.json")),
    ] {
        all.extend(parse::<Vec<PublishedValues>>(name, text)?);
    }
    Ok(all)
}

pub(super) fn parse<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, ModelError> {
    serde_json::from_str(text).map_err(|error| ModelError::malformed(name, error))
}
