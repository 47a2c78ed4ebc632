//! The pairwise hinge loss of embeddings against PyTorch's goldens, the triple loop and finite differences.

use crate::support::*;

#[derive(Deserialize)]
struct Golden {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    n: usize,
    n_features: usize,
    anchor: String,
    neighbours: String,
    include_self: bool,
    normalise: String,
    value: f64,
    gradient: Vec<f64>,
}

impl Case {
    fn options(&self) -> EmbeddingHingeOptions {
        let side = |name: &str| {
            if name == "true" { Side::Gt } else { Side::Recon }
        };
        EmbeddingHingeOptions {
            anchor: side(&self.anchor),
            neighbours: side(&self.neighbours),
            with_anchor: self.include_self,
            normalisation: match self.normalise.as_str() {
                "ordered" => HingeNormalisation::OrderedTriples,
                "all" => HingeNormalisation::AllTriples,
                _ => HingeNormalisation::Sum,
            },
        }
    }
}

fn embeddings(name: &str, n_values: usize) -> Vec<f64> {
    let noise = Synthetic::new(name, 0);
    (0..n_values as u64).map(|place| f64::from(noise.uniform(place)) - 0.5).collect()
}

fn value(truth: &[f64], predicted: &[f64], n: usize, options: &EmbeddingHingeOptions) -> f64 {
    pairwise_hinge_of_embeddings(truth, predicted, n, options).unwrap().unwrap().value
}

#[test]
fn equals_pytorch_in_value_and_gradient() {
    let golden: Golden = golden("pairwise_hinge_embeddings");
    assert_eq!(golden.cases.len(), 18);
    for case in &golden.cases {
        let n_values = case.n * case.n_features;
        let truth = embeddings(&format!("true {}", case.n), n_values);
        let predicted = embeddings(&format!("predicted {}", case.n), n_values);
        let loss = pairwise_hinge_of_embeddings(&truth, &predicted, case.n, &case.options()).unwrap().unwrap();
        assert!(loss.value > 0.0);
        near(loss.value, case.value, 1e-12 * case.value.max(1.0));
        for (own, theirs) in loss.gradient.iter().zip(&case.gradient) {
            near(*own, *theirs, 1e-11);
        }
    }
}

#[test]
fn the_gradient_is_what_small_steps_change() {
    let (n, n_features) = (6, 4);
    let truth = embeddings("true steps", n * n_features);
    let predicted = embeddings("predicted steps", n * n_features);
    for (anchor, neighbours) in [(Side::Recon, Side::Recon), (Side::Recon, Side::Gt), (Side::Gt, Side::Recon)] {
        let options = EmbeddingHingeOptions {
            anchor,
            neighbours,
            ..EmbeddingHingeOptions::default()
        };
        let gradient = pairwise_hinge_of_embeddings(&truth, &predicted, n, &options).unwrap().unwrap().gradient;
        for place in 0..n * n_features {
            let at = |step: f64| {
                let mut moved = predicted.clone();
                moved[place] += step;
                value(&truth, &moved, n, &options)
            };
            let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!((slope - gradient[place]).abs() < 1e-6, "{slope} {}", gradient[place]);
        }
    }
}

#[test]
fn lengths_do_not_matter_and_a_perfect_prediction_loses_nothing() {
    let (n, n_features) = (12, 5);
    let truth = embeddings("true lengths", n * n_features);
    let predicted = embeddings("predicted lengths", n * n_features);
    let options = EmbeddingHingeOptions::default();
    let own = value(&truth, &predicted, n, &options);
    // Powers of two, so that unit rows keep their bits; the squares of the largest overflow.
    let scaled: Vec<f64> = predicted
        .chunks(n_features)
        .enumerate()
        .flat_map(|(row, values)| values.iter().map(move |v| v * 2f64.powi(170 * row as i32 - 900)))
        .collect();
    assert_eq!(value(&truth, &scaled, n, &options), own);
    assert_eq!(value(&truth, &truth, n, &options), 0.0);
}

#[test]
fn what_has_no_direction_has_no_loss() {
    let options = EmbeddingHingeOptions::default();
    let of = |truth: &[f64], predicted: &[f64], n| pairwise_hinge_of_embeddings(truth, predicted, n, &options).unwrap();
    let two = [1.0, 0.0, 0.0, 1.0];
    assert_eq!(of(&two, &[1.0, f64::NAN, 0.0, 1.0], 2), Err(Undefined::NonFinite(Side::Recon)));
    assert_eq!(of(&[0.0; 4], &two, 2), Err(Undefined::Empty(Side::Gt)));
    assert_eq!(of(&[], &[], 0), Err(Undefined::Empty(Side::Gt)));
    let mean = EmbeddingHingeOptions {
        normalisation: HingeNormalisation::OrderedTriples,
        with_anchor: false,
        ..options
    };
    let none = pairwise_hinge_of_embeddings(&two, &two, 2, &mean).unwrap();
    assert_eq!(none, Err(Undefined::TooFewItems));
    let both_true = EmbeddingHingeOptions {
        anchor: Side::Gt,
        neighbours: Side::Gt,
        ..options
    };
    assert!(pairwise_hinge_of_embeddings(&two, &two, 2, &both_true).is_err());
    assert!(pairwise_hinge_of_embeddings(&two, &two[..2], 2, &options).is_err());
    assert!(pairwise_hinge_of_embeddings(&[1.0; 5], &[1.0; 5], 2, &options).is_err());
}
