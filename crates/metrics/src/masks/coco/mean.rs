//! NumPy's mean: pairwise summation in blocks.

/// The mean of the values as computed by `numpy.mean` for a contiguous `float64` array; `None` without values.
pub(super) fn numpy_mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| pairwise_sum(values) / values.len() as f64)
}

fn pairwise_sum(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 8 {
        return values.iter().fold(0.0, |sum, value| sum + value);
    }
    if n <= 128 {
        let (groups, rest) = values.as_chunks::<8>();
        let mut lanes = groups[0];
        for group in &groups[1..] {
            for (lane, value) in lanes.iter_mut().zip(group) {
                *lane += value;
            }
        }
        let [a, b, c, d, e, f, g, h] = lanes;
        let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
        return rest.iter().fold(sum, |sum, value| sum + value);
    }
    let half = n / 2 - n / 2 % 8;
    pairwise_sum(&values[..half]) + pairwise_sum(&values[half..])
}
