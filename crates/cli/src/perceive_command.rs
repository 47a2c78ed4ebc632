//! `neurogauge perceive`.

use crate::args::{PerceiveArgs, Switch};
use crate::output;
use crate::progress_bars::Bars;
use crate::score_command::{caption_options, detection_options, settings};
use neurogauge::models::detection::LocalDetector;
use neurogauge::models::{ImagePreset, LocalCaptioner};
use neurogauge::{
    CaptionRequest, CaptionerChoice, DetectionRequest, DetectorChoice, Error, ModelLayers,
    PerceiveRequest, PerceivedCaptions, PerceivedDetections, PerceivedLayout, RunSettings,
    ScoreRequest, VisOptions, caption, detect, perceive,
};
use std::fmt::Write;

/// What SEED's code draws from.
const VIS_SCORE: f64 = 0.3;

pub(crate) fn run(args: &PerceiveArgs) -> Result<(), Error> {
    let of_kind = |ids: &[&str]| -> Vec<&ModelLayers> {
        let is_of_it = |with: &&ModelLayers| ids.contains(&with.model.as_str());
        args.with.iter().filter(is_of_it).collect()
    };
    let (captioner_ids, detector_ids) = (LocalCaptioner::ids(), LocalDetector::ids());
    let captioner = the_one(&of_kind(&captioner_ids), "a captioner", "captions.json")?;
    let detector = the_one(&of_kind(&detector_ids), "a detector", "detections/")?;
    refuse_idle_options(args, captioner.is_some(), detector.is_some())?;
    let is_of_features = |with: &&ModelLayers| {
        let model = &with.model.as_str();
        !captioner_ids.contains(model) && !detector_ids.contains(model)
    };
    let request = PerceiveRequest {
        images: args.images.clone(),
        with: args.with.iter().filter(is_of_features).cloned().collect(),
        preset: args.preset.map_or(ImagePreset::Published, Into::into),
        antialias: args.antialias.map(|antialias| antialias == Switch::On),
    };
    let settings = RunSettings {
        device: args.device.device,
        ..settings(args.out.clone(), &args.weights)
    };
    let captioner = captioner.map(|model| caption_request(model, args));
    let detector = detector
        .map(|model| detection_request(model, args))
        .transpose()?;
    let mut paths = String::new();
    if !request.with.is_empty() {
        features(&request, &settings, &mut paths)?;
    }
    let captions = captioner
        .map(|request| caption(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(captions) = &captions {
        announce_captions(captions);
        // Writing to a string cannot fail.
        let _ = writeln!(paths, "{}", captions.path.display());
    }
    let detections = detector
        .map(|request| detect(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(detections) = &detections {
        announce_detections(detections);
        for folder in [&detections.folder].into_iter().chain(&detections.vis) {
            let _ = writeln!(paths, "{}", folder.display());
        }
    }
    output::data(&paths)?;
    detections.map_or(Ok(()), |detections| detections.check())?;
    captions.map_or(Ok(()), |captions| captions.check())
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
fn refuse_idle_options(
    args: &PerceiveArgs,
    has_captioner: bool,
    has_detector: bool,
) -> Result<(), Error> {
    let of_captioner =
        args.captions.caption_beams.is_some() || args.captions.caption_tokens.is_some();
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

fn layout(args: &PerceiveArgs) -> PerceivedLayout {
    match args.layout {
        None => PerceivedLayout::Own,
        Some(crate::args::Layout::Official) => PerceivedLayout::Official,
    }
}

fn caption_request(model: String, args: &PerceiveArgs) -> CaptionRequest {
    CaptionRequest {
        images: args.images.clone(),
        captioner: CaptionerChoice {
            model,
            options: caption_options(&args.captions),
        },
        layout: layout(args),
    }
}

fn detection_request(model: String, args: &PerceiveArgs) -> Result<DetectionRequest, Error> {
    let mut defaults = ScoreRequest::default();
    if let Some(labels) = &args.labels {
        defaults.labels.clone_from(labels);
    }
    let min_score = args.vis_score.unwrap_or(VIS_SCORE);
    Ok(DetectionRequest {
        images: args.images.clone(),
        detector: DetectorChoice {
            model,
            options: detection_options(&args.detections),
        },
        labels: defaults.label_list()?,
        layout: layout(args),
        vis: args.vis.then_some(VisOptions { min_score }),
    })
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
        // Writing to a string cannot fail.
        let _ = writeln!(paths, "{}", matrix.path.display());
    }
    Ok(())
}
