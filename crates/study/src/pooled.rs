//! The agreement of metrics with people over the rated pairs of all systems together.

use crate::config::StudyConfig;
use crate::rated::{Rated, request};
use crate::rows::Rows;
use crate::shown_metrics::label;
use neurogauge::Error;
use neurogauge::core::Direction;
use neurogauge::core::pair::ItemJoin;
use neurogauge::formats::ratings::{self, RatingColumns};
use neurogauge::report::marked;
use neurogauge_meta::{InMemoryTable, InMemoryTables, MetaRequest, MetaRun, StimuliFrom, meta_of};
use serde_json::{Value, json};

/// Columns of the pooled tables.
const ITEM: &str = "item";
const SYSTEM: &str = "system";
const STIMULUS: &str = "stimulus";

/// A row for each metric that all rated systems have; null unless two or more are rated.
pub(crate) fn rows(config: &StudyConfig, rated: &[Rated<'_>]) -> Result<Value, Error> {
    let shared = shared_metrics(rated);
    if rated.len() < 2 || shared.is_empty() {
        return Ok(Value::Null);
    }
    let found = pooled(config, rated, &shared)?.record.result;
    let (of_stimuli, drawn) = match found.n_stimuli {
        Some(n_stimuli) => (format!(" and {n_stimuli} stimuli"), "stimuli"),
        None => (String::new(), "pairs"),
    };
    let mut rows = Rows::default();
    for metric in &found.metrics {
        let is_stand_in = rated.iter().any(|of| of.system.is_stand_in(&metric.name));
        let shown = format!("{} {}", marked(&label(&metric.name), is_stand_in), metric.direction.arrow());
        rows.add(&shown, "", &metric.statistics, metric.n_items);
    }
    let mut pooled = rows.value();
    for (row, metric) in found.metrics.iter().enumerate() {
        let of_groups = metric.grouped.iter().flat_map(|grouped| &grouped.statistics);
        let within = of_groups
            .map(|grouped| (grouped.estimate.statistic.id().to_owned(), json!(grouped.estimate.value.as_ref().ok())));
        pooled["rows"][row]["within"] = Value::Object(within.collect());
    }
    let names = rated.iter().map(|of| of.system.name.as_str());
    pooled["about"] = json!(names.collect::<Vec<_>>().join(", "));
    pooled["level"] = json!(100.0 * found.options.bootstrap.level);
    pooled["pairs"] = json!(format!("{} rated pairs of {} systems{of_stimuli}", found.n_items, rated.len()));
    pooled["intervals"] = json!(found.options.in_words(drawn));
    Ok(pooled)
}

/// The metrics that all rated systems have, in the first system's order.
fn shared_metrics(rated: &[Rated<'_>]) -> Vec<String> {
    let has = |of: &Rated<'_>, name: &str| of.meta.items.metrics.iter().any(|column| column.name == name);
    let names = rated.first().into_iter().flat_map(|of| of.meta.items.metrics.iter().map(|column| &column.name));
    names.filter(|name| rated.iter().all(|of| has(of, name))).cloned().collect()
}

/// All ratings and scores in two tables. A pair's id is the number of its system and its stem. Its stimulus's id is the
/// number of the first system of the same data set and the stem, since two data sets may have stimuli of the same name.
fn pooled(config: &StudyConfig, rated: &[Rated<'_>], metrics: &[String]) -> Result<MetaRun, Error> {
    let mut human = line([ITEM, SYSTEM, STIMULUS, "rater", "rating"].map(str::to_owned));
    let mut scores = line([ITEM.to_owned()].into_iter().chain(metrics.iter().cloned()));
    for (place, of) in rated.iter().enumerate() {
        let item = |stem: &str| format!("{place}/{stem}");
        let same_stimuli = rated.iter().position(|own| own.system.shows_stimuli_of(of.system));
        let stimulus = |stem: &str| format!("{}/{stem}", same_stimuli.unwrap_or(place));
        // Pseudonyms of two files are of different people.
        let columns = RatingColumns {
            keep_emails: true,
            ..request(config, of.ratings).columns()
        };
        let table = ratings::read(&of.ratings.file, &columns, of.ratings.scale)?;
        // In the survey's order, like the scores.
        for (stem, values) in of.meta.items.ids.iter().zip(table.values.chunks(table.raters.len().max(1))) {
            for (rater, value) in table.raters.iter().zip(values) {
                if let Some(value) = value {
                    let system = of.system.name.clone();
                    let (stimulus, value) = (stimulus(stem), value.to_string());
                    human += &line([item(stem), system, stimulus, rater.clone(), value]);
                }
            }
        }
        for (row, stem) in of.meta.items.ids.iter().enumerate() {
            let of_metric = |name: &String| {
                of.meta.items.metrics.iter().find(|column| column.name == *name)?.scores.get(row).copied().flatten()
            };
            let values = metrics.iter().map(of_metric).map(|value| value.map_or_else(String::new, |v| v.to_string()));
            scores += &line([item(stem)].into_iter().chain(values));
        }
    }
    let first = &rated[0];
    let of_direction = |direction: Direction| -> Vec<String> {
        let columns = first.meta.items.metrics.iter().filter(|column| column.direction == direction);
        columns.map(|column| column.name.clone()).filter(|name| metrics.contains(name)).collect()
    };
    let request = MetaRequest {
        human: "ratings of all systems".into(),
        item_column: Some(ITEM.to_owned()),
        join: ItemJoin::Exact,
        rater_column: None,
        value_column: None,
        scale: None,
        missing: Some(Vec::new()),
        group_columns: vec![SYSTEM.to_owned()],
        stimuli: StimuliFrom::Column(STIMULUS.to_owned()),
        lower_is_better: of_direction(Direction::Lower),
        higher_is_better: of_direction(Direction::Higher),
        ..request(config, first.ratings)
    };
    let held = |name: &str, text: String| InMemoryTable {
        name: name.to_owned(),
        text,
    };
    let held = InMemoryTables {
        human: Some(held("ratings of all systems", human)),
        metrics: vec![held("scores of all systems", scores)],
    };
    meta_of(&request, &held)
}

/// A line of CSV, every field in quotes.
fn line(fields: impl IntoIterator<Item = String>) -> String {
    let quoted = |field: String| format!("\"{}\"", field.replace('"', "\"\""));
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    fields.join(",") + "\n"
}
