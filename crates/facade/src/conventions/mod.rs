//! The conventions that users decide, as one table: the only place that knows the name, the values and the field of
//! each.

mod answers;
mod basic_h;
mod basic_l;
mod captions;
mod entry;
mod identification;
mod inputs;
mod intervals;
mod objects;
mod of_presets;
mod pixels;
mod value;
mod words;

pub use entry::Convention;
pub use of_presets::presets_of;
pub use words::{answer_of_section, described_conventions, of_section, reason_of_section};

use crate::observers::masks::DEFAULT_SEGMENTER;
use crate::{
    CaptionerChoice, DEFAULT_CAPTIONER, DEFAULT_DETECTOR, DetectorChoice, Error, GraphParser, MaskChoice, ScorePreset,
    ScoreRequest, VlmChoice,
};
use itertools::Itertools;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::{FrameMatch, OnMissingPart, Parts, PartsPattern};
use neurogauge_core::words::of_word;
use neurogauge_models::ParserOptions;
use neurogauge_models::local_vlm::PLACEHOLDER_VLM;
use neurogauge_models::registry::did_you_mean;
use serde_json::Value;
use std::path::Path;
use std::sync::LazyLock;

const MAX_PX: usize = 10_000;
const MAX_CANDIDATES: usize = 10_000_000;
const MAX_TRIALS: usize = 10_000_000;
const MAX_DETECTIONS: usize = 100_000;
const MAX_BEAMS: usize = 1000;
const MAX_TOKENS: usize = 1024;
const MAX_ANSWER_TOKENS: usize = 1_000_000;

/// Conventions about one thing, which help shows together.
pub struct Topic {
    /// As it is typed after `--help`.
    pub name: &'static str,
    pub title: &'static str,
    pub conventions: Vec<Convention>,
    /// What is missing if a request has nothing that one of them is about.
    lacks: fn() -> String,
}

static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let topic = |name, title, conventions: fn() -> Vec<Convention>, lacks: fn() -> String| Topic {
        name,
        title,
        conventions: conventions(),
        lacks,
    };
    let nothing: fn() -> String = || "nothing of this run depends on it".to_owned();
    vec![
        topic("inputs", "Files, and the parts of items", inputs::conventions, inputs::no_parts),
        topic("pixels", "Pixels, and images for models", pixels::conventions, nothing),
        topic("identification", "Identification and classification", identification::conventions, nothing),
        topic("objects", "Objects", objects::conventions, || there_is_no("a detector looks")),
        topic("captions", "Captions", captions::conventions, || there_is_no("a captioner writes")),
        topic("basic-h", "BASIC-H", basic_h::conventions, || there_is_no("a parser of captions writes")),
        topic("basic-l", "BASIC-L", basic_l::conventions, || there_is_no("a model makes masks")),
        topic(
            "models-behind-a-server",
            "Answers of vision-language models",
            answers::conventions,
            answers::no_model,
        ),
        topic("intervals", "Intervals, and levels of chance", intervals::conventions, nothing),
    ]
});

fn there_is_no(what: &str) -> String {
    format!("it says how {what}, and there is none")
}

/// All conventions by topic.
pub fn topics() -> &'static [Topic] {
    &TOPICS
}

pub fn conventions() -> impl Iterator<Item = &'static Convention> {
    TOPICS.iter().flat_map(|topic| &topic.conventions)
}

/// The convention with this id; `-` may stand for `_`.
///
/// ```
/// use neurogauge::find_convention;
/// assert_eq!(find_convention("pixel-size").map(|found| found.default()), Some("425".to_owned()));
/// assert!(find_convention("loudness").is_none());
/// ```
pub fn find_convention(id: &str) -> Option<&'static Convention> {
    let id = id.replace('-', "_");
    conventions().find(|convention| convention.id == id)
}

/// A value that a user sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub id: &'static str,
    pub value: String,
}

