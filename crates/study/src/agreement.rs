//! How well metrics agree with people: the rows of SEED's Tables 1 to 5, of its Figures 3 and 8, and over the pairs of all
//! rated systems together.

use crate::config::StudyConfig;
use crate::rated::{Rated, request, row};
use crate::runs::of_system;
use crate::shown::{COMPOSITE, is_composite, label, parts};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::formats::ratings;
use neurogauge::metrics::list;
use neurogauge::report::marked;
use neurogauge::stats::Ratings;
use neurogauge::stats::combination::AverageOfTwo;
use neurogauge::stats::meta::{Grouping, MetricAgreement, Statistic, evaluate_metrics_within, figure_of};
use serde_json::{Value, json};

pub(crate) const STATISTICS: [Statistic; 3] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson];

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

/// Object F1 and SEED with categories that a model names beside those with the fixed list; none without these.
pub(crate) fn named_categories(config: &StudyConfig, rated: &Rated<'_>) -> Result<Vec<Value>, Error> {
    let system = rated.system;
    // In the paper's order, not the run's.
    let ids = ["object_f1", "object_f1_vlm", "seed", "seed_vlm"].into_iter();
    let there = ids.filter(|id| system.run.scores.column(id).is_some()).map(str::to_owned).collect_vec();
    if !there.iter().any(|id| id.ends_with("_vlm")) {
        return Ok(Vec::new());
    }
    let compared = rated.by(config, system.run.folder.root(), &there).map_err(of_system(&system.name))?;
    Ok(rows(rated, there.iter().filter_map(|id| compared.iter().find(|metric| metric.name == *id))))
}

/// The parts of the composite alone, the averages of two, other metrics, and the composite.
pub(crate) fn parts_and_averages(rated: &Rated<'_>) -> Value {
    let metrics = &rated.meta.record.result.metrics;
    let parts = parts(&rated.system.run.scores);
    let is_lacking = |id: &&&str| !metrics.iter().any(|metric| metric.name == ***id);
    let lacking = parts.iter().filter(is_lacking).map(|id| label(id)).join(", ");
    let averages = match &rated.meta.record.combinations {
        Some(found) if lacking.is_empty() => &found.averages,
        _ => return json!({"rows": [], "lacking": lacking}),
    };
    let mut found = Vec::new();
    let alone = parts.iter().map(|part| (*part, *part));
    for (first, second) in alone.chain(parts.iter().copied().tuple_combinations()) {
        let is_it = |cell: &&AverageOfTwo| [(first, second), (second, first)].contains(&(&*cell.first, &*cell.second));
        let both = [first, second].into_iter().dedup().collect_vec();
        let keys = both.iter().map(|id| rated.own(id)).collect_vec();
        // A placeholder's average is not the paper's.
        let key = Some(keys.join("+")).filter(|_| !keys.contains(&"")).unwrap_or_default();
        if let Some(cell) = averages.cells.iter().find(is_it) {
            found.push(row(&both.iter().map(|id| rated.labelled(id)).join(" + "), &key, cell));
        }
    }
    found.extend(rows(rated, metrics.iter().filter(|metric| rated.is_further(&metric.name))));
    found.extend(rows(rated, metrics.iter().filter(|metric| metric.name == COMPOSITE)));
    json!({"rows": found})
}

