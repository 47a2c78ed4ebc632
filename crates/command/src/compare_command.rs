//! `neurogauge compare`.

use crate::args::*;
use crate::output;
use neurogauge::{CompareOptions, Error, Report, compare};
use neurogauge_recovery::AlignComparison;

#[derive(Debug, Args)]
#[command(mut_args(out_is(
    "Where compare.json, compare.md, compare.tex, compare.csv, differences.csv (with --subjects also subject_differences.csv) and figures/ \
     go, if anywhere"
)))]
pub(crate) struct CompareArgs {
    /// Finished run folders, two or more: all of scores, or all of alignments, which are held against the first
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    pub(crate) runs: Vec<PathBuf>,
    /// Compare only these metrics: ids or lists such as nsd8, separated by commas [default: all that every run has]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = trimmed)]
    pub(crate) metrics: Vec<String>,
    /// Correct p values by Holm's method over the differences of all metrics and systems, or over those of each metric
    /// alone; verdicts and ranks follow
    #[arg(long, value_name = "FAMILY", value_parser = choice::<HolmFamily>(), defaults_to = word_of(&HolmFamily::default()))]
    pub(crate) holm: Option<HolmFamily>,
    /// What tests each difference and gives its interval: flips of signs, which suppose that differences are symmetric,
    /// or the studentised bootstrap, which also suits skewed ones
    #[arg(long, value_name = "TEST", value_parser = choice::<PairedTest>(), defaults_to = word_of(&PairedTest::default()))]
    pub(crate) test: Option<PairedTest>,
    /// Also test whether systems are equivalent: whether two one-sided tests show that the difference is within ±BOUND,
    /// in the unit of the metric (choose metrics of one scale with --metrics)
    #[arg(long, value_name = "BOUND", allow_negative_numbers = true)]
    pub(crate) equivalence: Option<f64>,
    #[command(flatten)]
    pub(crate) subjects: SubjectArgs,
    /// Compare runs of different test sets on pairs of the same name
    ///
    /// Runs whose ids are those of different protocols (`neurogauge list protocols`) are refused otherwise, since pairs of
    /// the same name may show different stimuli
    #[arg(long)]
    pub(crate) mixed: bool,
    /// Also compare BASIC-H by dimension, such as colour or spatial relations (dimensions.csv,
    /// dimension_differences.csv)
    #[arg(long)]
    pub(crate) by_dimension: bool,
    #[command(flatten)]
    pub(crate) place: MaybeOutArgs,
    /// Also draw figures into this folder: estimates, differences, ranks, single pairs; masks by level, BASIC-H against
    /// BASIC-L
    #[arg(long, value_name = "DIR")]
    pub(crate) figures: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) bootstrap: BootstrapArgs,
    /// How intervals of means are made. Percentiles are too narrow below some 30 pairs
    #[arg(long, value_parser = choice::<MeanInterval>(), value_name = "WAY", help_heading = "Intervals", defaults_to = word_of(&SCORE.bootstrap.interval))]
    pub(crate) interval: Option<MeanInterval>,
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Error> {
    let mut bootstrap = args.bootstrap.options();
    set(&mut bootstrap.interval, args.interval);
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
    write(&compare(&args.runs, None, &options)?, args)
}

/// Fails if options are given that do not apply to alignments.
fn refuse_options_of_scores(args: &CompareArgs) -> Result<(), Error> {
    let given = [
        ("--subjects", args.subjects.subjects.is_some()),
        ("--metrics", !args.metrics.is_empty()),
        ("--holm", args.holm.is_some()),
        ("--test", args.test.is_some()),
        ("--equivalence", args.equivalence.is_some()),
        ("--mixed", args.mixed),
        ("--by-dimension", args.by_dimension),
        ("--interval", args.interval.is_some()),
    ];
    let Some(option) = first_given(&given) else {
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
        comparison.draw_into(folder, &options)?.iter().for_each(output::warning);
    }
    args.place.written(comparison, Some(&options))?.print()
}
