//! Converts outcomes to and from Python, and summarises them.

use crate::errors::{Failure, bug};
use crate::{options, specs, work};
use neurogauge::core::{
    DetailsByMetric, Direction, Estimate, Explained, NamedLevel, Outcome, PairDetails, Seed, Sides, Undefined,
};
use neurogauge::metrics::find;
use neurogauge::report::{Format, MetricColumn, SystemRow, SystemTable};
use neurogauge::stats::u_statistic::{IdentificationScores, estimate_of_stimuli};
use neurogauge::stats::{
    BootstrapOptions, Difference, PairedTest, Verdict, bounded, compare_identifications, compare_systems,
    estimate_within,
};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// A value for each pair, NaN if there is none, and the reasons for those.
pub(crate) type Scored<'py> = (Bound<'py, PyArray1<f64>>, Vec<(usize, String)>);

/// Mean, the reason why there is none, interval, number of pairs with a value, number without.
pub(crate) type Summary = (Option<f64>, Option<String>, Option<(f64, f64)>, usize, usize);

/// Number of resamples, level, seed, and how intervals of means are computed.
pub(crate) type Bootstrap = (usize, f64, u64, String);

/// A value, or the reason why there is none.
pub(crate) type OrReason<T> = (Option<T>, Option<String>);

pub(crate) fn or_reason<T>(found: Result<T, Undefined>) -> OrReason<T> {
    match found {
        Ok(value) => (Some(value), None),
        Err(reason) => (None, Some(reason.to_string())),
    }
}

/// Outcomes in the form for Python.
pub(crate) fn scored<'py>(py: Python<'py>, outcomes: &[Outcome]) -> Scored<'py> {
    let values = outcomes.iter().map(|o| *o.as_ref().unwrap_or(&f64::NAN));
    let reasons = outcomes
        .iter()
        .enumerate()
        .filter_map(|(pair, outcome)| Some((pair, outcome.as_ref().err()?.to_string())));
    (PyArray1::from_vec(py, values.collect()), reasons.collect())
}

/// What pairs matched, missed and invented: a JSON list with an object for each pair, which has an object for each
/// metric with its levels.
pub(crate) fn details(pairs: Vec<Vec<NamedLevel>>) -> PyResult<String> {
    let of_pair = |found: Vec<NamedLevel>| {
        let mut details = PairDetails::default();
        details.add(found);
        details.metrics
    };
    let pairs: Vec<DetailsByMetric> = pairs.into_iter().map(of_pair).collect();
    Ok(serde_json::to_string(&pairs).map_err(|_| bug())?)
}

/// Outcomes of one metric, with details.
pub(crate) fn explained(py: Python<'_>, found: Vec<Explained>) -> PyResult<(Scored<'_>, String)> {
    let (values, behind): (Vec<Outcome>, Vec<Vec<NamedLevel>>) =
        found.into_iter().map(|one| (one.outcome, one.details)).unzip();
    Ok((scored(py, &values), details(behind)?))
}

/// Outcomes from Python: NaN has no value. It only matters that there is a reason, not which one.
pub(crate) fn outcomes(values: &PyReadonlyArray1<'_, f64>) -> Vec<Outcome> {
    let outcome = |value: &f64| match value.is_finite() {
        true => Ok(*value),
        false => Err(Undefined::Recorded("no value".to_owned())),
    };
    values.as_array().iter().map(outcome).collect()
}

pub(crate) fn bootstrap((resamples, level, seed, interval): Bootstrap) -> Result<BootstrapOptions, Failure> {
    Ok(BootstrapOptions {
        resamples,
        level,
        seed: Seed(seed),
        interval: interval.parse()?,
    })
}

pub(crate) fn summary(estimate: &Estimate) -> Summary {
    (
        estimate.value.as_ref().ok().copied(),
        estimate.value.as_ref().err().map(ToString::to_string),
        estimate.interval,
        estimate.n,
        estimate.n_undefined,
    )
}

/// For identification: the jackknife's pseudo-value and the stimulus of each pair, and by how much every value is too
/// low.
type OfStimuli<'py> = (PyReadonlyArray1<'py, f64>, Vec<usize>, f64);

