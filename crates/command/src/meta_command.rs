//! `neurogauge meta`.

use crate::args::*;
use crate::output;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use neurogauge::stats::combination::CombinationOptions;
use neurogauge::stats::meta::{MetaOptions, Statistic};
use neurogauge::{Error, StimulusPattern};
use neurogauge_meta::{
    CombinationRequest, InMemoryTables, MetaRequest, MetaRun, StimuliFrom, WorstCaseRequest, meta, meta_of,
};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where meta.json, meta.md, meta.tex, meta.csv and figures/ go")))]
pub(crate) struct MetaArgs {
    #[command(flatten)]
    pub(crate) request: MetaRequest,
    /// Codes that stand for a missing rating, such as 99, or none
    #[arg(
        long,
        value_name = "CODE,...",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = "Inputs"
    )]
    pub(crate) missing: Vec<String>,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    /// Human score of an item: the mean of its ratings, or of each rater's z-scores
    #[arg(long, value_parser = choice::<HumanScore>(), default_value = word_of(&HumanScore::default()), help_heading = "Statistics")]
    pub(crate) human_score: HumanScore,
    /// Column of the ratings that puts items into groups, such as the system or the stimulus of each:
    /// statistics are repeated within groups and averaged over them. May be repeated
    #[arg(long = "group-column", value_name = "NAME", help_heading = "Statistics")]
    pub(crate) group_columns: Vec<String>,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) stimuli: MetaStimulusArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) intervals: MetaIntervalArgs,
    /// Permutations behind the chance levels
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_RESAMPLES>, usize>, default_value_t = MetaOptions::default().permutations, help_heading = "Intervals")]
    pub(crate) permutations: usize,
    #[command(flatten, next_help_heading = "Combinations of metrics")]
    pub(crate) combinations: CombinationArgs,
    #[command(flatten)]
    pub(crate) figures: MetaFigureArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MetaStimulusArgs {
    /// Column of the ratings that names the stimulus of each item: items of one stimulus are drawn together
    #[arg(long, value_name = "NAME", conflicts_with_all = ["stimulus_pattern", "stimuli"])]
    pub(crate) stimulus_column: Option<String>,
    /// What rated items are called, with {stimulus} where their stimulus is named and * where anything may be, such as
    /// '*/{stimulus}'
    #[arg(long, value_name = "PATTERN", conflicts_with = "stimuli")]
    pub(crate) stimulus_pattern: Option<StimulusPattern>,
    /// Which items show the same stimulus, where neither a column nor a pattern says it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) stimuli: StimuliArg,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum StimuliArg {
    /// Those of several systems that share a part of their ids, such as system/0042 or 0042_system
    #[default]
    Auto,
    /// None: every item is drawn for itself
    Independent,
}

impl MetaStimulusArgs {
    pub(crate) fn source(&self) -> StimuliFrom {
        match (&self.stimulus_column, &self.stimulus_pattern, self.stimuli) {
            (Some(name), ..) => StimuliFrom::Column(name.clone()),
            (_, Some(pattern), _) => StimuliFrom::Pattern(pattern.clone()),
            (.., StimuliArg::Auto) => StimuliFrom::Auto,
            (.., StimuliArg::Independent) => StimuliFrom::Independent,
        }
    }
}

const MAX_FOLDS: usize = 1000;

#[derive(Debug, Args)]
pub(crate) struct CombinationArgs {
    #[command(flatten)]
    pub(crate) request: CombinationRequest,
    /// What scores become before they are averaged
    #[arg(long, value_parser = choice::<Scaling>(), default_value = word_of(&Scaling::default()))]
    scaling: Scaling,
    /// What the best subset is best in
    #[arg(long, value_parser = select_by(), value_name = "STATISTIC", default_value = select_by_default())]
    select_by: Statistic,
    /// Folds of the cross-validation of subsets and weights
    #[arg(long, value_name = "K", value_parser = number::<Count<MAX_FOLDS>, usize>, default_value_t = CombinationOptions::default().folds)]
    folds: usize,
}

