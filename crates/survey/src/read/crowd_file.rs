//! Exports of Mechanical Turk, with a line for each task that a worker did.

use super::{Answer, Sitting};
use crate::make::record::SurveyRecord;
use crate::plan::Task;
use crate::questions::Question;
use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};
use indexmap::IndexMap;
use neurogauge::Error;
use neurogauge::core::{Finding, counted};
use neurogauge::formats::{FormatError, Problem};
use std::collections::{HashMap, HashSet};
use std::path::Path;

struct Columns {
    worker: usize,
    item: usize,
    status: Option<usize>,
    seconds: Option<usize>,
    answers: Vec<AnswerColumns>,
}

enum AnswerColumns {
    /// A column with the chosen point.
    Point(usize),
    /// A column for each point, with `true` in the column of the chosen point.
    Marks(Vec<usize>),
}

/// Reads an export. `known` has the assignments of earlier exports, each a worker's answers to a task; one that is in
/// several exports counts once.
pub(super) fn read<'a>(
    path: &Path,
    survey: &'a SurveyRecord,
    known: &mut HashSet<(String, &'a str)>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Sitting<'a>>, Error> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_path(path).map_err(|error| malformed(path, error))?;
    let header = reader.headers().map_err(|error| malformed(path, error))?.clone();
    let columns = Columns::of(&header, survey, path)?;
    let tasks: HashMap<&str, &Task> = survey.tasks.iter().map(|task| (task.id.as_str(), task)).collect();
    let mut sittings: IndexMap<String, Sitting<'a>> = IndexMap::new();
    let (mut n_rejected, mut n_twice) = (0, 0);
    for record in reader.records() {
        let record = record.map_err(|error| malformed(path, error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let wrong = |reason: String| Problem::invalid(format!("line {line}"), reason).at(path);
        let cell = |column: usize| record.get(column).unwrap_or_default();
        if columns.status.is_some_and(|column| cell(column) == "Rejected") {
            n_rejected += 1;
            continue;
        }
        let item = cell(columns.item);
        let task = tasks.get(item).ok_or_else(|| wrong(format!("the survey has no task {item:?}")))?;
        let questions = survey.questions.questions.iter().zip(&columns.answers);
        let ratings = questions.map(|(question, columns)| columns.rating(&record, question).map_err(wrong));
        let answer = Answer {
            trial: &task.trial,
            ratings: ratings.collect::<Result<_, _>>()?,
            seconds: columns
                .seconds
                .and_then(|column| cell(column).parse().ok())
                .filter(|seconds: &f64| seconds.is_finite()),
        };
        let worker = cell(columns.worker);
        if worker.is_empty() {
            return Err(wrong("no WorkerId".to_owned()).into());
        }
        if !known.insert((worker.to_owned(), task.id.as_str())) {
            n_twice += 1;
            continue;
        }
        let sitting = sittings.entry(worker.to_owned()).or_insert_with(|| Sitting {
            rater: worker.to_owned(),
            answers: Vec::new(),
            participant: None,
        });
        sitting.answers.push(answer);
    }
    let mut warn = |code: &str, message: String| {
        findings.push(Finding::warning(code, path.display().to_string(), message));
    };
    if n_rejected > 0 {
        let rejected = counted(n_rejected, "rejected assignment");
        warn("assignments_rejected", format!("{rejected} left out"));
    }
    if n_twice > 0 {
        let twice = counted(n_twice, "assignment");
        let message = format!("{twice} left out, since the same worker's answers to the same task were read before");
        warn("assignments_twice", message);
    }
    Ok(sittings.into_values().collect())
}

fn malformed(path: &Path, error: csv::Error) -> FormatError {
    let place = format!("line {}", error.position().map_or(1, csv::Position::line));
    match error.into_kind() {
        ErrorKind::Io(source) => Problem::Io("reading", source),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            Problem::invalid(place, format!("{len} cells; expected {expected_len}, as in the header"))
        }
        _ => Problem::invalid(place, "not UTF-8 text; save it as UTF-8"),
    }
    .at(path)
}

impl Columns {
    fn of(header: &StringRecord, survey: &SurveyRecord, path: &Path) -> Result<Self, FormatError> {
        let named = |name: &str| header.iter().position(|column| column.trim_start_matches('\u{feff}') == name);
        let missing = |name: &str| {
            Problem::content(
                format!("no column {name:?}"),
                "an export of Mechanical Turk, of the batch that the survey wrote",
            )
            .at(path)
        };
        let needed = |name: &str| named(name).ok_or_else(|| missing(name));
        let answers = survey.questions.questions.iter().map(|question| {
            let answer = format!("Answer.{}", question.id);
            if let Some(column) = named(&answer) {
                return Ok(AnswerColumns::Point(column));
            }
            let points = (1..=question.n_points()).map(|point| named(&format!("{answer}.{point}")));
            points.collect::<Option<Vec<usize>>>().map(AnswerColumns::Marks).ok_or_else(|| missing(&answer))
        });
        Ok(Columns {
            worker: needed("WorkerId")?,
            item: needed("Input.item")?,
            status: named("AssignmentStatus"),
            seconds: named("WorkTimeInSeconds"),
            answers: answers.collect::<Result<_, _>>()?,
        })
    }
}

impl AnswerColumns {
    fn rating(&self, record: &StringRecord, question: &Question) -> Result<Option<u32>, String> {
        let cell = |column: &usize| record.get(*column).unwrap_or_default();
        match self {
            AnswerColumns::Point(column) => match cell(column) {
                "" | "{}" => Ok(None),
                text => match text.parse() {
                    Ok(rating) if (1..=question.n_points()).contains(&rating) => Ok(Some(rating)),
                    _ => Err(format!("{text:?} as the answer {}; expected 1 to {}", question.id, question.n_points())),
                },
            },
            AnswerColumns::Marks(columns) => {
                let marked = columns.iter().zip(1..).filter(|(column, _)| cell(column).eq_ignore_ascii_case("true"));
                match marked.map(|(_, point)| point).collect::<Vec<u32>>().as_slice() {
                    [] => Ok(None),
                    [only] => Ok(Some(*only)),
                    several => Err(format!("{} points are marked for {}; expected one", several.len(), question.id)),
                }
            }
        }
    }
}
