//! How well metrics agree with people: the rows of SEED's Tables 1 to 5, of its Figures 3 and 8, and over the pairs of all
//! rated systems together.

use crate::config::StudyConfig;
use crate::rated::{Rated, request};
use crate::runs::of_system;
use crate::shown_metrics::{COMPOSITE, existing, is_composite, label, needs, parts};
use crate::variants::VariantRun;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::core::Direction;
use neurogauge::core::pair::ItemJoin;
use neurogauge::formats::ratings::{self, RatingColumns};
use neurogauge::report::marked;
use neurogauge::stats::combination::AverageOfTwo;
use neurogauge::stats::meta::{MetricAgreement, Statistic, figure_of};
use neurogauge_meta::{InMemoryTable, InMemoryTables, MetaRequest, StimuliFrom, meta, meta_of};
use serde::Serialize;
use serde_json::{Value, json};

pub(crate) const STATISTICS: [Statistic; 3] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson];

/// A row of what is held against people. `key` is its name among published values; it is empty for a quantity that the
/// paper does not have, such as one from a placeholder.
fn row(shown: &str, key: &str, own: &impl Serialize) -> Value {
    let mut row = json!(own);
    row["shown"] = json!(shown);
    row["plain"] = json!(shown.trim_end_matches('†'));
    row["key"] = json!(key);
    row
}

fn row_of_metric(shown: &str, key: &str, own: &MetricAgreement) -> Value {
    let mut row = row(shown, key, own);
    row["arrow"] = json!(own.direction.arrow());
    row
}

/// Rows of metrics of a rated system.
pub(crate) fn rows<'a>(rated: &Rated<'_>, metrics: impl IntoIterator<Item = &'a MetricAgreement>) -> Vec<Value> {
    let of = |own: &MetricAgreement| row_of_metric(&rated.labelled(&own.name), rated.own(&own.name), own);
    metrics.into_iter().map(of).collect()
}

/// Object F1 and SEED with categories that a vision-language model names, beside those with the fixed list.
pub(crate) fn named_categories(config: &StudyConfig, rated: &Rated<'_>) -> Result<Value, Error> {
    let system = rated.system;
    // In the paper's order, not the run's.
    let ids = ["object_f1", "object_f1_vlm", "seed", "seed_vlm"].into_iter();
    let there = ids.filter(|id| system.run.scores.column(id).is_some()).map(str::to_owned).collect_vec();
    if !there.iter().any(|id| id.ends_with("_vlm")) {
        return Ok(needs("categories that a model names in the images, with the metrics object_f1_vlm or seed_vlm"));
    }
    let compared = meta(&MetaRequest {
        metrics: vec![system.run.folder.root().to_owned()],
        only: there.clone(),
        ..request(config, rated.ratings)
    });
    let compared = compared.map_err(of_system(&system.name))?.record.result.metrics;
    let in_order = there.iter().filter_map(|id| compared.iter().find(|metric| metric.name == *id));
    Ok(json!({"rows": rows(rated, in_order)}))
}

/// The parts of the composite alone, the averages of two, other metrics, and the composite.
pub(crate) fn parts_and_averages(rated: &Rated<'_>) -> Value {
    let metrics = &rated.meta.record.result.metrics;
    let parts = parts(&rated.system.run.scores);
    let is_lacking = |id: &&&str| !metrics.iter().any(|metric| metric.name == ***id);
    let lacking = parts.iter().filter(is_lacking).map(|id| label(id)).join(", ");
    let averages = match &rated.meta.record.combinations {
        Some(found) if lacking.is_empty() => &found.averages,
        _ => return needs(format!("the parts of SEED; {lacking} is missing")),
    };
    let mut found = Vec::new();
    let alone = parts.iter().map(|part| (*part, *part));
    for (first, second) in alone.chain(parts.iter().copied().tuple_combinations()) {
        let is_it = |cell: &&AverageOfTwo| {
            let names = (cell.first.as_str(), cell.second.as_str());
            names == (first, second) || names == (second, first)
        };
        let both = [first, second].into_iter().dedup().collect_vec();
        let keys = both.iter().map(|id| rated.own(id)).collect_vec();
        // A placeholder's average is not the paper's.
        let key = if keys.contains(&"") {
            String::new()
        } else {
            keys.join("+")
        };
        if let Some(cell) = averages.cells.iter().find(is_it) {
            found.push(row(&both.iter().map(|id| rated.labelled(id)).join(" + "), &key, cell));
        }
    }
    found.extend(rows(rated, metrics.iter().filter(|metric| rated.is_further(&metric.name))));
    found.extend(rows(rated, metrics.iter().filter(|metric| metric.name == COMPOSITE)));
    json!({"rows": found})
}

