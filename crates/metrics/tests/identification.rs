//! Identification and retrieval: against NumPy and SciPy, by hand, and what must not matter.

#![allow(clippy::unwrap_used)]

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Seed, Side, Undefined};
use neurogauge_metrics::MetricError;
use neurogauge_metrics::decoding::identification::{
    Draws, Identification, IdentificationDirection, IdentificationOptions, Standing, Ties, identify,
};
use neurogauge_metrics::decoding::retrieval::{RetrievalOptions, retrieve};
use neurogauge_stats::{Similarity, similarities, summarise_repeats};

const N_PAIRS: usize = 45;
const N_POOL: usize = 70;
const N_FEATURES: usize = 300;

type Rows = Vec<Vec<f32>>;

fn golden() -> serde_json::Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../reference/golden/identification.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    let values = value.as_array().unwrap();
    values.iter().map(|v| v.as_f64().unwrap()).collect()
}

/// As `features` of reference/identification.py.
fn features(name: &str, n_rows: usize) -> Rows {
    let (common, own) = (Synthetic::new("common", 0), Synthetic::new(name, 0));
    let value = |row: usize, feature: usize| {
        0.5 * common.uniform(feature as u64)
            + 0.5 * own.uniform((row * N_FEATURES + feature) as u64)
    };
    (0..n_rows)
        .map(|row| (0..N_FEATURES).map(|f| value(row, f)).collect())
        .collect()
}

/// As `reconstructions` there.
fn reconstructions(gt: &Rows, weight: f32) -> Rows {
    let noise = Synthetic::new("noise", 0);
    let value = |row: usize, f: usize| {
        weight * gt[row][f] + (1.0 - weight) * noise.uniform((row * N_FEATURES + f) as u64)
    };
    (0..gt.len())
        .map(|row| (0..N_FEATURES).map(|f| value(row, f)).collect())
        .collect()
}

fn pairs<'a>(gt: &'a Rows, recon: &'a Rows) -> Vec<(&'a [f32], &'a [f32])> {
    let recon = recon.iter().map(Vec::as_slice);
    gt.iter().map(Vec::as_slice).zip(recon).collect()
}

fn identified(
    gt: &Rows,
    recon: &Rows,
    pool: Option<&Rows>,
    options: &IdentificationOptions,
) -> Identification {
    let pool: Option<Vec<&[f32]>> = pool.map(|rows| rows.iter().map(Vec::as_slice).collect());
    identify(&pairs(gt, recon), pool.as_deref(), options).unwrap()
}

fn values(identification: &Identification) -> Vec<f64> {
    let outcomes = identification.outcomes.iter();
    outcomes.map(|outcome| outcome.clone().unwrap()).collect()
}

fn small(rows: &[[f32; 3]]) -> Rows {
    rows.iter().map(|row| row.to_vec()).collect()
}

const STIMULUS: IdentificationOptions = IdentificationOptions {
    direction: IdentificationDirection::Stimulus,
    ties: Ties::Lose,
    n_way: 2,
    top_k: 1,
    draws: Draws::Exact,
};

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
        let standing = Standing {
            n_others: count("n_others"),
            n_better: count("n_better"),
            n_tied: 0,
        };
        let found = standing.success(count("n_way"), count("top_k"), Ties::Lose);
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
fn equal_reconstructions_tie_exactly_and_ties_count_as_asked() {
    // All reconstructions are one image: each stimulus is told from equals.
    let gt = features("gt", 7);
    let recon = vec![features("pool", 1)[0].clone(); 7];
    let with = |ties| IdentificationOptions { ties, ..STIMULUS };
    let of = |ties| values(&identified(&gt, &recon, None, &with(ties)));
    assert_eq!(of(Ties::Lose), [0.0; 7]);
    assert_eq!(of(Ties::Half), [0.5; 7]);
    assert_eq!(of(Ties::Win), [1.0; 7]);
    // In the other direction nothing ties, and the mean is that of ranks 0 to 6.
    let found = values(&identified(
        &gt,
        &recon,
        None,
        &IdentificationOptions::default(),
    ));
    assert!((found.iter().sum::<f64>() / 7.0 - 0.5).abs() < 1e-12);
    // A stimulus shown twice ties with itself.
    let twice = vec![gt[0].clone(), gt[0].clone()];
    let found = identified(&twice, &twice, None, &IdentificationOptions::default());
    assert_eq!(values(&found), [0.0, 0.0]);
}

