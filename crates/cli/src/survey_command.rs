//! `neurogauge survey`.

use crate::args::{SurveyCommand, SurveyMakeArgs, SurveyPowerArgs, SurveyReadArgs};
use crate::meta_command::resampled;
use crate::output;
use crate::progress_bars::Bars;
use neurogauge::core::Seed;
use neurogauge::stats::BootstrapOptions;
use neurogauge::stats::meta::MetaOptions;
use neurogauge::{Error, Report};
use neurogauge_survey::{
    MakeRequest, MturkRequest, PlanOptions, PowerRequest, ReadRequest, SystemImages,
};

pub(crate) fn run(command: &SurveyCommand) -> Result<(), Error> {
    match command {
        SurveyCommand::Make(args) => make(args),
        SurveyCommand::Power(args) => power(args),
        SurveyCommand::Read(args) => read(args),
    }
}

fn make(args: &SurveyMakeArgs) -> Result<(), Error> {
    let recon = args.recon.iter().map(|(name, path)| SystemImages {
        name: name.clone(),
        path: path.clone(),
    });
    let image_url = args.mturk_images.clone();
    let request = MakeRequest {
        gt: args.gt.clone(),
        recon: recon.collect(),
        pairing: (&args.pairing).into(),
        questions: args.questions.clone(),
        plan: PlanOptions {
            raters: args.raters.into(),
            pairs_per_page: args.pairs_per_page.into(),
            repeats: args.repeats.into(),
            attention_checks: args.attention_checks.into(),
            seed: Seed(args.seed),
        },
        image_size_px: args.image_size.into(),
        image_format: args.image_format.into(),
        mturk: image_url.map(|image_url| MturkRequest { image_url }),
    };
    let survey = neurogauge_survey::make(&request, &Bars::default())?;
    output::result(&survey, (&args.out, &args.overwrite), None, &args.table)
}

fn read(args: &SurveyReadArgs) -> Result<(), Error> {
    let ratings = neurogauge_survey::read(&ReadRequest {
        files: args.files.clone(),
        survey: args.survey.clone(),
        failed_share: args.failed_share.into(),
        keep_failed: args.keep_failed,
    })?;
    output::result(&ratings, (&args.out, &args.overwrite), None, &args.table)
}

fn power(args: &SurveyPowerArgs) -> Result<(), Error> {
    let request = PowerRequest {
        pairs: args.pairs.iter().map(|&n| n.into()).collect(),
        raters: args.raters.iter().map(|&n| n.into()).collect(),
        correlations: args.correlation.iter().map(|&r| r.into()).collect(),
        pairs_per_rater: args.pairs_per_rater.into(),
        rater_noise: args.rater_noise.into(),
        simulations: args.simulations.into(),
        meta: MetaOptions {
            resampled: resampled(args.bootstrap, args.preset),
            interval: args.interval.map(Into::into),
            bootstrap: BootstrapOptions {
                resamples: args.resamples.into(),
                level: args.level.into(),
                seed: Seed(args.seed),
                ..BootstrapOptions::default()
            },
            ..MetaOptions::default()
        },
    };
    let found = neurogauge_survey::power(&request, &Bars::default())?;
    match &args.out {
        Some(out) => output::result(&found, (out, &args.overwrite), None, &args.table),
        None => output::formatted(
            args.table.format(),
            &found.print(args.table.format(), output::width())?,
        ),
    }
}
