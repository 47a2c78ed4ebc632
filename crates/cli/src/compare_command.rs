//! `neurogauge compare`.

use crate::args::CompareArgs;
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::{Error, Report, compare};

pub(crate) fn run(args: &CompareArgs) -> Result<(), Error> {
    let comparison = compare(&args.runs, &bootstrap(&args.bootstrap, &args.interval))?;
    if let Some(folder) = &args.figures {
        for warning in comparison.draw_into(folder)? {
            output::message(&warning.to_string());
        }
    }
    match &args.out {
        Some(out) => output::result(&comparison, (out, &args.overwrite), true, args.format),
        None => output::data(&comparison.print(args.format.into(), output::width())?),
    }
}
