//! `neurogauge meta`.

use crate::args::*;
use crate::output;
use neurogauge::core::pair::ItemJoin;
use neurogauge::stats::combination::CombinationOptions;
use neurogauge::stats::meta::{MetaOptions, Statistic};
use neurogauge::{Error, StimulusPattern};
use neurogauge_meta::{
    CombinationRequest, CombineWhen, InMemoryTables, ItemGroups, MetaRequest, MetaRun, NamedComposite, StimuliFrom,
    WorstCaseRequest, meta, meta_of,
};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where meta.json, meta.md, meta.tex, meta.csv and figures/ go")))]
pub(crate) struct MetaArgs {
    /// Human ratings: CSV with a line for each rating (item, rater, value) or a column for each
    /// rater, an export of Mechanical Turk, or .npy (items by raters)
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) human: PathBuf,
    /// Scores by item: CSV, .npz or .parquet files, and folders of `neurogauge score` runs; --join says which items are
    /// the same
    #[arg(long, value_name = "FILE|RUN", required = true, num_args = 1.., help_heading = "Inputs")]
    pub(crate) metrics: Vec<PathBuf>,
    /// Metrics to look at, by name, beside the parts of composites [default: all that the files and runs have]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Inputs")]
    pub(crate) only: Vec<String>,
    /// Metrics for which lower is better. `neurogauge score` knows its own; for any other metric higher is
    /// better unless it is named here, with a warning
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Inputs")]
    pub(crate) lower_is_better: Vec<String>,
    /// Metrics for which higher is better
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Inputs")]
    pub(crate) higher_is_better: Vec<String>,
    /// Column of the ratings that names the item [default: among the usual names]. Several that
    /// make up an item as NAME,NAME; tables of scores may have the same columns
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) item_column: Option<String>,
    /// Column that names the rater [default: among the usual names]
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) rater_column: Option<String>,
    /// Column with the rating [default: among the usual names]. Several questions as NAME,NAME: each is evaluated for
    /// itself, into a folder of its name in OUT
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) value_column: Option<String>,
    /// Columns of the raters in a table with one for each, such as 'sem_*' or ann,bob [default: all but the items and
    /// what cannot be ratings]. May be repeated: each pattern is a question, evaluated for itself into a folder of its
    /// name (or NAME=PATTERN) in OUT
    #[arg(long, value_name = "PATTERN", help_heading = "Inputs")]
    pub(crate) rater_columns: Vec<String>,
    /// Which scored item a rated item is: exact (the same id), stem (without folders, address and extension), number
    /// (the only one in the stem), or what the rated items are called, such as 'mindeye2_{stem}' or
    /// 'https://x/{number}/recon.png'
    #[arg(
        long,
        value_name = "HOW|PATTERN",
        default_value_t,
        hide_default_value = true,
        help_heading = "Inputs"
    )]
    pub(crate) join: ItemJoin,
    /// Lowest and highest rating; one outside is an error
    #[arg(long, value_name = "LO,HI", value_parser = rating_scale, allow_hyphen_values = true, help_heading = "Inputs")]
    pub(crate) scale: Option<(f64, f64)>,
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
    #[arg(long, value_name = "N", default_value = "200", help_heading = "Intervals")]
    pub(crate) permutations: Count<MAX_RESAMPLES>,
    #[command(flatten, next_help_heading = "Combinations of metrics")]
    pub(crate) combinations: CombinationArgs,
    #[command(flatten)]
    pub(crate) figures: MetaFigureArgs,
}

fn rating_scale(text: &str) -> Result<(f64, f64), String> {
    let ends = text.split_once(',').and_then(|(low, high)| {
        let (low, high): (f64, f64) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
        (low < high && low.is_finite() && high.is_finite()).then_some((low, high))
    });
    ends.ok_or_else(|| "expected two numbers, the lower first, such as 1,5".to_owned())
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
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) stimuli: StimuliArg,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum StimuliArg {
    /// Those of several systems that share a part of their ids, such as system/0042 or 0042_system
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
    /// Averages of two metrics, best subsets, fitted weights, and what each part of a composite
    /// adds; auto: with 2 to 12 metrics
    #[arg(
        long,
        value_parser = choice::<CombineWhen>(),
        value_name = "WHEN",
        num_args = 0..=1,
        default_value = "auto",
        default_missing_value = "on"
    )]
    combinations: CombineWhen,
    /// An average that is held against people as a metric and taken apart, for example ours=clip+effnet; may be
    /// repeated [default: SEED where its parts are there, else all metrics with --combinations, which are only taken
    /// apart]
    #[arg(long, value_name = "NAME=A+B+...", value_parser = composite)]
    composite: Vec<NamedComposite>,
    /// What scores become before they are averaged
    #[arg(long, value_parser = choice::<Scaling>(), default_value = "raw")]
    scaling: Scaling,
    /// What the best subset is best in
    #[arg(long, value_enum, value_name = "STATISTIC", default_value = "tau-b")]
    select_by: SelectByArg,
    /// Folds of the cross-validation of subsets and weights
    #[arg(long, value_name = "K", default_value = "5")]
    folds: Count<MAX_FOLDS>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SelectByArg {
    Accuracy,
    TauB,
    Pearson,
    Spearman,
}

