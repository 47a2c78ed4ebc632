//! `neurogauge doctor`.

use crate::args::*;
use crate::output;
use neurogauge::Error;
use neurogauge::models::WeightOptions;
use neurogauge_guide::doctor::{Finding, State, examine};
use std::fmt::Write;

/// `neurogauge doctor`.
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: TableOrJson,
    /// Folder of model weights (also: NEUROGAUGE_WEIGHTS)
    #[arg(long, value_name = "DIR")]
    pub(crate) weights: Option<PathBuf>,
}

pub(crate) fn run(args: &DoctorArgs) -> Result<(), Error> {
    let findings = examine(&WeightOptions::given(args.weights.as_deref(), false))?;
    match args.format {
        TableOrJson::Json => output::json(&findings)?,
        TableOrJson::Table => output::data(&lines(&findings))?,
    }
    match findings.iter().filter(|finding| finding.state == State::Broken).count() {
        0 => Ok(()),
        n => Err(Error::Data(format!("{n} of the lines above must be mended before anything works"))),
    }
}

/// One line for each finding, followed by its fix.
fn lines(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.about.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for Finding {
        about,
        state,
        found,
        mend,
    } in findings
    {
        let state = match state {
            State::Fine => "ok",
            State::Missing => "missing",
            State::Broken => "BROKEN",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{state:7}  {about:width$}  {found}");
        if let Some(mend) = mend {
            let _ = writeln!(text, "{:7}  {:width$}  mend: {mend}", "", "");
        }
    }
    text.push_str(&totals(findings));
    text
}

/// A sentence on how many findings are fine, missing and broken.
fn totals(findings: &[Finding]) -> String {
    let count = |state: State| findings.iter().filter(|finding| finding.state == state).count();
    let broken = match count(State::Broken) {
        0 => "nothing is broken".to_owned(),
        1 => "1 is BROKEN and must be mended first".to_owned(),
        n => format!("{n} are BROKEN and must be mended first"),
    };
    let missing = match count(State::Missing) {
        0 => "nothing is missing".to_owned(),
        1 => "1 is missing, which only some commands need".to_owned(),
        n => format!("{n} are missing, which only some commands need"),
    };
    format!("\nOf {} checks {} are ok; {missing}; {broken}.\n", findings.len(), count(State::Fine))
}
