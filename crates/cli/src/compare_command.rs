//! `neurogauge compare`.

use crate::args::CompareArgs;
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::{CompareOptions, Error, Report, compare};
use neurogauge_recovery::AlignComparison;

pub(crate) fn run(args: &CompareArgs) -> Result<(), Error> {
    let bootstrap = bootstrap(&args.bootstrap, &args.interval);
    if AlignComparison::is_of(&args.runs) {
        if args.subjects.subjects.is_some() {
            return Err(Error::Usage(
                "--subjects is about runs of `neurogauge score`; the means of `neurogauge align` are over subjects anyway".into(),
            ));
        }
        return write(&AlignComparison::of(&args.runs, &bootstrap)?, args);
    }
    let options = CompareOptions {
        metrics: args.metrics.clone(),
        holm: args.holm.into(),
        test: args.test.into(),
        subjects: args.subjects.subjects.clone(),
        population: args.subjects.population(),
        mixed: args.mixed,
        by_dimension: args.by_dimension,
        bootstrap,
    };
    write(&compare(&args.runs, &options)?, args)
}

fn write(comparison: &impl Report, args: &CompareArgs) -> Result<(), Error> {
    let options = args.drawing.options();
    if let Some(folder) = &args.figures {
        for warning in comparison.draw_into(folder, &options)? {
            output::message(&warning.to_string());
        }
    }
    match &args.out {
        Some(out) => output::result(
            comparison,
            (out, &args.overwrite),
            Some(&options),
            &args.table,
        ),
        None => output::formatted(
            args.table.format(),
            &comparison.print(args.table.format(), output::width())?,
        ),
    }
}
