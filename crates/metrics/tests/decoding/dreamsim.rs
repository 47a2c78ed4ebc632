//! DreamSim of embeddings against the Python package (`reference/models_dreamsim.py`).

use super::image_pairs::golden_of;
use neurogauge_core::{Side, Undefined};
use neurogauge_metrics::MetricError;
use neurogauge_metrics::decoding::dreamsim::dreamsim;

#[test]
fn distances_of_embeddings_equal_the_packages() {
    let golden = golden_of("models/dreamsim");
    let pairs: Vec<[usize; 2]> = serde_json::from_value(golden["pairs"].clone()).unwrap();
    for (form, of_form) in golden["forms"].as_object().unwrap() {
        let read = |key: &str| of_form[key].clone();
        let embeddings: Vec<Vec<f32>> = serde_json::from_value(read("embeddings")).unwrap();
        let distances: Vec<f64> = serde_json::from_value(read("distances")).unwrap();
        assert_eq!(distances.len(), pairs.len());
        for (&[gt, recon], expected) in pairs.iter().zip(&distances) {
            let found = dreamsim(&embeddings[gt], &embeddings[recon]);
            let difference = found.unwrap().unwrap() - expected;
            assert!(difference.abs() < 1e-5, "{form}: {difference:e}");
        }
    }
}

#[test]
fn what_has_no_cosine_has_no_distance() {
    assert_eq!(dreamsim(&[1.0; 1792], &[1.0; 512]), Err(MetricError::LengthMismatch { gt: 1792, recon: 512 }));
    let constant = dreamsim(&[3.0, 3.0], &[1.0, 2.0]).unwrap();
    assert_eq!(constant, Err(Undefined::Constant(Side::Gt)));
    let not_finite = dreamsim(&[1.0, 2.0], &[f32::NAN, 2.0]).unwrap();
    assert_eq!(not_finite, Err(Undefined::NonFinite(Side::Recon)));
}
