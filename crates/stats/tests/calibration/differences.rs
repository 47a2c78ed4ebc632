//! What `compare` says of two systems and of several: intervals of differences, p values, and Holm's correction.

use crate::page::{Rate, Rates, write_part};
use crate::populations::Draws;
use neurogauge_core::{Direction, Outcome, Seed};
use neurogauge_stats::{BootstrapOptions, Comparison, PairedTest, compare_systems, holm};
use rayon::prelude::*;

/// Scores of two systems on one pair. What makes a pair hard is hard for both.
struct Pairs {
    name: &'static str,
    draw: fn(&mut Draws) -> (f64, f64),
    /// True mean of the difference.
    difference: f64,
    /// Are the two systems exchangeable within every pair, as the test supposes?
    is_exchangeable: bool,
}

const PAIRS: [Pairs; 10] = [
    Pairs {
        name: "normal noise",
        draw: |draws| {
            let hard = draws.uniform();
            (hard + 0.2 * draws.normal(), hard + 0.2 * draws.normal())
        },
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "skewed noise (gamma 2)",
        draw: |draws| (draws.gamma(2.0), draws.gamma(2.0)),
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "heavy tails (t, 3 degrees of freedom)",
        draw: |draws| (draws.student(3.0), draws.student(3.0)),
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "noise that grows with difficulty",
        draw: |draws| {
            let hard = draws.uniform();
            let noise = hard * hard;
            (hard + noise * draws.normal(), hard + noise * draws.normal())
        },
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "zeros, ones and beta(2, 2), often equal (Object F1)",
        draw: |draws| {
            let common = draws.uniform();
            let mut one = || match draws.uniform() {
                u if u < 0.5 => f64::from(common < 0.4),
                _ => draws.beta(2.0, 2.0),
            };
            (one(), one())
        },
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "tenths, with ties",
        draw: |draws| {
            let share = draws.beta(2.0, 2.0);
            let mut one = || (0..10).filter(|_| draws.uniform() < share).count() as f64 / 10.0;
            (one(), one())
        },
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "zeros and ones, half ones",
        draw: |draws| {
            (
                f64::from(draws.uniform() < 0.5),
                f64::from(draws.uniform() < 0.5),
            )
        },
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "zeros and ones, 90% ones",
        draw: |draws| {
            (
                f64::from(draws.uniform() < 0.9),
                f64::from(draws.uniform() < 0.9),
            )
        },
        difference: 0.0,
        is_exchangeable: true,
    },
    Pairs {
        name: "equal means, one three times as noisy",
        draw: |draws| (0.1 * draws.normal(), 0.3 * draws.normal()),
        difference: 0.0,
        is_exchangeable: false,
    },
    Pairs {
        name: "equal means, one skewed (gamma 2) and one not",
        draw: |draws| (draws.gamma(2.0), 2.0 + 0.3 * draws.normal()),
        difference: 0.0,
        is_exchangeable: false,
    },
];

/// Systems that fail at some pairs: a true difference, skewed.
const UNEQUAL: [Pairs; 2] = [
    Pairs {
        name: "a true difference, normal",
        draw: |draws| (0.3 + 0.2 * draws.normal(), 0.2 * draws.normal()),
        difference: 0.3,
        is_exchangeable: false,
    },
    Pairs {
        name: "a true difference, because one fails at a fifth of the pairs",
        draw: |draws| {
            let score = draws.beta(5.0, 2.0);
            let noisy = score + 0.05 * draws.normal();
            (
                noisy,
                if draws.uniform() < 0.2 {
                    0.1 * draws.uniform()
                } else {
                    score
                },
            )
        },
        difference: 0.2 * (5.0 / 7.0 - 0.05),
        is_exchangeable: false,
    },
];

/// Compares systems with these columns.
fn compared(systems: &[Vec<Outcome>], seed: u64, resamples: usize) -> Comparison {
    let options = BootstrapOptions {
        resamples,
        seed: Seed(seed),
        ..BootstrapOptions::default()
    };
    let systems: Vec<Vec<&[Outcome]>> = systems.iter().map(|column| vec![&column[..]]).collect();
    compare_systems(
        &systems,
        Direction::Higher,
        (PairedTest::SignFlip, 1),
        &options,
    )
    .unwrap()
}

/// How often the interval holds the true difference, and how often p is at most 0.05.
fn found(pairs: &Pairs, n: usize, n_experiments: usize, resamples: usize) -> (Rate, Rate) {
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(23, experiment);
        let scores = (0..n).map(|_| (pairs.draw)(&mut draws));
        let (a, b): (Vec<Outcome>, Vec<Outcome>) = scores.map(|(a, b)| (Ok(a), Ok(b))).unzip();
        let comparison = compared(&[a, b], experiment as u64, resamples);
        let difference = &comparison.differences[0];
        let truth = pairs.difference;
        let holds = |(low, high): (f64, f64)| low - 1e-12 <= truth && truth <= high + 1e-12;
        (
            difference.interval.map(holds),
            difference.p_value.map(|p| p <= 0.05),
        )
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(experiment).collect();
    let (covered, rejected): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    (Rate::of(&covered), Rate::of(&rejected))
}

