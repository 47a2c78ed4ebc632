//! The options for pairing stems.

use super::*;
use neurogauge::core::pair::{FrameMatch, Pairing, Parts, PartsPattern, StemPattern};

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
    /// What the parts of an item are: `frame`, `view` or `sample` (a folder, a GIF file or a row of a stack for each
    /// item), or what images are called, such as '{item}_{sample}' or '{item}/{sample}/{frame}'. Scores, intervals and
    /// tests are then of items [default: each image is an item]
    #[arg(long, value_name = "PATTERN")]
    pub(crate) parts: Option<PartsPattern>,
}

impl From<&PairingArgs> for Pairing {
    fn from(args: &PairingArgs) -> Self {
        Pairing {
            pairs: args.pairs.unwrap_or_default(),
            pattern: args.pattern.clone(),
            parts: args.parts.clone().map(|pattern| Parts {
                pattern,
                frames: FrameMatch::default(),
                on_missing: OnMissingPart::default(),
            }),
            order: None,
            trials: None,
        }
    }
}
