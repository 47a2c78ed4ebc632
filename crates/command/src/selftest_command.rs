//! `neurogauge models selftest`.

use crate::args::TableOrJson;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::models::WeightOptions;
use neurogauge::models::published_values::{Finding, PublishedInputs, Verdict, published_values, selftest};
use neurogauge::models::registry::{MODELS, ModelEntry};
use neurogauge::report::{Cell, Table};
use neurogauge::{DownloadBar, Error, models_of};

pub(crate) fn run(
    models: &[String],
    fetch_inputs: bool,
    format: TableOrJson,
    options: &WeightOptions,
) -> Result<(), Error> {
    let entries: Vec<&ModelEntry> = match models {
        [] => MODELS.iter().collect(),
        _ => models_of(models)?,
    };
    let all = published_values()?;
    let bars = Bars::default();
    let bar = DownloadBar(&bars);
    let inputs = PublishedInputs::new(options, fetch_inputs, &bar)?;
    let each = entries.iter().map(|entry| selftest(entry, &all, options, &inputs));
    let findings: Vec<Finding> = each.flatten().collect();
    match format {
        TableOrJson::Json => output::json(&findings)?,
        TableOrJson::Table => output::data(&table(&findings, fetch_inputs).text(output::width()))?,
    }
    match findings.iter().filter(|finding| finding.verdict.is_fault()).count() {
        0 => Ok(()),
        n => Err(Error::Data(format!(
            "{n} of the lines above say that a model on this machine does not give what was published of it, or cannot be run"
        ))),
    }
}

fn table(findings: &[Finding], fetch_inputs: bool) -> Table {
    let mut notes = vec![
        "proved: numbers that the reference's own test asserts (grade A). agrees: numbers that are printed, asserted \
         loosely or of a JPEG (A-, B), or only ranks and texts (C). A few numbers prove a forward pass as far as \
         they go, not every element."
            .to_owned(),
    ];
    let waits = |finding: &Finding| matches!(finding.verdict, Verdict::WithoutInput(_));
    if findings.iter().any(waits) && !fetch_inputs {
        notes.push("--fetch-inputs fetches the pictures and arrays that are not here.".to_owned());
    }
    if findings.iter().any(|finding| finding.verdict == Verdict::WithoutWeights) {
        notes.push("`neurogauge models fetch MODEL` fetches weights that are not here.".to_owned());
    }
    let exponent = |number: Option<f64>| match number {
        Some(number) => Cell::text(format!("{number:.1e}")),
        None => Cell::Missing,
    };
    let of = |text: &Option<String>| match text {
        Some(text) => Cell::text(text),
        None => Cell::Missing,
    };
    Table::of("Models against published values", findings)
        .column_of_groups("model", |finding| finding.model.clone())
        .column("published value", move |finding| of(&finding.id))
        .column("verdict", |finding| Cell::text(finding.to_string()))
        .column("largest difference", move |finding| exponent(finding.difference))
        .column("allowed", move |finding| exponent(finding.allowed))
        .column("published in", move |finding| of(&finding.source))
        .noted(notes)
}
