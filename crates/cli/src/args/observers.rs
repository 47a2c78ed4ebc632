//! Options of models that make masks of images or parse captions.

use super::*;
use neurogauge::{GraphParser, MaskChoice};

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ParserArgs {
    /// Where scene graphs come from: files, or t5: captions of both sides are parsed by the FACTUAL parser
    /// (factual_t5), several of an image into one graph; t5-subcaptions: once more from the sentences about one object,
    /// or about two that are related, as the BASIC paper words it
    #[arg(long, value_enum, defaults_to = word_of(&GraphParserArg::default()))]
    pub(crate) parser: Option<GraphParserArg>,
}

impl ParserArgs {
    pub(crate) fn graph_parser(&self) -> GraphParser {
        match self.parser {
            Some(GraphParserArg::T5) => GraphParser::T5(Default::default()),
            Some(GraphParserArg::T5Subcaptions) => GraphParser::T5Subcaptions(Default::default()),
            None | Some(GraphParserArg::File) => GraphParser::File,
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum, Deserialize, Default, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum GraphParserArg {
    #[default]
    File,
    T5,
    T5Subcaptions,
}

/// How masks are made of images.
#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct SegmenterArgs {
    /// Model that makes masks of what the categories of each image name, instead of masks that are given:
    /// sam2.1_hiera_large (as Grounded SAM 2 does), sam2.1_hiera_base_plus, sam2.1_hiera_small, sam2.1_hiera_tiny, the
    /// same of sam2_, or `placeholder-segmenter` (no weights, numbers mean nothing). Masks are kept in
    /// NEUROGAUGE_CACHE, so the model runs on the stimuli once for all systems
    #[arg(long, value_name = "MODEL")]
    pub(crate) masks: Option<String>,
}

impl SegmenterArgs {
    /// The segmenter, if requested, as it is by default.
    pub(crate) fn choice(&self) -> Option<MaskChoice> {
        self.masks.clone().map(MaskChoice::of)
    }
}
