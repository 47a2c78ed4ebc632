//! Options of models that describe images or parse captions.

use super::*;
use neurogauge::models::detection::{DetectionOptions, GroundingOptions};
use neurogauge::models::{CaptionOptions, ParserOptions};
use neurogauge::{CaptionerChoice, DEFAULT_MASK_DETECTOR, DetectorChoice, Error, GraphParser, MaskChoice, MaskPrompts};

const MAX_BEAMS: usize = 1000;
const MAX_CAPTION_TOKENS: usize = 1024;
const MAX_DETECTIONS: usize = 100_000;

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct CaptionerArgs {
    /// Beams of a captioner's search; 1 is greedy search
    #[arg(long, value_name = "N", defaults_to = CaptionOptions::default().n_beams)]
    pub(crate) caption_beams: Option<Count<MAX_BEAMS>>,
    /// Tokens that a caption has at most, the end token included
    #[arg(long, value_name = "N", defaults_to = CaptionOptions::default().max_new_tokens)]
    pub(crate) caption_tokens: Option<Count<MAX_CAPTION_TOKENS>>,
}

impl CaptionerArgs {
    pub(crate) fn are_given(&self) -> bool {
        self.caption_beams.is_some() || self.caption_tokens.is_some()
    }

    /// The captioner with these options, if requested.
    pub(crate) fn choice(&self, model: Option<&String>) -> Result<Option<CaptionerChoice>, Error> {
        if model.is_none() && self.are_given() {
            return Err(Error::Usage(
                "--caption-beams and --caption-tokens say how --captioner writes, and there is none".into(),
            ));
        }
        let mut options = CaptionOptions::default();
        set(&mut options.n_beams, self.caption_beams);
        set(&mut options.max_new_tokens, self.caption_tokens);
        Ok(model.cloned().map(|model| CaptionerChoice { model, options }))
    }
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct ParserArgs {
    /// Beams of the search of the parser of captions; 1 is greedy search
    #[arg(long, value_name = "N", defaults_to = ParserOptions::default().n_beams)]
    pub(crate) parser_beams: Option<Count<MAX_BEAMS>>,
    /// Tokens of a sentence's graph at most, the end token included
    #[arg(long, value_name = "N", defaults_to = ParserOptions::default().max_new_tokens)]
    pub(crate) parser_tokens: Option<Count<MAX_CAPTION_TOKENS>>,
}

impl ParserArgs {
    pub(crate) fn options(&self) -> ParserOptions {
        let mut options = ParserOptions::default();
        set(&mut options.n_beams, self.parser_beams);
        set(&mut options.max_new_tokens, self.parser_tokens);
        options
    }

    /// The source of scene graphs, if captions are to be turned into them.
    pub(crate) fn graph_parser(&self, parser: Option<GraphParserArg>) -> Result<GraphParser, Error> {
        match parser {
            Some(GraphParserArg::T5) => Ok(GraphParser::T5(self.options())),
            Some(GraphParserArg::T5Subcaptions) => Ok(GraphParser::T5Subcaptions(self.options())),
            None | Some(GraphParserArg::File) if self.parser_beams.is_some() || self.parser_tokens.is_some() => {
                Err(Error::Usage(
                    "--parser-beams and --parser-tokens say how --parser t5 writes, and scene graphs come from \
                     files here"
                        .into(),
                ))
            }
            None | Some(GraphParserArg::File) => Ok(GraphParser::File),
        }
    }
}

#[derive(Debug, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct DetectorArgs {
    /// How a detector is asked for categories of several words: `traffic light` or `traffic_light`
    #[arg(long, value_parser = choice::<PromptNames>(), value_name = "FORM", defaults_to = word_of(&DetectionOptions::default().prompt_names))]
    pub(crate) prompt_names: Option<PromptNames>,
    /// Objects that are kept of an image, those of the highest scores
    #[arg(long, value_name = "N", defaults_to = DetectionOptions::default().most)]
    pub(crate) max_detections: Option<Count<MAX_DETECTIONS>>,
}

impl DetectorArgs {
    pub(crate) fn are_given(&self) -> bool {
        self.prompt_names.is_some() || self.max_detections.is_some()
    }

    /// The detector with these options, if requested.
    pub(crate) fn choice(&self, model: Option<&String>) -> Result<Option<DetectorChoice>, Error> {
        if model.is_none() && self.are_given() {
            return Err(Error::Usage(
                "--prompt-names and --max-detections say how --detector looks, and there is none".into(),
            ));
        }
        let mut options = DetectionOptions::default();
        set(&mut options.prompt_names, self.prompt_names);
        set(&mut options.most, self.max_detections);
        Ok(model.cloned().map(|model| DetectorChoice { model, options }))
    }
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
    /// Detector whose boxes become masks: grounding_dino_tiny, grounding_dino_base, mm_grounding_dino_swin_t,
    /// mm_grounding_dino_swin_l or `placeholder-detector`
    #[arg(long, value_name = "MODEL", defaults_to = DEFAULT_MASK_DETECTOR)]
    pub(crate) mask_detector: Option<String>,
    /// A box becomes a mask if a word of the prompt fits better than this
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = GroundingOptions::default().box_threshold)]
    pub(crate) box_threshold: Option<Confidence>,
    /// The words of the prompt that fit better than this are a mask's label
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, defaults_to = GroundingOptions::default().text_threshold)]
    pub(crate) text_threshold: Option<Confidence>,
    /// Boxes that no word labels: kept, as masks without a name, or dropped
    #[arg(long, value_enum, value_name = "WHAT", defaults_to = if GroundingOptions::default().keep_unlabelled { "keep" } else { "drop" })]
    pub(crate) unlabelled_boxes: Option<UnlabelledArg>,
    /// Leave out the worse of two boxes that overlap by more than this [default: both stay]
    #[arg(long, value_name = "IOU", allow_negative_numbers = true)]
    pub(crate) mask_nms: Option<Confidence>,
}

impl SegmenterArgs {
    /// The segmenter and its options; `prompts` determines whose categories are in the prompts for reconstructions.
    pub(crate) fn choice(&self, prompts: Option<MaskPrompts>) -> Result<Option<MaskChoice>, Error> {
        let Some(model) = self.masks.clone() else {
            let is_idle = self.mask_detector.is_some()
                || self.box_threshold.is_some()
                || self.text_threshold.is_some()
                || self.unlabelled_boxes.is_some()
                || self.mask_nms.is_some()
                || prompts.is_some();
            return match is_idle {
                false => Ok(None),
                true => Err(Error::Usage(
                    "--mask-detector, --box-threshold, --text-threshold, --unlabelled-boxes, --mask-nms and \
                     --mask-prompts say how --masks makes masks, and there is none"
                        .into(),
                )),
            };
        };
        let mut options = GroundingOptions::default();
        set(&mut options.box_threshold, self.box_threshold);
        set(&mut options.text_threshold, self.text_threshold);
        set(&mut options.keep_unlabelled, self.unlabelled_boxes.map(|what| what == UnlabelledArg::Keep));
        options.nms_iou = self.mask_nms.map(Into::into);
        Ok(Some(MaskChoice {
            model,
            detector: self.mask_detector.clone().unwrap_or_else(|| DEFAULT_MASK_DETECTOR.to_owned()),
            options,
            prompts: prompts.unwrap_or_default(),
        }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum UnlabelledArg {
    Keep,
    Drop,
}