/// Kendall's τ-b of the average of every two metrics that are no averages themselves; null without combinations.
pub(crate) fn averages(rated: &Rated<'_>) -> Value {
    let Some(found) = &rated.meta.record.combinations else {
        return Value::Null;
    };
    let labels = &found.averages.labels;
    let shown = (0..labels.len()).filter(|&place| !is_composite(&labels[place])).collect_vec();
    let matrix = found.averages.matrix(Statistic::KendallTauB);
    let values = shown.iter().map(|&row| shown.iter().map(|&column| matrix[row][column]).collect_vec());
    let names = shown.iter().map(|&place| rated.labelled(&labels[place])).collect_vec();
    let of_field = list("nsd8").unwrap_or_default();
    let of_field = shown.iter().zip(&names).filter(|(place, _)| of_field.contains(&&*labels[**place]));
    let outlined = of_field.clone().cartesian_product(of_field);
    let outlined = outlined.map(|((_, row), (_, series))| json!({"row": row, "series": series}));
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
    let row = |statistic: &Statistic| {
        let figure = figure_of(&difference.statistics, *statistic)?;
        let (value, ends) = (figure.value.as_ref().ok()?, figure.interval?);
        let (low, high) = if sign < 0.0 { (-ends.1, -ends.0) } else { ends };
        let (id, label, value) = (statistic.id(), statistic.label(), sign * value);
        let row = json!({"statistic": id, "label": label, "value": value, "interval": [low, high]});
        Some((row, format!("{label} {value:+.3} [{low:+.3}, {high:+.3}]")))
    };
    let (rows, words): (Vec<Value>, Vec<String>) = STATISTICS.iter().filter_map(row).unzip();
    let words = format!("{} less {}: {}.", label(COMPOSITE), label(OTHER), words.join("; "));
    (!rows.is_empty()).then(|| json!({"rows": rows, "words": words}))
}

/// A row for each metric that all rated systems have, over their pairs together; null unless two or more are rated.
pub(crate) fn pooled<'a>(config: &StudyConfig, rated: &'a [Rated<'_>]) -> Result<Value, Error> {
    let [first, _, ..] = rated else {
        return Ok(Value::Null);
    };
    let find = |of: &'a Rated<'_>, name: &str| of.meta.items.metrics.iter().find(|own| own.name == name);
    let mut columns = first.meta.items.metrics.clone();
    columns.retain(|column| rated.iter().all(|of| find(of, &column.name).is_some()));
    if columns.is_empty() {
        return Ok(Value::Null);
    }
    columns.iter_mut().for_each(|column| column.scores.clear());
    let read = |of: &Rated<'_>| {
        // Pseudonyms of two files are of different people.
        let mut columns = request(config, of.ratings).columns();
        columns.keep_emails = true;
        ratings::read(&of.ratings.file, &columns, of.ratings.scale)
    };
    let tables = rated.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let raters = tables.iter().flat_map(|table| &table.raters).unique().collect_vec();
    let (mut values, mut systems, mut stimuli) = (Vec::new(), Vec::new(), Vec::new());
    for (place, (of, table)) in rated.iter().zip(&tables).enumerate() {
        // Two data sets may have stimuli of the same name.
        let same_stimuli = rated.iter().position(|own| own.system.shows_stimuli_of(of.system)).unwrap_or(place);
        // In the survey's order, like the scores.
        let items = table.values.chunks(table.raters.len().max(1)).enumerate();
        for (item, own) in items.filter(|(_, own)| own.iter().any(Option::is_some)) {
            values.extend(raters.iter().map(|rater| own[table.raters.iter().position(|name| name == *rater)?]));
            systems.push(&of.system.name);
            stimuli.push(format!("{same_stimuli}/{}", of.meta.items.ids[item]));
            for column in &mut columns {
                column.scores.push(find(of, &column.name).and_then(|own| own.scores[item]));
            }
        }
    }
    let (groupings, stimuli) = ([Grouping::new("system", &systems)?], Grouping::new("stimulus", &stimuli)?);
    let ratings = Ratings::new(raters.len(), values)?;
    let found = evaluate_metrics_within(&ratings, (&groupings, Some(&stimuli)), &columns, &config.meta)?;
    let drawn = if found.n_stimuli.is_some() { "stimuli" } else { "pairs" };
    let of = |metric: &MetricAgreement| {
        let is_stand_in = rated.iter().any(|of| of.is_stand_in(&metric.name));
        row_of_metric(&marked(&label(&metric.name), is_stand_in), "", metric)
    };
    Ok(json!({
        "rows": found.metrics.iter().map(of).collect_vec(), "n_items": found.n_items, "n_stimuli": found.n_stimuli,
        "intervals": found.options.in_words(drawn),
    }))
}
