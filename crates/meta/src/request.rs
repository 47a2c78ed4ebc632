//! The request of a meta-evaluation.

use super::{CombinationRequest, StimuliFrom, WorstCaseRequest};
use neurogauge::Error;
use neurogauge::core::pair::ItemJoin;
use neurogauge::file_name;
use neurogauge::formats::ratings::{self, RatingColumns};
use neurogauge::stats::meta::MetaOptions;
use serde::Serialize;
use std::path::PathBuf;

/// A survey, metrics, and how to compare them.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MetaRequest {
    pub human: PathBuf,
    /// Files of metric scores, and folders of runs.
    pub metrics: Vec<PathBuf>,
    /// Names of the metrics to evaluate; empty for all metrics of the files.
    pub only: Vec<String>,
    /// Metrics for which lower is better, overriding the registry.
    pub lower_is_better: Vec<String>,
    /// Metrics for which higher is better, overriding the registry.
    pub higher_is_better: Vec<String>,
    /// Column of the ratings that names the item; `None` for the usual names.
    pub item_column: Option<String>,
    pub rater_column: Option<String>,
    /// Column with the rating; a comma list names several questions.
    pub value_column: Option<String>,
    /// Patterns of the columns of raters, each a question; empty for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rater_columns: Vec<String>,
    /// Columns of the ratings that put the items into groups; statistics are repeated within them.
    pub group_columns: Vec<String>,
    /// Which items show the same stimulus: they are drawn together.
    pub stimuli: StimuliFrom,
    /// How rated items are matched with items of the scores.
    #[serde(skip_serializing_if = "ItemJoin::is_exact")]
    pub join: ItemJoin,
    /// If several sources have a metric of the same name, the first source's metric keeps the plain name and the others
    /// get their source appended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_keeps_names: bool,
    /// Lowest and highest possible rating.
    pub scale: Option<(f64, f64)>,
    /// Codes that stand for a missing rating; `None` if it was not said whether there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<Vec<String>>,
    pub options: MetaOptions,
    /// Averages of metrics, best subsets, weights and contributions.
    pub combinations: CombinationRequest,
    pub worst_cases: WorstCaseRequest,
    /// Class labels: a table, or the logits of stimuli and of reconstructions; empty for none.
    pub classes: Vec<PathBuf>,
}

impl MetaRequest {
    /// A request for each question of the ratings, with the name of its folder if there are several.
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
        }
    }
}

/// Ratings and scores in memory, in addition to the files of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InMemoryTables {
    /// The ratings, instead of the request's file.
    pub human: Option<InMemoryTable>,
    /// Scores of metrics, after those of the request's files.
    pub metrics: Vec<InMemoryTable>,
}

/// A table as text, in the form of a `.csv` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InMemoryTable {
    /// Its name in messages and tables.
    pub name: String,
    /// A header, and a line for each item or rating.
    pub text: String,
}
