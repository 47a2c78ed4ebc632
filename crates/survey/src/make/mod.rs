//! `neurogauge survey make`: writes questionnaires from two or more folders of pictures.

mod clips;
mod html;
mod mturk;
mod pictures;
pub(crate) mod record;
mod systems;

pub use clips::ClipOptions;
pub use pictures::PictureFormat;
pub use systems::SystemImages;

use crate::participation::{CompletionCode, Consent, Demographics, ParticipationRequest};
use crate::plan::{self, Kind, PlanOptions, PlannedPage, Trial};
use crate::questions::Questions;
use itertools::Itertools;
use neurogauge::core::image::ImageReading;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::Pairing;
use neurogauge::core::words::word_of;
use neurogauge::core::{Finding, Progress, counted};
use neurogauge::formats::names_below::{below, own_file};
use neurogauge::formats::{IoResult, atomic_file};
use neurogauge::report::{Cell, Format, Table};
use neurogauge::{Error, Provenance, Report, ResultFiles};
use pictures::Pictures;
use record::SurveyRecord;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use systems::{Picture, Sources};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MakeRequest {
    /// Stimuli: a folder, a `.npy` stack or a `.pt` file.
    pub gt: PathBuf,
    /// Reconstructions of each system, in the same forms.
    pub recon: Vec<SystemImages>,
    /// Which stems are shown, and how reconstructions are named.
    pub pairing: Pairing,
    /// What stored values mean if the files do not say it.
    #[serde(default, skip_serializing_if = "neurogauge::core::words::is_default")]
    pub reading: ImageReading,
    /// A file of questions; `None` for the SEED paper's.
    pub questions: Option<PathBuf>,
    pub plan: PlanOptions,
    /// Longest side of pictures, px; smaller ones are left unchanged.
    pub image_size_px: usize,
    pub image_format: PictureFormat,
    /// How clips are shown; `None` uses the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clips: Option<ClipOptions>,
    /// Settings of a batch for Amazon Mechanical Turk, if one is wanted.
    pub mturk: Option<MturkRequest>,
    /// Consent, questions about the person, codes and submission.
    #[serde(default, skip_serializing_if = "neurogauge::core::words::is_default")]
    pub participation: ParticipationRequest,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MturkRequest {
    /// Base address of the pictures.
    pub image_url: String,
}

#[derive(Debug)]
pub struct SurveyRun {
    pub record: SurveyRecord,
    pictures: Pictures,
    /// Notes on what the pages show of clips, views and samples.
    shown: Vec<String>,
}

/// Reads the pictures and plans who sees what.
///
/// # Errors
/// [`Error::Usage`] for names of systems that cannot be file names, and for invalid codes and addresses;
/// [`Error::Format`] and [`Error::Pairing`] for pictures that cannot be read or paired.
pub fn make(request: &MakeRequest, progress: &dyn Progress) -> Result<SurveyRun, Error> {
    let participation = &request.participation;
    if let Some(completion) = &participation.completion {
        completion.check()?;
    }
    if let Some(submission) = &participation.submission {
        submission.check()?;
    }
    let (consent, demographics) = (&participation.consent, &participation.demographics);
    let (sources, of_images) = Sources::open(request)?;
    let pictures = sources.pictures(&request.clips.unwrap_or_default());
    check_batch(request, &pictures)?;
    let has_clips = pictures.iter().any(Picture::moves);
    let questions = Questions::open(request.questions.as_deref(), has_clips)?;
    let mut provenance = Provenance::new(record::SCHEMA, "survey make", Some(request.plan.seed.0));
    provenance.inputs = sources.records(progress)?;
    if let Some(path) = &request.questions {
        provenance.read("questions", path)?;
    }
    if let Some(path) = consent {
        provenance.read("consent", path)?;
    }
    if let Some(path) = demographics.as_deref().filter(|path| !Demographics::is_standard(path)) {
        provenance.read("demographics", path)?;
    }
    let material = sources.material();
    let mut record = SurveyRecord {
        provenance,
        survey: String::new(),
        request: request.clone(),
        questions,
        consent: consent.as_deref().map(Consent::open).transpose()?,
        demographics: demographics.as_deref().map(Demographics::open).transpose()?,
        findings: of_images,
        pages: plan::pages(&material, &request.plan),
        tasks: match &request.mturk {
            Some(_) => plan::tasks(&material, &request.plan),
            None => Vec::new(),
        },
    };
    record.survey = record.name()?;
    let of_plan = findings(&record, material.pairs.len());
    record.findings.extend(of_plan);
    let shown = notes_on_parts(&pictures, &request.clips.unwrap_or_default());
    Ok(SurveyRun {
        pictures: Pictures::of(&pictures, request, progress)?,
        shown,
        record,
    })
}

/// A batch for Mechanical Turk has one image on each side of a pair.
fn check_batch(request: &MakeRequest, pictures: &[Picture<'_>]) -> Result<(), Error> {
    let several = pictures.iter().find(|picture| picture.moves() || picture.parts.len() > 1);
    let Some(several) = several.filter(|_| request.mturk.is_some()) else {
        return Ok(());
    };
    let (what, remedy) = match several.moves() {
        true => ("a clip", format!("{} shows one frame of each", option("frames", "middle"))),
        false => ("several images", "give one view or sample of each".to_owned()),
    };
    Err(Error::Usage(format!(
        "{}: {:?} is {what}, and a task of Mechanical Turk has one image on each side; leave the option out and send people the pages, \
         or {remedy}",
        option("mturk-images", "URL"),
        several.stem,
    )))
}

/// Notes on what the pages show of clips, views and samples.
fn notes_on_parts(pictures: &[Picture<'_>], options: &ClipOptions) -> Vec<String> {
    let mut notes = Vec::new();
    let lengths = pictures.iter().filter(|picture| picture.moves()).map(|picture| picture.ms.iter().sum::<u32>());
    if let Some((shortest, longest)) = lengths.minmax().into_option() {
        let seconds = |ms: u32| format!("{:.1}", f64::from(ms) / 1000.0);
        let lasting = match seconds(shortest) == seconds(longest) {
            true => seconds(longest),
            false => format!("{} to {}", seconds(shortest), seconds(longest)),
        };
        notes.push(format!("Clips play again and again, each in {lasting} s, until the rater pauses them."));
    }
    let most = |number: fn(&Picture<'_>) -> usize| pictures.iter().map(number).max().unwrap_or(0);
    if most(|picture| picture.n_frames) > options.most_frames {
        notes.push(format!("Of a clip with more than {0} frames, {0} are shown, evenly spaced.", options.most_frames));
    }
    let n_parts = most(|picture| picture.parts.len());
    if n_parts > 1 {
        notes.push(format!(
            "Views and samples are shown next to each other, up to {n_parts} of an item, and are rated as a whole."
        ));
    }
    notes
}

fn findings(record: &SurveyRecord, n_pairs: usize) -> Vec<Finding> {
    let options = &record.request.plan;
    let mut findings = Vec::new();
    let mut warn = |code: &str, message: String| findings.push(Finding::warning(code, "plan", message));
    if options.attention_checks == 0 {
        warn(
            "no_attention_checks",
            "without attention checks, raters who do not look cannot be recognised".into(),
        );
    }
    let trials = record.pages.iter().flat_map(|page| &page.trials);
    let mismatched = trials.filter(|trial| trial.kind == Kind::Mismatched).count();
    if options.attention_checks > 1 && mismatched == 0 {
        warn(
            "no_mismatched_checks",
            "there is only one stimulus, so all attention checks are identical pairs".into(),
        );
    }
    if n_pairs < 30 {
        warn("few_pairs", format!("{n_pairs} pairs give wide intervals; `neurogauge survey power` says how wide"));
    }
    let asks = record.consent.is_some() || record.demographics.is_some();
    if asks && record.request.mturk.is_some() {
        warn(
            "mturk_asks_no_consent",
            "the template in mturk/ asks neither for consent nor about the person; the pages do".into(),
        );
    }
    if let Some(submission) = &record.request.participation.submission
        && submission.is_unencrypted()
    {
        warn(
            "answers_unencrypted",
            format!("answers travel unencrypted to {}; an address with https:// is safer", submission.url),
        );
    }
    findings
}

impl SurveyRun {
    /// Notes on what the pages ask and do.
    fn notes(&self) -> Vec<String> {
        let SurveyRecord {
            questions,
            consent,
            demographics,
            request,
            ..
        } = &self.record;
        let mut notes =
            vec![format!("Each page is for one rater. Questions: {} ({}).", questions.id, questions.ids().join(", "))];
        notes.extend(self.shown.iter().cloned());
        if let Some(consent) = consent {
            notes.push(format!("Nobody goes on without agreeing to the text with SHA-256 {}.", consent.sha256));
        }
        if let Some(demographics) = demographics {
            let ids = demographics.questions.iter().map(|question| &question.id).join(", ");
            notes.push(format!("Asked about the person: {ids}."));
        }
        if let Some(submission) = &request.participation.submission {
            let origins = submission.origins().join(", redirecting to ");
            notes.push(format!("At the end the answers are sent to {origins}."));
        }
        notes
    }

    /// Page, position on it, and trial, for everything that is planned.
    fn lines(&self) -> impl Iterator<Item = (&str, usize, &Trial)> {
        let pages =
            self.record.pages.iter().flat_map(|page| {
                page.trials.iter().zip(1..).map(move |(trial, place)| (page.id.as_str(), place, trial))
            });
        let tasks = self.record.tasks.iter().map(|task| (task.id.as_str(), 1, &task.trial));
        pages.chain(tasks)
    }
}

impl Report for SurveyRun {
    const FILES: ResultFiles = ResultFiles::of(record::FILE, "assignments", &[Format::Markdown, Format::Csv]);
    type Record = SurveyRecord;

    fn record(&self) -> &SurveyRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let pages = counted(self.record.pages.len(), "page");
        format!("{pages} in pages/, each for one rater; survey.json is the key to their answers, so it stays with you")
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        let completion = self.record.request.participation.completion.as_ref();
        let own_codes = completion.filter(|completion| matches!(completion.code, Some(CompletionCode::Secret(_))));
        let n =
            |kind: Kind| move |page: &&PlannedPage| Cell::Count(page.trials.iter().filter(|t| t.kind == kind).count());
        let options = &self.record.request.plan;
        let title = format!("Survey {}: raters of each pair: {}", self.record.survey, options.raters);
        let table = Table::of(title, &self.record.pages)
            .column("page", |page| Cell::text(format!("{}.html", page.id)))
            .column("pairs", n(Kind::Rated))
            .column("repeats", n(Kind::Repeat))
            .column("identical", n(Kind::Identical))
            .column("mismatched", n(Kind::Mismatched))
            .columns(own_codes.map(|_| "completion code".to_owned()), |page| {
                own_codes.and_then(|codes| codes.code(&self.record.survey, &page.id)).map(Cell::text)
            })
            .noted(self.notes());
        vec![table]
    }

    fn full(&self) -> Option<Table> {
        let table = Table::of("Assignments", self.lines())
            .column("page", |(page, ..)| Cell::text(*page))
            .column("place", |(_, place, _)| Cell::Count(*place))
            .column("kind", |(.., trial)| Cell::text(word_of(&trial.kind)))
            .column("stimulus", |(.., trial)| Cell::text(&trial.stimulus))
            .column("reconstruction", |(.., trial)| Cell::text(&trial.reconstruction))
            .column("system", |(.., trial)| Cell::text(trial.system.clone().unwrap_or_default()))
            .noted(Vec::new());
        Some(table)
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        let pages = own_file(folder, record::PAGES);
        let names = self.record.pages.iter();
        let names = names.map(|page| format!("{}.html", page.id)).collect();
        remove_others(&pages, &names)?;
        for page in &self.record.pages {
            let path = below(&pages, &format!("{}.html", page.id))?;
            atomic_file::write(&path, html::page(&self.record, page, &self.pictures).as_bytes())?;
        }
        match &self.record.request.mturk {
            Some(request) => mturk::write(&own_file(folder, "mturk"), &self.record, request, &self.pictures),
            None => Ok(()),
        }
    }
}

/// Removes pages of an earlier survey, and no other files.
fn remove_others(folder: &Path, written: &HashSet<String>) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let number = name.strip_prefix('p').and_then(|name| name.strip_suffix(".html"));
        let is_page = number.is_some_and(|number| number.parse::<usize>().is_ok());
        if is_page && !written.contains(&name) {
            fs::remove_file(entry.path()).when("removing", entry.path())?;
        }
    }
    Ok(())
}
