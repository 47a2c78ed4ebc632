//! The request of a meta-evaluation.

use super::{CombinationRequest, StimuliFrom, WorstCaseRequest};
use clap::Args;
use neurogauge::Error;
use neurogauge::core::pair::{ItemJoin, PairsOf};
use neurogauge::core::words::choice;
use neurogauge::file_name;
use neurogauge::formats::ratings::{self, RatingColumns};
use neurogauge::stats::meta::MetaOptions;
use serde::Serialize;
use std::path::PathBuf;

/// A survey, metrics, and how to compare them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Args)]
pub struct MetaRequest {
    /// Human ratings: CSV with a line for each rating (item, rater, value) or a column for each
    /// rater, an export of a survey tool, or .npy (items by raters); or choices, such as left, right, choice
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub human: PathBuf,
    /// Scores by item: CSV, .npz or .parquet files, and folders of `neurogauge score` runs; --join says which items are
    /// the same
    #[arg(long, value_name = "FILE|RUN", required = true, num_args = 1.., help_heading = "Inputs")]
    pub metrics: Vec<PathBuf>,
    /// Metrics to look at, by name, beside the parts of composites [default: all that the files and runs have]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Inputs")]
    pub only: Vec<String>,
    /// Metrics for which lower is better. `neurogauge score` knows its own; for any other metric higher is
    /// better unless it is named here, with a warning
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Inputs")]
    pub lower_is_better: Vec<String>,
    /// Metrics for which higher is better
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Inputs")]
    pub higher_is_better: Vec<String>,
    /// Column of the ratings that names the item [default: among the usual names]. Several that
    /// make up an item as NAME,NAME; tables of scores may have the same columns
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub item_column: Option<String>,
    /// Column that names the rater [default: among the usual names]
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub rater_column: Option<String>,
    /// Column with the rating [default: among the usual names]. Several questions as NAME,NAME: each is evaluated for
    /// itself, into a folder of its name in OUT
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub value_column: Option<String>,
    /// Columns of the raters in a table with one for each, such as 'sem_*' or ann,bob [default: all but the items and
    /// what cannot be ratings]. May be repeated: each pattern is a question, evaluated for itself into a folder of its
    /// name (or NAME=PATTERN) in OUT
    #[arg(long, value_name = "PATTERN", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rater_columns: Vec<String>,
    /// Columns of the ratings that put the items into groups; statistics are repeated within them.
    #[arg(skip)]
    pub group_columns: Vec<String>,
    /// Which items show the same stimulus: they are drawn together.
    #[arg(skip)]
    pub stimuli: StimuliFrom,
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
    #[serde(skip_serializing_if = "ItemJoin::is_exact")]
    pub join: ItemJoin,
    /// `all` makes an item without ratings or scores an error; with `shared`, as without this option, such items are
    /// counted and named
    #[arg(long, value_name = "WHICH", value_parser = choice::<PairsOf>(), help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PairsOf>,
    /// If several sources have a metric of the same name, the first source's metric keeps the plain name and the others
    /// get their source appended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[arg(skip)]
    pub first_keeps_names: bool,
    /// Lowest and highest rating, and one outside is an error; or the words of the answers, the lowest first, such as
    /// 'Not at all,Slightly,Very'. Usual words of agreement, frequency, quality, likelihood and degree are known
    #[arg(long, value_name = "LO,HI|WORD,...", value_parser = RatingScale::parse, allow_hyphen_values = true, help_heading = "Inputs")]
    pub scale: Option<RatingScale>,
    /// Ids of the items, one on each line, in the order of the columns that hold answers about them (if all have one
    /// title, as in Google Forms) or of the rows of a .npy
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<PathBuf>,
    /// Codes that stand for a missing rating; `None` if it was not said whether there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[arg(skip)]
    pub missing: Option<Vec<String>>,
    /// Keep e-mail addresses as the names of raters, which otherwise become pseudonyms
    #[arg(long, help_heading = "Inputs")]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_emails: bool,
    #[arg(skip)]
    pub options: MetaOptions,
    /// Averages of metrics, best subsets, weights and contributions.
    #[arg(skip)]
    pub combinations: CombinationRequest,
    #[arg(skip)]
    pub worst_cases: WorstCaseRequest,
    /// Class labels: a table, or the logits of stimuli and of reconstructions; empty for none.
    #[arg(skip)]
    pub classes: Vec<PathBuf>,
}

impl MetaRequest {
    /// One request for each question of the ratings, with the name of its folder if there are several.
    pub fn questions(&self, held: &InMemoryTables) -> Result<Vec<(Option<String>, Self)>, Error> {
        let columns = self.columns();
        let found = match &held.human {
            None => ratings::questions(&self.human, &columns),
            Some(held) => ratings::questions_of_text(&held.name, &held.text, &columns),
        }?;
        let requests = found.into_iter().map(|question| {
            let request = MetaRequest {
                rater_columns: question.columns.raters,
                value_column: question.columns.value,
                ..self.clone()
            };
            (question.name.map(|name| file_name(&name)), request)
        });
        Ok(requests.collect())
    }

    /// The lowest and the highest rating, if the scale is not one of words.
    pub fn ends(&self) -> Option<(f64, f64)> {
        match self.scale {
            Some(RatingScale::Ends(low, high)) => Some((low, high)),
            _ => None,
        }
    }

    /// The columns of the ratings. The column of the stimulus, if named, is appended to the groups.
    pub fn columns(&self) -> RatingColumns {
        let stimulus = match &self.stimuli {
            StimuliFrom::Column(name) => Some(name),
            _ => None,
        };
        let groups = self.group_columns.iter().chain(stimulus);
        RatingColumns {
            item: self.item_column.clone(),
            rater: self.rater_column.clone(),
            value: self.value_column.clone(),
            raters: self.rater_columns.clone(),
            groups: groups.cloned().collect(),
            missing: self.missing.clone(),
            items: self.items.clone(),
            words: match &self.scale {
                Some(RatingScale::Words(words)) => words.clone(),
                _ => Vec::new(),
            },
            keep_emails: self.keep_emails,
        }
    }
}

/// The scale of ratings.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum RatingScale {
    /// The lowest and the highest rating.
    Ends(f64, f64),
    /// Answers in words, the lowest first.
    Words(Vec<String>),
}

impl RatingScale {
    /// Reads `1,5`, or answers such as `Not at all,Slightly,Very`.
    fn parse(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let numbers: Vec<f64> = parts.iter().filter_map(|part| part.parse().ok()).collect();
        match (parts.as_slice(), numbers.as_slice()) {
            (_, &[low, high]) if parts.len() == 2 && low < high && low.is_finite() && high.is_finite() => {
                Ok(RatingScale::Ends(low, high))
            }
            ([first @ .., last], []) if !first.is_empty() && !last.is_empty() && first.iter().all(|word| !word.is_empty()) => {
                Ok(RatingScale::Words(parts.into_iter().map(str::to_owned).collect()))
            }
            _ => Err("expected two numbers, the lower first, such as 1,5, or the answers in words, such as Never,Sometimes,Always".to_owned()),
        }
    }
}

/// Ratings and scores in memory, in addition to the files of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InMemoryTables {
    /// The ratings, which replace the request's file.
    pub human: Option<InMemoryTable>,
    /// Scores of metrics, which follow those of the request's files.
    pub metrics: Vec<InMemoryTable>,
}

/// A text table in the form of a `.csv` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InMemoryTable {
    /// Its name in messages and tables.
    pub name: String,
    /// A header, and one line for each item or rating.
    pub text: String,
}
