//! The strengths of items that people chose between, as their human scores.

use super::MetaRecord;
use neurogauge::core::{Finding, counted};
use neurogauge::formats::ratings::{Choices, RatingTable};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::{NoStrengths, StrengthUnit, bradley_terry, strength_intervals};
use serde::Serialize;

/// The items that a table shows from either end.
const SHOWN: usize = 10;

/// The strengths of items, in `meta.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Strengths {
    /// The log strengths of Bradley and Terry, which are the items' human scores; empty if they are undefined.
    pub strengths: Vec<ItemStrength>,
    /// Why there are no strengths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_strengths: Option<String>,
    /// What the intervals of strengths take as independent; `None` without intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals_over: Option<StrengthUnit>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ItemStrength {
    pub item: String,
    pub strength: f64,
    pub interval: Option<(f64, f64)>,
}

/// Choices with the strengths that they give.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HumanChoices {
    pub(super) choices: Choices,
    pub(super) strengths: Strengths,
}

/// Puts the strengths of items in place of ratings, as those of one rater, and takes the choices out of the table; all
/// ratings are missing if strengths are undefined. `level` is that of their intervals.
pub(super) fn take(table: &mut RatingTable, level: f64) -> Option<HumanChoices> {
    let choices = table.choices.take()?;
    let n_items = choices.items.len();
    let subject = table.findings.first().map(|finding| finding.subject.clone()).unwrap_or_default();
    table.raters = vec!["people".to_owned()];
    let found = match bradley_terry(n_items, &choices.choices) {
        Ok(found) => found,
        Err(reason) => {
            let reason = in_words(&reason, &choices.items);
            let message =
                format!("items have no Bradley-Terry strengths, and only shares of choices are compared: {reason}");
            table.findings.push(Finding::warning("no_strengths", subject, message));
            table.values = vec![None; n_items];
            let strengths = Strengths {
                strengths: Vec::new(),
                no_strengths: Some(reason),
                intervals_over: None,
            };
            return Some(HumanChoices { choices, strengths });
        }
    };
    let message = "the human score of an item is its Bradley-Terry strength";
    table.findings.push(Finding::note("strengths", subject, message));
    let over = strength_intervals(&found, &choices.choices, level);
    let strength = |(place, item): (usize, &String)| ItemStrength {
        item: item.clone(),
        strength: found[place],
        interval: over.as_ref().map(|over| over.intervals[place]),
    };
    let strengths = Strengths {
        strengths: choices.items.iter().enumerate().map(strength).collect(),
        no_strengths: None,
        intervals_over: over.as_ref().map(|over| over.unit),
    };
    table.values = found.into_iter().map(Some).collect();
    Some(HumanChoices { choices, strengths })
}

fn in_words(reason: &NoStrengths, items: &[String]) -> String {
    match reason {
        NoStrengths::Separate { n_groups, examples } => format!(
            "items fall into {n_groups} groups that no choice links, such as those of {:?} and of {:?}",
            items[examples[0]], items[examples[1]]
        ),
        NoStrengths::AlwaysPreferred { n_items, examples } => format!(
            "{} such as {:?} won all choices against the others, such as {:?}, so that the lead has no limit",
            counted(*n_items, "item"),
            items[examples[0]],
            items[examples[1]]
        ),
    }
}

/// The items, the strongest first; of many items, those at either end.
pub(super) fn text_table(found: &Strengths, record: &MetaRecord, n_raters: usize) -> Table {
    let mut shown: Vec<&ItemStrength> = found.strengths.iter().collect();
    shown.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let mut notes = vec!["Bradley-Terry log strengths, with mean 0: the human scores of the items.".to_owned()];
    notes.push(match found.intervals_over {
        Some(StrengthUnit::Raters) => {
            format!("Intervals: new raters of this kind, these items; all choices of one of the {n_raters} raters count as one.")
        }
        Some(StrengthUnit::Choices) => "Intervals: new choices of this one rater, taken as independent.".to_owned(),
        None => format!("No intervals: {} say too little about others.", counted(n_raters, "rater")),
    });
    if shown.len() > 2 * SHOWN {
        notes.push(format!(
            "The {SHOWN} strongest and the {SHOWN} weakest of {}; meta.json has all.",
            counted(shown.len(), "item")
        ));
        shown.drain(SHOWN..shown.len() - SHOWN);
    }
    let level = record.result.options.bootstrap.level * 100.0;
    Table::of("Strengths of items", shown)
        .column("Item", |own| Cell::text(&own.item))
        .column(format!("strength [{level}% interval]"), |own| Cell::estimate(own.strength, own.interval))
        .noted(notes)
}
