//! `neurogauge perceive`.

use crate::args::{Layout, PerceiveArgs, Switch};
use crate::describer_options::{caption_options, detection_options, parser_options};
use crate::output;
use crate::progress_bars::Bars;
use crate::run_settings::settings;
use neurogauge::models::detection::LocalDetector;
use neurogauge::models::{ImagePreset, LocalCaptioner, LocalSceneGraphParser};
use neurogauge::{
    CaptionRequest, CaptionerChoice, DetectionRequest, DetectorChoice, Error, ModelLayers,
    ParseRequest, PerceiveRequest, PerceivedCaptions, PerceivedDetections, PerceivedGraphs,
    PerceivedLayout, RunSettings, ScoreRequest, VisOptions, caption, detect, parse_captions,
    perceive,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What SEED's code draws from.
const VIS_SCORE: f64 = 0.3;

pub(crate) fn run(args: &PerceiveArgs) -> Result<(), Error> {
    let kinds = Kinds::of(&args.with)?;
    refuse_idle_options(args, &kinds)?;
    let parser = parse_request(kinds.parser, args)?;
    let captioner = kinds.captioner.map(|model| caption_request(model, args));
    let captioner = captioner.transpose()?;
    let detector = kinds.detector.map(|model| detection_request(model, args));
    let detector = detector.transpose()?;
    let settings = RunSettings {
        device: args.device.device,
        weight_precision: args.device.weight_precision,
        ..settings(args.out.clone(), &args.weights)
    };
    let mut paths = String::new();
    if let Some(first) = kinds.features.first() {
        let request = PerceiveRequest {
            images: images(args, &first.model)?.to_owned(),
            with: kinds.features.into_iter().cloned().collect(),
            preset: args.preset.map_or(ImagePreset::Published, Into::into),
            antialias: args.antialias.map(|antialias| antialias == Switch::On),
        };
        features(&request, &settings, &mut paths)?;
    }
    let captions = captioner
        .map(|request| caption(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(captions) = &captions {
        announce_captions(captions);
        add(&mut paths, &captions.path);
    }
    let graphs = parser
        .map(|request| parse_captions(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(graphs) = &graphs {
        announce_graphs(graphs);
        add(&mut paths, &graphs.path);
    }
    let detections = detector
        .map(|request| detect(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(detections) = &detections {
        announce_detections(detections);
        for folder in [&detections.folder].into_iter().chain(&detections.vis) {
            add(&mut paths, folder);
        }
    }
    output::data(&paths)?;
    detections.map_or(Ok(()), |detections| detections.check())?;
    captions.map_or(Ok(()), |captions| captions.check())?;
    graphs.map_or(Ok(()), |graphs| graphs.check())
}

/// The models that `--with` names, by what they do.
struct Kinds<'a> {
    captioner: Option<String>,
    detector: Option<String>,
    parser: Option<String>,
    features: Vec<&'a ModelLayers>,
}

impl<'a> Kinds<'a> {
    fn of(with: &'a [ModelLayers]) -> Result<Self, Error> {
        let (captioners, with) = split(with.iter().collect(), &LocalCaptioner::ids());
        let (detectors, with) = split(with, &LocalDetector::ids());
        let (parsers, features) = split(with, &LocalSceneGraphParser::ids());
        Ok(Kinds {
            captioner: the_one(&captioners, "a captioner", "captions.json")?,
            detector: the_one(&detectors, "a detector", "detections/")?,
            parser: the_one(&parsers, "a parser", "scene_graphs.json")?,
            features,
        })
    }
}

/// Those that have one of the ids, and the others.
fn split<'a>(
    with: Vec<&'a ModelLayers>,
    ids: &[&str],
) -> (Vec<&'a ModelLayers>, Vec<&'a ModelLayers>) {
    let is_of_them = |with: &&ModelLayers| ids.contains(&with.model.as_str());
    with.into_iter().partition(is_of_them)
}

/// The one model of a kind, if there is one; `writes` is what two of them would both write.
fn the_one(found: &[&ModelLayers], kind: &str, writes: &str) -> Result<Option<String>, Error> {
    match found {
        [] => Ok(None),
        [one] if one.layers.is_empty() => Ok(Some(one.model.clone())),
        [one] => Err(Error::Usage(format!(
            "--with {model}: {kind} has no layers to ask for; write {model} alone",
            model = one.model
        ))),
        [first, second, ..] => Err(Error::Usage(format!(
            "--with {},{}: both write {writes}; call once for each, with an --out of its own",
            first.model, second.model
        ))),
    }
}

/// An error for options of models that are not asked for.
fn refuse_idle_options(args: &PerceiveArgs, kinds: &Kinds<'_>) -> Result<(), Error> {
    let (has_captioner, has_detector) = (kinds.captioner.is_some(), kinds.detector.is_some());
    let of_captioner =
        args.captioner.caption_beams.is_some() || args.captioner.caption_tokens.is_some();
    let of_detector = args.detections.prompt_names.is_some()
        || args.detections.max_detections.is_some()
        || args.labels.is_some()
        || args.vis;
    let fault = if of_captioner && !has_captioner {
        "--caption-beams and --caption-tokens say how a captioner writes, and --with names none"
    } else if of_detector && !has_detector {
        "--labels, --prompt-names, --max-detections and --vis say how a detector looks and what is drawn, and --with \
         names none"
    } else if args.layout.is_some() && !has_captioner && !has_detector {
        "--layout says how captions and detections are written, and --with names neither a captioner nor a detector"
    } else {
        return Ok(());
    };
    Err(Error::Usage(fault.into()))
}

fn add(paths: &mut String, path: &Path) {
    // Writing to a string cannot fail.
    let _ = writeln!(paths, "{}", path.display());
}

/// The images that a model is to look at.
fn images<'a>(args: &'a PerceiveArgs, model: &str) -> Result<&'a PathBuf, Error> {
    args.images.as_ref().ok_or_else(|| {
        Error::Usage(format!(
            "--with {model}: it looks at images, and there are none; give them with --images"
        ))
    })
}

fn layout(args: &PerceiveArgs) -> PerceivedLayout {
    match args.layout {
        None => PerceivedLayout::Own,
        Some(Layout::Official) => PerceivedLayout::Official,
    }
}

fn caption_request(model: String, args: &PerceiveArgs) -> Result<CaptionRequest, Error> {
    Ok(CaptionRequest {
        images: images(args, &model)?.clone(),
        captioner: CaptionerChoice {
            model,
            options: caption_options(&args.captioner),
        },
        layout: layout(args),
    })
}

fn detection_request(model: String, args: &PerceiveArgs) -> Result<DetectionRequest, Error> {
    let mut defaults = ScoreRequest::default();
    if let Some(labels) = &args.labels {
        defaults.labels.clone_from(labels);
    }
    let min_score = args.vis_score.unwrap_or(VIS_SCORE);
    Ok(DetectionRequest {
        images: images(args, &model)?.clone(),
        detector: DetectorChoice {
            model,
            options: detection_options(&args.detections),
        },
        labels: defaults.label_list()?,
        layout: layout(args),
        vis: args.vis.then_some(VisOptions { min_score }),
    })
}

/// What the parser is to read, if there is one.
fn parse_request(
    parser: Option<String>,
    args: &PerceiveArgs,
) -> Result<Option<ParseRequest>, Error> {
    let (parser, captions) = match (parser, &args.captions) {
        (None, None) => return Ok(None),
        (None, Some(captions)) => {
            return Err(Error::Usage(format!(
                "--captions {}: only a parser reads captions; add it, --with factual_t5",
                captions.display()
            )));
        }
        (Some(parser), None) => {
            return Err(Error::Usage(format!(
                "--with {parser}: a parser reads captions; give them with --captions FILE (a captioner of images, \
                 --with git_large_coco, writes such a file)"
            )));
        }
        (Some(parser), Some(captions)) => (parser, captions.clone()),
    };
    Ok(Some(ParseRequest {
        captions,
        parser,
        options: parser_options(&args.parser),
        punkt: args.punkt.clone(),
        wordnet: args.wordnet.clone(),
    }))
}

fn announce_captions(captions: &PerceivedCaptions) {
    let (n_images, n_without) = (captions.n_images, captions.without.len());
    output::message(&format!(
        "{}: {} of {n_images} images described, {} of them seen by the model now{}",
        captions.recipe.model.id,
        n_images - n_without,
        captions.n_seen,
        if captions.recipe.model.stand_in {
            " (a stand-in: its captions mean nothing)"
        } else {
            ""
        }
    ));
}

fn announce_graphs(graphs: &PerceivedGraphs) {
    let dropped = match graphs.n_malformed {
        0 => String::new(),
        n => format!("; {n} facts that it wrote are not of three parts and were dropped"),
    };
    output::message(&format!(
        "{}: scene graphs of {} of {} images, {} captions read by the model now; sentences by {}{dropped}",
        graphs.recipe.model.id,
        graphs.n_images - graphs.without.len(),
        graphs.n_images,
        graphs.n_read,
        match graphs.recipe.sentences.rules.as_str() {
            "punkt" => "Punkt's parameters",
            _ => "our own rules (Punkt's parameters: --punkt DIR)",
        }
    ));
}

fn announce_detections(detections: &PerceivedDetections) {
    let (n_images, n_without) = (detections.n_images, detections.without.len());
    output::message(&format!(
        "{}: objects looked for in {} of {n_images} images, {} of them seen by the model now{}",
        detections.recipe.model.id,
        n_images - n_without,
        detections.n_seen,
        if detections.recipe.model.stand_in {
            " (a stand-in: what it finds means nothing)"
        } else {
            ""
        }
    ));
}

fn features(
    request: &PerceiveRequest,
    settings: &RunSettings,
    paths: &mut String,
) -> Result<(), Error> {
    let matrices = perceive(request, settings, &Bars::default())?;
    for matrix in &matrices {
        let stand_in = if matrix.recipe.model.stand_in {
            " (a stand-in: its numbers mean nothing)"
        } else {
            ""
        };
        output::message(&format!(
            "{}: {} images, {} of them seen by the model now{stand_in}",
            matrix.recipe.name(),
            matrix.n_images,
            matrix.n_seen
        ));
        add(paths, &matrix.path);
    }
    Ok(())
}
