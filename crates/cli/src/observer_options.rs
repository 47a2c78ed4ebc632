//! How models describe images and parse captions.

use crate::args::{CaptionerArgs, DetectorArgs, GraphParserArg, ParserArgs};
use crate::given::set;
use neurogauge::models::detection::DetectionOptions;
use neurogauge::models::{CaptionOptions, ParserOptions};
use neurogauge::{CaptionerChoice, DetectorChoice, Error, GraphParser, ScoreRequest};
use std::num::NonZeroUsize;

/// How captions are written.
pub(crate) fn caption_options(args: &CaptionerArgs) -> CaptionOptions {
    let mut options = CaptionOptions::default();
    let beams = args
        .caption_beams
        .and_then(|beams| NonZeroUsize::new(beams.0));
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
            "--caption-beams and --caption-tokens say how --captioner writes, and there is none"
                .into(),
        ));
    }
    request.captioner = captioner.map(|model| CaptionerChoice {
        model: model.clone(),
        options: caption_options(args),
    });
    Ok(())
}

/// How objects are asked for and chosen.
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
            "--prompt-names and --max-detections say how --detector looks, and there is none"
                .into(),
        ));
    }
    request.detector = detector.map(|model| DetectorChoice {
        model: model.clone(),
        options: detection_options(args),
    });
    Ok(())
}

/// How a parser writes.
pub(crate) fn parser_options(args: &ParserArgs) -> ParserOptions {
    let mut options = ParserOptions::default();
    let beams = args
        .parser_beams
        .and_then(|beams| NonZeroUsize::new(beams.0));
    set(&mut options.n_beams, beams);
    set(&mut options.max_new_tokens, args.parser_tokens);
    options
}

/// How captions become scene graphs, if they do.
pub(crate) fn graph_parser(
    parser: Option<GraphParserArg>,
    args: &ParserArgs,
) -> Result<GraphParser, Error> {
    match parser {
        Some(GraphParserArg::T5) => Ok(GraphParser::T5(parser_options(args))),
        None | Some(GraphParserArg::File)
            if args.parser_beams.is_some() || args.parser_tokens.is_some() =>
        {
            Err(Error::Usage(
                "--parser-beams and --parser-tokens say how --parser t5 writes, and scene graphs come from \
                 files here"
                    .into(),
            ))
        }
        None | Some(GraphParserArg::File) => Ok(GraphParser::File),
    }
}
