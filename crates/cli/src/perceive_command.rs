//! `neurogauge perceive`.

use crate::args::{PerceiveArgs, Switch};
use crate::output;
use crate::progress_bars::Bars;
use crate::score_command::{caption_options, parser_options, settings};
use neurogauge::models::{ImagePreset, LocalCaptioner, LocalSceneGraphParser};
use neurogauge::{
    CaptionRequest, CaptionerChoice, Error, ModelLayers, ParseRequest, PerceiveRequest,
    PerceivedCaptions, PerceivedGraphs, RunSettings, caption, parse_captions, perceive,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &PerceiveArgs) -> Result<(), Error> {
    let is_captioner = |with: &&ModelLayers| LocalCaptioner::ids().contains(&with.model.as_str());
    let is_parser =
        |with: &&ModelLayers| LocalSceneGraphParser::ids().contains(&with.model.as_str());
    let (captioners, with): (Vec<&ModelLayers>, Vec<&ModelLayers>) =
        args.with.iter().partition(is_captioner);
    let (parsers, with): (Vec<&ModelLayers>, Vec<&ModelLayers>) =
        with.into_iter().partition(is_parser);
    let parser = the_parser(&parsers, args)?;
    let captioner = the_captioner(&captioners, args)?;
    let settings = RunSettings {
        device: args.device.device,
        weight_precision: args.device.weight_precision,
        ..settings(args.out.clone(), &args.weights)
    };
    let mut paths = String::new();
    if !with.is_empty() {
        let request = PerceiveRequest {
            images: images(args, &with[0].model)?.to_owned(),
            with: with.into_iter().cloned().collect(),
            preset: args.preset.map_or(ImagePreset::Published, Into::into),
            antialias: args.antialias.map(|antialias| antialias == Switch::On),
        };
        features(&request, &settings, &mut paths)?;
    }
    let captions = captioner
        .map(|request| caption(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(captions) = &captions {
        announce(captions);
        add(&mut paths, &captions.path);
    }
    let graphs = parser
        .map(|request| parse_captions(&request, &settings, &Bars::default()))
        .transpose()?;
    if let Some(graphs) = &graphs {
        announce_graphs(graphs);
        add(&mut paths, &graphs.path);
    }
    output::data(&paths)?;
    captions.map_or(Ok(()), |captions| captions.check())?;
    graphs.map_or(Ok(()), |graphs| graphs.check())
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
    refuse_layers(captioner, "captioner")?;
    Ok(Some(CaptionRequest {
        images: images(args, &model)?.clone(),
        captioner: CaptionerChoice {
            model,
            options: caption_options(&args.captioner),
        },
    }))
}

/// The one parser among the models, if there is one.
fn the_parser(found: &[&ModelLayers], args: &PerceiveArgs) -> Result<Option<ParseRequest>, Error> {
    let (parser, captions) = match (found, &args.captions) {
        ([], None) => return Ok(None),
        ([], Some(captions)) => {
            return Err(Error::Usage(format!(
                "--captions {}: only a parser reads captions; add it, --with factual_t5",
                captions.display()
            )));
        }
        ([first, ..], None) => {
            return Err(Error::Usage(format!(
                "--with {}: a parser reads captions; give them with --captions FILE (a captioner of images, \
                 --with git_large_coco, writes such a file)",
                first.model
            )));
        }
        ([parser], Some(captions)) => (parser, captions),
        ([first, second, ..], Some(_)) => {
            return Err(Error::Usage(format!(
                "--with {},{}: both write scene_graphs.json; name one",
                first.model, second.model
            )));
        }
    };
    refuse_layers(parser, "parser")?;
    Ok(Some(ParseRequest {
        captions: captions.clone(),
        parser: parser.model.clone(),
        options: parser_options(&args.parser),
        punkt: args.punkt.clone(),
        wordnet: args.wordnet.clone(),
    }))
}

fn refuse_layers(found: &ModelLayers, kind: &str) -> Result<(), Error> {
    let model = &found.model;
    if found.layers.is_empty() {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--with {model}: a {kind} has no layers to ask for; write {model} alone"
    )))
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