/// The mean of these columns' means with its interval, as the command line computes it, within the range of a metric.
/// For identification, the interval is over stimuli.
#[pyfunction]
#[pyo3(signature = (columns, options, metric, of_stimuli=None))]
pub(crate) fn estimate_columns(
    py: Python<'_>,
    columns: Vec<PyReadonlyArray1<'_, f64>>,
    options: Bootstrap,
    metric: Option<&str>,
    of_stimuli: Option<OfStimuli<'_>>,
) -> PyResult<Summary> {
    let everything = (f64::NEG_INFINITY, f64::INFINITY);
    let spec = metric.map(specs::find).transpose()?;
    let range = spec.map_or(everything, |spec| spec.range);
    let columns: Vec<Vec<Outcome>> = columns.iter().map(outcomes).collect();
    let of_stimuli = of_stimuli.map(|(pseudo, stimuli, low)| (outcomes(&pseudo), stimuli, low));
    let found = work::run(py, None, |_| {
        let columns: Vec<&[Outcome]> = columns.iter().map(Vec::as_slice).collect();
        let options = bootstrap(options)?;
        Ok(match (&of_stimuli, columns.as_slice()) {
            (Some((pseudo_values, stimuli, too_low_by)), [outcomes]) => {
                let scores = IdentificationScores {
                    outcomes,
                    pseudo_values,
                    too_low_by: *too_low_by,
                };
                estimate_of_stimuli(scores, stimuli, range, &options)?
            }
            _ => estimate_within(&columns, range, &options)?,
        })
    })?;
    Ok(summary(&found))
}

/// A metric, its chance level, and whether it depends on a placeholder.
type OfColumn = (String, Option<f64>, bool);

/// A table with a row for each system, in one of the command line's formats.
#[pyfunction]
pub(crate) fn render_table(
    title: String,
    metrics: Vec<OfColumn>,
    systems: Vec<(String, Vec<Summary>)>,
    level: f64,
    format: &str,
) -> PyResult<String> {
    let column = |(id, chance, stand_in): OfColumn| -> Result<MetricColumn, Failure> {
        Ok(MetricColumn {
            chance,
            ..MetricColumn::from_spec(&specs::find(&id)?, stand_in)
        })
    };
    let columns: Result<Vec<MetricColumn>, Failure> = metrics.into_iter().map(column).collect();
    let columns = columns?;
    let estimate = |(value, reason, interval, n, n_undefined): Summary| Estimate {
        value: value.ok_or(Undefined::Recorded(reason.unwrap_or_default())),
        interval,
        n,
        n_undefined,
    };
    let row = |(system, found): (String, Vec<Summary>)| SystemRow {
        system,
        subject: None,
        estimates: found.into_iter().map(estimate).collect(),
        rank: None,
        undefined: None,
    };
    let table = SystemTable {
        title,
        columns,
        rows: systems.into_iter().map(row).collect(),
        level,
        notes: Vec::new(),
        unit: "pairs",
    };
    let refused = |error: neurogauge::report::ReportError| Failure::Usage(error.to_string());
    let format: Format = format.parse().map_err(refused)?;
    Ok(table.table().map_err(refused)?.render(format, None))
}

/// For a difference: interval, p value, the smallest p value that the test could give, strong skewness.
type Tested = (Option<(f64, f64)>, Option<f64>, f64, Option<f64>);

