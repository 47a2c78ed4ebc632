//! Against NumPy and SciPy.

use super::rows::{
    N_PAIRS, N_POOL, STIMULUS, features, golden, identified, numbers, pairs, reconstructions,
    values,
};
use neurogauge_core::Seed;
use neurogauge_metrics::decoding::identification::{
    Draws, IdentificationOptions, RankCounts, Ties,
};
use neurogauge_metrics::decoding::retrieval::{RetrievalOptions, retrieve};
use neurogauge_stats::{Similarity, similarities, summarise_repeats};

#[test]
fn similarities_and_counts_are_those_of_numpy() {
    let golden = golden();
    let gt = features("gt", N_PAIRS);
    let recon = reconstructions(&gt, 0.0625);
    let pool = features("pool", N_POOL);
    let pool_recon = reconstructions(&pool, 0.0625);

    let rows: Vec<&[f32]> = gt.iter().map(Vec::as_slice).collect();
    let r = similarities(&rows, &[recon[0].as_slice()], Similarity::Correlation).unwrap();
    let expected = numbers(&golden["correlations_with_the_first"]);
    for (row, expected) in expected.iter().enumerate() {
        assert!((r.get(row, 0) - expected).abs() < 1e-12);
    }

    let two_way = IdentificationOptions::default();
    let counts = &golden["less_similar"];
    for (name, pool, options) in [
        ("reconstruction", None, two_way),
        ("stimulus", None, STIMULUS),
        ("pool_reconstruction", Some(&pool), two_way),
        ("pool_stimulus", Some(&pool_recon), STIMULUS),
    ] {
        let found = identified(&gt, &recon, pool, &options);
        let n_others = if pool.is_some() { N_POOL } else { N_PAIRS - 1 };
        assert_eq!(found.n_others, n_others);
        let expected: Vec<f64> = numbers(&counts[name])
            .iter()
            .map(|count| count / n_others as f64)
            .collect();
        assert_eq!(values(&found), expected, "{name}");
    }
}

#[test]
fn more_ways_are_hypergeometric() {
    for case in golden()["ways"].as_array().unwrap() {
        let count = |name: &str| case[name].as_u64().unwrap() as usize;
        let counts = RankCounts {
            n_others: count("n_others"),
            n_better: count("n_better"),
            n_tied: 0,
        };
        let found = counts.success(count("n_way"), count("top_k"), Ties::Lose);
        let expected = case["success"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{case}: {found}");
    }
}

#[test]
fn seeded_draws_scatter_around_the_exact_expectation_and_repeat() {
    let gt = features("gt", N_PAIRS);
    let recon = reconstructions(&gt, 0.25);
    let exact = IdentificationOptions {
        n_way: 20,
        top_k: 2,
        ..IdentificationOptions::default()
    };
    let trials = 4000;
    let drawn = |seed| IdentificationOptions {
        draws: Draws::Seeded {
            trials,
            seed: Seed(seed),
        },
        ..exact
    };
    let expected = values(&identified(&gt, &recon, None, &exact));
    let found = values(&identified(&gt, &recon, None, &drawn(1)));
    for (found, p) in found.iter().zip(&expected) {
        let sd = (p * (1.0 - p) / trials as f64).sqrt();
        assert!((found - p).abs() <= 5.0 * sd + 1e-12, "{found} {p}");
    }
    assert_eq!(found, values(&identified(&gt, &recon, None, &drawn(1))));
    assert_ne!(found, values(&identified(&gt, &recon, None, &drawn(2))));
}

#[test]
fn retrieval_is_that_of_numpy() {
    let golden = golden();
    let gt = features("gt", N_PAIRS);
    let brain = reconstructions(&gt, 0.25);
    let among = |candidates, top_k, repeats| {
        let options = RetrievalOptions {
            candidates,
            top_k,
            repeats,
            ..RetrievalOptions::default()
        };
        retrieve(&pairs(&brain, &gt), &options).unwrap()
    };
    for (top_k, name) in [(1, "top_1"), (5, "top_5")] {
        let found = among(N_PAIRS, top_k, 1);
        for (found, direction) in [(&found.forward, "forward"), (&found.backward, "backward")] {
            let expected = golden["retrieval"][direction][name].as_f64().unwrap();
            assert!((found.repeats[0] - expected).abs() < 1e-12, "{direction}");
        }
    }
    let found = among(20, 1, 2000);
    for (found, direction) in [(&found.forward, "forward"), (&found.backward, "backward")] {
        let expected = numbers(&golden["retrieval"][direction]["expected_20"]);
        for (found, expected) in found.expected.iter().zip(&expected) {
            assert!((found - expected).abs() < 1e-12);
        }
        // The mean over draws converges to the mean of the expectations.
        let mean = expected.iter().sum::<f64>() / N_PAIRS as f64;
        let repeats = summarise_repeats(&found.repeats, 0.95).unwrap();
        let error = repeats.sd / (found.repeats.len() as f64).sqrt();
        assert!((repeats.mean - mean).abs() < 5.0 * error, "{direction}");
    }
    assert_eq!(among(20, 1, 3).forward.repeats, found.forward.repeats[..3]);
}

#[test]
fn intervals_of_repeats_are_those_of_scipy() {
    let expected = &golden()["repeats"];
    let found = summarise_repeats(&[0.5, 0.75, 0.25, 0.5, 1.0], 0.9).unwrap();
    let (low, high) = found.interval.unwrap();
    for (found, name) in [(found.sd, "sd"), (low, "low"), (high, "high")] {
        assert!((found - expected[name].as_f64().unwrap()).abs() < 1e-12);
    }
    assert!(summarise_repeats(&[], 0.95).is_none());
    assert_eq!(summarise_repeats(&[0.5], 0.95).unwrap().interval, None);
}
