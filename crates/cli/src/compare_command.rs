//! `neurogauge compare`.

use crate::args::{CompareArgs, OutputFormat};
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::report::render;
use neurogauge::{Error, SystemComparison, compare};
use std::fmt::Write;

pub(crate) fn run(args: &CompareArgs) -> Result<(), Error> {
    let comparison = compare(&args.runs, &bootstrap(&args.bootstrap))?;
    if let Some(folder) = &args.figures {
        for warning in comparison.write_figures(folder)? {
            output::message(&warning.to_string());
        }
    }
    let mut text = render(&comparison.table, args.format.into(), output::width())?;
    match args.format {
        OutputFormat::Table => text.push_str(&differences(&comparison)),
        OutputFormat::Json => {
            if let Ok(serde_json::Value::Object(mut object)) = serde_json::from_str(&text) {
                object.insert(
                    "differences".into(),
                    serde_json::json!(comparison.differences()),
                );
                text = format!("{:#}\n", serde_json::Value::Object(object));
            }
        }
        _ => {}
    }
    output::data(&text)
}

fn differences(comparison: &SystemComparison) -> String {
    let mut text =
        String::from("\nDifferences on the shared pairs (p: paired bootstrap, uncorrected)\n");
    for difference in comparison.differences() {
        let (Some(value), Some((low, high)), Some(p)) = (
            difference.difference,
            difference.interval,
            difference.p_value,
        ) else {
            continue;
        };
        let _ = writeln!(
            text,
            "  {:<17} {} - {}: {value:+.4} [{low:+.4}, {high:+.4}], p = {p:.4}",
            difference.metric, difference.minuend, difference.subtrahend
        );
    }
    text
}