/// For a difference: the test's name, d_z, the share of stimuli at which the minuend is better, and the smallest
/// difference that could be shown.
type Sizes = (&'static str, Option<f64>, Option<f64>, Option<f64>);

/// Minuend, subtrahend, difference, number of pairs, the result of the test, and effect sizes without a unit.
type Subtracted = (usize, usize, Option<f64>, usize, Tested, Sizes);

/// Means, ranks and differences of systems.
type Compared = (Vec<Summary>, Vec<Option<f64>>, Vec<Subtracted>);

/// Compares systems by one metric, which has a column for each: means, ranks, and differences with uncorrected p
/// values. For identification, with each system's pseudo-values and the stimuli of the first system.
#[pyfunction]
#[pyo3(signature = (metric, systems, test, options, of_stimuli=None))]
pub(crate) fn compare_columns(
    py: Python<'_>,
    metric: &str,
    systems: Vec<PyReadonlyArray1<'_, f64>>,
    test: (String, usize),
    options: Bootstrap,
    of_stimuli: Option<Vec<OfStimuli<'_>>>,
) -> PyResult<Compared> {
    let spec = specs::find(metric)?;
    let (test, n_family) = (options::word::<PairedTest>("test", &test.0)?, test.1);
    let options = bootstrap(options)?;
    let columns: Vec<Vec<Outcome>> = systems.iter().map(outcomes).collect();
    let of_stimuli = of_stimuli.unwrap_or_default().into_iter();
    let of_stimuli: Vec<(Vec<Outcome>, Vec<usize>, f64)> =
        of_stimuli.map(|(pseudo, stimuli, low)| (outcomes(&pseudo), stimuli, low)).collect();
    let found = work::run(py, None, |_| {
        let systems: Vec<Vec<&[Outcome]>> = columns.iter().map(|c| vec![&c[..]]).collect();
        let mut found = match of_stimuli.first() {
            Some((_, stimuli, _)) => {
                let each = columns.iter().zip(&of_stimuli);
                let identified = each.map(|(outcomes, (pseudo_values, _, too_low_by))| IdentificationScores {
                    outcomes,
                    pseudo_values,
                    too_low_by: *too_low_by,
                });
                let identified: Vec<IdentificationScores<'_>> = identified.collect();
                let test = (test, n_family);
                compare_identifications(&identified, stimuli, spec.direction, test, &options)?
            }
            None => compare_systems(&systems, spec.direction, (test, n_family), &options)?,
        };
        for standing in &mut found.systems {
            standing.estimate = bounded(standing.estimate.clone(), spec.range, &options)?;
        }
        Ok(found)
    })?;
    let most = spec.range.1 - spec.range.0;
    let difference = |one: &Difference| {
        let within = |(low, high): (f64, f64)| (low.max(-most), high.min(most));
        let value = one.value.as_ref().ok().copied();
        let smallest = test.smallest_p(found.n_fewest, n_family, &options);
        let tested =
            (one.interval.map(within), one.p_value.filter(|_| !one.is_nothing()), smallest, one.strong_skewness);
        let share = one.share_higher.map(|share| match spec.direction {
            Direction::Higher => share,
            Direction::Lower => 1.0 - share,
        });
        let could_show = smallest * n_family as f64 <= 1.0 - options.level;
        let detectable = one.detectable(found.n_fewest, n_family, options.level);
        let sizes = (test.label(), one.d_z(), share, detectable.filter(|_| could_show));
        (one.minuend, one.subtrahend, value, found.n_shared, tested, sizes)
    };
    let sums = found.systems.iter().map(|one| summary(&one.estimate));
    let ranks = found.systems.iter().map(|one| one.rank);
    let differences = found.differences.iter().map(difference);
    Ok((sums.collect(), ranks.collect(), differences.collect()))
}

/// A warning if the metric gives a value to pairs with nothing on one side. `blank` says which sides of each pair have
/// nothing, if details do not tell.
#[pyfunction]
pub(crate) fn nothing_seen(
    metric: &str,
    values: PyReadonlyArray1<'_, f64>,
    details: &str,
    blank: Vec<(bool, bool)>,
) -> PyResult<Option<String>> {
    let Some(metric) = find(metric) else {
        return Ok(None);
    };
    let details: Vec<DetailsByMetric> = options::read(details)?;
    let empty = |place: usize| match blank.get(place) {
        Some(&(gt, recon)) => Some(Sides { gt, recon }),
        None => neurogauge::empty_by_details(metric, details.get(place)?),
    };
    Ok(neurogauge::nothing_seen(metric, &outcomes(&values), empty).map(|finding| finding.to_string()))
}

/// Holm's correction of p values, each given with the smallest possible p of its test, and the verdicts at this level.
#[pyfunction(name = "holm")]
pub(crate) fn corrected(tests: Vec<(f64, f64)>, level: f64) -> PyResult<Vec<(f64, &'static str)>> {
    let found = Verdict::corrected(&tests, 1.0 - level).map_err(Failure::from)?;
    Ok(found.into_iter().map(|(p, verdict)| (p, verdict.id())).collect())
}
