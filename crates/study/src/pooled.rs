//! The agreement of metrics with people over the rated pairs of all systems together.

use crate::agreement_tables::{STATISTICS, on_placeholder, statistic_cell};
use crate::config::StudyConfig;
use crate::found::Found;
use crate::paper_item::PaperItems;
use crate::rated::{Rated, request};
use crate::shown_metrics::label;
use neurogauge::Error;
use neurogauge::core::Direction;
use neurogauge::core::pair::ItemJoin;
use neurogauge::formats::ratings::{self, RatingColumns};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::{MetricAgreement, Statistic, figure_of};
use neurogauge_meta::{InMemoryTable, InMemoryTables, MetaRequest, MetaRun, StimuliFrom, meta_of};

/// Columns of the pooled tables.
const ITEM: &str = "item";
const SYSTEM: &str = "system";
const STIMULUS: &str = "stimulus";

/// The table over all rated systems, if there are two or more.
pub(crate) fn table(found: &Found<'_>, paper_items: &mut PaperItems) -> Result<(), Error> {
    let (config, rated) = (found.config, found.rated);
    let shared = shared_metrics(rated);
    if rated.len() < 2 || shared.is_empty() {
        return Ok(());
    }
    let found = pooled(config, rated, &shared)?;
    let names: Vec<&str> = rated.iter().map(|of| of.system.name.as_str()).collect();
    let names = names.join(", ");
    let dagger = |id: &str| match rated.iter().any(|of| of.system.is_stand_in(id)) {
        true => "†",
        false => "",
    };
    let options = &found.record.result.options;
    let (of_stimuli, drawn) = match found.record.result.n_stimuli {
        Some(n_stimuli) => (format!(" and {n_stimuli} stimuli"), "stimuli"),
        None => (String::new(), "pairs"),
    };
    let level = 100.0 * options.bootstrap.level;
    let overall = STATISTICS.map(|statistic| format!("{} [{level}% interval]", statistic.label()));
    let within = STATISTICS.map(|statistic| format!("{} within systems", statistic.label()));
    let mut notes = vec![
        format!(
            "{} rated pairs of {} systems{of_stimuli}. Intervals: {}. Pairwise accuracy with calibrated ties. Raters of one name are taken for \
             one person.",
            found.record.result.n_items,
            rated.len(),
            options.in_words(drawn)
        ),
        "Within systems: the mean over systems of what is found in each of them, so that a metric gains nothing by telling systems \
         apart."
            .to_owned(),
    ];
    let metrics = &found.record.result.metrics;
    notes.extend(on_placeholder(metrics.iter().any(|metric| !dagger(&metric.name).is_empty())).map(str::to_owned));
    let table = Table::of(format!("Agreement with people, pooled over systems: {names}"), metrics)
        .column("Metric", |metric| {
            let (name, arrow) = (label(&metric.name), metric.direction.arrow());
            Cell::text(format!("{name}{} {arrow}", dagger(&metric.name)))
        })
        .columns(overall, |metric| STATISTICS.map(|of| statistic_cell(figure_of(&metric.statistics, of))))
        .columns(within, |metric| STATISTICS.map(|of| within_cell(metric, of)))
        .column("n", |metric| Cell::Count(metric.n_items))
        .noted(notes);
    paper_items.add(("", "table_agreement_pooled".to_owned(), &names), table);
    Ok(())
}

fn within_cell(metric: &MetricAgreement, statistic: Statistic) -> Cell {
    let of_groups = metric.grouped.iter().flat_map(|grouped| &grouped.statistics);
    let found = of_groups.map(|grouped| &grouped.estimate).find(|estimate| estimate.statistic == statistic);
    found.map_or(Cell::Missing, |found| Cell::number(&found.value))
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
