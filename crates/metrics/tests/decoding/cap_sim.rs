//! Cap-Sim of embeddings against sentence-transformers (`reference/cap_sim.py`), and edge cases.

use crate::support::*;
use neurogauge_metrics::decoding::cap_sim::{References, cap_sim};

#[test]
fn caption_similarities_equal_sentence_transformers() {
    let case: Value = golden("cap_sim");
    let n = count(&case["n_features"]);
    let centred = |name, n| -> Vec<f32> { uniform(name, n).iter().map(|v| v - 0.5).collect() };
    let caption = centred("caption", n);
    let mut references = centred("references", 3 * n);
    for (reference, caption) in references[n..].iter_mut().zip(&caption) {
        *reference += caption;
    }
    let references: Vec<&[f32]> = references.chunks(n).collect();
    for how in [References::Mean, References::Max, References::First] {
        let name = serde_json::to_value(how).unwrap();
        let found = cap_sim(&references, &caption, how).unwrap().unwrap();
        near(found, number(&case[name.as_str().unwrap()]), 1e-6);
    }
}

#[test]
fn caption_similarity_at_its_edges() {
    let of = |references: &[&[f32]], caption: &[f32], how| cap_sim(references, caption, how);
    let (one, zero, broken) = ([1.0, 0.0], [0.0, 0.0], [f32::NAN, 0.0]);
    for how in [References::Mean, References::Max, References::First] {
        assert_eq!(of(&[], &one, how), Ok(Err(Undefined::Empty(Side::Gt))));
        assert_eq!(of(&[&zero], &one, how), Ok(Err(Undefined::Empty(Side::Gt))));
        assert_eq!(of(&[&one], &zero, how), Ok(Err(Undefined::Empty(Side::Recon))));
        assert_eq!(of(&[&[]], &[], how), Ok(Err(Undefined::Empty(Side::Gt))));
        assert_eq!(of(&[&one], &broken, how), Ok(Err(Undefined::NonFinite(Side::Recon))));
        assert_eq!(of(&[&one], &[-3.0, 0.0], how), Ok(Ok(-1.0)));
        let error = of(&[&[1.0]], &one, how).unwrap_err().to_string();
        assert!(error.starts_with("the stimulus has 1 values and the reconstruction 2"), "{error}");
    }
    let second_broken: [&[f32]; 2] = [&one, &broken];
    assert_eq!(of(&second_broken, &one, References::First), Ok(Ok(1.0)));
    let undefined = Ok(Err(Undefined::NonFinite(Side::Gt)));
    assert_eq!(of(&second_broken, &one, References::Mean), undefined);
    assert_eq!(of(&second_broken, &one, References::Max), undefined);
}
