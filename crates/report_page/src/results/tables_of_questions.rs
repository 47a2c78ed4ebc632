//! An audit and a multiverse: tables that ask, with the answer below each.

use super::files::sheet;
use super::finished::{Finished, Opening, Shown, folded};
use super::view::{Part, View};
use crate::markdown_tables::plain;
use maud::html;
use neurogauge::Error;
use neurogauge::core::Finding;
use neurogauge::formats::json;
use serde::Deserialize;
use std::path::Path;

/// The question with which an audit opens if it has asked it; otherwise with its first one.
const CLUSTER: &str = "How much of identification is the cluster?";

/// The section of an audit.
pub(super) fn audit(folder: &Path, shows_images: bool, findings: &mut Vec<Finding>) -> Result<(String, Shown), Error> {
    let mut own = Finished::read("audit", folder, str::to_owned)?;
    let view = View {
        lead: Part {
            has_answer: true,
            ..Part::new("", [("by_cluster_alone", "Identification beside what the cluster alone gives")], [CLUSTER, ""])
        },
        folds: vec![Part {
            has_answer: true,
            ..Part::new(
                "Do test stimuli resemble training stimuli, and reconstructions training stimuli more than their own?",
                [("nearest_training", "Similarity to the nearest training stimulus against that to the own stimulus")],
                ["Do test stimuli resemble"],
            )
        }],
        ..View::default()
    };
    let mut shown = own.view(&view, Opening::default(), findings);
    let copies = own.sheets("copies").into_iter().filter(|_| shows_images);
    let copies = html! { @for path in copies { (sheet(&path, "Reconstructions nearest to a training picture")) } };
    shown.content = html! {
        (shown.content)
        (folded("Which reconstructions are nearest to a training picture?", None, &copies))
        (own.rest(true, findings))
    };
    Ok((shown.title.clone(), shown))
}

#[derive(Deserialize)]
struct Multiverse {
    metrics: Vec<Metric>,
}

#[derive(Deserialize)]
struct Metric {
    metric: String,
    label: String,
}

/// The section of a multiverse, which leads with its first metric.
pub(super) fn multiverse(folder: &Path, findings: &mut Vec<Finding>) -> Result<(String, Shown), Error> {
    let mut own = Finished::read("multiverse", folder, str::to_owned)?;
    let record: Multiverse = json::read(&folder.join("multiverse.json"))?;
    let named: Vec<[String; 5]> = (record.metrics.iter())
        .map(|Metric { metric, label }| {
            [
                format!("How much does {label} depend on the convention?"),
                format!("specification_curve_{metric}"),
                format!("{label} under every convention, sorted, and what each convention decides"),
                format!("{label} under "),
                format!("{label}: what the choices"),
            ]
        })
        .collect();
    let answers: Vec<String> = own.opening.iter().map(|words| plain(words)).collect();
    let parts = named.iter().enumerate().map(|(place, [question, figure, about, estimates, choices])| Part {
        answer: answers.get(place).map(String::as_str),
        has_answer: answers.is_empty(),
        ..Part::new(question, [(figure, about)], [estimates, choices])
    });
    let mut parts = parts.collect::<Vec<Part<'_>>>().into_iter();
    let lead = parts.next().unwrap_or_default();
    let choices =
        Part::new("What do the choices make of the spread?", [], [lead.tables.last().copied().unwrap_or("none")]);
    let view = View {
        question: lead.question,
        lead,
        folds: [choices].into_iter().chain(parts).collect(),
        ..View::default()
    };
    let opening = Opening {
        answer: view.lead.answer.map(str::to_owned),
        ..Opening::default()
    };
    let mut shown = own.view(&view, opening, findings);
    shown.content = html! { (shown.content) (own.rest(false, findings)) };
    Ok((view.question.to_owned(), shown))
}
