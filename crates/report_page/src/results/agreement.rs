//! Agreement of metrics with people: dots beside the ceiling of people, and the pairs on which the first metric and people
//! disagree most.

use super::OnPage;
use super::dots::{self, Mark};
use super::files::sheet;
use super::finished::{Finished, Opening, Shown, folded};
use super::pictures::{Case, pictures};
use super::view::{Part, View};
use crate::markdown_tables::{in_cells, plain};
use crate::people::systems_of;
use maud::{Markup, html};
use neurogauge::core::Finding;
use neurogauge::formats::json;
use neurogauge::metrics::find;
use neurogauge::{Error, file_name};
use serde::Deserialize;
use std::path::Path;

/// The prefix of the names of sheets of a metric's worst cases; the metric's name follows.
const WORST: &str = "worst-";

/// The parts of `meta.json` that are drawn.
#[derive(Debug, Deserialize)]
struct Record {
    request: Request,
    metrics: Vec<Role>,
    findings: Vec<Assumption>,
    result: MetaResult,
    choices: Option<Choices>,
    worst_cases: Option<WorstCases>,
}

#[derive(Debug, Deserialize)]
struct Request {
    /// Files and runs.
    metrics: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Role {
    name: String,
    registry_id: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Assumption {
    code: String,
    subject: String,
}

#[derive(Debug, Deserialize)]
struct MetaResult {
    metrics: Vec<Metric>,
    agreement: People,
}

#[derive(Debug, Deserialize)]
struct Metric {
    name: String,
    statistics: Vec<Statistic>,
}

#[derive(Debug, Deserialize)]
struct People {
    ceilings: Vec<Statistic>,
}

#[derive(Debug, Deserialize)]
struct Statistic {
    statistic: String,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    /// A doubtful interval has one, and is not drawn.
    interval_note: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct Choices {
    people: Recorded,
    metrics: Vec<Share>,
}

#[derive(Debug, Deserialize)]
struct Recorded {
    value: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Share {
    name: String,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
}

#[derive(Debug, Deserialize)]
struct WorstCases {
    metrics: Vec<CasesOfMetric>,
}

#[derive(Debug, Deserialize)]
struct CasesOfMetric {
    metric: String,
    cases: Vec<Case>,
}

/// The section's question, and what answers it.
pub(super) fn content(
    folder: &Path,
    on_page: OnPage<'_>,
    shows_images: bool,
    findings: &mut Vec<Finding>,
) -> Result<(String, Shown), Error> {
    let record: Record = json::read(&folder.join("meta.json"))?;
    let labels = record.labels();
    let mut own = Finished::read("meta", folder, |text| in_cells(text, &labels))?;
    let marks = record.marks(&labels);
    let headline = own.opening.first().map(|words| named(&plain(words), &labels));
    let (question, about) = match record.choices {
        None => (
            "Which metric agrees best with people?",
            "Kendall's τ-b with the human scores, 0 by chance: a dot is the value, the line its interval. Dashed: what a \
             perfect metric would have, since human scores are noisy.",
        ),
        Some(_) => (
            "Which metric chooses as people do?",
            "The share of choices that a metric makes as people do; 0.5 is chance. Dashed: a person's agreement with the \
             majority of the others.",
        ),
    };
    let chance = if record.choices.is_some() { 0.5 } else { 0.0 };
    let figure = dots::figure(&marks, chance, record.people(), "Agreement of metrics with people");
    let mut sheets = if shows_images { own.sheets(WORST) } else { Vec::new() };
    let mut disagreement = Markup::default();
    if let Some((metric, cases)) = record.first(&marks) {
        if let Some((inputs, thumbnails)) = on_page
            && let [system] = systems_of(inputs, &record.request.metrics)[..]
        {
            disagreement = pictures(metric, cases, (inputs, thumbnails, system));
        }
        let stem = format!("{WORST}{}", file_name(&metric.name));
        let place = sheets.iter().position(|path| path.file_stem().is_some_and(|own| *own == *stem));
        if let (Some(place), true) = (place, disagreement.0.is_empty()) {
            disagreement = sheet_of(&sheets.remove(place));
        }
    }
    let view = View {
        about,
        lead: Part::new("", [], ["Agreement of metrics with people"]),
        folds: folds(),
        ..View::default()
    };
    let opening = Opening {
        answer: headline,
        figure,
        below: disagreement,
    };
    let mut shown = own.view(&view, opening, findings);
    let sheets = html! { @for path in &sheets { (sheet_of(path)) } };
    shown.content = html! {
        (shown.content)
        (folded("Which pictures does each metric rank most differently from people?", None, &sheets))
        (own.rest(false, findings))
    };
    Ok((question.to_owned(), shown))
}

/// A sheet that `meta` drew of a metric's worst cases.
fn sheet_of(path: &Path) -> Markup {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    sheet(path, &format!("Worst cases of {}", stem.trim_start_matches(WORST).replace('_', " ")))
}

/// What is folded below the figure and the table.
fn folds() -> Vec<Part<'static>> {
    vec![
        Part::new("Which items do a metric and people rank most differently?", [], ["Worst cases"]),
        Part::new(
            "Is one metric better than another?",
            [("differences", "Differences between metrics: row minus column")],
            ["Differences between metrics"],
        ),
        Part::new("Does it hold within groups of items?", [], ["*mean over groups"]),
        Part::new("How well do people agree with each other?", [], ["Agreement of "]),
        Part::new(
            "What do other statistics say, and how sure are they?",
            [("agreement", "Agreement by each statistic, with intervals and ceilings")],
            ["Further statistics", "Intervals and chance levels"],
        ),
        Part::new(
            "What do scores look like beside ratings?",
            [("scatter", "Metrics and people, a point for each item")],
            [],
        ),
        Part::new(
            "Do averages of metrics agree better?",
            [
                ("averages_calibrated_accuracy", "Pairwise accuracy of the average of two metrics"),
                ("averages_kendall_tau_b", "Kendall's τ-b of the average of two metrics"),
                ("averages_pearson", "Pearson's r of the average of two metrics"),
            ],
            [
                "Averages of two metrics",
                "Best averages",
                "What each part of",
                "Weights that follow",
                "Average of all metrics",
            ],
        ),
        Part::new(
            "Which kinds of items does a metric overrate?",
            [
                ("classes", "Metrics and people, for pairs of the same and of different class"),
                ("worst_groups", "Groups of items that a metric and people rank differently"),
            ],
            ["Pairs of the same", "Groups of items"],
        ),
    ]
}

impl Record {
    /// The names of metrics in the tables, and what they are called in words.
    fn labels(&self) -> Vec<(String, String)> {
        let label = |role: &Role| {
            let label = find(role.registry_id.as_deref()?)?.spec.label;
            // If two metrics share the id, the source follows it.
            let rest = role.name.strip_prefix(role.registry_id.as_deref()?)?;
            Some((role.name.clone(), format!("{label}{rest}")))
        };
        self.metrics.iter().filter_map(label).collect()
    }

    /// The metrics with a value, the one that agrees best first, without those of placeholder models.
    fn marks(&self, labels: &[(String, String)]) -> Vec<Mark> {
        let mark = |name: &String, value: Option<f64>, interval: Option<(f64, f64)>| {
            let is_placeholder = self.findings.iter().any(|own| own.code == "stand_in" && own.subject == *name);
            let label = labels.iter().find(|(known, _)| known == name).map_or(name, |(_, label)| label);
            (!is_placeholder).then_some(Mark {
                name: name.clone(),
                label: label.clone(),
                value: value?,
                interval,
            })
        };
        let mut marks: Vec<Mark> = match &self.choices {
            Some(found) => found.metrics.iter().filter_map(|own| mark(&own.name, own.value, own.interval)).collect(),
            None => {
                let of_metric = |metric: &Metric| {
                    let own = tau(&metric.statistics)?;
                    mark(&metric.name, own.value, own.interval.filter(|_| own.interval_note.is_none()))
                };
                self.result.metrics.iter().filter_map(of_metric).collect()
            }
        };
        // A stable sort: ties keep the order of the tables.
        marks.sort_by(|a, b| b.value.total_cmp(&a.value));
        marks
    }

    /// What people reach, by its name in the figure.
    fn people(&self) -> Option<(&'static str, f64)> {
        match &self.choices {
            Some(found) => Some(("a person", found.people.value?)),
            None => Some(("a perfect metric", tau(&self.result.agreement.ceilings)?.value?)),
        }
    }

    /// The first metric that has worst cases.
    fn first<'a>(&'a self, marks: &'a [Mark]) -> Option<(&'a Mark, &'a [Case])> {
        let all = &self.worst_cases.as_ref()?.metrics;
        marks.iter().find_map(|mark| {
            let own = all.iter().find(|own| own.metric == mark.name && !own.cases.is_empty())?;
            Some((mark, own.cases.as_slice()))
        })
    }
}

/// The statistic of the headline.
fn tau(all: &[Statistic]) -> Option<&Statistic> {
    all.iter().find(|own| own.statistic == "kendall_tau_b")
}

/// A sentence with the labels of metrics in place of their ids.
fn named(sentence: &str, labels: &[(String, String)]) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "_-".contains(c);
    let word =
        |word: &str| labels.iter().find(|(name, _)| name == word).map_or(word.to_owned(), |(_, label)| label.clone());
    let mut words = String::new();
    let mut rest = sentence;
    while let Some(begin) = rest.find(is_part) {
        let end = rest[begin..].find(|c| !is_part(c)).map_or(rest.len(), |len| begin + len);
        words += &rest[..begin];
        words += &word(&rest[begin..end]);
        rest = &rest[end..];
    }
    words + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_metrics_in_words() {
        let labels = [("object_f1".to_owned(), "Object F1".to_owned()), ("clip".to_owned(), "CLIP".to_owned())];
        let found = named("object_f1 agrees best: 0.5 (object_f1-x, clip_pool); clip, too.", &labels);
        assert_eq!(found, "Object F1 agrees best: 0.5 (object_f1-x, clip_pool); CLIP, too.");
    }
}
