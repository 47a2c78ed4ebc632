//! The pairwise hinge loss against the plain triple loop and its golden.

use crate::support::*;

/// Sum, ordered and reversed triples, and gradient, directly from the equation.
fn triple_loop(truth: &[f64], predicted: &[f64], n: usize, with_anchor: bool) -> (f64, u64, u64, Vec<f64>) {
    let (mut sum, mut n_ordered, mut n_reversed) = (0.0, 0, 0);
    let mut gradient = vec![0.0; n * n];
    for i in 0..n {
        for j in (0..n).filter(|&j| with_anchor || j != i) {
            for k in (0..n).filter(|&k| with_anchor || k != i) {
                let (j, k) = (i * n + j, i * n + k);
                if truth[j] > truth[k] {
                    n_ordered += 1;
                    if predicted[j] < predicted[k] {
                        n_reversed += 1;
                        sum += predicted[k] - predicted[j];
                        gradient[k] += 1.0;
                        gradient[j] -= 1.0;
                    }
                }
            }
        }
    }
    (sum, n_ordered, n_reversed, gradient)
}

/// Values with many ties, including zeros of both signs.
fn coarse() -> impl Strategy<Value = f64> {
    prop_oneof![(-4i32..5).prop_map(|value| f64::from(value) / 4.0), Just(-0.0)]
}

proptest! {
    #[test]
    fn equals_the_triple_loop(
        (n, truth, predicted) in (1usize..14).prop_flat_map(|n| {
            let fine = prop::collection::vec(-1.0..1.0f64, n * n);
            let either = prop_oneof![fine, prop::collection::vec(coarse(), n * n)];
            (Just(n), either.clone(), either)
        }),
        with_anchor: bool,
    ) {
        let loss = pairwise_hinge(&truth, &predicted, n, with_anchor).unwrap().unwrap();
        let (sum, n_ordered, n_reversed, gradient) = triple_loop(&truth, &predicted, n, with_anchor);
        prop_assert!((loss.sum - sum).abs() <= 1e-12 * sum.max(1.0));
        prop_assert_eq!((loss.n_ordered, loss.n_reversed), (n_ordered, n_reversed));
        prop_assert_eq!(loss.gradient, gradient);
    }
}

/// Integers from 0 to below `levels`, over `levels`.
fn values(name: &str, n: usize, levels: f64) -> Vec<f64> {
    let noise = Synthetic::new(name, 0);
    (0..n as u64).map(|index| (f64::from(noise.uniform(index)) * levels).floor() / levels).collect()
}

#[test]
fn equals_the_golden() {
    for case in list(&golden::<Value>("pairwise_hinge")["cases"]) {
        let (n, levels) = (count(&case["n"]), number(&case["levels"]));
        let truth = values(&format!("true {n}"), n * n, levels);
        let predicted = values(&format!("predicted {n}"), n * n, levels);
        let with_anchor = case["with_anchor"].as_bool().unwrap();
        let loss = pairwise_hinge(&truth, &predicted, n, with_anchor).unwrap().unwrap();
        let sum = number(&case["sum"]);
        near(loss.sum, sum, 1e-12 * sum);
        assert_eq!(Some(loss.n_ordered), case["n_ordered"].as_u64());
        assert_eq!(Some(loss.n_reversed), case["n_reversed"].as_u64());
        let first: Vec<f64> = serde_json::from_value(case["first_gradient_row"].clone()).unwrap();
        assert_eq!(loss.gradient[..n], first);
    }
}

#[test]
fn the_bits_do_not_depend_on_threads() {
    let truth = values("true", 64 * 64, 1e6);
    let predicted = values("predicted", 64 * 64, 1e6);
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| pairwise_hinge(&truth, &predicted, 64, true).unwrap().unwrap())
    };
    let one = with(1);
    assert_eq!(one.sum.to_bits(), with(3).sum.to_bits());
    assert_eq!(one.gradient, with(3).gradient);
}

#[test]
fn what_has_no_value_has_none() {
    assert_eq!(pairwise_hinge(&[], &[], 0, true).unwrap(), Err(Undefined::Empty(Side::Gt)));
    let loss = pairwise_hinge(&[0.0; 4], &[0.0, f64::NAN, 0.0, 0.0], 2, true).unwrap();
    assert_eq!(loss, Err(Undefined::NonFinite(Side::Recon)));
    assert!(pairwise_hinge(&[0.0; 4], &[0.0; 9], 2, true).is_err());
    assert!(pairwise_hinge(&[0.0; 4], &[0.0; 4], 3, true).is_err());
    assert!(pairwise_hinge(&[0.0; 4], &[0.0; 4], usize::MAX, true).is_err());
}