/// Kendall's τ-b of the average of every two metrics that are no averages themselves.
pub(crate) fn averages(rated: &Rated<'_>) -> Value {
    let Some(found) = &rated.meta.record.combinations else {
        return needs("two or more metrics");
    };
    let labels = &found.averages.labels;
    let shown = (0..labels.len()).filter(|&place| !is_composite(&labels[place])).collect_vec();
    if shown.len() < 2 {
        return needs("two or more metrics that are no averages themselves");
    }
    let matrix = found.averages.matrix(Statistic::KendallTauB);
    let values = shown.iter().map(|&row| shown.iter().map(|&column| matrix[row][column]).collect_vec());
    let names = shown.iter().map(|&place| rated.labelled(&labels[place])).collect_vec();
    let of_field = shown.iter().zip(&names).filter(|(place, _)| existing().contains(&&*labels[**place]));
    let of_field = of_field.map(|(_, name)| name);
    let outlined = of_field
        .clone()
        .cartesian_product(of_field)
        .map(|(row, series)| json!({"row": row, "series": series}));
    json!({"names": names, "values": values.collect_vec(), "outlined": outlined.collect_vec()})
}

/// How much better the composite agrees with people than EffNet, the best single part in the paper.
pub(crate) fn against_effnet(rated: &Rated<'_>) -> Option<Value> {
    const OTHER: &str = "effnet";
    let is = |name: &str, id: &str| name == id || rated.is_further(name) && rated.own(name) == id;
    let (difference, sign) = rated.meta.record.result.differences.iter().find_map(|difference| {
        let is_of = |first: &str, second: &str| is(&difference.minuend, first) && is(&difference.subtrahend, second);
        let sign = is_of(COMPOSITE, OTHER).then_some(1.0).or_else(|| is_of(OTHER, COMPOSITE).then_some(-1.0))?;
        Some((difference, sign))
    })?;
    let (rows, words): (Vec<Value>, Vec<String>) = STATISTICS
        .iter()
        .filter_map(|statistic| {
            let figure = figure_of(&difference.statistics, *statistic)?;
            let (value, ends) = (figure.value.as_ref().ok()?, figure.interval?);
            let (low, high) = if sign < 0.0 { (-ends.1, -ends.0) } else { ends };
            let (id, label, value) = (statistic.id(), statistic.label(), sign * value);
            let row = json!({"statistic": id, "label": label, "value": value, "interval": [low, high]});
            Some((row, format!("{label} {value:+.3} [{low:+.3}, {high:+.3}]")))
        })
        .unzip();
    let words = format!("{} less {}: {}.", label(COMPOSITE), label(OTHER), words.join("; "));
    (!rows.is_empty()).then(|| json!({"rows": rows, "words": words}))
}

/// A row for each changed run of a rated system; what it needs, if there are fewer than `least`.
pub(crate) fn variants(runs: &[VariantRun], rated: &Rated<'_>, least: usize, lacking: &str) -> Value {
    let own = runs.iter().filter(|run| run.system == rated.system.name);
    let of = |run: &VariantRun| row(&marked(&run.label, run.stand_in), if run.stand_in { "" } else { run.key }, run);
    match own.map(of).collect_vec() {
        rows if rows.len() < least => needs(lacking),
        rows => json!({"rows": rows}),
    }
}

