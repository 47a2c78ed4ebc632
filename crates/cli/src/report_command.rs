//! `neurogauge report`.

use crate::args::ReportArgs;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::Error;
use neurogauge_report_page::page;

pub(crate) fn run(args: &ReportArgs) -> Result<(), Error> {
    let page = page(&args.request(), &Bars::default())?;
    page.write(&args.out, args.overwrite)?;
    for warning in &page.warnings {
        output::warning(&warning.to_string());
    }
    output::message(&format!("{}: {}", args.out.display(), page.done));
    Ok(())
}
