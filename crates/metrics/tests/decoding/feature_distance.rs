//! The correlation distance of feature vectors against SciPy (`reference/feature_distance.py`).

use super::image_pairs::{count, golden, uniform};
use neurogauge_core::{Side, Undefined};
use neurogauge_metrics::MetricError;
use neurogauge_metrics::decoding::feature_distance::correlation_distance;

#[test]
fn feature_distances_equal_scipy() {
    for case in &golden("feature_distance") {
        let n = count(&case["n_features"]);
        let weight = case["weight"].as_f64().unwrap() as f32;
        let gt = uniform("features.gt", n);
        let recon: Vec<f32> = gt
            .iter()
            .zip(uniform("features.recon", n))
            .map(|(gt, other)| weight * gt + (1.0 - weight) * other)
            .collect();
        let found = correlation_distance(&gt, &recon).unwrap().unwrap();
        let difference = found - case["distance"].as_f64().unwrap();
        assert!(difference.abs() < 1e-6, "{n} features, weight {weight}: {difference:e}");
    }
    assert_eq!(correlation_distance(&[1.0], &[1.0, 2.0]), Err(MetricError::LengthMismatch { gt: 1, recon: 2 }));
    let constant = correlation_distance(&[1.0, 2.0], &[3.0, 3.0]).unwrap();
    assert_eq!(constant, Err(Undefined::Constant(Side::Recon)));
}
