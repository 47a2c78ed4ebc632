//! `neurogauge coco`.

use crate::args::{CocoArgs, TableOrJson};
use crate::output;
use neurogauge::metrics::masks::coco::SUMMARY_NAMES;
use neurogauge::{Error, coco_summary};
use std::fmt::Write;

pub(crate) fn run(args: &CocoArgs) -> Result<(), Error> {
    let (summary, findings) = coco_summary(&args.instances, &args.results)?;
    for finding in &findings {
        output::warning(&finding.to_string());
    }
    let named = SUMMARY_NAMES.iter().zip(&summary.values);
    if args.format == TableOrJson::Json {
        let values = named.map(|(name, value)| {
            let value = value.as_ref().ok().copied();
            ((*name).to_owned(), serde_json::json!(value))
        });
        let object = serde_json::Value::Object(values.collect());
        return output::document(&format!("{object:#}\n"));
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
