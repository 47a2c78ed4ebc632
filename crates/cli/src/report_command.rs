//! `neurogauge report`.

use crate::args::ReportArgs;
use crate::output::Done;
use neurogauge::{Error, Progress};
use neurogauge_report_page::page;

pub(crate) fn written(args: &ReportArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let page = page(&args.request(), progress)?;
    page.write(&args.out, args.overwrite)?;
    Ok(Done {
        warnings: page.findings.iter().map(ToString::to_string).collect(),
        messages: vec![format!("{}: {}", args.out.display(), page.done)],
        ..Done::default()
    })
}
