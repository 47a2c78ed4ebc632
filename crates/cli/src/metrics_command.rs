//! `neurogauge metrics`.

use crate::args::*;
use crate::output;
use neurogauge::metrics::find;
use neurogauge::{Error, RunSettings};
use neurogauge_guide::catalogue::{CatalogueEntry, metric_catalogue, page, table};
use serde_json::{Value, json};

#[derive(Debug, Args)]
pub(crate) struct MetricsArgs {
    /// Ids of metrics, or of lists such as nsd8; a single metric is described in full [default: list all]
    #[arg(value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
    /// Folder of model weights (also: NEUROGAUGE_WEIGHTS)
    #[arg(long, value_name = "DIR")]
    pub(crate) weights: Option<PathBuf>,
}

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
        (TableOrJson::Json, ..) => output::json(&entries.iter().map(with_missing).collect::<Vec<_>>()),
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
