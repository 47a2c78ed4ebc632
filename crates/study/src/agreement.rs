//! How well metrics agree with people: the rows of SEED's Tables 1 to 5 and of its Figures 3 and 8.

use crate::rated::{Rated, request};
use crate::record::Found;
use crate::rows::{Rows, STATISTICS, needs, square};
use crate::scoring::of_system;
use crate::shown_metrics::{COMPOSITE, existing, is_composite, label, parts};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::stats::combination::AverageOfTwo;
use neurogauge::stats::meta::{Statistic, figure_of};
use neurogauge_meta::{MetaRequest, meta};
use serde_json::{Value, json};

/// All metrics of a system, for Table 1 or 2.
pub(crate) fn agreement(rated: &Rated<'_>) -> Value {
    let mut rows = Rows::default();
    for metric in &rated.meta.record.result.metrics {
        let shown = format!("{} {}", rated.labelled(&metric.name), metric.direction.arrow());
        rows.add(&shown, rated.own(&metric.name), &metric.statistics, metric.n_items);
    }
    let mut found = rows.value();
    found["against_effnet"] = json!(against_effnet(rated));
    found
}

/// Object F1 and SEED with categories that a vision-language model names, beside those with the fixed list.
pub(crate) fn named_categories(found: &Found<'_>, rated: &Rated<'_>) -> Result<Value, Error> {
    /// In the paper's order, not the run's.
    const METRICS: [&str; 4] = ["object_f1", "object_f1_vlm", "seed", "seed_vlm"];
    let system = rated.system;
    let is_there = |id: &&str| system.run.scores.column(id).is_some();
    let there: Vec<String> = METRICS.into_iter().filter(is_there).map(str::to_owned).collect();
    if !there.iter().any(|id| id.ends_with("_vlm")) {
        return needs("categories that a model names in the images, with the metrics object_f1_vlm or seed_vlm");
    }
    let compared = meta(&MetaRequest {
        metrics: vec![system.run.folder.root().to_owned()],
        only: there.clone(),
        ..request(found.config, rated.ratings)
    });
    let compared = compared.map_err(of_system(&system.name))?.record.result.metrics;
    let mut rows = Rows::default();
    for metric in there.iter().filter_map(|id| compared.iter().find(|metric| metric.name == *id)) {
        rows.add(&rated.labelled(&metric.name), rated.own(&metric.name), &metric.statistics, metric.n_items);
    }
    Ok(rows.value())
}

/// The parts of the composite alone, the averages of two, other metrics, and the composite.
pub(crate) fn parts_and_averages(rated: &Rated<'_>) -> Result<Value, Error> {
    let record = &rated.meta.record;
    let metrics = &record.result.metrics;
    let parts = parts(&rated.system.run.scores);
    let is_lacking = |id: &&&str| !metrics.iter().any(|metric| metric.name == ***id);
    let lacking = parts.iter().filter(is_lacking).map(|id| label(id)).join(", ");
    let averages = match &record.combinations {
        Some(found) if lacking.is_empty() => &found.averages,
        _ => return needs(format!("the parts of SEED; {lacking} is missing")),
    };
    let mut rows = Rows::default();
    let alone = parts.iter().map(|part| (*part, *part));
    for (first, second) in alone.chain(parts.iter().copied().tuple_combinations()) {
        let is_it = |cell: &&AverageOfTwo| {
            let names = (cell.first.as_str(), cell.second.as_str());
            names == (first, second) || names == (second, first)
        };
        let Some(cell) = averages.cells.iter().find(is_it) else {
            continue;
        };
        let both = [first, second].map(|id| (rated.labelled(id), rated.own(id)));
        let (shown, key) = match both {
            [(alone, key), _] if first == second => (alone, key.to_owned()),
            // A placeholder's average is not the paper's.
            [(one, ""), (other, _)] | [(one, _), (other, "")] => (format!("{one} + {other}"), String::new()),
            [(one, own), (other, of_other)] => (format!("{one} + {other}"), format!("{own}+{of_other}")),
        };
        rows.add(&shown, &key, &cell.statistics, cell.n_items);
    }
    let further = metrics.iter().filter(|metric| rated.is_further(&metric.name));
    for metric in further.chain(metrics.iter().filter(|metric| metric.name == COMPOSITE)) {
        rows.add(&rated.labelled(&metric.name), rated.own(&metric.name), &metric.statistics, metric.n_items);
    }
    Ok(rows.value())
}

