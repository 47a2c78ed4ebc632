//! `neurogauge coco`.

use crate::args::*;
use crate::output;
use neurogauge::metrics::masks::coco::SUMMARY_NAMES;
use neurogauge::{Error, coco_summary};
use serde_json::{Map, json};
use std::fmt::Write;

/// `neurogauge coco`.
#[derive(Debug, Args)]
pub(crate) struct CocoArgs {
    /// The truth: COCO's JSON of instances
    #[arg(long, value_name = "FILE")]
    pub(crate) instances: PathBuf,
    /// Detections: COCO's JSON of results, with masks
    #[arg(long, value_name = "FILE")]
    pub(crate) results: PathBuf,
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
}

pub(crate) fn run(args: &CocoArgs) -> Result<(), Error> {
    let (summary, findings) = coco_summary(&args.instances, &args.results)?;
    findings.iter().for_each(output::warning);
    let named = SUMMARY_NAMES.iter().zip(&summary.values);
    if args.format == TableOrJson::Json {
        let values = named.map(|(name, value)| ((*name).to_owned(), json!(value.as_ref().ok())));
        return output::json(&values.collect::<Map<_, _>>());
    }
    let mut text = String::new();
    for (name, value) in named {
        let value = match value {
            Ok(value) => format!("{value:.3}"),
            Err(reason) => format!("undefined: {reason}"),
        };
        let _ = writeln!(text, "{name:<10} {value}");
    }
    output::data(&text)
}
