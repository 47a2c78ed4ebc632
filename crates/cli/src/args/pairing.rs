//! `neurogauge check`, and the options for pairing stems.

use super::*;
use neurogauge::Error;
use neurogauge::core::image::{Background, FloatScale, ImageReading};
use neurogauge::core::option_words::option;
use neurogauge::core::pair::{FrameMatch, Pairing, Parts, PartsPattern, StackOrder, StemPattern};
use serde::de::DeserializeOwned;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct PairingArgs {
    /// Which stems are scored: `all`, where one without a partner is an error, or `shared`, those that both sides have;
    /// the others are counted and named
    #[arg(long, value_parser = choice::<PairsOf>(), value_name = "WHICH", defaults_to = word_of(&SCORE.pairing.pairs))]
    pub(crate) pairs: Option<PairsOf>,
    /// What the reconstruction of a stem is called, without its extension, such as '{stem}_recon'; with '{number}', the
    /// numbers in both names pair, with or without leading zeros. STIMULUS=RECONSTRUCTION says what both are called,
    /// such as '*_{stem}/*={stem}', where * stands for anything but a slash
    #[arg(id = "match", long = "match", value_name = "PATTERN", defaults_to = "'{stem}'")]
    #[serde(rename = "match")]
    pub(crate) pattern: Option<StemPattern>,
    /// In which order a stack (.npy, .pt), whose images have no names, holds those that the other side names: `natural`
    /// (1, 2, 10), `text` (1, 10, 2, as sorted(os.listdir()) in Python) or `reversed`. All rows pair with all names
    /// [default: rows are called 0, 1, 2, ...]
    #[arg(long, value_name = "ORDER", value_parser = word::<StackOrder>)]
    pub(crate) stack_order: Option<StackOrder>,
    /// What the parts of an item are: `frame`, `view` or `sample` (a folder, a GIF file or a row of a stack for each
    /// item), or what images are called, such as '{item}_{sample}' or '{item}/{sample}/{frame}'. Scores, intervals and
    /// tests are then of items [default: each image is an item]
    #[arg(long, value_name = "PATTERN")]
    pub(crate) parts: Option<PartsPattern>,
    /// Which frames are compared: `nearest`, each frame of the stimulus with that of the reconstruction at the same
    /// time; `error`, equal numbers of frames; `first:N`; `uniform:N`, N times evenly spaced; or one that stands for
    /// the clip, `middle` or `at:N`
    #[arg(long, value_name = "WHICH", defaults_to = FrameMatch::default())]
    pub(crate) frames: Option<FrameMatch>,
    /// What becomes of samples or views that one side of an item lacks: `error`, or `skip`, where those of both sides
    /// count
    #[arg(long, value_parser = choice::<OnMissingPart>(), value_name = "WHAT", defaults_to = word_of(&OnMissingPart::default()))]
    pub(crate) on_missing: Option<OnMissingPart>,
}

/// What stored values mean where files leave it open.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ReadingArgs {
    /// What floats outside 0 to 1 are: `0..255`, `-1..1`, `clip` (an overshoot, which image files clip) or
    /// `as-they-are`. Without it, values far outside are an error
    #[arg(long, value_name = "SCALE", value_parser = word::<FloatScale>, allow_hyphen_values = true)]
    pub(crate) values: Option<FloatScale>,
    /// What transparent pixels lie on: `white`, `black`, or `as-stored`, where the colours below them count. Without
    /// it, transparent pixels that hide colours are an error
    #[arg(long, value_name = "COLOUR", value_parser = word::<Background>)]
    pub(crate) alpha: Option<Background>,
}

impl From<&ReadingArgs> for ImageReading {
    fn from(args: &ReadingArgs) -> Self {
        ImageReading {
            values: args.values,
            alpha: args.alpha,
        }
    }
}

/// Parses a value in the form that files have.
fn word<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_value(text.into())
}

impl PairingArgs {
    /// Fails with the first given option about parts if nothing says what the parts of items are. clap does not see the
    /// options of a file.
    pub(crate) fn check_parts(&self, about_parts: &[(&str, bool)]) -> Result<(), Error> {
        match first_given(about_parts).filter(|_| self.parts.is_none()) {
            None => Ok(()),
            Some(name) => Err(Error::Usage(format!(
                "{} is about the parts of items; say with {} what these are",
                option(name, ""),
                option("parts", "")
            ))),
        }
    }
}

impl TryFrom<&PairingArgs> for Pairing {
    type Error = Error;

    fn try_from(args: &PairingArgs) -> Result<Self, Error> {
        args.check_parts(&[("frames", args.frames.is_some()), ("on-missing", args.on_missing.is_some())])?;
        Ok(Pairing {
            pairs: args.pairs.unwrap_or_default(),
            pattern: args.pattern.clone(),
            parts: args.parts.clone().map(|pattern| Parts {
                pattern,
                frames: args.frames.unwrap_or_default(),
                on_missing: args.on_missing.unwrap_or_default(),
            }),
            order: args.stack_order,
        })
    }
}
