//! A rater, over all of that person's files.

use super::checks::{self, FailedCheck};
use super::consistency::{self, RaterRepeats};
use super::{Answer, Participant, ReadRequest, Sitting};
use crate::make::record::SurveyRecord;
use crate::plan::{Kind, Trial};
use indexmap::IndexMap;
use neurogauge::core::pair::natural_cmp;
use neurogauge::stats::quantile;
use serde::Serialize;

/// All answers of one rater, in order.
pub(crate) struct Rater<'a> {
    pub(crate) name: String,
    pub(crate) answers: Vec<Answer<'a>>,
    pub(crate) sittings: Vec<Participant>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RaterLine {
    /// The typed name or code, otherwise the page's, or the id of a crowd's worker.
    pub rater: String,
    /// Pairs with an answer to every question.
    pub n_pairs: usize,
    /// Pairs that were shown but have an unanswered question.
    pub n_unanswered: usize,
    /// Attention checks that were answered.
    pub n_checks: usize,
    pub failed: Vec<FailedCheck>,
    /// Do the ratings count?
    pub is_kept: bool,
    /// Did all questions about all pairs, at least two, get the same answer?
    pub gave_one_answer: bool,
    /// Median time for which pairs were viewed, s.
    pub median_seconds: Option<f64>,
    /// The consistency on repeated pairs, one per question.
    pub repeats: Vec<RaterRepeats>,
}

/// Combines the sittings of each rater, in natural order of the raters.
pub(super) fn joined(sittings: Vec<Sitting<'_>>) -> Vec<Rater<'_>> {
    let mut raters: IndexMap<String, Rater<'_>> = IndexMap::new();
    for sitting in sittings {
        let rater = raters.entry(sitting.rater.clone()).or_insert_with(|| Rater {
            name: sitting.rater,
            answers: Vec::new(),
            sittings: Vec::new(),
        });
        rater.answers.extend(sitting.answers);
        rater.sittings.extend(sitting.participant);
    }
    let mut raters: Vec<Rater<'_>> = raters.into_values().collect();
    raters.sort_by(|a, b| natural_cmp(&a.name, &b.name).then_with(|| a.name.cmp(&b.name)));
    raters
}

pub(crate) type PairKey<'a> = (&'a str, Option<&'a str>);

pub(crate) fn key(trial: &Trial) -> PairKey<'_> {
    (&trial.stimulus, trial.system.as_deref())
}

impl<'a> Rater<'a> {
    /// The answers to each pair in order, without checks. The first answer counts; the others show whether the rater is
    /// consistent.
    pub(crate) fn by_pair(&self) -> Vec<Vec<&Answer<'a>>> {
        let mut pairs: IndexMap<PairKey<'_>, Vec<&Answer<'a>>> = IndexMap::new();
        for answer in &self.answers {
            if !matches!(answer.trial.kind, Kind::Rated | Kind::Repeat) || answer.ratings.iter().any(Option::is_none) {
                continue;
            }
            pairs.entry(key(answer.trial)).or_default().push(answer);
        }
        pairs.into_values().collect()
    }
}

impl RaterLine {
    pub(super) fn of(rater: &Rater<'_>, survey: &SurveyRecord, request: &ReadRequest) -> Self {
        let pairs = rater.by_pair();
        let is_pair = |answer: &&Answer<'_>| answer.trial.kind == Kind::Rated;
        let unanswered = |answer: &&Answer<'_>| answer.ratings.iter().any(Option::is_none);
        let given: Vec<u32> =
            pairs.iter().flatten().flat_map(|answer| answer.ratings.iter().copied().flatten()).collect();
        let seconds: Vec<f64> = rater.answers.iter().filter_map(|answer| answer.seconds).collect();
        let (n_checks, failed) = checks::failed(&rater.answers, &survey.questions);
        let mut line = RaterLine {
            rater: rater.name.clone(),
            n_pairs: pairs.len(),
            n_unanswered: rater.answers.iter().filter(is_pair).filter(unanswered).count(),
            n_checks,
            failed,
            is_kept: true,
            gave_one_answer: pairs.len() > 1 && given.iter().all(|rating| Some(rating) == given.first()),
            median_seconds: quantile(&seconds, 0.5).ok(),
            repeats: consistency::of_rater(&pairs, &survey.questions),
        };
        line.is_kept = request.keep_failed || !line.has_failed(request.failed_share);
        line
    }

    /// Did the rater fail more than this share of the checks?
    pub(super) fn has_failed(&self, share: f64) -> bool {
        self.failed.len() as f64 > share * self.n_checks as f64
    }
}
