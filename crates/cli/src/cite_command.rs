//! `neurogauge cite`.

use crate::args::CiteArgs;
use crate::output;
use neurogauge::Error;
use neurogauge_guide::citations::cite;

pub(crate) fn run(args: &CiteArgs) -> Result<(), Error> {
    let references = cite(&args.runs)?;
    let entries: Vec<String> = references
        .into_iter()
        .map(|reference| reference.bibtex)
        .collect();
    output::document(&entries.join("\n"))
}
