//! Converts the options of models that describe images and parse captions.

use crate::args::{CaptionerArgs, DetectorArgs, GraphParserArg, ParserArgs, SegmenterArgs, UnlabelledArg};
use crate::predefined::set;
use neurogauge::models::detection::{DetectionOptions, GroundingOptions};
use neurogauge::models::{CaptionOptions, ParserOptions};
use neurogauge::{
    CaptionerChoice, DEFAULT_MASK_DETECTOR, DetectorChoice, Error, GraphParser, MaskChoice, MaskPrompts, ScoreRequest,
};
use std::num::NonZeroUsize;

/// How captions are written.
pub(crate) fn caption_options(args: &CaptionerArgs) -> CaptionOptions {
    let mut options = CaptionOptions::default();
    let beams = args.caption_beams.and_then(|beams| NonZeroUsize::new(beams.0));
    set(&mut options.n_beams, beams);
    set(&mut options.max_new_tokens, args.caption_tokens);
    options
}

pub(crate) fn apply_caption_args(
    request: &mut ScoreRequest,
    captioner: Option<&String>,
    args: &CaptionerArgs,
) -> Result<(), Error> {
    if captioner.is_none() && (args.caption_beams.is_some() || args.caption_tokens.is_some()) {
        return Err(Error::Usage(
            "--caption-beams and --caption-tokens say how --captioner writes, and there is none".into(),
        ));
    }
    request.captioner = captioner.map(|model| CaptionerChoice {
        model: model.clone(),
        options: caption_options(args),
    });
    Ok(())
}

/// How the detector is prompted and boxes are chosen.
pub(crate) fn detection_options(args: &DetectorArgs) -> DetectionOptions {
    let mut options = DetectionOptions::default();
    set(&mut options.prompt_names, args.prompt_names);
    set(&mut options.most, args.max_detections);
    options
}

pub(crate) fn apply_detection_args(
    request: &mut ScoreRequest,
    detector: Option<&String>,
    args: &DetectorArgs,
) -> Result<(), Error> {
    if detector.is_none() && (args.prompt_names.is_some() || args.max_detections.is_some()) {
        return Err(Error::Usage(
            "--prompt-names and --max-detections say how --detector looks, and there is none".into(),
        ));
    }
    request.detector = detector.map(|model| DetectorChoice {
        model: model.clone(),
        options: detection_options(args),
    });
    Ok(())
}

/// The segmenter and its options; `prompts` decides whose categories are in the prompts for reconstructions.
pub(crate) fn mask_choice(args: &SegmenterArgs, prompts: Option<MaskPrompts>) -> Result<Option<MaskChoice>, Error> {
    let Some(model) = &args.masks else {
        let is_idle = args.mask_detector.is_some()
            || args.box_threshold.is_some()
            || args.text_threshold.is_some()
            || args.unlabelled_boxes.is_some()
            || args.mask_nms.is_some()
            || prompts.is_some();
        return match is_idle {
            false => Ok(None),
            true => Err(Error::Usage(
                "--mask-detector, --box-threshold, --text-threshold, --unlabelled-boxes, --mask-nms and --mask-prompts say \
                 how --masks makes masks, and there is none"
                    .into(),
            )),
        };
    };
    let mut options = GroundingOptions::default();
    set(&mut options.box_threshold, args.box_threshold);
    set(&mut options.text_threshold, args.text_threshold);
    set(&mut options.keep_unlabelled, args.unlabelled_boxes.map(|what| what == UnlabelledArg::Keep));
    options.nms_iou = args.mask_nms.map(Into::into);
    let detector = args.mask_detector.as_deref();
    Ok(Some(MaskChoice {
        model: model.clone(),
        detector: detector.unwrap_or(DEFAULT_MASK_DETECTOR).to_owned(),
        options,
        prompts: prompts.unwrap_or_default(),
    }))
}

/// How a parser writes.
pub(crate) fn parser_options(args: &ParserArgs) -> ParserOptions {
    let mut options = ParserOptions::default();
    let beams = args.parser_beams.and_then(|beams| NonZeroUsize::new(beams.0));
    set(&mut options.n_beams, beams);
    set(&mut options.max_new_tokens, args.parser_tokens);
    options
}

/// How captions become scene graphs, if at all.
pub(crate) fn graph_parser(parser: Option<GraphParserArg>, args: &ParserArgs) -> Result<GraphParser, Error> {
    match parser {
        Some(GraphParserArg::T5) => Ok(GraphParser::T5(parser_options(args))),
        Some(GraphParserArg::T5Subcaptions) => Ok(GraphParser::T5Subcaptions(parser_options(args))),
        None | Some(GraphParserArg::File) if args.parser_beams.is_some() || args.parser_tokens.is_some() => {
            Err(Error::Usage(
                "--parser-beams and --parser-tokens say how --parser t5 writes, and scene graphs come from \
                 files here"
                    .into(),
            ))
        }
        None | Some(GraphParserArg::File) => Ok(GraphParser::File),
    }
}
