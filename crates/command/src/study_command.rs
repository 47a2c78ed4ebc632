//! `neurogauge study`.

use crate::args::*;
use crate::output::{self, Done};
use neurogauge::core::first_names;
use neurogauge::report::Format;
use neurogauge::{CaptionerChoice, Error, Input, Progress, RunSettings};
use neurogauge_study::{StudyConfig, StudyRatings, StudySystem, study};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_args(out_is(
    "Write runs, tables, figures, study.md and study.html here\n\nA study that was stopped there goes on"
)))]
pub(crate) struct StudyArgs {
    /// Paper to make: seed, seed-v1, basic, or a folder of your own [default: these three]
    #[arg(value_name = "PAPER")]
    pub(crate) paper: Option<String>,
    /// Folder of the paper's data
    ///
    /// What the paper could use and DIR does not have is left out and named. Where the paper's files lie in it is said by
    /// the data.toml of the paper's folder
    #[arg(long, value_name = "DIR", requires = "paper", conflicts_with_all = ["config", "StudyInputArgs"])]
    pub(crate) data: Option<PathBuf>,
    /// Say what is missing, and how many GB and hours it takes
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// TOML file that names systems, ratings and choices of components
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present_any = ["data", "recon", "observations", "run"],
        conflicts_with = "StudyInputArgs"
    )]
    pub(crate) config: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Instead of a file")]
    pub(crate) inputs: StudyInputArgs,
    #[command(flatten)]
    pub(crate) place: OutArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) subjects: SubjectArgs,
    #[command(flatten, next_help_heading = "Conventions")]
    pub(crate) set: SetArgs,
    #[command(flatten, next_help_heading = "Models")]
    pub(crate) models: ModelArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StudyInputArgs {
    /// Stimuli that the systems share: a folder, .npy or .pt file
    #[arg(long, value_name = "PATH")]
    pub(crate) gt: Option<PathBuf>,
    /// Reconstructions of a system, likewise; may be repeated
    #[arg(long, value_name = "NAME=PATH", value_parser = named_path)]
    pub(crate) recon: Vec<(String, PathBuf)>,
    /// Observations of a system; may be repeated
    ///
    /// A folder with gt/ and recon/ inside, or SEED's evaluations/<model>/
    #[arg(long, value_name = "NAME=DIR", value_parser = named_path)]
    pub(crate) observations: Vec<(String, PathBuf)>,
    /// A finished run of `neurogauge score`; may be repeated
    #[arg(long, value_name = "NAME=RUN", value_parser = named_path)]
    pub(crate) run: Vec<(String, PathBuf)>,
    /// Human ratings of a system, by stem; may be repeated
    ///
    /// FILE alone where there is one system
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(crate) human: Vec<String>,
    /// Metrics, comma-separated [default: those of the SEED paper]
    ///
    /// As for `neurogauge score`. By default all that the inputs allow are scored, and tables and pages show those of
    /// the SEED paper
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) metrics: Option<Vec<String>>,
    /// Model that describes images, as for `neurogauge score`
    #[arg(long, value_name = "MODEL")]
    pub(crate) captioner: Option<String>,
}

pub(crate) fn written(args: &StudyArgs, progress: &dyn Progress) -> Result<Done, Error> {
    if args.dry_run {
        return Ok(Done {
            printed: Some((Format::Table, dry_run(args)?)),
            ..Done::default()
        });
    }
    let mut config = config_of(args)?;
    if args.subjects.subjects.is_some() {
        config.subjects.clone_from(&args.subjects.subjects);
        config.new_subjects = args.subjects.new_subjects;
    }
    config.score.set(&args.set.set)?;
    config.score.models.set(&args.models.overrides());
    let settings = settings(args);
    if args.data.is_some() {
        if !args.models.weights.yes {
            config.keep_known_models(&settings)?;
        }
        config
            .left_out
            .iter()
            .for_each(|found| output::note(&format!("{}: {}", found.subject, found.message)));
    }
    let drawing = args.drawing.options();
    let study = study(&config, &settings, &drawing, progress)?;
    Ok(Done {
        failed: study.check().err(),
        ..args.place.written(&study, Some(&drawing))?
    })
}

fn settings(args: &StudyArgs) -> RunSettings {
    RunSettings {
        overwrite: args.place.overwrite.overwrite,
        latex: args.place.table.latex(),
        ..args.models.weights.settings(args.place.out.clone())
    }
}

/// Says what a study would need.
fn dry_run(args: &StudyArgs) -> Result<String, Error> {
    let mut config = config_of(args)?;
    config.score.set(&args.set.set)?;
    config.score.models.set(&args.models.overrides());
    config.dry_run(&settings(args))
}

/// The configuration of a paper's data, in a file, or that the options describe.
fn config_of(args: &StudyArgs) -> Result<StudyConfig, Error> {
    let mut config = match (&args.paper, &args.data, &args.config) {
        (Some(paper), Some(data), _) => StudyConfig::of_data(paper, data)?,
        (.., Some(path)) => StudyConfig::read(path)?,
        _ => config(&args.inputs)?,
    };
    if let Some(paper) = &args.paper {
        config.papers = vec![paper.clone()];
    }
    Ok(config)
}

/// The configuration that these options describe.
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
    config.score.apply_presets(&[])?;
    config.score.captioner = args.captioner.clone().map(CaptionerChoice::of);
    Ok(config)
}

/// The system with this name, which is added if missing.
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
                first_names(&names)
            )));
        }
    };
    Ok(StudyRatings {
        system,
        file: PathBuf::from(file),
        ..StudyRatings::default()
    })
}
