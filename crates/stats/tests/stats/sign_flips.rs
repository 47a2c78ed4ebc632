//! Sign flips of many differences at once.

use crate::support::*;
use neurogauge_stats::internals::{FlipTest, Scales, Signs, centred, n_far, sign_flip_tests};

/// Noise, whole numbers that tie, equal systems, a system that differs by a constant, tiny and huge values.
fn systems(n: usize) -> Vec<Vec<f64>> {
    let noise = Synthetic::new("flips", n as u64);
    let draw = |kind: u64, i: usize| f64::from(noise.uniform((kind << 32) + i as u64));
    let kinds: [&dyn Fn(usize) -> f64; 10] = [
        &|i| draw(0, i),
        &|i| draw(1, i) + 0.05,
        &|i| f64::from(draw(2, i) < 0.5),
        &|i| f64::from(draw(3, i) < 0.6),
        &|i| (draw(4, i) * 10.0).floor() / 10.0,
        &|i| (draw(5, i) * 10.0).floor() / 10.0,
        &|i| draw(0, i),
        &|i| draw(0, i) + 0.25,
        &|i| draw(6, i) * 1e-3 + 1e6,
        &|i| draw(7, i) * 1e-3 + 1e6,
    ];
    kinds.iter().map(|kind: &&dyn Fn(usize) -> f64| (0..n).map(*kind).collect()).collect()
}

fn all_two(n: usize) -> Vec<(usize, usize)> {
    (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect()
}

#[test]
fn tests_are_those_of_each_difference_alone() {
    for (n, n_family, level) in [
        (0, 1, 0.95),
        (1, 1, 0.95),
        (2, 1, 0.95),
        (8, 1, 0.95),
        (16, 1, 0.95),
        (17, 200, 0.9),
        (60, 150, 0.95),
        (300, 1, 0.99),
    ] {
        let systems = systems(n);
        let differences = all_two(systems.len());
        let options = BootstrapOptions {
            level,
            seed: Seed(7),
            ..BootstrapOptions::default()
        };
        let found = sign_flip_tests(&systems, &differences, n_family, &options).unwrap();
        for (&(a, b), found) in differences.iter().zip(found) {
            let values: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
            let alone = sign_flip_test(&values, n_family, &options).unwrap();
            assert_eq!(found, alone, "{n}: {a} − {b}");
            if let Some(TestedMean {
                p_value,
                interval: Some((low, high)),
            }) = found
            {
                let holds = low <= 0.0 && 0.0 <= high;
                assert_eq!(holds, p_value > 1.0 - level, "{n}: {a} − {b}: {found:?}");
            }
        }
    }
}

#[test]
fn what_overflows_is_an_error() {
    let huge: Vec<Vec<f64>> = (0..5).map(|s| vec![1e308 * f64::from(s - 2) * 0.8; 20]).collect();
    let found = sign_flip_tests(&huge, &all_two(5), 1, &BootstrapOptions::default());
    assert!(found.unwrap_err().to_string().ends_with("every value must be finite"));
}

#[test]
fn rounding_decides_almost_nothing() {
    let systems = systems(300)[..2].to_vec();
    let centred = centred(&systems);
    let scales = Scales::of(&centred);
    let test = FlipTest::of(&systems, &scales, (0, 1)).unwrap();
    let sums = scales.sums(&centred, &[0, 1]).sums(&Signs::draw(0..500, 300, Seed(7)));
    let asked = std::cell::Cell::new(0);
    let n_far = n_far(&sums[..500], &sums[500..], test.bounds(), |flip| {
        asked.set(asked.get() + 1);
        test.is_far(flip, Seed(7))
    });
    assert_eq!((n_far, asked.get()), ((0..500).filter(|&flip| test.is_far(flip, Seed(7))).count(), 0));
}