impl Setting {
    /// A setting whose id exists and whose value can be read.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn new(id: &str, value: &str) -> Result<Self, String> {
        let known: Vec<&str> = conventions().map(|convention| convention.id).collect();
        let found = find_convention(id)
            .ok_or_else(|| format!("no convention is called {id:?}{}", did_you_mean(&id.replace('-', "_"), &known)))?;
        found.check(value).map_err(|expected| format!("{} is {value:?}: {expected}", found.id))?;
        Ok(Setting {
            id: found.id,
            value: value.to_owned(),
        })
    }

    /// A setting with a value as JSON, TOML and Python have it: numbers, words, lists and switches.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn of_json(id: &str, value: &Value) -> Result<Self, String> {
        Setting::in_folder(Path::new(""), id, value)
    }

    /// The same of a file in this folder, to which paths are relative.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn in_folder(folder: &Path, id: &str, value: &Value) -> Result<Self, String> {
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Bool(is_on) => if *is_on { "on" } else { "off" }.to_owned(),
            other => other.to_string(),
        };
        let text = match value {
            Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
            value => text(value),
        };
        Setting::new(id, &find_convention(id).map_or(text.clone(), |found| found.in_folder(folder, &text)))
    }
}

impl ScoreRequest {
    /// A request with every model and input that a convention may be about, each as it is by default.
    pub fn with_all_models() -> ScoreRequest {
        let mut request = ScoreRequest {
            captioner: Some(CaptionerChoice::of(DEFAULT_CAPTIONER.to_owned())),
            detector: Some(DetectorChoice::of(DEFAULT_DETECTOR.to_owned())),
            segmenter: Some(MaskChoice::of(DEFAULT_SEGMENTER.to_owned())),
            graph_parser: GraphParser::T5(ParserOptions::default()),
            vlm: vec![VlmChoice::of(PLACEHOLDER_VLM.to_owned())],
            ..ScoreRequest::default()
        };
        request.pairing.parts = "frame".parse().ok().map(|pattern: PartsPattern| Parts {
            pattern,
            frames: FrameMatch::default(),
            on_missing: OnMissingPart::default(),
        });
        request
    }

    /// Sets conventions, in the table's order. Presets and models must have been chosen before, because a convention
    /// overrides a preset, and some are about a model.
    ///
    /// # Errors
    /// [`Error::Usage`] for one that is set twice or that this request has nothing for.
    ///
    /// ```
    /// use neurogauge::{ScoreRequest, Setting};
    /// let mut request = ScoreRequest::default();
    /// request.set(&[Setting::new("pixel_size", "256").unwrap()])?;
    /// assert_eq!(request.options.pixels.size_px, Some(256));
    /// # Ok::<(), neurogauge::Error>(())
    /// ```
    pub fn set(&mut self, settings: &[Setting]) -> Result<(), Error> {
        if let Some(setting) = settings.iter().duplicates_by(|setting| setting.id).next() {
            return Err(Error::Usage(format!("{} is set twice", setting.id)));
        }
        for topic in topics() {
            for convention in &topic.conventions {
                let Some(Setting { id, value }) = settings.iter().find(|setting| setting.id == convention.id) else {
                    continue;
                };
                let refused = |reason: String| Error::Usage(format!("{}: {reason}", option(id, value)));
                if !convention.set(self, value).map_err(refused)? {
                    return Err(refused((topic.lacks)()));
                }
            }
        }
        Ok(())
    }
}

/// The presets that give this convention another answer than the default, and the answer of each.
pub fn presets_that_set(convention: &Convention) -> Vec<(String, String)> {
    let default = convention.answer(&ScoreRequest::default());
    let answer = |word: &String| {
        let preset: ScorePreset = of_word(word).ok()?;
        let mut request = ScoreRequest::default();
        request.apply_presets(&[preset]).ok()?;
        convention.answer(&request).filter(|answer| Some(answer) != default.as_ref())
    };
    let words = value::word::<ScorePreset>().words;
    words.into_iter().filter_map(|word| Some((word.clone(), answer(&word)?))).collect()
}
