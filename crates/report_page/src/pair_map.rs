//! A map of the pairs by the features of an identification metric, with similar stimuli near each other.

use crate::document::{Identification, MetricEntry, PairMap};
use crate::feature_files::FeatureFiles;
use crate::inputs::{Inputs, System};
use neurogauge::alignment::{Matrix, symmetric_eigenpairs};
use neurogauge::core::Side;
use neurogauge::stats::Similarity;
use neurogauge::stats::similarity::{ComparedRows, similarities_between};

/// At most this many pairs are on a map, since the time of an eigendecomposition grows with their cube.
const MOST_PAIRS: usize = 1500;
/// The metric whose features are preferred.
const PREFERRED: &str = "clip";

/// The map by the features of a metric whose ranks the page shows; `None` if no such metric is meaningful.
pub(crate) fn pair_map(inputs: &Inputs, metrics: &[MetricEntry], shown: &[Identification]) -> Option<PairMap> {
    let can_be = |found: &&Identification| {
        let is_known = found.not_shown.is_none() && found.pool.is_none();
        is_known && !metrics[found.metric].stand_in
    };
    let mut candidates = shown.iter().filter(can_be);
    let preferred = candidates.clone().find(|found| metrics[found.metric].id == PREFERRED);
    let chosen = preferred.or_else(|| candidates.next())?;
    let (system, metric) = (&inputs.systems[chosen.system], &metrics[chosen.metric]);
    let (on_page, matrix) = centred_similarities(system, metric.id)?;
    let (axes, shares) = principal_axes(&matrix)?;
    let mut at = vec![None; inputs.stems.len()];
    for (row, place) in on_page.into_iter().enumerate() {
        at[place] = Some([0, 1].map(|axis| rounded(axes[axis][row])));
    }
    Some(PairMap {
        features: metric.label.clone(),
        at,
        shares: shares.map(rounded),
    })
}

/// The pairs of the page that have features, and the centred correlations of their stimuli's features. If each row has
/// mean 0 and length 1, these are the inner products that PCA needs.
fn centred_similarities(system: &System, metric: &str) -> Option<(Vec<usize>, Matrix)> {
    let opened = FeatureFiles::find(&system.run, metric, false).ok()?.open(&system.run).ok()?;
    let on_page = system.on_page();
    let has_row = |pair: &usize| opened.rows[*pair].is_some() && on_page.contains_key(pair);
    let pairs: Vec<usize> = (0..opened.rows.len()).filter(has_row).collect();
    if pairs.len() > MOST_PAIRS {
        return None;
    }
    let rows = opened.of(Side::Gt, &pairs);
    let rows = ComparedRows::new(&rows, Similarity::Correlation).ok()?;
    let all = 0..pairs.len();
    let table = similarities_between((&rows, all.clone()), (&rows, all.clone())).ok()?;
    let known: Vec<usize> = all.filter(|&row| rows.defect(row).is_none()).collect();
    let n = known.len();
    let of = |a: usize, b: usize| table.get(known[a], known[b]);
    let mean_of = |a: usize| (0..n).map(|b| of(a, b)).sum::<f64>() / n as f64;
    let means: Vec<f64> = (0..n).map(mean_of).collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    let matrix = Matrix::from_fn(n, n, |a, b| of(a, b) - means[a] - means[b] + mean);
    Some((known.into_iter().map(|row| on_page[&pairs[row]]).collect(), matrix))
}

/// Coordinates on the two leading axes, and the axes' shares of the variance; `None` for fewer than three rows, or if
/// all are equal.
fn principal_axes(matrix: &Matrix) -> Option<([Vec<f64>; 2], [f64; 2])> {
    let n = matrix.n_rows();
    if n < 3 {
        return None;
    }
    let (values, vectors) = symmetric_eigenpairs(matrix).ok()?;
    let total: f64 = (0..n).map(|row| matrix.get(row, row)).sum();
    let share = |axis: usize| values[axis].max(0.0) / total;
    let coordinates = |axis: usize| -> Vec<f64> {
        let vector = vectors.column(axis);
        // The sign of an axis is arbitrary, so its largest coordinate is made positive.
        let largest = vector.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
        let length = values[axis].max(0.0).sqrt() * largest.signum();
        vector.iter().map(|value| value * length).collect()
    };
    (values[0] > 1e-9).then(|| ([0, 1].map(coordinates), [0, 1].map(share)))
}

fn rounded(value: f64) -> f64 {
    (10_000.0 * value).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points (2, 0), (-2, 0), (0, 1) and (0, -1) form a cross, whose axes are those of the plane.
    #[test]
    fn axes_are_those_of_the_points() {
        let points: [[f64; 2]; 4] = [[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        let inner = |a: usize, b: usize| points[a][0] * points[b][0] + points[a][1] * points[b][1];
        let (axes, shares) = principal_axes(&Matrix::from_fn(4, 4, inner)).unwrap();
        for (axis, share) in [(0, 0.8), (1, 0.2)] {
            assert!((shares[axis] - share).abs() < 1e-12);
            let sign = axes[axis][2 * axis].signum();
            for (point, found) in points.iter().zip(&axes[axis]) {
                assert!((sign * point[axis] - found).abs() < 1e-12, "{axes:?}");
            }
        }
        assert!(principal_axes(&Matrix::from_fn(4, 4, |_, _| 0.0)).is_none());
    }
}
