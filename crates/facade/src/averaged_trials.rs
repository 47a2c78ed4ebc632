//! Identification by means of several trials of an image: what it needs, and its table.

use crate::Error;
use crate::pool_report;
use crate::request::ScoreRequest;
use crate::run_record::{AveragedIdentification, MetricRecord, RunRecord};
use crate::selected::Selection;
use itertools::Itertools;
use neurogauge_core::Estimate;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::Axis;
use neurogauge_metrics::{Compute, find};
use neurogauge_report::{Cell, MetricColumn, Table};

/// Fails if numbers of trials are to be averaged and there are no trials, or no metric of identification.
pub(crate) fn check(request: &ScoreRequest, selection: &Selection, axes: &[Axis]) -> Result<(), Error> {
    let Some(n_trials) = request.averaged.first() else {
        return Ok(());
    };
    let refused = |why: String| Err(Error::Usage(format!("{}: {why}", option("averaged", &n_trials.to_string()))));
    if axes != [Axis::Sample] {
        return refused(format!(
            "items have no trials, or also views or frames; expected {}, or {} with {{sample}} alone",
            option("trials", "FILE"),
            option("parts", "PATTERN")
        ));
    }
    if !request.samples.is_mean() {
        return refused(format!(
            "all trials are averaged; leave out {}",
            option("samples", &request.samples.to_string())
        ));
    }
    let identifies = |compute: &Compute| matches!(compute, Compute::Identification { .. });
    if !selection.metrics.iter().any(|selected| identifies(&selected.metric.compute)) {
        return refused(
            "only features are averaged, for metrics of identification (alexnet2, clip, MODEL:LAYER), and none is computed; a mean of \
             pictures or texts is no reconstruction"
                .to_owned(),
        );
    }
    Ok(())
}

/// The images, by their positions, that have `n_trials` trials or more. An option needs as many images as it says.
///
/// # Errors
/// [`Error::Usage`] if there are fewer.
pub fn images_with_trials(
    trials: &[Vec<usize>],
    n_trials: usize,
    (name, fewest): (&str, usize),
) -> Result<Vec<usize>, Error> {
    let shown: Vec<usize> = (0..trials.len()).filter(|&image| trials[image].len() >= n_trials).collect();
    if n_trials == 0 || shown.len() < fewest {
        let most = trials.iter().map(Vec::len).max().unwrap_or_default();
        return Err(Error::Usage(format!(
            "{}: {} images have {n_trials} trials or more (the most is {most}), fewer than {}; average fewer trials, or lower the other",
            option("averaged", &n_trials.to_string()),
            shown.len(),
            option(name, &fewest.to_string())
        )));
    }
    Ok(shown)
}

/// A note if rows of a curve are not of the same images.
pub fn other_images(n_images: impl Iterator<Item = usize>) -> Option<String> {
    let is_one = n_images.dedup().count() < 2;
    (!is_one).then(|| "Rows with different numbers of images are not of the same images.".to_owned())
}

/// The points of the curve as further columns of a table of systems, for programs.
pub(crate) fn columns(record: &RunRecord) -> impl Iterator<Item = (MetricColumn, Estimate)> {
    record.averaged.iter().filter_map(|point| {
        let is_it = |metric: &&MetricRecord| metric.id == point.metric;
        let stand_in = record.metrics.iter().find(is_it).is_some_and(|metric| metric.stand_in);
        let column = MetricColumn {
            id: format!("{} trials={}", point.metric, point.n_trials),
            ..pool_report::column(find(&point.metric)?, record, stand_in)
        };
        Some((column, point.estimate.clone()))
    })
}

/// The curve over the number of averaged trials of each metric; `None` without any.
pub(crate) fn table(record: &RunRecord) -> Option<Table> {
    let found = &record.averaged;
    let options = &record.request.options.identification;
    let level = record.request.bootstrap.level * 100.0;
    let of = |point: &AveragedIdentification| find(&point.metric);
    let label =
        |point: &AveragedIdentification| of(point).map_or(String::new(), |own| pool_report::label(own, options));
    let decimals = |point: &AveragedIdentification| of(point).map_or(Cell::DECIMALS, |own| own.spec.decimals);
    let mut notes = vec![
        "Features of so many trials of an image are averaged (no brain responses and no pictures), then the mean is identified: over \
         random subsets of the trials of each image that has as many. Intervals: new images and new distractors, these trials."
            .to_owned(),
    ];
    notes.extend(other_images(found.iter().map(|point| point.n_images)));
    let table = Table::of("Identification by averaged trials", found)
        .column("Metric", |point| Cell::text(label(point)))
        .column("trials", |point| Cell::Count(point.n_trials))
        .column(format!("mean [{level}% over images]"), |point| {
            Cell::estimate(&point.estimate.value, point.estimate.interval).decimals(decimals(point))
        })
        .column("images", |point| Cell::Count(point.n_images))
        .column("chance", |point| Cell::number(of(point).and_then(|own| pool_report::chance(own, record))))
        .noted(notes);
    (!found.is_empty()).then_some(table)
}
