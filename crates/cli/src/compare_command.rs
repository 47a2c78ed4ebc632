//! `neurogauge compare`.

use crate::args::CompareArgs;
use crate::output;
use crate::run_settings::bootstrap;
use neurogauge::{CompareOptions, Error, Report, compare};
use neurogauge_recovery::AlignComparison;

pub(crate) fn run(args: &CompareArgs) -> Result<(), Error> {
    let bootstrap = bootstrap(&args.bootstrap, &args.interval);
    if AlignComparison::is_of(&args.runs) {
        refuse_options_of_scores(args)?;
        return write(&AlignComparison::of(&args.runs, &bootstrap)?, args);
    }
    let options = CompareOptions {
        metrics: args.metrics.clone(),
        holm: args.holm.unwrap_or_default(),
        test: args.test.unwrap_or_default(),
        subjects: args.subjects.subjects.clone(),
        population: args.subjects.population(),
        mixed: args.mixed,
        equivalence: args.equivalence,
        by_dimension: args.by_dimension,
        bootstrap,
    };
    write(&compare(&args.runs, &options)?, args)
}

/// An error for options that say nothing about alignments.
fn refuse_options_of_scores(args: &CompareArgs) -> Result<(), Error> {
    let given = [
        ("--subjects", args.subjects.subjects.is_some()),
        ("--metrics", !args.metrics.is_empty()),
        ("--holm", args.holm.is_some()),
        ("--test", args.test.is_some()),
        ("--equivalence", args.equivalence.is_some()),
        ("--mixed", args.mixed),
        ("--by-dimension", args.by_dimension),
        ("--interval", args.interval.interval.is_some()),
    ];
    let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
        return Ok(());
    };
    let instead = match option {
        "--subjects" => "the means of `neurogauge align` are over subjects anyway",
        _ => "these are of `neurogauge align`, so leave it out",
    };
    Err(Error::Usage(format!("{option} is about runs of `neurogauge score`; {instead}")))
}

fn write(comparison: &impl Report, args: &CompareArgs) -> Result<(), Error> {
    let options = args.drawing.options();
    if let Some(folder) = &args.figures {
        for warning in comparison.draw_into(folder, &options)? {
            output::message(&warning.to_string());
        }
    }
    match &args.out {
        Some(out) => output::result(comparison, (out, &args.overwrite), Some(&options), &args.table),
        None => output::formatted(args.table.format(), &comparison.print(args.table.format(), output::width())?),
    }
}
