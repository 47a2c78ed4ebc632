//! `neurogauge survey read`: turns answers into ratings.

mod checks;
mod code;
mod consistency;
mod crowd_file;
mod gathered;
mod participant;
mod participants;
mod rater;
mod ratings;
mod result_file;
mod tables;

pub use checks::FailedCheck;
pub use consistency::{ConsistencyLine, RaterRepeats};
pub use rater::RaterLine;

use crate::make::record::{self, SurveyRecord};
use crate::plan::{Kind, Trial};
use gathered::{PageResults, listed_files};
use itertools::Itertools;
use neurogauge::core::option_words::option;
use neurogauge::core::pair::listed;
use neurogauge::core::pseudonyms::Pseudonyms;
use neurogauge::core::{Finding, counted};
use neurogauge::formats::names_below::{below, own_file};
use neurogauge::report::{Format, Table};
use neurogauge::{Error, Provenance, Report, ResultFiles};
pub(crate) use participant::Participant;
use participants::Participants;
use rater::Rater;
use ratings::Ratings;
pub(crate) use result_file::{RECEIVED, Received, checked};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const SCHEMA: u32 = 1;

/// The files to read, and which raters are valid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadRequest {
    /// Result files, files of copied codes, exports of Mechanical Turk, and folders of these.
    pub files: Vec<PathBuf>,
    /// The folder that [`make`](crate::make()) wrote.
    pub survey: PathBuf,
    /// Raters who fail more than this share of their attention checks do not count.
    pub failed_share: f64,
    /// Keep these raters nevertheless.
    pub keep_failed: bool,
    /// Keep e-mail addresses as names, which otherwise get [pseudonyms](Pseudonyms).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_emails: bool,
}

/// One person's answers in one file.
pub(crate) struct Sitting<'a> {
    pub(crate) rater: String,
    pub(crate) answers: Vec<Answer<'a>>,
    /// The information about the person; `None` for a crowd's worker.
    pub(crate) participant: Option<Participant>,
}

/// The ratings of a trial, one per question; `None` if unanswered.
pub(crate) struct Answer<'a> {
    pub(crate) trial: &'a Trial,
    pub(crate) ratings: Vec<Option<u32>>,
    pub(crate) seconds: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReadRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: ReadRequest,
    pub survey: String,
    pub questions: Vec<String>,
    pub n_pairs: usize,
    /// The smallest and the largest number of valid raters of a pair.
    pub raters_per_pair: (usize, usize),
    pub raters: Vec<RaterLine>,
    /// The consistency of valid raters on repeated pairs, a line for each question.
    pub consistency: Vec<ConsistencyLine>,
    pub findings: Vec<Finding>,
}

#[derive(Debug)]
pub struct ReadRun {
    pub record: ReadRecord,
    ratings: Ratings,
    participants: Participants,
}

/// Reads answers, reports who failed the attention checks, and keeps the ratings of the others.
///
/// # Errors
/// [`Error::Format`] for a file without answers to this survey; [`Error::Usage`] for a share outside 0 to 1.
pub fn read(request: &ReadRequest) -> Result<ReadRun, Error> {
    if !(0.0..=1.0).contains(&request.failed_share) {
        return Err(Error::Usage(format!("a share of failed checks of {}: expected 0 to 1", request.failed_share)));
    }
    let key = own_file(&request.survey, record::FILE);
    let survey = SurveyRecord::read(&request.survey)?;
    let mut provenance = Provenance::new(SCHEMA, "survey read", survey.provenance.seed);
    provenance.read("survey", &key)?;
    let mut findings = Vec::new();
    let mut sittings = Vec::new();
    let mut found = Vec::new();
    let mut assignments = HashSet::new();
    for path in listed_files(&request.files)? {
        provenance.read("answers", &path)?;
        if has_ending(&path, "csv") {
            sittings.extend(crowd_file::read(&path, &survey, &mut assignments, &mut findings)?);
            continue;
        }
        found.extend(result_file::read(&path, &survey)?.into_iter().map(|result| (result, path.clone())));
    }
    let n_of_pages = counted(found.len(), "result");
    let words = format!("{n_of_pages} of the survey's pages, {} in tables", counted(sittings.len(), "sitting"));
    findings.push(Finding::read_as("answers", words));
    // In the order of arrival, otherwise in the order of the files.
    found.sort_by_key(|(result, _)| result.received);
    let all = || sittings.iter().chain(found.iter().map(|(result, _)| &result.sitting));
    let names: Vec<String> = all().map(|sitting| sitting.rater.clone()).collect();
    // Another survey's pseudonyms are others, so that nobody takes two people for one.
    let start = format!("rater-{}", survey.survey.chars().take(6).collect::<String>());
    let pseudonyms = match request.keep_emails {
        true => Pseudonyms::default(),
        false => Pseudonyms::of(names.iter().map(String::as_str), &start),
    };
    for sitting in sittings.iter_mut().chain(found.iter_mut().map(|(result, _)| &mut result.sitting)) {
        sitting.rater = pseudonyms.name(&sitting.rater).to_owned();
    }
    findings.extend(pseudonyms.finding(&option("keep-emails", "").to_string()));
    let mut results = PageResults::default();
    for (result, path) in found {
        results.add(result, &path, &mut findings);
    }
    sittings.extend(results.into_sittings());
    let raters = rater::joined(sittings);
    let lines: Vec<RaterLine> = raters.iter().map(|rater| RaterLine::of(rater, &survey, request)).collect();
    findings.extend(of_raters(&lines, request));
    let participants = Participants::of(&raters, &lines, &survey, request);
    findings.extend(wrong_codes(&participants.with_wrong_code()));
    let kept: Vec<&Rater<'_>> =
        raters.iter().zip(&lines).filter(|(_, line)| line.is_kept).map(|(rater, _)| rater).collect();
    let ratings = Ratings::of(&kept, &survey);
    if ratings.counts.values().all(|&n| n == 0) {
        return Err(no_valid_rater(request, &lines));
    }
    findings.extend(of_pairs(&ratings, &survey));
    Ok(ReadRun {
        record: ReadRecord {
            survey: survey.survey.clone(),
            questions: survey.questions.ids().into_iter().map(str::to_owned).collect(),
            n_pairs: ratings.counts.len(),
            raters_per_pair: ratings.counts.values().copied().minmax().into_option().unwrap_or_default(),
            consistency: consistency::lines(&kept, &survey)?,
            raters: lines,
            request: request.clone(),
            provenance,
            findings,
        },
        ratings,
        participants,
    })
}

