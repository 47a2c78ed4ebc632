//! Tables of widths and values, for reading.

use super::{PowerLine, PowerRecord, StatisticWidth};
use neurogauge::report::{Cell, Table};
use neurogauge::stats::meta::Statistic;

const SHOWN: [Statistic; 4] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson, Statistic::Spearman];

pub(super) fn widths(record: &PowerRecord) -> Table {
    let request = &record.request;
    let agreement = record.rater_agreement.map_or_else(String::new, |icc| {
        format!(" One simulated rating agrees with another at ICC(2,1) {icc:.2}: choose the noise so that this is as in a pilot.")
    });
    let level = 100.0 * request.meta.bootstrap.level;
    let title = format!("Width of the {level}% interval on a metric's agreement with people, from end to end");
    table(
        record,
        title,
        |found| found.width,
        vec![
            format!(
                "Medians over {} simulated surveys. Intervals are those of `neurogauge meta`: {}.",
                request.simulations,
                request.meta.in_words("pairs")
            ),
            format!(
                "Simulated: the quality of pairs is normal (0, 1); the metric has the given correlation with it; ratings are 3 + level + \
             spread x quality + noise, rounded, within 1 to 5; raters differ in level (sd 0.4), spread (log-normal, 0.25) and noise \
             (sd {:.2} to {:.2}). People: how many it takes if each rates {} pairs at most.{agreement}",
                0.7 * request.rater_noise,
                1.3 * request.rater_noise,
                request.pairs_per_rater
            ),
        ],
    )
}

pub(super) fn values(record: &PowerRecord) -> Table {
    let title = "Agreement itself, the mean over simulated surveys".to_owned();
    table(record, title, |found| found.value, Vec::new())
}

fn table(
    record: &PowerRecord,
    title: String,
    number: impl Fn(&StatisticWidth) -> Option<f64>,
    notes: Vec<String>,
) -> Table {
    let headings = SHOWN.map(|statistic| statistic.label().to_owned());
    let of = |line: &&PowerLine| {
        SHOWN.map(|statistic| {
            Cell::number(line.statistics.iter().find(|found| found.statistic == statistic).and_then(&number))
        })
    };
    Table::of(title, &record.lines)
        .column("pairs", |line| Cell::Count(line.pairs))
        .column("raters", |line| Cell::Count(line.raters))
        .column("people", |line| Cell::Count(line.people))
        .column("correlation", |line| Cell::number(line.correlation).decimals(2))
        .columns(headings, of)
        .noted(notes)
}

pub(super) fn full(record: &PowerRecord) -> Table {
    let found = record.lines.iter().flat_map(|line| line.statistics.iter().map(move |found| (line, found)));
    Table::of("Power", found)
        .column("pairs", |(line, _)| Cell::Count(line.pairs))
        .column("raters", |(line, _)| Cell::Count(line.raters))
        .column("people", |(line, _)| Cell::Count(line.people))
        .column("correlation", |(line, _)| Cell::number(line.correlation))
        .column("statistic", |(_, found)| Cell::text(found.statistic.id()))
        .column("value", |(_, found)| Cell::number(found.value))
        .column("width", |(_, found)| Cell::number(found.width))
        .column("width_of_nine_in_ten", |(_, found)| Cell::number(found.width_of_nine_in_ten))
        .column("n_without", |(_, found)| Cell::Count(found.n_without))
        .noted(Vec::new())
}
