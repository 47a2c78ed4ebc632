//! Compares a model with published values of its weights.

use super::compare::{Compared, Largest, compare};
use super::inputs::PublishedInputs;
use super::measure::{Measured, measure};
use super::prepare::{Prepared, prepare};
use super::record::{Check, Expected, Grade, PublishedInput, PublishedValues};
use super::subject::Subject;
use crate::checkpoint::weights::{WeightOptions, locate};
use crate::{ModelEntry, ModelError};
use neurogauge_formats::array_file;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// The result of comparing a model with its published values.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is", content = "because")]
pub enum Verdict {
    /// All numbers equal published values of grade A.
    Proved,
    /// All numbers equal published values of a lower grade.
    Agrees,
    /// A number or a text differs: which one, and how much.
    Differs(String),
    /// The input is not on this machine and could not be downloaded: which one, and why.
    WithoutInput(String),
    /// The weights are on this machine, but the model cannot run: why.
    NotRun(String),
    /// The weights are not on this machine.
    WithoutWeights,
    /// No published value is known for this model.
    Unknown,
}

impl Verdict {
    /// Does the verdict show a fault?
    pub fn is_fault(&self) -> bool {
        matches!(self, Verdict::Differs(_) | Verdict::NotRun(_))
    }
}

/// A line of a self-test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    pub model: String,
    /// The id of the published values, if there are any.
    pub id: Option<String>,
    /// How much agreement proves.
    pub grade: Option<Grade>,
    pub verdict: Verdict,
    /// The largest deviation of a number relative to its tolerance.
    pub difference: Option<f64>,
    /// The tolerance of that number.
    pub allowed: Option<f64>,
    /// Where the values are published.
    pub source: Option<String>,
    /// A note on the values.
    pub note: Option<String>,
}

impl fmt::Display for Finding {
    /// The verdict in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = self.grade.map(|grade| grade.to_string()).unwrap_or_default();
        match &self.verdict {
            Verdict::Proved => write!(f, "proved ({grade})"),
            Verdict::Agrees => write!(f, "agrees ({grade})"),
            Verdict::Differs(how) => write!(f, "differs {how}"),
            Verdict::WithoutInput(what) => write!(f, "input not here: {what}"),
            Verdict::NotRun(why) => write!(f, "could not be run: {why}"),
            Verdict::WithoutWeights => write!(f, "weights not here"),
            Verdict::Unknown => write!(f, "no published value known"),
        }
    }
}

/// Compares the model of an entry with its published values among `all`. Returns a finding for each, or one that says
/// why there is none. Weights are not downloaded.
pub fn selftest(
    entry: &ModelEntry,
    all: &[PublishedValues],
    options: &WeightOptions,
    inputs: &PublishedInputs<'_>,
) -> Vec<Finding> {
    let own: Vec<&PublishedValues> = all.iter().filter(|reported| reported.model == entry.id).collect();
    let alone = |verdict| {
        vec![Finding {
            model: entry.id.to_owned(),
            id: None,
            grade: None,
            verdict,
            difference: None,
            allowed: None,
            source: None,
            note: None,
        }]
    };
    if own.is_empty() {
        return alone(Verdict::Unknown);
    }
    let files = match locate(entry, options) {
        Ok(Some(files)) => files,
        Ok(None) => return alone(Verdict::WithoutWeights),
        Err(error) => return alone(Verdict::NotRun(error.to_string())),
    };
    let ready: Vec<Result<InputPaths, String>> = own.iter().map(|reported| paths(reported, inputs)).collect();
    let needs_model = ready.iter().any(Result::is_ok);
    let subject = needs_model.then(|| Subject::load(entry, files, options)).transpose();
    let subject = match subject {
        Ok(subject) => subject,
        Err(error) => return alone(Verdict::NotRun(error.to_string())),
    };
    let each = own.into_iter().zip(ready);
    each.map(|(reported, ready)| {
        let (verdict, largest) = match (ready, &subject) {
            (Ok(paths), Some(subject)) => judge(reported, &paths, subject),
            (Err(lacking), _) => (Verdict::WithoutInput(lacking), None),
            (Ok(_), None) => (Verdict::WithoutWeights, None),
        };
        Finding {
            model: entry.id.to_owned(),
            id: Some(reported.id.clone()),
            grade: Some(reported.grade),
            verdict,
            difference: largest.as_ref().map(|largest| largest.difference),
            allowed: largest.as_ref().map(|largest| largest.allowed),
            source: Some(reported.source.clone()),
            note: reported.note.clone(),
        }
    })
    .collect()
}