fn wrong_codes(raters: &[&str]) -> Option<Finding> {
    let message = format!("{} with a wrong completion code or none: {}", raters.len(), listed(raters.iter().copied()));
    (!raters.is_empty()).then(|| Finding::warning("wrong_completion_code", "raters", message))
}

/// The error that explains why there are no ratings.
fn no_valid_rater(request: &ReadRequest, lines: &[RaterLine]) -> Error {
    let failed: Vec<&str> = lines.iter().filter(|line| !line.is_kept).map(|line| line.rater.as_str()).collect();
    let found = match (lines.len(), failed.len()) {
        (0, _) => "they hold no answers to this survey".to_owned(),
        (n, 0) => format!("none of the {n} raters answered all questions about a pair"),
        (n, n_failed) => format!(
            "{n_failed} of the {n} raters failed more than {:.0}% of their attention checks ({}); {} counts them all the same, {} \
             allows more",
            100.0 * request.failed_share,
            listed(failed.into_iter()),
            option("keep-failed", ""),
            option("failed-share", "SHARE")
        ),
    };
    let files = request.files.iter().map(|path| path.display()).join(", ");
    Error::Data(format!("{files}: no pair has a valid rater: {found}"))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

fn of_raters(lines: &[RaterLine], request: &ReadRequest) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut warn = |code: &str, raters: Vec<&RaterLine>, what: &str| {
        if !raters.is_empty() {
            let names = listed(raters.iter().map(|line| line.rater.as_str()));
            findings.push(Finding::warning(code, "raters", format!("{} {what}: {names}", raters.len())));
        }
    };
    let which = |is: &dyn Fn(&RaterLine) -> bool| lines.iter().filter(|line| is(line)).collect::<Vec<_>>();
    let has_failed = |line: &RaterLine| line.has_failed(request.failed_share);
    let fate = match request.keep_failed {
        true => "and count all the same",
        false => "and do not count",
    };
    warn(
        "failed_checks",
        which(&has_failed),
        &format!("failed more than {:.0}% of their attention checks {fate}", 100.0 * request.failed_share),
    );
    warn("no_checks", which(&|line| line.n_checks == 0), "answered no attention check");
    warn(
        "one_answer",
        which(&|line| line.gave_one_answer),
        "gave one answer to all questions about all pairs",
    );
    findings
}

fn of_pairs(ratings: &Ratings, survey: &SurveyRecord) -> Option<Finding> {
    let planned = survey.request.plan.raters;
    let short = ratings.counts.values().filter(|&&n| n < planned).count();
    let least = ratings.counts.values().min()?;
    let message = format!(
        "{short} of {} pairs have fewer than the {planned} raters that were planned; the fewest are {least}",
        ratings.counts.len()
    );
    (short > 0).then(|| Finding::warning("pairs_with_few_raters", "ratings", message))
}

/// The pairs to rate, without duplicates, in the order of the plan.
pub(crate) fn rated_pairs(survey: &SurveyRecord) -> impl Iterator<Item = &Trial> {
    survey.pages.iter().flat_map(|page| &page.trials).filter(|trial| trial.kind == Kind::Rated)
}

impl Report for ReadRun {
    const FILES: ResultFiles = ResultFiles::of("read.json", "raters", &[Format::Markdown, Format::Csv]);
    type Record = ReadRecord;

    fn record(&self) -> &ReadRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let kept = self.record.raters.iter().filter(|rater| rater.is_kept).count();
        format!("ratings of {} pairs by {kept} of {} raters", self.record.n_pairs, self.record.raters.len())
    }

    fn next(&self, folder: &Path) -> Option<String> {
        let (file, system) = self.ratings.of_one_run();
        let run = system.map_or("RUN".to_owned(), |system| format!("RUN-OF-{system}"));
        Some(format!(
            "neurogauge meta --human {} --value-column {} --metrics {run}",
            below(folder, &file).ok()?.display(),
            self.record.questions.join(",")
        ))
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        vec![tables::raters(&self.record, self.participants.note()), tables::consistency(&self.record)]
    }

    fn full(&self) -> Option<Table> {
        Some(tables::raters_in_full(&self.record))
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        self.ratings.write(folder)?;
        self.participants.write(folder)
    }
}
