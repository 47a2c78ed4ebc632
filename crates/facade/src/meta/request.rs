//! What is asked for.

use super::{CombinationRequest, StimuliFrom, WorstCaseRequest};
use crate::Error;
use crate::figure_files::file_name;
use neurogauge_core::pair::ItemJoin;
use neurogauge_formats::ratings::{self, RatingColumns};
use neurogauge_stats::meta::MetaOptions;
use serde::Serialize;
use std::path::PathBuf;

/// A survey, metrics, and how to hold one against the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MetaRequest {
    /// The file of human ratings.
    pub human: PathBuf,
    /// Files of metric scores, and folders of runs.
    pub metrics: Vec<PathBuf>,
    /// Names of the metrics that are looked at; empty for all that the files have.
    pub only: Vec<String>,
    /// Metrics of which lower is better, whatever the registry says of a metric of that name.
    pub lower_is_better: Vec<String>,
    /// Metrics of which higher is better, likewise.
    pub higher_is_better: Vec<String>,
    /// Column of the ratings that names the item; `None` for the usual names.
    pub item_column: Option<String>,
    /// Column that names the rater.
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
    /// Which item of the scores a rated item is.
    #[serde(skip_serializing_if = "ItemJoin::is_exact")]
    pub join: ItemJoin,
    /// Where two sources have a metric of one name, that of the first keeps it and only the others' have their source behind it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_keeps_names: bool,
    /// Lowest and highest rating that there can be.
    pub scale: Option<(f64, f64)>,
    /// Statistics and intervals.
    pub options: MetaOptions,
    /// Averages of metrics, best subsets, weights and contributions.
    pub combinations: CombinationRequest,
    /// Which worst cases are looked for.
    pub worst_cases: WorstCaseRequest,
    /// Class labels: a table, or the logits of stimuli and of reconstructions; empty for none.
    pub classes: Vec<PathBuf>,
}

impl MetaRequest {
    /// A request for each question that the ratings answer, with the name of its folder where there are several.
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

    /// The columns of the ratings. That of the stimulus, if one is named, is the last of the groups.
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
        }
    }
}

/// Ratings and scores that are in memory, besides the files of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InMemoryTables {
    /// The ratings, in the place of the request's file.
    pub human: Option<InMemoryTable>,
    /// Scores of metrics, behind those of the request's files.
    pub metrics: Vec<InMemoryTable>,
}

/// A table as text, as it could stand in a `.csv` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InMemoryTable {
    /// What messages and tables call it.
    pub name: String,
    /// A header, and a line for each item or rating.
    pub text: String,
}
