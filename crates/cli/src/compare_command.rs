//! `neurogauge compare`.

use crate::args::CompareArgs;
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::{Error, Report, compare};

pub(crate) fn run(args: &CompareArgs) -> Result<(), Error> {
    let comparison = compare(&args.runs, &bootstrap(&args.bootstrap, &args.interval))?;
    let options = args.drawing.options();
    if let Some(folder) = &args.figures {
        for warning in comparison.draw_into(folder, &options)? {
            output::message(&warning.to_string());
        }
    }
    match &args.out {
        Some(out) => output::result(
            &comparison,
            (out, &args.overwrite),
            Some(&options),
            &args.table,
        ),
        None => output::data(&comparison.print(args.table.format(), output::width())?),
    }
}
