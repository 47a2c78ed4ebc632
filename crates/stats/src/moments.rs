//! Mean, standard deviation and skewness of a few values.

/// The mean, added up in the order given; `None` without a value.
///
/// ```
/// use neurogauge_stats::mean;
/// assert_eq!(mean([1.0, 2.0, 6.0]), Some(3.0));
/// assert_eq!(mean([]), None);
/// ```
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.into_iter().fold((0_usize, 0.0), |(n, sum), value| (n + 1, sum + value));
    (n > 0).then(|| sum / n as f64)
}

/// The standard deviation of a sample (divisor n - 1); 0 for a single value, `None` without values.
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
    Some((squares / (values.len() as f64 - 1.0).max(1.0)).sqrt())
}

/// The skewness of a sample, m₃ / m₂^1.5 with the central moments m; `None` if nothing varies by more than rounding.
///
/// - Reference: `scipy.stats.skew` 1.17.1, to 1e-12.
///
/// ```
/// let skewness = neurogauge_stats::skewness(&[0.0, 0.0, 0.0, 1.0]).unwrap();
/// assert!((skewness - 2.0 / 3.0_f64.sqrt()).abs() < 1e-12);
/// assert_eq!(neurogauge_stats::skewness(&[1.0, 1.0]), None);
/// ```
pub fn skewness(values: &[f64]) -> Option<f64> {
    let centre = mean(values.iter().copied())?;
    let (squares, cubes) = values.iter().fold((0.0, 0.0), |(squares, cubes): (f64, f64), value| {
        (squares + (value - centre).powi(2), cubes + (value - centre).powi(3))
    });
    let (squares, cubes) = (squares / values.len() as f64, cubes / values.len() as f64);
    let found = cubes / squares.powf(1.5);
    let varies = squares.sqrt() > 1e-12 * centre.abs();
    (varies && found.is_finite()).then_some(found)
}

/// Skewness is strong from this many times √n: twice the threshold of Cochran (1977, section 2.15), n > 25 g₁². With
/// half of it, one in seven samples of ten normal values would be marked.
const STRONG: f64 = 0.4;

/// With fewer values, every skewness is noise.
const FEWEST: usize = 6;

/// The skewness of a sample, if it is so strong for its number of values that an interval of the mean misses more often
/// than its level allows: from 0.4 √n on (1.3 for 10 values, 2.2 for 30, 4 for 100). `None` if it is weaker, and below
/// six values.
///
/// Nearly all misses are on one side: the true mean is above the interval if the skewness is positive, and below it if
/// it is negative. A sample that happens to lack its population's long tail is not marked, so this detects skewed
/// populations rather than the samples that miss. `bench/calibration/skewed-means.tsv` has how often samples of each
/// population are marked.
///
/// ```
/// let rare = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
/// assert!((neurogauge_stats::strong_skewness(&rare).unwrap() - 8.0 / 3.0).abs() < 1e-12);
/// assert_eq!(neurogauge_stats::strong_skewness(&[0.1, 0.4, 0.2, 0.5, 0.3, 0.2]), None);
/// ```
pub fn strong_skewness(values: &[f64]) -> Option<f64> {
    let is_strong = |found: &f64| found.abs() >= STRONG * (values.len() as f64).sqrt();
    skewness(values).filter(|found| values.len() >= FEWEST && is_strong(found))
}
