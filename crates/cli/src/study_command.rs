//! `neurogauge study`.

use crate::args::{ImageModelsArg, StudyArgs, StudyInputArgs};
use crate::output::{self, Done};
use crate::predefined::set;
use crate::run_settings::{model_overrides, settings};
use neurogauge::models::CaptionOptions;
use neurogauge::{CaptionerChoice, Error, Input, Progress, RunSettings};
use neurogauge_study::{StudyConfig, StudyRatings, StudySystem, study};
use std::path::PathBuf;

pub(crate) fn written(args: &StudyArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let mut config = match &args.config {
        Some(path) => StudyConfig::read(path)?,
        None => config(&args.inputs)?,
    };
    if args.subjects.subjects.is_some() {
        config.subjects.clone_from(&args.subjects.subjects);
        config.new_subjects = args.subjects.new_subjects;
    }
    set(&mut config.score.bootstrap.interval, args.interval.interval);
    config.score.models.set(&model_overrides(&args.weights, &args.device));
    let settings = RunSettings {
        overwrite: args.overwrite.overwrite,
        latex: args.table.latex(),
        ..settings(args.out.clone(), &args.weights)
    };
    let drawing = args.drawing.options();
    let study = study(&config, &settings, &drawing, progress)?;
    let place = (args.out.as_path(), &args.overwrite);
    let done = output::written(&study, place, Some(&drawing), &args.table)?;
    Ok(Done {
        failed: study.check().err(),
        ..done
    })
}

/// The configuration that these options stand for.
fn config(args: &StudyInputArgs) -> Result<StudyConfig, Error> {
    let mut config = StudyConfig::default();
    config.inputs.set(Input::GT, args.gt.clone());
    for (name, path) in &args.recon {
        let inputs = &mut system(&mut config, name).inputs;
        inputs.set(Input::RECON, Some(path.clone()));
    }
    for (name, path) in &args.observations {
        let inputs = &mut system(&mut config, name).inputs;
        inputs.set(Input::Observations, Some(path.clone()));
    }
    for (name, path) in &args.run {
        system(&mut config, name).run = Some(path.clone());
    }
    for text in &args.human {
        config.ratings.push(ratings(&config, text)?);
    }
    let all = |ids: &Vec<String>| ids.iter().all(|id| id != "all");
    config.score.metrics = args.metrics.clone().filter(all);
    config.score.captioner = args.captioner.as_ref().map(|model| CaptionerChoice {
        model: model.clone(),
        options: CaptionOptions::default(),
    });
    if let Some(encoder) = &args.text_encoder {
        config.score.text_encoder.clone_from(encoder);
    }
    config.score.perception.stand_in = args.image_models == Some(ImageModelsArg::Placeholder);
    Ok(config)
}

/// The system of this name, which is added if missing.
fn system<'a>(config: &'a mut StudyConfig, name: &str) -> &'a mut StudySystem {
    let systems = &mut config.systems;
    let place = systems.iter().position(|system| system.name == name);
    let place = place.unwrap_or_else(|| {
        systems.push(StudySystem {
            name: name.to_owned(),
            ..StudySystem::default()
        });
        systems.len() - 1
    });
    &mut systems[place]
}

fn ratings(config: &StudyConfig, text: &str) -> Result<StudyRatings, Error> {
    let is_known = |name: &str| config.systems.iter().any(|system| system.name == name);
    let named = text.split_once('=').filter(|(name, _)| is_known(name));
    let (system, file) = match (named, config.systems.as_slice()) {
        (Some((name, file)), _) => (name.to_owned(), file),
        (None, [only]) => (only.name.clone(), text),
        (None, systems) => {
            let names: Vec<&str> = systems.iter().map(|system| system.name.as_str()).collect();
            return Err(Error::Usage(format!(
                "--human {text}: whose reconstructions were rated? Expected NAME=FILE with one of the systems: {}",
                names.join(", ")
            )));
        }
    };
    Ok(StudyRatings {
        system,
        file: PathBuf::from(file),
        ..StudyRatings::default()
    })
}
