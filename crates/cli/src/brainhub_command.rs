//! `neurogauge caption` and `neurogauge ground`.

use crate::args::{CaptionArgs, GroundArgs, OutputFormat};
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::Error;
use neurogauge::brainhub::{BenchmarkRun, CaptionRequest, GroundRequest, caption, ground};
use neurogauge::report::TextTable;
use std::path::Path;

pub(crate) fn run_caption(args: &CaptionArgs) -> Result<(), Error> {
    let run = caption(&CaptionRequest {
        reference: args.reference.clone(),
        decoded: args.decoded.clone(),
        image_embeddings: args.image_embeddings.clone(),
        caption_embeddings: args.caption_embeddings.clone(),
        reference_embeddings: args.reference_embeddings.clone(),
        bootstrap: bootstrap(&args.bootstrap),
    })?;
    finish(&run, &args.out, args.format)
}

pub(crate) fn run_ground(args: &GroundArgs) -> Result<(), Error> {
    let run = ground(&GroundRequest {
        reference: args.reference.clone(),
        decoded: args.decoded.clone(),
        threshold: args.threshold,
        bootstrap: bootstrap(&args.bootstrap),
    })?;
    finish(&run, &args.out, args.format)
}

fn finish(run: &BenchmarkRun, out: &Path, format: OutputFormat) -> Result<(), Error> {
    run.write(out)?;
    for warning in &run.record.warnings {
        output::message(&format!("warning: {warning}"));
    }
    let n_images = run.record.n_images;
    output::message(&format!("{}: {n_images} images scored", out.display()));
    output::data(&match format {
        OutputFormat::Table => run.text_table().text(output::width()),
        OutputFormat::Json => run.json()?,
        OutputFormat::Csv => run.csv(),
        OutputFormat::Markdown => run.text_table().markdown(),
        OutputFormat::Latex => format!("{}\n{}", TextTable::LATEX_NEEDS, run.text_table().latex()),
    })
}
