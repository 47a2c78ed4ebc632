//! The means of systems over the pairs that all of them have, and the contribution of each stimulus.

use crate::columns::SharedColumns;
use crate::stimuli::{MeanOverStimuli, values_of_stimuli};
use crate::summation::sum;
use neurogauge_core::Outcome;
use std::collections::BTreeSet;

/// The means of systems and, for each system, a value for each stimulus, in the same order for all.
pub(crate) struct SystemMeans {
    /// One mean for each system; `None` without a pair.
    pub(crate) estimates: Option<Vec<f64>>,
    /// The mean of a system's values is its estimate, and their variance over their number is its variance.
    pub(crate) values: Vec<Vec<f64>>,
    /// The numbers of stimuli and of pairs.
    pub(crate) n_stimuli: usize,
    /// The number of stimuli of the column that has the fewest.
    pub(crate) n_fewest: usize,
    pub(crate) n_shared: usize,
    /// The number of pairs that estimates report: those with a value in every column.
    pub(crate) n_named: usize,
}

impl SystemMeans {
    /// Means of columns, each over the pairs for which every system has a value in it.
    pub(crate) fn of(systems: &[Vec<&[Outcome]>], stimuli: &[usize]) -> Self {
        let Some(shared) = SharedColumns::with_gaps(systems) else {
            return means_of_shared(systems, stimuli);
        };
        let column = |own: &Vec<Outcome>| MeanOverStimuli::of(own, None, stimuli);
        let parts = shared.0.iter().map(|columns| columns.iter().map(column).collect());
        let of_column = |column: &Vec<Outcome>| {
            let known = column.iter().zip(stimuli).filter(|(own, _)| own.is_ok());
            known.map(|(_, stimulus)| *stimulus).collect::<BTreeSet<usize>>().len()
        };
        let n_fewest = shared.0.iter().flatten().map(of_column).min();
        let means = Self::of_parts(&parts.collect::<Vec<_>>(), shared.n_pairs());
        SystemMeans {
            n_fewest: n_fewest.unwrap_or(means.n_stimuli),
            ..means
        }
    }

    /// Means of systems that are the mean of several means, each over its own stimuli ([`MeanOverStimuli::mean_of`]).
    /// There are no values if a part has fewer than two stimuli, and no estimates if a part has none.
    pub(crate) fn of_parts(systems: &[Vec<Option<MeanOverStimuli>>], (n_shared, n_named): (usize, usize)) -> Self {
        let parts: Option<Vec<Vec<&MeanOverStimuli>>> =
            (systems.iter()).map(|parts| parts.iter().map(Option::as_ref).collect()).collect();
        let parts = parts.unwrap_or_default();
        let all: BTreeSet<usize> = parts.iter().flatten().flat_map(|part| part.values.keys().copied()).collect();
        let mean = |parts: &Vec<&MeanOverStimuli>| parts.iter().map(|part| part.mean).sum::<f64>() / parts.len() as f64;
        let over_stimuli: Option<Vec<MeanOverStimuli>> =
            parts.iter().map(|parts| MeanOverStimuli::mean_of(parts, &all)).collect();
        let values = over_stimuli.filter(|found| !found.is_empty());
        SystemMeans {
            estimates: (!parts.is_empty()).then(|| parts.iter().map(mean).collect()),
            values: match values {
                Some(found) => found.into_iter().map(|mean| mean.values.into_values().collect()).collect(),
                None => vec![Vec::new(); systems.len()],
            },
            n_stimuli: all.len(),
            n_fewest: all.len(),
            n_shared,
            n_named,
        }
    }
}

/// Means over the pairs for which every system has a value in every column, if no column has a value elsewhere.
fn means_of_shared(systems: &[Vec<&[Outcome]>], stimuli: &[usize]) -> SystemMeans {
    let shared: Vec<usize> = (0..stimuli.len())
        .filter(|&pair| systems.iter().flatten().all(|column| column[pair].is_ok()))
        .collect();
    let n_shared = shared.len();
    let systems: Vec<Vec<Vec<f64>>> =
        systems.iter().map(|columns| columns.iter().map(|c| values_at(c, &shared)).collect()).collect();
    let stimuli: Vec<usize> = shared.iter().map(|&pair| stimuli[pair]).collect();
    let n_stimuli = stimuli.iter().collect::<BTreeSet<_>>().len();
    SystemMeans {
        estimates: (n_shared > 0).then(|| {
            systems.iter().map(|s| mean_of_means(s, |values: &[f64]| sum(values) / n_shared as f64)).collect()
        }),
        n_stimuli,
        n_fewest: n_stimuli,
        values: (systems.iter()).map(|columns| values_of_stimuli(&means_of_pairs(columns), &stimuli)).collect(),
        n_shared,
        n_named: n_shared,
    }
}

/// The mean over columns of each pair.
fn means_of_pairs(columns: &[Vec<f64>]) -> Vec<f64> {
    let n_pairs = columns.first().map_or(0, Vec::len);
    let mean = |pair| columns.iter().map(|column| column[pair]).sum::<f64>() / columns.len() as f64;
    (0..n_pairs).map(mean).collect()
}

fn mean_of_means(columns: &[Vec<f64>], mean: impl Fn(&[f64]) -> f64) -> f64 {
    columns.iter().map(|c| mean(c)).sum::<f64>() / columns.len() as f64
}

/// The values at these positions, which are all defined.
pub(crate) fn values_at(column: &[Outcome], pairs: &[usize]) -> Vec<f64> {
    pairs.iter().filter_map(|&pair| column[pair].as_ref().ok().copied()).collect()
}