/// Kendall's τ-b of the average of every two metrics that are no averages themselves.
pub(crate) fn averages(rated: &Rated<'_>) -> Result<Value, Error> {
    let Some(found) = &rated.meta.record.combinations else {
        return needs("two or more metrics");
    };
    let averages = &found.averages;
    let shown: Vec<usize> =
        (0..averages.labels.len()).filter(|&place| !is_composite(&averages.labels[place])).collect();
    if shown.len() < 2 {
        return needs("two or more metrics that are no averages themselves");
    }
    let matrix = averages.matrix(Statistic::KendallTauB);
    let names: Vec<String> = shown.iter().map(|&place| rated.labelled(&averages.labels[place])).collect();
    let of_rows = shown.iter().map(|&row| shown.iter().map(|&column| matrix[row][column]).collect_vec());
    let mut found = square(&names, &of_rows.collect_vec());
    let is_existing = |place: &usize| existing().contains(&averages.labels[shown[*place]].as_str());
    let of_field = (0..shown.len()).filter(is_existing).map(|place| &names[place]).collect_vec();
    let outlined = of_field
        .iter()
        .cartesian_product(&of_field)
        .map(|(row, series)| json!({"row": row, "series": series}));
    found["outlined"] = outlined.collect();
    Ok(found)
}

impl Rated<'_> {
    /// The id of the paper's quantity that a metric measures: EffNet with SEED's preprocessing is the paper's EffNet,
    /// and a placeholder's metric measures none of them. A metric from a file has its id in the registry.
    pub(crate) fn own<'b>(&'b self, id: &'b str) -> &'b str {
        match id {
            _ if self.is_stand_in(id) => "",
            // For example SEED's released scores, beside those of the run.
            _ if self.is_further(id) => self.role(id).and_then(|role| role.registry_id).unwrap_or(id),
            "effnet_official" => "effnet",
            "effnet" if self.system.run.scores.column("effnet_official").is_some() => "",
            id => id,
        }
    }

    /// Who rated, and how intervals are computed.
    pub(crate) fn people(&self) -> String {
        let result = &self.meta.record.result;
        format!(
            "{} raters, {} rated pairs. Intervals: {}. Pairwise accuracy with calibrated ties.",
            result.n_raters,
            result.n_items,
            result.options.in_words("pairs")
        )
    }
}

/// How much better the composite agrees with people than EffNet, the best single part in the paper.
fn against_effnet(rated: &Rated<'_>) -> Option<Value> {
    const OTHER: &str = "effnet";
    let is = |name: &str, id: &str| name == id || rated.is_further(name) && rated.own(name) == id;
    let differences = &rated.meta.record.result.differences;
    let found = differences.iter().find_map(|difference| {
        let (minuend, subtrahend) = (&difference.minuend, &difference.subtrahend);
        let is_of = |first: &str, second: &str| is(minuend, first) && is(subtrahend, second);
        let sign = is_of(COMPOSITE, OTHER).then_some(1.0).or_else(|| is_of(OTHER, COMPOSITE).then_some(-1.0))?;
        Some((difference, sign))
    });
    let (difference, sign) = found?;
    let shown = STATISTICS.iter().filter_map(|statistic| {
        let figure = figure_of(&difference.statistics, *statistic)?;
        let (value, ends) = (figure.value.as_ref().ok()?, figure.interval?);
        let (low, high) = if sign < 0.0 { (-ends.1, -ends.0) } else { ends };
        let (id, label, value) = (statistic.id(), statistic.label(), sign * value);
        let row = json!({"statistic": id, "label": label, "value": value, "interval": [low, high]});
        Some((row, format!("{label} {value:+.3} [{low:+.3}, {high:+.3}]")))
    });
    let shown = shown.collect_vec();
    let words = shown.iter().map(|(_, words)| words).join("; ");
    let words = format!("{} less {}: {words}.", label(COMPOSITE), label(OTHER));
    let rows = shown.iter().map(|(row, _)| row).collect_vec();
    (!rows.is_empty()).then(|| json!({"rows": rows, "words": words}))
}