#[test]
fn the_order_of_pairs_and_of_the_pool_does_not_matter() {
    let gt = features("gt", N_PAIRS);
    let recon = reconstructions(&gt, 0.0625);
    let pool = features("pool", N_POOL);
    let reversed = |rows: &Rows| rows.iter().rev().cloned().collect::<Rows>();
    for pool in [None, Some(&pool)] {
        let options = IdentificationOptions::default();
        let mut found = values(&identified(&gt, &recon, pool, &options));
        let turned = pool.map(&reversed);
        let again = identified(&reversed(&gt), &reversed(&recon), turned.as_ref(), &options);
        found.reverse();
        assert_eq!(found, values(&again));
    }
}

#[test]
fn what_has_no_correlation_is_undefined_and_not_in_the_pool() {
    let gt = small(&[
        [1.0, 2.0, 3.0],
        [2.0, 2.0, 2.0],
        [3.0, 1.0, 2.0],
        [1.0, 3.0, 2.0],
    ]);
    let mut recon = gt.clone();
    recon[1] = vec![1.0, 2.0, 4.0];
    recon[2] = vec![f32::NAN, 0.0, 1.0];
    let found = identified(&gt, &recon, None, &IdentificationOptions::default());
    let expected = [
        Ok(1.0),
        Err(Undefined::Constant(Side::Gt)),
        Err(Undefined::NonFinite(Side::Recon)),
        Ok(1.0),
    ];
    assert_eq!(found.outcomes, expected);
    assert_eq!(found.n_others, 2);
    let left_out: Vec<usize> = found.left_out.iter().map(|left| left.0).collect();
    assert_eq!(left_out, [1]);
    let found = identified(&gt, &recon, None, &STIMULUS);
    assert_eq!(found.outcomes[2], Err(Undefined::NonFinite(Side::Recon)));
    assert_eq!((found.n_others, found.left_out[0].0), (2, 2));

    let alone = identified(&gt[..1].to_vec(), &gt[..1].to_vec(), None, &STIMULUS);
    assert_eq!(alone.outcomes, [Err(Undefined::EmptyPool)]);
    let flat = small(&[[1.0; 3]]);
    let found = identified(&gt, &gt, Some(&flat), &IdentificationOptions::default());
    assert_eq!(found.outcomes[0], Err(Undefined::EmptyPool));
    assert_eq!(identified(&vec![], &vec![], None, &STIMULUS).outcomes, []);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let gt = features("gt", 5);
    let refused = |options: IdentificationOptions, part: &str| {
        let error = identify(&pairs(&gt, &gt), None, &options).unwrap_err();
        assert!(matches!(error, MetricError::InvalidOption { .. }));
        assert!(error.to_string().contains(part), "{error}");
    };
    let ways = |n_way, top_k| IdentificationOptions {
        n_way,
        top_k,
        ..IdentificationOptions::default()
    };
    refused(ways(1, 1), "at least 2");
    refused(ways(3, 3), "fewer than there are ways");
    refused(ways(3, 0), "at least 1");
    refused(ways(6, 1), "6 with 4 others");
    let seed = Seed(1);
    let none = Draws::Seeded { trials: 0, seed };
    let options = IdentificationOptions {
        draws: none,
        ..ways(2, 1)
    };
    refused(options, "number of draws");
    let options = |candidates, top_k, repeats| RetrievalOptions {
        candidates,
        top_k,
        repeats,
        ..RetrievalOptions::default()
    };
    for (bad, part) in [
        (options(6, 1, 1), "6 with 5 items"),
        (options(1, 1, 1), "at least 2"),
        (options(3, 3, 1), "fewer than there are candidates"),
        (options(3, 1, 0), "number of repeats"),
    ] {
        let error = retrieve(&pairs(&gt, &gt), &bad).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
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
fn embeddings_without_direction_take_no_part_in_retrieval() {
    let brain = small(&[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let image = small(&[[1.0, 0.1, 0.0], [0.0, 0.0, 1.0], [0.0, 2.0, 0.1]]);
    let options = RetrievalOptions {
        candidates: 2,
        ..RetrievalOptions::default()
    };
    let found = retrieve(&pairs(&brain, &image), &options).unwrap();
    assert_eq!(found.items, [0, 2]);
    assert_eq!(found.left_out, [(1, Undefined::Empty(Side::Recon))]);
    assert_eq!(found.forward.repeats, [1.0; 30]);
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
