//! Tables of raters and their consistency, for reading.

use super::rater::RaterLine;
use super::{ConsistencyLine, ReadRecord};
use itertools::Itertools;
use neurogauge::core::Finding;
use neurogauge::report::{Cell, Table};

/// `approval` is the note on whom to approve on a platform.
pub(super) fn raters(record: &ReadRecord, approval: Option<String>) -> Table {
    let (least, most) = record.raters_per_pair;
    let share = 100.0 * record.request.failed_share;
    let mut notes = vec![
        format!(
            "Failed: an identical pair with a rating in the middle of the scale or below, or a mismatched pair with one above \
             the middle. Who failed more than {share:.0}% of the checks {}.",
            match record.request.keep_failed {
                true => "counts all the same",
                false => "does not count",
            }
        ),
        "Again: mean distance, in points, between the two answers to pairs that were shown twice.".to_owned(),
        match least == most {
            true => format!("Each of the {} pairs has {least} raters who count.", record.n_pairs),
            false => format!("Of {} pairs, each has {least} to {most} raters who count.", record.n_pairs),
        },
    ];
    let failed = record.raters.iter().filter(|rater| !rater.failed.is_empty());
    notes.extend(failed.map(said));
    notes.extend(approval);
    notes.extend(
        record
            .findings
            .iter()
            .filter(|finding| finding.is_shown() && !finding.is_warning())
            .map(Finding::below_table),
    );
    let again = record.questions.iter().map(|question| format!("{question} again"));
    Table::of(format!("Raters of survey {}", record.survey), &record.raters)
        .column("rater", |rater| Cell::text(&rater.rater))
        .column("pairs", |rater| Cell::Count(rater.n_pairs))
        .column("checks failed", |rater| Cell::text(format!("{} of {}", rater.failed.len(), rater.n_checks)))
        .column("counts", |rater| Cell::text(if rater.is_kept { "yes" } else { "no" }))
        .column("seconds", |rater| Cell::number(rater.median_seconds).decimals(1))
        .column("repeats", |rater| Cell::Count(rater.repeats.first().map_or(0, |repeats| repeats.n)))
        .columns(again, |rater| {
            rater.repeats.iter().map(|repeats| Cell::number(repeats.mean_difference).decimals(2)).collect_vec()
        })
        .noted(notes)
}

/// A rater's answers to the failed checks.
fn said(rater: &RaterLine) -> String {
    let checks = rater.failed.iter().map(|check| {
        let ratings = check.ratings.iter().join(" and ");
        let trial = &check.trial;
        let shown = match &trial.system {
            Some(system) => format!("{} beside {} of {system}", trial.stimulus, trial.reconstruction),
            None => format!("{} beside itself", trial.stimulus),
        };
        format!("{shown} (rated {ratings})")
    });
    format!("{} failed the checks {}.", rater.rater, checks.format("; "))
}

pub(super) fn raters_in_full(record: &ReadRecord) -> Table {
    let again = record.questions.iter().map(|question| format!("{question}_difference_again"));
    Table::of("Raters", &record.raters)
        .column("rater", |rater| Cell::text(&rater.rater))
        .column("n_pairs", |rater| Cell::Count(rater.n_pairs))
        .column("n_unanswered", |rater| Cell::Count(rater.n_unanswered))
        .column("n_checks", |rater| Cell::Count(rater.n_checks))
        .column("n_failed", |rater| Cell::Count(rater.failed.len()))
        .column("counts", |rater| Cell::text(rater.is_kept.to_string()))
        .column("one_answer", |rater| Cell::text(rater.gave_one_answer.to_string()))
        .column("median_seconds", |rater| Cell::number(rater.median_seconds))
        .column("n_repeats", |rater| Cell::Count(rater.repeats.first().map_or(0, |repeats| repeats.n)))
        .columns(again, |rater| {
            rater.repeats.iter().map(|repeats| Cell::number(repeats.mean_difference)).collect_vec()
        })
        .noted(Vec::new())
}

pub(super) fn consistency(record: &ReadRecord) -> Table {
    let percent = |share: Option<f64>| share.map(|share| 100.0 * share);
    Table::of("What raters who count said of pairs that they saw again", &record.consistency)
        .column("question", |line: &&ConsistencyLine| Cell::text(&line.question))
        .column("pairs", |line| Cell::Count(line.n))
        .column("same, %", |line| Cell::number(percent(line.same)).decimals(0))
        .column("within one point, %", |line| Cell::number(percent(line.within_one)).decimals(0))
        .column("mean distance", |line| Cell::number(line.mean_difference).decimals(2))
        .column("ICC(1,1)", |line| Cell::estimate(line.icc, line.icc_interval))
        .noted(Vec::new())
}