impl CombinationArgs {
    pub(crate) fn request(&self) -> CombinationRequest {
        CombinationRequest {
            when: self.combinations,
            composites: self.composite.clone(),
            options: CombinationOptions {
                scaling: self.scaling,
                select_by: match self.select_by {
                    SelectByArg::Accuracy => Statistic::CalibratedAccuracy,
                    SelectByArg::TauB => Statistic::KendallTauB,
                    SelectByArg::Pearson => Statistic::Pearson,
                    SelectByArg::Spearman => Statistic::Spearman,
                },
                folds: self.folds.into(),
            },
        }
    }
}

fn composite(text: &str) -> Result<NamedComposite, String> {
    let expected = || "expected a name and its parts, such as ours=clip+effnet".to_owned();
    let (name, parts) = text.split_once('=').ok_or_else(expected)?;
    let parts: Vec<String> = parts.split('+').map(|part| part.trim().to_owned()).collect();
    if name.trim().is_empty() || parts.iter().any(String::is_empty) {
        return Err(expected());
    }
    Ok(NamedComposite {
        name: name.trim().to_owned(),
        parts,
    })
}

#[derive(Debug, Args)]
pub(crate) struct MetaFigureArgs {
    #[command(flatten)]
    pub(crate) drawing: FigureArgs,
    /// Items per metric whose rank differs most from the rank by people; 0 for none
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Worst cases")]
    pub(crate) worst: usize,
    /// Only items that every other metric ranks as people do, give or take this share of the
    /// ranking [default where SHARE is left out: 0.1]
    #[arg(long, value_name = "SHARE", num_args = 0..=1, default_missing_value = "0.1", help_heading = "Worst cases")]
    pub(crate) worst_others_agree: Option<f64>,
    /// Metrics whose worst cases are shown, and the others that must agree
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        help_heading = "Worst cases",
        defaults_to = "all"
    )]
    pub(crate) worst_metrics: Vec<String>,
    /// Groups of items, each with worst cases of its own, and how each metric ranks the groups: a table (item, group),
    /// or what items are called with {group} where the group is named and * where anything may be, such as '{group}_*'
    #[arg(long, value_name = "FILE|PATTERN", help_heading = "Worst cases")]
    pub(crate) worst_groups: Option<ItemGroups>,
    /// Stimuli, to show the worst cases: a folder, an .npy stack or a .pt tensor file; stems are
    /// the ids of items
    #[arg(long, value_name = "PATH", help_heading = "Worst cases")]
    pub(crate) gt: Option<PathBuf>,
    /// Reconstructions, likewise
    #[arg(long, value_name = "PATH", help_heading = "Worst cases")]
    pub(crate) recon: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Worst cases")]
    pub(crate) reading: ReadingArgs,
    /// Class of each stimulus and reconstruction, to compare metrics and people on pairs of the same
    /// and of different class: a CSV (item, gt_label, recon_label), or two .npy matrices of logits
    /// (stimuli, reconstructions) with ids.json beside each
    #[arg(long, value_name = "FILE", num_args = 1..=2, help_heading = "Classes")]
    pub(crate) classes: Vec<PathBuf>,
}

pub(crate) fn run(args: &MetaArgs) -> Result<(), Error> {
    for (question, request) in request(args).questions(&InMemoryTables::default())? {
        let mut place = args.place.clone();
        if let Some(question) = &question {
            output::message(&format!("question {question}"));
            place.out.push(question);
        }
        place.written(&meta(&request)?, args.figures.drawing.options().as_ref())?.print()?;
    }
    Ok(())
}

/// The evaluation without writing or printing: each question of the ratings, by name if there are several.
pub(crate) fn evaluated(args: &MetaArgs, held: &InMemoryTables) -> Result<Vec<(Option<String>, MetaRun)>, Error> {
    let mut request = request(args);
    let is_held = |path: &PathBuf| held.metrics.iter().any(|t| path.as_os_str() == t.name.as_str());
    request.metrics.retain(|path| !is_held(path));
    let questions = request.questions(held)?.into_iter();
    questions.map(|(question, request)| Ok((question, meta_of(&request, held)?))).collect()
}

fn request(args: &MetaArgs) -> MetaRequest {
    MetaRequest {
        human: args.human.clone(),
        metrics: args.metrics.clone(),
        only: args.only.clone(),
        lower_is_better: args.lower_is_better.clone(),
        higher_is_better: args.higher_is_better.clone(),
        item_column: args.item_column.clone(),
        rater_column: args.rater_column.clone(),
        value_column: args.value_column.clone(),
        rater_columns: args.rater_columns.clone(),
        group_columns: args.group_columns.clone(),
        stimuli: args.stimuli.source(),
        join: args.join.clone(),
        first_keeps_names: false,
        scale: args.scale,
        missing: match args.missing.as_slice() {
            [] => None,
            [none] if none == "none" => Some(Vec::new()),
            codes => Some(codes.to_vec()),
        },
        options: MetaOptions {
            human_score: args.human_score,
            permutations: args.permutations.into(),
            ..args.intervals.options()
        },
        combinations: args.combinations.request(),
        worst_cases: WorstCaseRequest {
            n: args.figures.worst,
            others_agree: args.figures.worst_others_agree,
            metrics: args.figures.worst_metrics.clone(),
            groups: args.figures.worst_groups.clone(),
            gt: args.figures.gt.clone(),
            recon: args.figures.recon.clone(),
            reading: (&args.figures.reading).into(),
        },
        classes: args.figures.classes.clone(),
    }
}
