//! Clusters of points, by seeded k-means.

use neurogauge::core::Seed;
use rand::{Rng, RngExt};
use rayon::prelude::*;

/// The most rounds of a start, unless labels stop changing earlier.
const MOST_ROUNDS: usize = 300;

#[derive(Debug, Clone, PartialEq)]
pub struct KMeans {
    /// The centres, one after another: (k, n_dimensions).
    pub centres: Vec<f64>,
    pub labels: Vec<usize>,
    /// The sum of squared distances of the points to their centres.
    pub inertia: f64,
}

/// Lloyd's k-means from `starts` starts of k-means++; returns the result with the smallest inertia.
///
/// - Shapes: `points` is row-major, (n_points, `n_dimensions`).
/// - A cluster that loses all its points gets the point that is farthest from its centre.
/// - The same seed gives the same bits, whatever the number of threads.
/// - Undefined: `None` with fewer points than clusters, no cluster, or no dimension.
/// - Reference: Arthur and Vassilvitskii (2007); inertia as in scikit-learn.
pub fn k_means(points: &[f64], n_dimensions: usize, k: usize, seed: Seed, starts: usize) -> Option<KMeans> {
    let n_points = points.len().checked_div(n_dimensions)?;
    if k == 0 || n_points < k {
        return None;
    }
    let found = (0..starts.max(1)).map(|start| {
        let mut rng = seed.stream(start as u64);
        lloyd(points, n_dimensions, spread_out(points, n_dimensions, k, &mut rng))
    });
    found.reduce(|best, other| if other.inertia < best.inertia { other } else { best })
}

/// Lloyd's iterations from given centres, until no label changes.
///
/// - Shapes: as in [`k_means`]; `centres` is row-major, (k, `n_dimensions`).
pub fn lloyd(points: &[f64], n_dimensions: usize, mut centres: Vec<f64>) -> KMeans {
    let mut labels = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let nearest = nearest_centres(points, n_dimensions, &centres);
        let again: Vec<usize> = nearest.iter().map(|&(label, _)| label).collect();
        if again == labels {
            break;
        }
        labels = again;
        centres = means(points, n_dimensions, &centres, &nearest);
    }
    let nearest = nearest_centres(points, n_dimensions, &centres);
    KMeans {
        inertia: nearest.iter().map(|&(_, distance)| distance).sum(),
        labels: nearest.iter().map(|&(label, _)| label).collect(),
        centres,
    }
}

pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The nearest centre of each point (the first of equal ones), and the squared distance to it.
pub(crate) fn nearest_centres(points: &[f64], n_dimensions: usize, centres: &[f64]) -> Vec<(usize, f64)> {
    let nearest = |point: &[f64]| {
        let mut best = (0, f64::INFINITY);
        for (label, centre) in centres.chunks_exact(n_dimensions).enumerate() {
            let distance = squared_distance(point, centre);
            if distance < best.1 {
                best = (label, distance);
            }
        }
        best
    };
    points.par_chunks_exact(n_dimensions).map(nearest).collect()
}

fn means(points: &[f64], n_dimensions: usize, before: &[f64], nearest: &[(usize, f64)]) -> Vec<f64> {
    let k = before.len() / n_dimensions;
    let (mut sums, mut counts) = (vec![0.0; before.len()], vec![0_usize; k]);
    for (point, &(label, _)) in points.chunks_exact(n_dimensions).zip(nearest) {
        counts[label] += 1;
        let sums = &mut sums[label * n_dimensions..][..n_dimensions];
        sums.iter_mut().zip(point).for_each(|(sum, value)| *sum += value);
    }
    let mut farthest: Vec<usize> = (0..nearest.len()).collect();
    if counts.contains(&0) {
        farthest.sort_by(|&a, &b| nearest[b].1.total_cmp(&nearest[a].1).then(a.cmp(&b)));
    }
    let mut farthest = farthest.into_iter();
    for (label, &count) in counts.iter().enumerate() {
        let centre = &mut sums[label * n_dimensions..][..n_dimensions];
        match (count, farthest.next()) {
            (0, Some(point)) => {
                centre.copy_from_slice(&points[point * n_dimensions..][..n_dimensions]);
            }
            _ => centre.iter_mut().for_each(|sum| *sum /= count as f64),
        }
    }
    sums
}

