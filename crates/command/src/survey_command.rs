//! `neurogauge survey`.

use crate::args::*;
use crate::output::{self, Done};
use neurogauge::core::Seed;
use neurogauge::{Error, Progress};
use neurogauge_survey::{
    ClipOptions, CollectRequest, Collector, Completion, CompletionCode, MakeRequest, MturkRequest,
    ParticipationRequest, PictureFormat, PlanOptions, PowerRequest, ReadRequest, Submission, SystemImages,
};

const MAX_CLIP_FRAMES: usize = 1000;

#[derive(Debug, Subcommand)]
pub(crate) enum SurveyCommand {
    /// Write questionnaires of stimuli and reconstructions
    ///
    /// Each is a file that works in any browser without a server
    Make(Box<SurveyMakeArgs>),
    /// Simulate how many raters a survey needs
    ///
    /// Says how wide the interval on a metric's agreement with people will be
    Power(SurveyPowerArgs),
    /// Give out a survey's pages and receive the answers
    ///
    /// A small server for the address of `make --submit-url`. Each visitor gets the page with the fewest answers. Each
    /// sitting is saved as a file of its own, and no file is ever replaced
    Collect(CollectRequest),
    /// Read answers, and write ratings for `neurogauge meta`
    ///
    /// Lists raters who failed attention checks
    Read(SurveyReadArgs),
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where pages/, survey.json, assignments.md and assignments.csv go")))]
#[command(mut_arg("set", only(PAIRING)))]
pub(crate) struct SurveyMakeArgs {
    /// Stimuli: a folder of images, an .npy stack or a .pt tensor file
    #[arg(long, value_name = "PATH", help_heading = "Inputs")]
    pub(crate) gt: PathBuf,
    /// Reconstructions of each system, likewise; without a name, called as the folder is
    #[arg(long, value_name = "[NAME=]PATH", required = true, num_args = 1.., value_parser = system_images, help_heading = "Inputs")]
    pub(crate) recon: Vec<(String, PathBuf)>,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) pairing: PairingArgs,
    #[command(flatten, next_help_heading = "Inputs")]
    pub(crate) set: SetArgs,
    /// A JSON file with the words of the questionnaire [default: two questions as in the SEED paper, semantic and
    /// perceptual, with five points]
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) questions: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: OutArgs,
    /// Also write mturk/: a template, batch.csv and the pictures; batch.csv has their addresses below this one
    #[arg(long, value_name = "URL", help_heading = "Outputs")]
    pub(crate) mturk_images: Option<String>,
    /// The longest side of pictures, px; smaller ones are left as they are
    #[arg(long, value_name = "PX", default_value = "425", help_heading = "Outputs")]
    pub(crate) image_size: Count<MAX_PX>,
    /// How pictures are stored: jpeg (quality 92) or png (without loss, much larger)
    #[arg(long, value_parser = choice::<PictureFormat>(), default_value = word_of(&PictureFormat::default()), help_heading = "Outputs")]
    pub(crate) image_format: PictureFormat,
    /// The most frames of a clip on a page, evenly spaced
    #[arg(long, value_name = "N", value_parser = number::<Count<MAX_CLIP_FRAMES>, usize>, default_value_t = ClipOptions::default().most_frames, requires = "parts", help_heading = "Outputs")]
    pub(crate) clip_frames: usize,
    /// How long each clip lasts [default: as its file says, or a third of a second for each frame]
    #[arg(long, value_name = "SECONDS", requires = "parts", help_heading = "Outputs")]
    pub(crate) clip_seconds: Option<Seconds>,
    #[command(flatten)]
    pub(crate) plan: PlanOptions,
    /// Seed of the plan
    #[arg(long, value_name = "SEED", value_parser = seed, default_value_t = Seed::default().0, help_heading = "Plan")]
    pub(crate) seed: u64,
    #[command(flatten, next_help_heading = "People")]
    pub(crate) participation: ParticipationArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ParticipationArgs {
    /// The text to which people must agree before they see anything else: paragraphs, # headings, - lists
    #[arg(long, value_name = "FILE")]
    pub(crate) consent: Option<PathBuf>,
    /// Questions about the person: a TOML file, or `standard` (age, gender, eyesight)
    #[arg(long, value_name = "FILE")]
    pub(crate) demographics: Option<PathBuf>,
    /// A code that everybody is shown at the end
    #[arg(long, value_name = "CODE", conflicts_with = "completion_secret")]
    pub(crate) completion_code: Option<String>,
    /// Make a code for each page from this secret of 8 characters or more, which survey.json keeps
    #[arg(long, value_name = "TEXT")]
    pub(crate) completion_secret: Option<String>,
    /// Where a link at the end leads, such as Prolific's address; {CODE} in it becomes the code
    #[arg(long, value_name = "URL")]
    pub(crate) completion_url: Option<String>,
    /// Send the answers to this address at the end (POST, JSON)
    #[arg(long, value_name = "URL", conflicts_with = "datapipe")]
    pub(crate) submit_url: Option<String>,
    /// Send the answers to this experiment of DataPipe (pipe.jspsych.org)
    #[arg(long, value_name = "ID")]
    pub(crate) datapipe: Option<String>,
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where ratings.csv, participants.csv, raters.md, raters.csv and read.json go")))]
pub(crate) struct SurveyReadArgs {
    /// Saved results (.json), copied codes (.txt), exports of Mechanical Turk (.csv), or folders of these
    #[arg(value_name = "FILE", required = true, num_args = 1..)]
    pub(crate) files: Vec<PathBuf>,
    /// Folder that `neurogauge survey make` wrote
    #[arg(long, value_name = "DIR")]
    pub(crate) survey: PathBuf,
    #[command(flatten)]
    pub(crate) place: OutArgs,
    /// Raters who fail more than this share of their attention checks do not count
    #[arg(long, value_name = "SHARE", default_value = "0.25")]
    pub(crate) failed_share: Confidence,
    /// Count the ratings of raters who fail
    #[arg(long)]
    pub(crate) keep_failed: bool,
    /// Keep e-mail addresses as the names of raters, which otherwise become pseudonyms
    #[arg(long)]
    pub(crate) keep_emails: bool,
}

#[derive(Debug, Args)]
#[command(mut_args(out_is("Where power.json, power.md and power.csv go, if anywhere")))]
pub(crate) struct SurveyPowerArgs {
    #[command(flatten)]
    pub(crate) request: PowerRequest,
    #[command(flatten, next_help_heading = "Intervals")]
    pub(crate) intervals: MetaIntervalArgs,
    #[command(flatten, next_help_heading = "Outputs")]
    pub(crate) place: MaybeOutArgs,
}

/// Parses `NAME=PATH`, or a path whose last part becomes the name.
fn system_images(text: &str) -> Result<(String, PathBuf), String> {
    let is_named = text.split_once('=').is_some_and(|(name, _)| !name.contains(['/', '\\']));
    if is_named {
        return named_path(text);
    }
    let path = PathBuf::from(text);
    match path.file_stem() {
        Some(name) => Ok((name.to_string_lossy().into_owned(), path)),
        None => Err("expected NAME=PATH, for example MindEye2=recons/mindeye2".to_owned()),
    }
}

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
    let read = args.set.request(&args.pairing)?;
    let request = MakeRequest {
        gt: args.gt.clone(),
        recon: recon.collect(),
        pairing: read.pairing,
        reading: read.reading,
        questions: args.questions.clone(),
        plan: PlanOptions {
            seed: Seed(args.seed),
            ..args.plan
        },
        image_size_px: args.image_size.into(),
        image_format: args.image_format,
        clips: args.pairing.parts.is_some().then(|| ClipOptions {
            most_frames: args.clip_frames,
            seconds: args.clip_seconds.map(Into::into),
        }),
        mturk: image_url.map(|image_url| MturkRequest { image_url }),
        participation: participation(&args.participation),
    };
    let survey = neurogauge_survey::make(&request, progress)?;
    args.place.written(&survey, None)
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
fn collect(args: &CollectRequest) -> Result<Done, Error> {
    let collector = Collector::open(args)?;
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
        keep_emails: args.keep_emails,
    })?;
    args.place.written(&ratings, None)
}

fn power(args: &SurveyPowerArgs, progress: &dyn Progress) -> Result<Done, Error> {
    let request = PowerRequest {
        meta: args.intervals.options(),
        ..args.request.clone()
    };
    let found = neurogauge_survey::power(&request, progress)?;
    args.place.written(&found, None)
}