/// A row for each metric that all rated systems have, over their pairs together; null unless two or more are rated.
pub(crate) fn pooled(config: &StudyConfig, rated: &[Rated<'_>]) -> Result<Value, Error> {
    let columns = |of: &Rated<'_>| of.meta.items.metrics.iter().map(|column| column.name.clone()).collect_vec();
    let is_shared = |name: &String| rated.iter().all(|of| columns(of).contains(name));
    let shared = rated.first().map(columns).unwrap_or_default().into_iter().filter(is_shared).collect_vec();
    if rated.len() < 2 || shared.is_empty() {
        return Ok(Value::Null);
    }
    let request = pooled_request(config, &rated[0], &shared);
    let found = meta_of(&request, &pooled_tables(config, rated, &shared)?)?.record.result;
    let (of_stimuli, drawn) = match found.n_stimuli {
        Some(n_stimuli) => (format!(" and {n_stimuli} stimuli"), "stimuli"),
        None => (String::new(), "pairs"),
    };
    let of = |metric: &MetricAgreement| {
        let is_stand_in = rated.iter().any(|of| of.is_stand_in(&metric.name));
        row_of_metric(&marked(&label(&metric.name), is_stand_in), "", metric)
    };
    Ok(json!({
        "rows": found.metrics.iter().map(of).collect_vec(),
        "about": rated.iter().map(|of| &of.system.name).join(", "),
        "level": 100.0 * found.options.bootstrap.level,
        "pairs": format!("{} rated pairs of {} systems{of_stimuli}", found.n_items, rated.len()),
        "intervals": found.options.in_words(drawn),
    }))
}

/// All ratings and scores in two tables. A pair's id is the number of its system and its stem. Its stimulus's id is the
/// number of the first system of the same data set and the stem, since two data sets may have stimuli of the same name.
fn pooled_tables(config: &StudyConfig, rated: &[Rated<'_>], metrics: &[String]) -> Result<InMemoryTables, Error> {
    let mut human = line(["item", "system", "stimulus", "rater", "rating"].map(str::to_owned));
    let mut scores = line(["item".to_owned()].into_iter().chain(metrics.iter().cloned()));
    for (place, of) in rated.iter().enumerate() {
        let same_stimuli = rated.iter().position(|own| own.system.shows_stimuli_of(of.system)).unwrap_or(place);
        // Pseudonyms of two files are of different people.
        let columns = RatingColumns {
            keep_emails: true,
            ..request(config, of.ratings).columns()
        };
        let table = ratings::read(&of.ratings.file, &columns, of.ratings.scale)?;
        // In the survey's order, like the scores.
        let ratings = table.values.chunks(table.raters.len().max(1));
        for (row, (stem, values)) in of.meta.items.ids.iter().zip(ratings).enumerate() {
            let item = format!("{place}/{stem}");
            for (rater, value) in table.raters.iter().zip(values).filter_map(|(rater, value)| Some((rater, (*value)?)))
            {
                let stimulus = format!("{same_stimuli}/{stem}");
                human += &line([item.clone(), of.system.name.clone(), stimulus, rater.clone(), value.to_string()]);
            }
            let score = |name: &String| {
                let column = of.meta.items.metrics.iter().find(|column| column.name == *name)?;
                column.scores.get(row).copied().flatten()
            };
            let values = metrics.iter().map(score).map(|value| value.map_or_else(String::new, |v| v.to_string()));
            scores += &line([item].into_iter().chain(values));
        }
    }
    let held = |name: &str, text: String| InMemoryTable {
        name: format!("{name} of all systems"),
        text,
    };
    Ok(InMemoryTables {
        human: Some(held("ratings", human)),
        metrics: vec![held("scores", scores)],
    })
}

fn pooled_request(config: &StudyConfig, first: &Rated<'_>, metrics: &[String]) -> MetaRequest {
    let columns = first.meta.items.metrics.iter().filter(|column| metrics.contains(&column.name));
    let of_direction = |direction: Direction| {
        let columns = columns.clone().filter(|column| column.direction == direction);
        columns.map(|column| column.name.clone()).collect()
    };
    MetaRequest {
        human: "ratings of all systems".into(),
        item_column: Some("item".to_owned()),
        join: ItemJoin::Exact,
        rater_column: None,
        value_column: None,
        scale: None,
        missing: Some(Vec::new()),
        group_columns: vec!["system".to_owned()],
        stimuli: StimuliFrom::Column("stimulus".to_owned()),
        lower_is_better: of_direction(Direction::Lower),
        higher_is_better: of_direction(Direction::Higher),
        ..request(config, first.ratings)
    }
}

fn line(fields: impl IntoIterator<Item = String>) -> String {
    let quoted = |field: String| format!("\"{}\"", field.replace('"', "\"\""));
    fields.into_iter().map(quoted).join(",") + "\n"
}
