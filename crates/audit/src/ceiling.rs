//! The identification accuracy of a decoder that knows only the cluster of a stimulus.

/// Expected accuracy of top-`k` identification among `n` candidates (the stimulus and n − 1 distractors drawn from the
/// other test stimuli) for a decoder that knows only the cluster of each stimulus.
///
/// - Equation: with N = Σ m_c stimuli in clusters of m_c, a stimulus of a cluster of m meets K distractors of its own
///   cluster, where K is hypergeometric (N − 1 others, m − 1 of them of the cluster, n − 1 drawn). It beats all
///   distractors from other clusters and has a random rank among the K + 1 of its own, so that the accuracy is Σ_c (m_c
///   / N) · E\[min(1, k / (K + 1))\]. For k = 1 the expectation is N / (n m) · (1 − C(N − m, n) / C(N, n)), for two-way
///   identification 1 − (m − 1) / (2 (N − 1)).
/// - Shapes: `sizes` has the number of test stimuli of each cluster.
/// - Range: k / n (one cluster) to 1 (every stimulus is a separate cluster).
/// - Undefined: `None` with fewer than n stimuli, n below 2, or k that is not between 1 and n.
/// - Reference: Shirakawa et al., Neural Networks 190 (2025), section 4.3, for clusters of equal size.
pub fn by_cluster_alone(sizes: &[usize], n: usize, k: usize) -> Option<f64> {
    let all: usize = sizes.iter().sum();
    if n < 2 || all < n || k < 1 || k > n {
        return None;
    }
    let of_cluster = |&size: &usize| size as f64 / all as f64 * of_stimulus(all, size, n, k);
    Some(sizes.iter().filter(|&&size| size > 0).map(of_cluster).sum())
}

/// E\[min(1, k / (K + 1))\] for a stimulus of a cluster of `size`.
fn of_stimulus(all: usize, size: usize, n: usize, k: usize) -> f64 {
    let (others, own, drawn) = (all - 1, size - 1, n - 1);
    let fewest = drawn.saturating_sub(others - own);
    let most = own.min(drawn);
    // Probabilities are relative to the first, by their ratios; dividing by the sum normalises them.
    let (mut weight, mut weights, mut expected) = (1.0, 0.0, 0.0);
    for met in fewest..=most {
        weights += weight;
        expected += weight * (k as f64 / (met as f64 + 1.0)).min(1.0);
        let up = (own - met) as f64 * (drawn - met) as f64;
        let down = (met as f64 + 1.0) * (others - own + met + 1 - drawn) as f64;
        weight *= up / down;
        if weights > 1e250 {
            (weight, weights, expected) = (weight * 1e-250, weights * 1e-250, expected * 1e-250);
        }
    }
    expected / weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(n: usize, k: usize) -> f64 {
        if k > n {
            return 0.0;
        }
        (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product()
    }

    #[test]
    fn the_sum_is_the_closed_form_of_one_winner() {
        for sizes in [&[5, 3, 2][..], &[1, 1, 30], &[12, 12, 12], &[40]] {
            let all: usize = sizes.iter().sum();
            for n in [2, 3, 5, 10] {
                let closed = |&m: &usize| {
                    let alone = 1.0 - choose(all - m, n) / choose(all, n);
                    m as f64 / all as f64 * all as f64 / (n * m) as f64 * alone
                };
                let closed: f64 = sizes.iter().map(closed).sum();
                let found = by_cluster_alone(sizes, n, 1).unwrap();
                assert!((found - closed).abs() < 1e-12, "{sizes:?} {n}");
            }
        }
    }

    #[test]
    fn two_way_is_one_minus_half_the_share_of_the_own_cluster() {
        let sizes = [7, 2, 11];
        let expected: f64 = sizes.iter().map(|&m| m as f64 / 20.0 * (1.0 - (m - 1) as f64 / 38.0)).sum();
        assert!((by_cluster_alone(&sizes, 2, 1).unwrap() - expected).abs() < 1e-14);
    }

    #[test]
    fn one_cluster_is_chance_and_clusters_of_one_are_perfect() {
        assert!((by_cluster_alone(&[100], 50, 5).unwrap() - 0.1).abs() < 1e-12);
        assert!((by_cluster_alone(&[1; 100], 50, 1).unwrap() - 1.0).abs() < 1e-12);
        assert!((by_cluster_alone(&[1000, 1000], 1000, 1).unwrap() - 0.002).abs() < 1e-4);
        for (n, k) in [(1, 1), (101, 1), (2, 0), (2, 3)] {
            assert_eq!(by_cluster_alone(&[100], n, k), None);
        }
    }
}
