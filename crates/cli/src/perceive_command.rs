//! `neurogauge perceive`.

use crate::args::{PerceiveArgs, Switch};
use crate::output;
use crate::progress_bars::Bars;
use crate::score_command::{caption_options, settings};
use neurogauge::models::{ImagePreset, LocalCaptioner};
use neurogauge::{
    CaptionRequest, CaptionerChoice, Error, ModelLayers, PerceiveRequest, PerceivedCaptions,
    RunSettings, caption, perceive,
};
use std::fmt::Write;

pub(crate) fn run(args: &PerceiveArgs) -> Result<(), Error> {
    let is_captioner = |with: &&ModelLayers| LocalCaptioner::ids().contains(&with.model.as_str());
    let (captioners, with): (Vec<&ModelLayers>, Vec<&ModelLayers>) =
        args.with.iter().partition(is_captioner);
    let captioner = the_captioner(&captioners, args)?;
    let request = PerceiveRequest {
        images: args.images.clone(),
        with: with.into_iter().cloned().collect(),
        preset: args.preset.map_or(ImagePreset::Published, Into::into),
        antialias: args.antialias.map(|antialias| antialias == Switch::On),
    };
    let settings = RunSettings {
        device: args.device.device,
        weight_precision: args.device.weight_precision,
        ..settings(args.out.clone(), &args.weights)
    };
    let mut paths = String::new();
    if !request.with.is_empty() {
        features(&request, &settings, &mut paths)?;
    }
    let captions = captioner
        .map(|request| caption(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(captions) = &captions {
        announce(captions);
        // Writing to a string cannot fail.
        let _ = writeln!(paths, "{}", captions.path.display());
    }
    output::data(&paths)?;
    captions.map_or(Ok(()), |captions| captions.check())
}

/// The one captioner among the models, if there is one.
fn the_captioner(
    found: &[&ModelLayers],
    args: &PerceiveArgs,
) -> Result<Option<CaptionRequest>, Error> {
    let captioner = match found {
        [] => return Ok(None),
        [captioner] => captioner,
        [first, second, ..] => {
            return Err(Error::Usage(format!(
                "--with {},{}: both write captions.json; call once for each, with an --out of its own",
                first.model, second.model
            )));
        }
    };
    let model = captioner.model.clone();
    if !captioner.layers.is_empty() {
        return Err(Error::Usage(format!(
            "--with {model}: a captioner has no layers to ask for; write {model} alone"
        )));
    }
    Ok(Some(CaptionRequest {
        images: args.images.clone(),
        captioner: CaptionerChoice {
            model,
            options: caption_options(&args.captions),
        },
    }))
}

fn announce(captions: &PerceivedCaptions) {
    output::message(&format!(
        "{}: {} of {} images described, {} of them seen by the model now{}",
        captions.recipe.model.id,
        captions.n_images - captions.without.len(),
        captions.n_images,
        captions.n_seen,
        if captions.recipe.model.stand_in {
            " (a stand-in: its captions mean nothing)"
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
