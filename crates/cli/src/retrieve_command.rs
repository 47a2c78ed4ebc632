//! `neurogauge retrieve`.

use crate::args::{OutputFormat, RetrieveArgs};
use crate::output;
use neurogauge::Error;
use neurogauge::core::Seed;
use neurogauge::metrics::decoding::retrieval::RetrievalOptions;
use neurogauge::report::TextTable;
use neurogauge::retrieval::{RetrievalRequest, retrieval};
use neurogauge::stats::BootstrapOptions;

pub(crate) fn run(args: &RetrieveArgs) -> Result<(), Error> {
    let seed = Seed(args.seed);
    let run = retrieval(&RetrievalRequest {
        brain: args.brain.clone(),
        image: args.image.clone(),
        options: RetrievalOptions {
            candidates: args.candidates,
            top_k: args.top_k,
            repeats: args.repeats,
            seed,
            similarity: args.metric.into(),
            ties: args.ties.into(),
        },
        bootstrap: BootstrapOptions {
            resamples: args.resamples,
            level: args.level,
            seed,
        },
    })?;
    run.write(&args.out)?;
    for warning in &run.record.warnings {
        output::message(&format!("warning: {warning}"));
    }
    output::message(&format!(
        "{}: {} items retrieved in both directions",
        args.out.display(),
        run.record.n_items
    ));
    output::data(&match args.format {
        OutputFormat::Table => run.text_table().text(output::width()),
        OutputFormat::Json => run.json(),
        OutputFormat::Csv => run.csv(),
        OutputFormat::Markdown => run.text_table().markdown(),
        OutputFormat::Latex => format!("{}\n{}", TextTable::LATEX_NEEDS, run.text_table().latex()),
    })
}
