//! The expected best of k values drawn from n.

/// The weights with which values, best first, add up to the expected best of `k` values drawn without replacement:
///
/// ```text
/// w_r = C(n − r, k − 1) / C(n, k),  r = 1 ... n
/// ```
///
/// The value in place r is the best of the draw if it is drawn and the other k − 1 come from the n − r after it. With k
/// = 1 this is the mean, with k = n the best value.
///
/// - Range: 0 to 1; the weights add up to 1.
/// - Undefined: empty unless 1 ≤ k ≤ n.
/// - Reference: all subsets of `itertools.combinations`, to 1e-15.
///
/// ```
/// use neurogauge_stats::best_of::best_of_weights;
/// // Of three values, two of the three pairs have the best one, and the third pair the second one.
/// let weights = best_of_weights(3, 2);
/// assert!((weights[0] - 2.0 / 3.0).abs() < 1e-15 && (weights[1] - 1.0 / 3.0).abs() < 1e-15 && weights[2] == 0.0);
/// ```
pub fn best_of_weights(n: usize, k: usize) -> Vec<f64> {
    if k == 0 || k > n {
        return Vec::new();
    }
    let mut weights = vec![0.0; n];
    // w_1 = k / n, and each further weight is the previous one times (n − r − k + 1) / (n − r).
    let mut weight = k as f64 / n as f64;
    for (place, own) in weights.iter_mut().enumerate() {
        *own = weight;
        let behind = n - place - 1;
        weight *= match behind {
            0 => 0.0,
            behind => (behind as f64 + 1.0 - k as f64).max(0.0) / behind as f64,
        };
    }
    weights
}