/// What the best subset may be best in.
const SELECT_BY: [(&str, Statistic); 4] = [
    ("accuracy", Statistic::CalibratedAccuracy),
    ("tau-b", Statistic::KendallTauB),
    ("pearson", Statistic::Pearson),
    ("spearman", Statistic::Spearman),
];

fn select_by() -> impl TypedValueParser<Value = Statistic> {
    PossibleValuesParser::new(SELECT_BY.map(|(word, _)| word)).try_map(|word| {
        let found = SELECT_BY.into_iter().find(|(known, _)| *known == word);
        found.map(|(_, statistic)| statistic).ok_or("no such statistic")
    })
}

fn select_by_default() -> &'static str {
    let default = CombinationOptions::default().select_by;
    SELECT_BY.into_iter().find(|(_, statistic)| *statistic == default).map_or("", |(word, _)| word)
}

impl CombinationArgs {
    pub(crate) fn request(&self) -> CombinationRequest {
        CombinationRequest {
            options: CombinationOptions {
                scaling: self.scaling,
                select_by: self.select_by,
                folds: self.folds,
            },
            ..self.request.clone()
        }
    }
}

#[derive(Debug, Args)]
#[command(mut_arg("set", only(READING)))]
pub(crate) struct MetaFigureArgs {
    #[command(flatten)]
    pub(crate) drawing: FigureArgs,
    #[command(flatten)]
    pub(crate) request: WorstCaseRequest,
    #[command(flatten, next_help_heading = "Worst cases")]
    pub(crate) set: SetArgs,
    /// Class of each stimulus and reconstruction, to compare metrics and people on pairs of the same
    /// and of different class: a CSV (item, gt_label, recon_label), or two .npy matrices of logits
    /// (stimuli, reconstructions) with ids.json beside each
    #[arg(long, value_name = "FILE", num_args = 1..=2, help_heading = "Classes")]
    pub(crate) classes: Vec<PathBuf>,
}

pub(crate) fn run(args: &MetaArgs) -> Result<(), Error> {
    for (question, request) in request(args)?.questions(&InMemoryTables::default())? {
        let mut place = args.place.clone();
        if let Some(question) = &question {
            output::message(&format!("question {question}"));
            place.out.push(question);
        }
        place.written(&meta(&request)?, args.figures.drawing.options().as_ref())?.print()?;
    }
    Ok(())
}

/// Evaluates without writing or printing: each question of the ratings, with its name if there are several.
pub(crate) fn evaluated(args: &MetaArgs, held: &InMemoryTables) -> Result<Vec<(Option<String>, MetaRun)>, Error> {
    let mut request = request(args)?;
    let is_held = |path: &PathBuf| held.metrics.iter().any(|t| path.as_os_str() == t.name.as_str());
    request.metrics.retain(|path| !is_held(path));
    let questions = request.questions(held)?.into_iter();
    questions.map(|(question, request)| Ok((question, meta_of(&request, held)?))).collect()
}

fn request(args: &MetaArgs) -> Result<MetaRequest, Error> {
    Ok(MetaRequest {
        group_columns: args.group_columns.clone(),
        stimuli: args.stimuli.source(),
        missing: match args.missing.as_slice() {
            [] => None,
            [none] if none == "none" => Some(Vec::new()),
            codes => Some(codes.to_vec()),
        },
        options: MetaOptions {
            human_score: args.human_score,
            permutations: args.permutations,
            ..args.intervals.options()
        },
        combinations: args.combinations.request(),
        worst_cases: WorstCaseRequest {
            reading: args.figures.set.request(&PairingArgs::default())?.reading,
            ..args.figures.request.clone()
        },
        classes: args.figures.classes.clone(),
        ..args.request.clone()
    })
}
