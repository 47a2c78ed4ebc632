//! Values as exhibits read them: rows of agreement with people, headings, and what an exhibit lacks.

use neurogauge::Error;
use neurogauge::stats::meta::{Figure, Statistic, figure_of};
use serde::Serialize;
use serde_json::{Value, json};

/// The paper's statistics.
pub(crate) const STATISTICS: [Statistic; 3] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson];

/// A row for each metric or choice, with the paper's three statistics, and a sentence for each value that is missing.
#[derive(Default, Serialize)]
pub(crate) struct Rows {
    rows: Vec<Value>,
    undefined: Vec<String>,
    /// Does a row rest on a placeholder model?
    stand_in: bool,
}

impl Rows {
    /// Adds a row. `key` is its name among published values; it is empty for a quantity that the paper does not have,
    /// such as one from a placeholder.
    pub(crate) fn add<F: Figure>(&mut self, shown: &str, key: &str, figures: &[F], n_items: usize) {
        let plain = shown.trim_end_matches(['↑', '↓', ' ', '†']);
        let mut row = json!({"shown": shown, "plain": plain, "key": key, "n_items": n_items});
        self.stand_in |= shown.contains('†');
        for statistic in STATISTICS {
            let Some(found) = figure_of(figures, statistic) else {
                continue;
            };
            if let Err(reason) = found.value() {
                self.undefined.push(format!("{plain}, {}: {reason}", statistic.label()));
            }
            row[statistic.id()] = json!({"value": found.value().as_ref().ok(), "interval": found.interval()});
        }
        self.rows.push(row);
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn value(self) -> Value {
        json!(self)
    }
}

/// An exhibit that lacks inputs.
pub(crate) fn needs(inputs: impl Into<String>) -> Result<Value, Error> {
    Ok(json!({"needs": inputs.into()}))
}

/// Headings of columns, with the places of their values in rows' lists.
pub(crate) fn headings(names: impl IntoIterator<Item = impl AsRef<str>>) -> Value {
    let named = names.into_iter().enumerate().map(|(at, name)| json!({"name": name.as_ref(), "at": at}));
    named.collect()
}

/// A number for every two things of one kind.
pub(crate) fn square(names: &[String], values: &[Vec<Option<f64>>]) -> Value {
    let rows = names.iter().zip(values).map(|(name, values)| {
        let cells = names.iter().zip(values).map(|(series, value)| json!({"series": series, "value": value}));
        json!({"name": name, "values": cells.collect::<Vec<_>>()})
    });
    json!({"names": headings(names), "rows": rows.collect::<Vec<_>>()})
}
