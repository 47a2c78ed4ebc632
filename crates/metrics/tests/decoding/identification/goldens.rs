//! Results against NumPy and SciPy.

use super::rows::{N_PAIRS, N_POOL, STIMULUS, features, identified, reconstructions, values};
use crate::support::*;
use neurogauge_metrics::decoding::identification::RankCounts;
use neurogauge_stats::{Similarity, similarities};

#[test]
fn similarities_and_counts_are_those_of_numpy() {
    let golden: Value = golden("identification");
    let gt = features("gt", N_PAIRS);
    let recon = reconstructions(&gt, 0.0625);
    let pool = features("pool", N_POOL);
    let pool_recon = reconstructions(&pool, 0.0625);

    let rows: Vec<&[f32]> = gt.iter().map(Vec::as_slice).collect();
    let r = similarities(&rows, &[recon[0].as_slice()], Similarity::Correlation).unwrap();
    let expected = numbers(&golden["correlations_with_the_first"]);
    for (row, expected) in expected.iter().enumerate() {
        near(r.get(row, 0), *expected, 1e-12);
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
        let expected: Vec<f64> = numbers(&counts[name]).iter().map(|count| count / n_others as f64).collect();
        assert_eq!(values(&found), expected, "{name}");
    }
}

#[test]
fn more_ways_are_hypergeometric() {
    for case in list(&golden::<Value>("identification")["ways"]) {
        let count = |name: &str| count(&case[name]);
        let counts = RankCounts {
            n_others: count("n_others"),
            n_better: count("n_better"),
            n_tied: 0,
        };
        let found = counts.success(count("n_way"), count("top_k"), Ties::Lose);
        near(found, number(&case["success"]), 1e-12);
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
