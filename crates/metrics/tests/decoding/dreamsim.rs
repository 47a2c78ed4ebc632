//! DreamSim of embeddings against the Python package (`reference/models_dreamsim.py`).

use crate::support::*;
use neurogauge_metrics::decoding::dreamsim::dreamsim;

#[test]
fn distances_of_embeddings_equal_the_packages() {
    let golden: Value = golden("models/dreamsim");
    let pairs: Vec<[usize; 2]> = serde_json::from_value(golden["pairs"].clone()).unwrap();
    for of_form in golden["forms"].as_object().unwrap().values() {
        let read = |key: &str| of_form[key].clone();
        let embeddings: Vec<Vec<f32>> = serde_json::from_value(read("embeddings")).unwrap();
        let distances: Vec<f64> = serde_json::from_value(read("distances")).unwrap();
        assert_eq!(distances.len(), pairs.len());
        for (&[gt, recon], expected) in pairs.iter().zip(&distances) {
            let found = dreamsim(&embeddings[gt], &embeddings[recon]);
            near(found.unwrap().unwrap(), *expected, 1e-5);
        }
    }
}

#[test]
fn what_has_no_cosine_has_no_distance() {
    let error = dreamsim(&[1.0; 1792], &[1.0; 512]).unwrap_err().to_string();
    assert!(error.starts_with("the stimulus has 1792 values and the reconstruction 512"), "{error}");
    let constant = dreamsim(&[3.0, 3.0], &[1.0, 2.0]).unwrap();
    assert_eq!(constant, Err(Undefined::Constant(Side::Gt)));
    let not_finite = dreamsim(&[1.0, 2.0], &[f32::NAN, 2.0]).unwrap();
    assert_eq!(not_finite, Err(Undefined::NonFinite(Side::Recon)));
}
