//! The table of participants, separate from the ratings: consent, answers about the person, codes, and whom to approve.

use super::ReadRequest;
use super::participant::{PLATFORM, Participant};
use super::rater::{Rater, RaterLine};
use crate::make::record::SurveyRecord;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::core::pair::listed;
use neurogauge::formats::atomic_file;
use neurogauge::formats::names_below::own_file;
use neurogauge::report::{Cell, Table};
use std::path::Path;

const FILE: &str = "participants.csv";

#[derive(Debug)]
struct ParticipantLine {
    rater: String,
    sittings: Vec<Participant>,
    counts: bool,
    /// Reasons against approval; empty if there are none.
    why_not: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Participants {
    lines: Vec<ParticipantLine>,
    has_consent: bool,
    has_codes: bool,
    /// Ids of the questions about the person.
    demographics: Vec<String>,
}

impl Participants {
    pub(super) fn of(raters: &[Rater<'_>], lines: &[RaterLine], survey: &SurveyRecord, request: &ReadRequest) -> Self {
        let completion = survey.request.participation.completion.as_ref();
        let asked = survey.demographics.iter().flat_map(|asked| &asked.questions);
        let both = raters.iter().zip(lines);
        Participants {
            lines: both
                .map(|(rater, line)| ParticipantLine {
                    rater: line.rater.clone(),
                    sittings: rater.sittings.clone(),
                    counts: line.is_kept,
                    why_not: why_not(&rater.sittings, line, request),
                })
                .collect(),
            has_consent: survey.consent.is_some(),
            has_codes: completion.is_some_and(|completion| completion.code.is_some()),
            demographics: asked.map(|question| question.id.clone()).collect(),
        }
    }

    /// People whose answers have the wrong code for their page.
    pub(super) fn with_wrong_code(&self) -> Vec<&str> {
        let wrong = self.lines.iter().filter(|line| !line.sittings.iter().all(has_right_code));
        wrong.map(|line| line.rater.as_str()).collect()
    }

    /// A note on whom to approve and whom to check, if people came from a platform or got codes.
    pub(super) fn note(&self) -> Option<String> {
        let mut sittings = self.lines.iter().flat_map(|line| &line.sittings);
        if !self.has_codes && sittings.all(|sitting| sitting.platform_id().is_none()) {
            return None;
        }
        let (sound, doubtful): (Vec<&ParticipantLine>, Vec<&ParticipantLine>) =
            self.lines.iter().partition(|line| line.why_not.is_empty());
        let mut sentences = Vec::new();
        if !sound.is_empty() {
            let names = listed(sound.iter().map(|line| line.rater.as_str()));
            sentences.push(format!("Approve {}: {names}.", sound.len()));
        }
        if !doubtful.is_empty() {
            let reason = |line: &&ParticipantLine| format!("{} ({})", line.rater, line.why_not.join("; "));
            let reasons: Vec<String> = doubtful.iter().map(reason).collect();
            let names = listed(reasons.iter().map(String::as_str));
            sentences.push(format!("Look at {} before you decide: {names}.", doubtful.len()));
        }
        sentences.push(format!("{FILE} lists everyone."));
        Some(sentences.join(" "))
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), Error> {
        let yes = |is: bool| Cell::text(if is { "yes" } else { "no" });
        let joined = |line: &ParticipantLine, of: &dyn Fn(&Participant) -> String| {
            Cell::text(line.sittings.iter().map(of).filter(|text| !text.is_empty()).join(" "))
        };
        let first = |line: &ParticipantLine, of: &dyn Fn(&Participant) -> &str| {
            Cell::text(line.sittings.first().map(of).unwrap_or_default())
        };
        // Columns that no answer fills are left out.
        let given: Vec<(usize, &str)> = (0..)
            .zip(PLATFORM)
            .filter(|(place, _)| {
                let mut sittings = self.lines.iter().flat_map(|line| &line.sittings);
                sittings.any(|sitting| !sitting.platform[*place].is_empty())
            })
            .collect();
        let named = |is: bool, name: &str| is.then(|| name.to_owned());
        let table = Table::of("Participants", &self.lines)
            .column("rater", |line| Cell::text(&line.rater))
            .column("pages", |line| joined(line, &|sitting| sitting.page.clone()))
            .columns(given.iter().map(|(_, name)| (*name).to_owned()), |line| {
                given.iter().map(|(place, _)| first(line, &|sitting| &sitting.platform[*place])).collect_vec()
            })
            .columns(named(self.has_consent, "consent_time"), |line| {
                self.has_consent.then(|| joined(line, &|sitting| sitting.consent_time.clone()))
            })
            .columns(self.demographics.clone(), |line| {
                let places = 0..self.demographics.len();
                places.map(|place| first(line, &|sitting| &sitting.demographics[place])).collect_vec()
            })
            .columns(named(self.has_codes, "completion_code"), |line| {
                self.has_codes.then(|| {
                    joined(line, &|sitting| sitting.code.as_ref().map_or(String::new(), |(code, _)| code.clone()))
                })
            })
            .columns(named(self.has_codes, "code"), |line| {
                let code = match line.sittings.iter().all(has_right_code) {
                    _ if line.sittings.is_empty() => "",
                    true => "right",
                    false => "wrong",
                };
                self.has_codes.then(|| Cell::text(code))
            })
            .column("counts", |line| yes(line.counts))
            .column("approve", |line| yes(line.why_not.is_empty()))
            .column("why_not", |line| Cell::text(line.why_not.join("; ")))
            .noted(Vec::new());
        atomic_file::write(&own_file(folder, FILE), table.csv().as_bytes())?;
        Ok(())
    }
}

fn has_right_code(sitting: &Participant) -> bool {
    sitting.code.as_ref().is_none_or(|(_, is_right)| *is_right)
}

fn why_not(sittings: &[Participant], line: &RaterLine, request: &ReadRequest) -> Vec<String> {
    let mut reasons = Vec::new();
    if !sittings.iter().all(has_right_code) {
        reasons.push("wrong completion code".to_owned());
    }
    if line.n_unanswered > 0 {
        reasons.push(format!("pairs without an answer: {}", line.n_unanswered));
    }
    if line.has_failed(request.failed_share) {
        reasons.push(format!("failed {} of {} attention checks", line.failed.len(), line.n_checks));
    }
    if line.gave_one_answer {
        reasons.push("one answer to everything".to_owned());
    }
    reasons
}
