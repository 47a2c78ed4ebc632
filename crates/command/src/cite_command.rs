//! `neurogauge cite`.

use crate::args::*;
use crate::output;
use neurogauge::Error;
use neurogauge_guide::citations::{cite_records, result_record};
use neurogauge_guide::methods::paragraph;

/// `neurogauge cite`.
#[derive(Debug, Args)]
pub(crate) struct CiteArgs {
    /// Run folders
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Print a methods paragraph for a paper instead: what was scored, by what, and how intervals and tests were made
    #[arg(long)]
    pub(crate) methods: bool,
}

pub(crate) fn run(args: &CiteArgs) -> Result<(), Error> {
    let records: Result<Vec<_>, Error> = args.runs.iter().map(|run| result_record(run)).collect();
    let records = records?;
    if args.methods {
        return output::document(&format!("{}\n", paragraph(&records)?));
    }
    let references = cite_records(&records);
    let entries: Vec<String> = references.into_iter().map(|reference| reference.bibtex).collect();
    output::document(&entries.join("\n"))
}