struct InputPaths {
    input: Vec<PathBuf>,
    /// For each check, the file with the published numbers.
    published: Vec<Option<PathBuf>>,
}

/// Finds or downloads the files; the error names the missing ones.
fn paths(reported: &PublishedValues, inputs: &PublishedInputs<'_>) -> Result<InputPaths, String> {
    let find = |id: &str| match inputs.path(id) {
        Ok(Some(path)) => Ok(Some(path)),
        Ok(None) => Err(format!("{id} was not fetched")),
        Err(error) => Err(error.to_string()),
    };
    let input = match &reported.input {
        PublishedInput::Classes { folder } => vec![inputs.folder(folder)?],
        input => input.files().into_iter().map(find).filter_map(Result::transpose).collect::<Result<_, String>>()?,
    };
    let published = reported.checks.iter().map(|check| match &check.expected {
        Expected::File { file } => find(file),
        Expected::Numbers(_) | Expected::Text(_) => Ok(None),
    });
    Ok(InputPaths {
        input,
        published: published.collect::<Result<_, String>>()?,
    })
}

/// The verdict on the values, and the number that deviates most.
fn judge(reported: &PublishedValues, paths: &InputPaths, subject: &Subject) -> (Verdict, Option<Largest>) {
    let prepared = prepare(&reported.input, &paths.input, &reported.model, subject);
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return (Verdict::NotRun(error.to_string()), None),
    };
    let mut largest: Option<Largest> = None;
    let mut differs: Option<String> = None;
    for (check, file) in reported.checks.iter().zip(&paths.published) {
        match compared(check, file.as_ref(), &prepared, subject) {
            Err(error) => return (Verdict::NotRun(error.to_string()), None),
            Ok(Compared::Numbers(found)) => {
                let is_worse = |known: &Largest| found.share() > known.share();
                if largest.as_ref().is_none_or(is_worse) {
                    largest = Some(found);
                }
            }
            Ok(Compared::Text(None)) => {}
            Ok(Compared::Text(Some(how)) | Compared::Other(how)) => differs = Some(how),
        }
    }
    if let Some(worst) = largest.as_ref().filter(|worst| !worst.is_within()) {
        let Largest {
            difference,
            place,
            found,
            expected,
            ..
        } = worst;
        differs = Some(format!("by {difference:.3e} at {place}: {found:.6} here, {expected} published"));
    }
    let verdict = match (differs, reported.grade) {
        (Some(how), _) => Verdict::Differs(how),
        (None, Grade::A) => Verdict::Proved,
        (None, _) => Verdict::Agrees,
    };
    (verdict, largest)
}

fn compared(
    check: &Check,
    file: Option<&PathBuf>,
    prepared: &Prepared,
    subject: &Subject,
) -> Result<Compared, ModelError> {
    let published = match (&check.expected, file) {
        (Expected::Numbers(numbers), _) => Measured::Numbers(numbers.clone()),
        (Expected::Text(text), _) => Measured::Text(text.clone()),
        (Expected::File { .. }, file) => {
            let path = file.cloned().unwrap_or_default();
            let read = array_file::open(&path).and_then(|array| array.read_f64());
            Measured::Numbers(read.map_err(|error| ModelError::malformed(path, error))?)
        }
    };
    Ok(match measure(subject, prepared, &check.quantity)? {
        Some(found) => compare(check, &found, &published),
        None => Compared::Other("the model has no such quantity of this input".to_owned()),
    })
}
