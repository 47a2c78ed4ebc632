//! Mean and standard deviation of a few values.

/// The mean, added up in the order given; `None` without a value.
///
/// ```
/// use neurogauge_stats::mean;
/// assert_eq!(mean([1.0, 2.0, 6.0]), Some(3.0));
/// assert_eq!(mean([]), None);
/// ```
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values
        .into_iter()
        .fold((0_usize, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / n as f64)
}

/// The standard deviation of a sample (divisor n - 1); 0 for a single value, `None` without one.
///
/// ```
/// use neurogauge_stats::standard_deviation;
/// assert_eq!(standard_deviation(&[1.0, 3.0, 5.0]), Some(2.0));
/// assert_eq!(standard_deviation(&[7.0]), Some(0.0));
/// assert_eq!(standard_deviation(&[]), None);
/// ```
pub fn standard_deviation(values: &[f64]) -> Option<f64> {
    let centre = mean(values.iter().copied())?;
    let squares: f64 = values.iter().map(|value| (value - centre).powi(2)).sum();
    let degrees = (values.len() as f64 - 1.0).max(1.0);
    Some((squares / degrees).sqrt())
}