/// How often any of twelve true null hypotheses (three equal systems, four metrics that vary together) is rejected: after Holm's
/// correction, and without it.
fn family(n: usize, n_experiments: usize) -> (Rate, Rate) {
    const N_METRICS: usize = 4;
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(29, experiment);
        let mut metrics = vec![vec![Vec::new(); 3]; N_METRICS];
        for _ in 0..n {
            for system in 0..3 {
                let common = draws.normal();
                for metric in &mut metrics {
                    metric[system].push(Ok(common + draws.gamma(2.0)));
                }
            }
        }
        let comparisons = metrics
            .iter()
            .map(|systems| compared(systems, experiment as u64, 1));
        let differences = comparisons.flat_map(|comparison| comparison.differences);
        let p_values: Vec<f64> = differences.filter_map(|d| d.p_value).collect();
        let any = |p_values: &[f64]| Some(p_values.iter().any(|&p| p <= 0.05));
        (any(&holm(&p_values).unwrap()), any(&p_values))
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(experiment).collect();
    let (corrected, uncorrected): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    (Rate::of(&corrected), Rate::of(&uncorrected))
}

#[test]
fn differences_are_covered_and_tests_keep_their_size() {
    let n_experiments = 200;
    for (pairs, n) in PAIRS
        .iter()
        .chain(&UNEQUAL)
        .flat_map(|pairs| [(pairs, 6), (pairs, 10)])
    {
        let (covered, rejected) = found(pairs, n, n_experiments, 100);
        let slack = |rate: Rate, bound: f64| 4.0 * rate.standard_error(bound);
        if n >= 10 && pairs.is_exchangeable && !pairs.name.contains("90%") {
            let share = covered.share();
            let least = 0.93 - slack(covered, 0.93);
            assert!(share >= least, "{}, n = {n}: {share} covered", pairs.name);
        }
        if pairs.is_exchangeable {
            let size = rejected.share();
            let most = 0.05 + slack(rejected, 0.05);
            assert!(size <= most, "{}, n = {n}: {size} rejected", pairs.name);
        }
    }
    let (corrected, uncorrected) = family(10, n_experiments);
    let most = 0.05 + 4.0 * corrected.standard_error(0.05);
    assert!(corrected.share() <= most, "{corrected:?}");
    assert!(
        uncorrected.share() > 0.15,
        "{uncorrected:?}: there is something to correct"
    );
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_differences() {
    const NS: [usize; 5] = [6, 10, 30, 100, 1000];
    const N_EXPERIMENTS: [usize; 5] = [3_000, 3_000, 1_500, 800, 400];
    let mut coverage = Rates::new(
        "95% intervals of the difference of two systems that hold the true difference, in %.",
        "pairs",
        &NS,
    );
    let mut size = Rates::new(
        "Sign-flip tests of two equal systems that give p ≤ 0.05, in %. The test supposes that the systems are exchangeable within \
         every pair; in the last two rows only their means are equal.",
        "pairs",
        &NS,
    );
    for pairs in PAIRS.iter().chain(&UNEQUAL) {
        let of = |(&n, &experiments): (&usize, &usize)| found(pairs, n, experiments, 600);
        let all: Vec<(Rate, Rate)> = NS.iter().zip(&N_EXPERIMENTS).map(of).collect();
        let (covered, rejected): (Vec<Rate>, Vec<Rate>) = all.into_iter().unzip();
        coverage.row(pairs.name, &NS, &covered, (93.0, 97.0));
        if pairs.difference == 0.0 {
            size.row(pairs.name, &NS, &rejected, (0.0, 6.0));
        }
    }
    let mut families = Rates::new(
        "Families of twelve differences (three equal systems, four metrics that vary together) in which any p is ≤ 0.05, in %.",
        "p",
        &NS,
    );
    let of = |(&n, &experiments): (&usize, &usize)| family(n, experiments / 2);
    let all: Vec<(Rate, Rate)> = NS.iter().zip(&N_EXPERIMENTS).map(of).collect();
    let (corrected, uncorrected): (Vec<Rate>, Vec<Rate>) = all.into_iter().unzip();
    families.row("after Holm's correction", &NS, &corrected, (0.0, 6.0));
    families.row("uncorrected", &NS, &uncorrected, (0.0, 100.0));
    write_part(
        "differences",
        &(coverage.text() + &size.text() + &families.text()),
    );
}
