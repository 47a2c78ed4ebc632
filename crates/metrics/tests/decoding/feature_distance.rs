//! The correlation distance of feature vectors against SciPy (`reference/feature_distance.py`).

use crate::support::*;
use neurogauge_metrics::decoding::feature_distance::correlation_distance;

#[test]
fn feature_distances_equal_scipy() {
    for case in golden::<Vec<Value>>("feature_distance") {
        let n = count(&case["n_features"]);
        let weight = number(&case["weight"]) as f32;
        let gt = uniform("features.gt", n);
        let recon: Vec<f32> = gt
            .iter()
            .zip(uniform("features.recon", n))
            .map(|(gt, other)| weight * gt + (1.0 - weight) * other)
            .collect();
        let found = correlation_distance(&gt, &recon).unwrap().unwrap();
        near(found, number(&case["distance"]), 1e-6);
    }
    let error = correlation_distance(&[1.0], &[1.0, 2.0]).unwrap_err().to_string();
    assert_eq!(error, "the stimulus has 1 values and the reconstruction 2; both must have as many");
    let constant = correlation_distance(&[1.0, 2.0], &[3.0, 3.0]).unwrap();
    assert_eq!(constant, Err(Undefined::Constant(Side::Recon)));
}
