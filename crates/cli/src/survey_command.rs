//! `neurogauge survey`.

use crate::args::{
    ParticipationArgs, SurveyCollectArgs, SurveyCommand, SurveyMakeArgs, SurveyPowerArgs, SurveyReadArgs,
};
use crate::output::{self, Done};
use neurogauge::core::Seed;
use neurogauge::{Error, Progress};
use neurogauge_survey::{
    ClipOptions, CollectRequest, Collector, Completion, CompletionCode, MakeRequest, MturkRequest,
    ParticipationRequest, PlanOptions, PowerRequest, ReadRequest, Submission, SystemImages,
};

pub(crate) fn written(command: &SurveyCommand, progress: &dyn Progress) -> Result<Done, Error> {
    match command {
        SurveyCommand::Make(args) => make(args, progress),
        SurveyCommand::Collect(args) => collect(args),
        SurveyCommand::Power(args) => power(args, progress),
        SurveyCommand::Read(args) => read(args),
    }
}

fn make(args: &SurveyMakeArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let recon = args.recon.iter().map(|(name, path)| SystemImages {
        name: name.clone(),
        path: path.clone(),
    });
    let image_url = args.mturk_images.clone();
    let request = MakeRequest {
        gt: args.gt.clone(),
        recon: recon.collect(),
        pairing: (&args.pairing).try_into()?,
        reading: (&args.reading).into(),
        questions: args.questions.clone(),
        plan: PlanOptions {
            raters: args.raters.into(),
            pairs_per_page: args.pairs_per_page.into(),
            repeats: args.repeats.into(),
            attention_checks: args.attention_checks.into(),
            seed: Seed(args.seed),
        },
        image_size_px: args.image_size.into(),
        image_format: args.image_format,
        clips: args.pairing.parts.is_some().then(|| ClipOptions {
            most_frames: args.clip_frames.into(),
            seconds: args.clip_seconds.map(Into::into),
        }),
        mturk: image_url.map(|image_url| MturkRequest { image_url }),
        participation: participation(&args.participation),
    };
    let survey = neurogauge_survey::make(&request, progress)?;
    output::written(&survey, (&args.out, &args.overwrite), None, &args.table)
}

fn participation(args: &ParticipationArgs) -> ParticipationRequest {
    let same = args.completion_code.clone().map(CompletionCode::Same);
    let secret = args.completion_secret.clone().map(CompletionCode::Secret);
    let (code, url) = (same.or(secret), args.completion_url.clone());
    let to_url = args.submit_url.as_ref().map(Submission::to_url);
    let to_datapipe = args.datapipe.as_ref().map(Submission::to_datapipe);
    ParticipationRequest {
        consent: args.consent.clone(),
        demographics: args.demographics.clone(),
        completion: (code.is_some() || url.is_some()).then_some(Completion { code, url }),
        submission: to_url.or(to_datapipe),
    }
}

/// Runs until Ctrl-C.
fn collect(args: &SurveyCollectArgs) -> Result<Done, Error> {
    let collector = Collector::open(&CollectRequest {
        survey: args.survey.clone(),
        answers: args.answers.clone(),
        address: args.address,
        port: args.port,
    })?;
    if !args.address.is_loopback() {
        output::warning(
            "whoever reaches this port can send answers, and they travel unencrypted: use it in a network that you trust",
        );
    }
    output::message(&format!(
        "giving out pages of survey {} and receiving answers at http://{}/; Ctrl-C ends it",
        collector.survey(),
        collector.address()
    ));
    collector.serve(output::message);
    Ok(Done::default())
}

fn read(args: &SurveyReadArgs) -> Result<Done, Error> {
    let ratings = neurogauge_survey::read(&ReadRequest {
        files: args.files.clone(),
        survey: args.survey.clone(),
        failed_share: args.failed_share.into(),
        keep_failed: args.keep_failed,
    })?;
    output::written(&ratings, (&args.out, &args.overwrite), None, &args.table)
}

fn power(args: &SurveyPowerArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let request = PowerRequest {
        pairs: args.pairs.iter().map(|&n| n.into()).collect(),
        raters: args.raters.iter().map(|&n| n.into()).collect(),
        correlations: args.correlation.iter().map(|&r| r.into()).collect(),
        pairs_per_rater: args.pairs_per_rater.into(),
        rater_noise: args.rater_noise.into(),
        simulations: args.simulations.into(),
        meta: args.intervals.options(),
    };
    let found = neurogauge_survey::power(&request, progress)?;
    match &args.out {
        Some(out) => output::written(&found, (out, &args.overwrite), None, &args.table),
        None => Ok(Done {
            printed: Some(output::printed(&found, &args.table)?),
            ..Done::default()
        }),
    }
}
