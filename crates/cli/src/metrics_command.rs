//! `neurogauge metrics`.

use crate::args::{MetricsArgs, TableOrJson};
use crate::output;
use neurogauge::metrics::find;
use neurogauge::{Error, RunSettings};
use neurogauge_guide::catalogue::{CatalogueEntry, metric_catalogue, page, table};
use serde_json::{Value, json};

/// The widest readable line.
const WIDEST: usize = 100;

pub(crate) fn run(args: &MetricsArgs) -> Result<(), Error> {
    let names: Vec<&str> = args.ids.iter().map(String::as_str).collect();
    let settings = RunSettings {
        weights: args.weights.clone(),
        ..RunSettings::default()
    };
    let entries = metric_catalogue(&names, &settings)?;
    match (args.format, names.as_slice(), entries.as_slice()) {
        (TableOrJson::Json, ..) => {
            let entries: Vec<Value> = entries.iter().map(with_missing).collect();
            output::document(&format!("{:#}\n", Value::from(entries)))
        }
        (TableOrJson::Table, [id], [entry]) if find(id).is_some() => {
            let width = output::width().unwrap_or(WIDEST).min(WIDEST);
            output::styled_data(&page(entry, width))
        }
        (TableOrJson::Table, ..) => output::data(&table(&entries).text(output::width())),
    }
}

fn with_missing(entry: &CatalogueEntry) -> Value {
    let mut object = json!(entry);
    object["missing"] = json!(entry.missing());
    object
}