/// The centres of k-means++: each is drawn with a probability proportional to the squared distance from the previous
/// ones.
fn spread_out(points: &[f64], n_dimensions: usize, k: usize, rng: &mut impl Rng) -> Vec<f64> {
    let n_points = points.len() / n_dimensions;
    let point = |index: usize| &points[index * n_dimensions..][..n_dimensions];
    let mut centres = point(rng.random_range(0..n_points)).to_vec();
    let mut distances = vec![f64::INFINITY; n_points];
    while centres.len() < k * n_dimensions {
        let newest = &centres[centres.len() - n_dimensions..];
        let of_newest = points.par_chunks_exact(n_dimensions);
        let of_newest: Vec<f64> = of_newest.map(|point| squared_distance(point, newest)).collect();
        distances.iter_mut().zip(of_newest).for_each(|(least, new)| *least = least.min(new));
        let total: f64 = distances.iter().sum();
        let mut left = rng.random::<f64>() * total;
        let drawn = distances.iter().position(|distance| {
            left -= distance;
            left < 0.0
        });
        // All points are centres already, so any will do.
        centres.extend_from_slice(point(drawn.unwrap_or(n_points - 1)));
    }
    centres
}

/// Mean silhouette of points in clusters: (b − a) / max(a, b), where a is the mean distance to the other points of the
/// same cluster and b the smallest mean distance to the points of another one; 0 for a cluster of one point.
///
/// - Shapes: `points` is row-major, (n_points, `n_dimensions`); `labels` has a cluster for each point.
/// - Range: −1 to 1; larger is clearer.
/// - Undefined: `None` with fewer than two clusters.
/// - Reference: Rousseeuw (1987); as in scikit-learn's `silhouette_score`.
pub fn silhouette(points: &[f64], n_dimensions: usize, labels: &[usize]) -> Option<f64> {
    let n_clusters = labels.iter().max()? + 1;
    let mut counts = vec![0_usize; n_clusters];
    labels.iter().for_each(|&label| counts[label] += 1);
    if counts.iter().filter(|&&count| count > 0).count() < 2 {
        return None;
    }
    let of_point = |(index, point): (usize, &[f64])| {
        let mut sums = vec![0.0; n_clusters];
        for (other, &label) in points.chunks_exact(n_dimensions).zip(labels) {
            sums[label] += squared_distance(point, other).sqrt();
        }
        let own = labels[index];
        if counts[own] == 1 {
            return 0.0;
        }
        let within = sums[own] / (counts[own] - 1) as f64;
        let others = (0..n_clusters).filter(|&label| label != own && counts[label] > 0);
        let nearest = others.map(|label| sums[label] / counts[label] as f64).fold(f64::INFINITY, f64::min);
        match within.max(nearest) {
            0.0 => 0.0,
            larger => (nearest - within) / larger,
        }
    };
    let each: Vec<f64> = points.par_chunks_exact(n_dimensions).enumerate().map(of_point).collect();
    Some(each.iter().sum::<f64>() / each.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four groups of twenty points, far apart.
    fn groups() -> Vec<f64> {
        let mut rng = Seed(7).stream(0);
        (0..80)
            .flat_map(|i| [(i % 4) as f64 * 10.0, (i % 2) as f64 * 10.0].map(|value| value + rng.random::<f64>()))
            .collect()
    }

    #[test]
    fn planted_groups_are_found_from_every_seed() {
        let points = groups();
        for seed in 0..20 {
            let found = k_means(&points, 2, 4, Seed(seed), 5).unwrap();
            for (index, label) in found.labels.iter().enumerate() {
                assert_eq!(*label, found.labels[index % 4], "seed {seed}, point {index}");
            }
            assert!(silhouette(&points, 2, &found.labels).unwrap() > 0.9);
        }
    }

    #[test]
    fn more_clusters_than_different_points_leave_no_centre_undefined() {
        let found = k_means(&[1.0, 1.0, 1.0, 2.0], 1, 3, Seed(1), 2).unwrap();
        assert!(found.centres.iter().all(|centre| centre.is_finite()));
        assert_eq!(found.inertia, 0.0);
        assert_eq!(k_means(&[1.0, 2.0], 1, 3, Seed(1), 1), None);
        assert_eq!(k_means(&[1.0], 0, 1, Seed(1), 1), None);
    }

    #[test]
    fn one_cluster_has_no_silhouette() {
        assert_eq!(silhouette(&[1.0, 2.0], 1, &[0, 0]), None);
        assert_eq!(silhouette(&[], 1, &[]), None);
    }
}
