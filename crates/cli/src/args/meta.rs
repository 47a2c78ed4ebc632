//! `neurogauge meta`.

use super::*;
use neurogauge::core::pair::ItemJoin;

#[derive(Debug, Args)]
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
    /// Where meta.json, meta.md, meta.tex, meta.csv and figures/ go
    #[arg(long, value_name = "DIR", help_heading = "Outputs")]
    pub(crate) out: PathBuf,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) overwrite: OverwriteArgs,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) table: TableArgs,
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
