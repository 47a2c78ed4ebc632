//! `compare`'s results for two systems and for several: intervals of differences, p values, and Holm's correction.

use super::populations::{Draws, options};
use super::rates::{Rate, Rates, holds, is_significant, rates, write_part};
use crate::support::*;

/// Scores of two systems for the same pairs. A hard pair is hard for both.
struct Pairs {
    name: &'static str,
    draw: fn(&mut Draws) -> (f64, f64),
    /// The true mean of the difference.
    difference: f64,
    /// Are the two systems exchangeable within every pair, as the test assumes?
    is_exchangeable: bool,
}

const fn unequal(name: &'static str, difference: f64, draw: fn(&mut Draws) -> (f64, f64)) -> Pairs {
    let is_exchangeable = false;
    Pairs {
        name,
        draw,
        difference,
        is_exchangeable,
    }
}

const fn equal_means(name: &'static str, draw: fn(&mut Draws) -> (f64, f64)) -> Pairs {
    unequal(name, 0.0, draw)
}

const fn exchangeable(name: &'static str, draw: fn(&mut Draws) -> (f64, f64)) -> Pairs {
    Pairs {
        is_exchangeable: true,
        ..equal_means(name, draw)
    }
}

const PAIRS: [Pairs; 10] = [
    exchangeable("normal noise", |draws| {
        let hard = draws.uniform();
        (hard + 0.2 * draws.normal(), hard + 0.2 * draws.normal())
    }),
    exchangeable("skewed noise (gamma 2)", |draws| (draws.gamma(2.0), draws.gamma(2.0))),
    exchangeable("heavy tails (t, 3 degrees of freedom)", |draws| (draws.student(3.0), draws.student(3.0))),
    exchangeable("noise that grows with difficulty", |draws| {
        let hard = draws.uniform();
        let noise = hard * hard;
        (hard + noise * draws.normal(), hard + noise * draws.normal())
    }),
    exchangeable("zeros, ones and beta(2, 2), often equal (Object F1)", |draws| {
        let common = draws.uniform();
        let mut one = || match draws.uniform() {
            u if u < 0.5 => f64::from(common < 0.4),
            _ => draws.beta(2.0, 2.0),
        };
        (one(), one())
    }),
    exchangeable("tenths, with ties", |draws| {
        let share = draws.beta(2.0, 2.0);
        let mut one = || (0..10).filter(|_| draws.uniform() < share).count() as f64 / 10.0;
        (one(), one())
    }),
    exchangeable("zeros and ones, half ones", |draws| {
        (f64::from(draws.uniform() < 0.5), f64::from(draws.uniform() < 0.5))
    }),
    exchangeable("zeros and ones, 90% ones", |draws| {
        (f64::from(draws.uniform() < 0.9), f64::from(draws.uniform() < 0.9))
    }),
    equal_means("equal means, one three times as noisy", |draws| (0.1 * draws.normal(), 0.3 * draws.normal())),
    equal_means("equal means, one skewed (gamma 2) and one not", |draws| {
        (draws.gamma(2.0), 2.0 + 0.3 * draws.normal())
    }),
];

/// Only the means are equal; one system is much more skewed than the other.
const SKEWED: [Pairs; 4] = [
    equal_means("one exponential, one not skewed", |draws| (-draws.uniform().ln(), 1.0 + 0.3 * draws.normal())),
    equal_means("one lognormal(1), one not skewed", |draws| {
        (draws.normal().exp(), 0.5_f64.exp() + 0.3 * draws.normal())
    }),
    equal_means("one fails at a fifth of the pairs, and is better at the others", |draws| {
        let score = draws.beta(5.0, 2.0);
        let fails = draws.uniform() < 0.2;
        let other = if fails { 0.1 * draws.uniform() } else { score };
        (score + 0.05 * draws.normal() - 0.2 * (5.0 / 7.0 - 0.05), other)
    }),
    equal_means("copies of each other, except for a seventh of the pairs", |draws| match draws.uniform() {
        u if u < 0.85 => (0.0, 0.0),
        _ => (draws.beta(1.0, 4.0), 0.2),
    }),
];

/// Systems that fail for some pairs, and shares: with a true difference, skewed.
const UNEQUAL: [Pairs; 5] = [
    unequal("zeros and ones, the better one right at 20% more and wrong at 5% more", 0.15, |draws| {
        match draws.uniform() {
            u if u < 0.2 => (1.0, 0.0),
            u if u < 0.25 => (0.0, 1.0),
            _ => (1.0, 1.0),
        }
    }),
    unequal("zeros and ones that rarely differ (8% and 3%)", 0.05, |draws| match draws.uniform() {
        u if u < 0.08 => (1.0, 0.0),
        u if u < 0.11 => (0.0, 1.0),
        _ => (1.0, 1.0),
    }),
    unequal("40% and 60% zeros, the rest beta(2, 2) (Object F1)", 0.1, |draws| {
        let mut one = |zeros: f64| match draws.uniform() {
            u if u < zeros => 0.0,
            _ => draws.beta(2.0, 2.0),
        };
        (one(0.4), one(0.6))
    }),
    unequal("a true difference, normal", 0.3, |draws| (0.3 + 0.2 * draws.normal(), 0.2 * draws.normal())),
    unequal("a true difference, because one fails at a fifth of the pairs", 0.2 * (5.0 / 7.0 - 0.05), |draws| {
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
    }),
];

/// Results of a test over many experiments.
struct Found {
    /// How often the interval contains the true difference.
    covered: Rate,
    /// How often p is at most 0.05.
    rejected: Rate,
    /// Mean width of the intervals.
    width: f64,
    /// How often p and the interval contradict each other.
    n_contradictions: usize,
}

fn found(pairs: &Pairs, test: PairedTest, n: usize, n_experiments: usize, resamples: usize) -> Found {
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(23, experiment);
        let scores = (0..n).map(|_| (pairs.draw)(&mut draws));
        let (a, b): (Vec<Outcome>, Vec<Outcome>) = scores.map(|(a, b)| (Ok(a), Ok(b))).unzip();
        let comparison = compare_columns_by(test, &[a, b], &options(resamples, experiment));
        let difference = &comparison.differences[0];
        (difference.interval, difference.p_value)
    };
    let all: Vec<_> = (0..n_experiments).into_par_iter().map(experiment).collect();
    let covered = all.iter().map(|found| holds(found.0, pairs.difference));
    let rejected = all.iter().map(|found| is_significant(found.1));
    let widths: Vec<f64> = all.iter().filter_map(|found| found.0.map(|(low, high)| high - low)).collect();
    let contradicts = |found: &&(Option<(f64, f64)>, Option<f64>)| {
        found.0.zip(found.1).is_some_and(|((low, high), p)| (p <= 0.05) == (low <= 0.0 && 0.0 <= high))
    };
    Found {
        covered: Rate::of(&covered.collect::<Vec<_>>()),
        rejected: Rate::of(&rejected.collect::<Vec<_>>()),
        width: widths.iter().sum::<f64>() / widths.len() as f64,
        n_contradictions: all.iter().filter(contradicts).count(),
    }
}

/// Tables of equal systems with correlated metrics.
struct Table {
    name: &'static str,
    n_systems: usize,
    n_metrics: usize,
    /// A score, given its common part with the other metrics of the same system and pair.
    draw: fn(&mut Draws, f64) -> f64,
}

const TABLES: [Table; 2] = [
    Table {
        name: "three systems, four metrics: normal noise in common, gamma(2) alone",
        n_systems: 3,
        n_metrics: 4,
        draw: |draws, common| common + draws.gamma(2.0),
    },
    Table {
        name: "two systems, eight metrics: normal, correlated 0.5",
        n_systems: 2,
        n_metrics: 8,
        draw: |draws, common| common + draws.normal(),
    },
];

/// How often the results claim any difference in a table of equal systems: after Holm's correction over all its
/// differences, which is `compare`'s default, over those of each metric, and without correction.
fn family(table: &Table, n: usize, n_experiments: usize) -> [Rate; 3] {
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(29, experiment);
        let mut metrics = vec![vec![Vec::new(); table.n_systems]; table.n_metrics];
        for _ in 0..n {
            for system in 0..table.n_systems {
                let common = draws.normal();
                for metric in &mut metrics {
                    metric[system].push(Ok((table.draw)(&mut draws, common)));
                }
            }
        }
        let compared = |systems: &Vec<Vec<Outcome>>| compare_columns(systems, &options(1, experiment));
        let mut comparisons: Vec<Comparison> = metrics.iter().map(compared).collect();
        let n_tests = table.n_metrics * table.n_systems * (table.n_systems - 1) / 2;
        let smallest = PairedTest::SignFlip.smallest_p(n, n_tests, &BootstrapOptions::default());
        let tests = |comparisons: &[Comparison]| -> Vec<(f64, f64)> {
            let differences = comparisons.iter().flat_map(|comparison| &comparison.differences);
            differences.filter_map(|difference| difference.p_value).map(|p| (p, smallest)).collect()
        };
        let is_claimed = |tests: &[(f64, f64)]| {
            Verdict::corrected(tests, 0.05).unwrap().iter().any(|(_, verdict)| *verdict == Verdict::Different)
        };
        let all = tests(&comparisons);
        let by_metric = comparisons.chunks(1).any(|one| is_claimed(&tests(one)));
        let over_all = is_claimed(&all);
        // Rank intervals agree with the verdicts.
        let corrected = Verdict::corrected(&all, 0.05).unwrap();
        let corrected: Vec<Option<f64>> = corrected.iter().map(|(p, _)| Some(*p)).collect();
        let of_metrics = corrected.chunks(n_tests / table.n_metrics);
        for (comparison, corrected) in comparisons.iter_mut().zip(of_metrics) {
            comparison.rank_by(corrected, 0.05);
        }
        let whole = Some((1.0, table.n_systems as f64));
        let standings = comparisons.iter().flat_map(|comparison| &comparison.systems);
        let is_ranked = standings.map(|one| one.rank_interval).any(|ranks| ranks != whole);
        assert_eq!(is_ranked, over_all, "{}, experiment {experiment}", table.name);
        [over_all, by_metric, all.iter().any(|(p, _)| *p <= 0.05)].map(Some)
    };
    rates(n_experiments, experiment)
}

/// Twenty equal systems with 190 differences, for which more flips are drawn: how often does any differ after Holm's
/// correction? And five systems, two of them equal: do all rank intervals contain the true ranks at once?
fn several(n: usize, n_experiments: usize) -> [Rate; 2] {
    const GAINS: [f64; 5] = [0.0, 0.0, 0.5, 1.0, 1.3];
    const TRUE_RANKS: [(f64, f64); 5] = [(4.0, 5.0), (4.0, 5.0), (3.0, 3.0), (2.0, 2.0), (1.0, 1.0)];
    let columns = |draws: &mut Draws, gains: &[f64]| -> Vec<Vec<Outcome>> {
        let mut columns = vec![Vec::new(); gains.len()];
        for _ in 0..n {
            let hard = 2.0 * draws.normal();
            for (column, gain) in columns.iter_mut().zip(gains) {
                column.push(Ok(hard + gain + draws.gamma(2.0)));
            }
        }
        columns
    };
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(53, experiment);
        let equal = columns(&mut draws, &[0.0; 20]);
        let equal = compare_columns(&equal, &options(1, experiment));
        let any = equal.systems.iter().any(|standing: &Standing| standing.rank_interval != Some((1.0, 20.0)));
        let unequal = columns(&mut draws, &GAINS);
        let unequal = compare_columns(&unequal, &options(1, experiment));
        let holds = |(standing, truth): (&Standing, &(f64, f64))| {
            let (best, worst) = standing.rank_interval.unwrap();
            best <= truth.0 && truth.1 <= worst
        };
        let all_held = unequal.systems.iter().zip(&TRUE_RANKS).all(holds);
        [Some(any), Some(all_held)]
    };
    rates(n_experiments, experiment)
}

#[test]
fn differences_are_covered_and_tests_keep_their_size() {
    let n_experiments = 200;
    let all = || PAIRS.iter().chain(&SKEWED).chain(&UNEQUAL);
    for (pairs, n) in all().flat_map(|pairs| [(pairs, 6), (pairs, 10)]) {
        let flips = found(pairs, PairedTest::SignFlip, n, n_experiments, 1);
        let studentized = found(pairs, PairedTest::Studentized, n, n_experiments, 200);
        let name = format!("{}, n = {n}", pairs.name);
        for found in [&flips, &studentized] {
            assert_eq!(found.n_contradictions, 0, "{name}");
            if n >= 10 && pairs.is_exchangeable && !pairs.name.contains("90%") {
                found.covered.assert_at_least(0.93, &name);
            }
            if pairs.is_exchangeable {
                found.rejected.assert_at_most(0.05, &name);
            }
        }
    }
    // Lognormal against symmetric scores: sign flips are wrong more often than resamples.
    let size = |test: PairedTest| found(&SKEWED[1], test, 12, 600, 300).rejected.share();
    let (flips, studentized) = (size(PairedTest::SignFlip), size(PairedTest::Studentized));
    assert!(flips > 0.08 && studentized < flips - 0.02, "{flips} {studentized}");
    let [any, held] = several(20, 60);
    any.assert_at_most(0.05, "any of equal systems");
    held.assert_at_least(0.95, "all true ranks");
    for table in &TABLES {
        // All flips of so few pairs are tried, which is faster than to draw them.
        let [default, by_metric, uncorrected] = family(table, 10, n_experiments);
        default.assert_at_most(0.05, table.name);
        let least = default.share() + 0.03;
        assert!(by_metric.share() > least, "{}: {by_metric:?}", table.name);
        assert!(uncorrected.share() > 0.15, "{}: {uncorrected:?}, there is something to correct", table.name);
    }
}

/// A difference with a nominal power of 80% is detected that often, and one as large as the bound of equivalence is
/// called small in at most 5%.
#[test]
fn detectable_differences_are_detected_and_bounds_are_not_called_small() {
    const N: usize = 40;
    // (z(0.975) + z(0.8)) / √40.
    const DETECTABLE: f64 = 2.801_585_218 / 6.324_555_320;
    let experiment = |experiment: usize| {
        let mut draws = Draws::of(61, experiment);
        let scores = (0..N).map(|_| {
            let hard = draws.normal();
            (Ok(hard + DETECTABLE + draws.normal()), Ok(hard))
        });
        let (a, b): (Vec<Outcome>, Vec<Outcome>) = scores.unzip();
        let systems = [a, b];
        let compared = |level: f64| {
            let options = BootstrapOptions { level, ..resampled(1) };
            compare_columns(&systems, &options).differences.swap_remove(0)
        };
        let difference = compared(0.95);
        let (low, high) = compared(0.9).interval.unwrap();
        let is_small = -DETECTABLE < low && high < DETECTABLE;
        let detectable = difference.detectable(N, 1, 0.95).unwrap();
        (difference.p_value.unwrap() <= 0.05, is_small, detectable)
    };
    let all: Vec<_> = (0..400).into_par_iter().map(experiment).collect();
    let rate =
        |of: fn(&(bool, bool, f64)) -> bool| Rate::of(&all.iter().map(|found| Some(of(found))).collect::<Vec<_>>());
    let (power, small) = (rate(|found| found.0), rate(|found| found.1));
    let slack = 4.0 * power.standard_error(0.8);
    assert!((power.share() - 0.8).abs() < slack, "{power:?}");
    small.assert_at_most(0.05, "called small");
    assert!(small.share() > 0.01, "{small:?}: not for want of power");
    let mean = all.iter().map(|found| found.2).sum::<f64>() / all.len() as f64;
    assert!((mean / DETECTABLE - 1.0).abs() < 0.02, "{mean}");
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_differences() {
    const NS: [usize; 6] = [6, 10, 20, 30, 100, 1000];
    const N_EXPERIMENTS: [usize; 6] = [3_000, 3_000, 2_000, 1_500, 800, 400];
    let interval = "95% intervals of the difference of two systems that hold the true difference, in %";
    let size = "Tests of two systems with equal means that give p ≤ 0.05, in %";
    let width = "Mean width of the intervals of the studentised test over that of the default (`--test sign-flip`).";
    let tests = [
        (PairedTest::SignFlip, "the default, `--test sign-flip`"),
        (PairedTest::Studentized, "`--test studentized`"),
    ];
    let mut text = String::new();
    let mut widths = vec![Vec::new(); PAIRS.len() + SKEWED.len() + UNEQUAL.len()];
    for (test, name) in tests {
        let mut coverage = Rates::new(&format!("{interval}: {name}."), &NS);
        let mut sizes =
            Rates::new(&format!("{size}: {name}. The systems are exchangeable in the first eight rows."), &NS);
        let all = PAIRS.iter().chain(&SKEWED).chain(&UNEQUAL);
        for (pairs, widths) in all.zip(&mut widths) {
            let of = |(&n, &experiments): (&usize, &usize)| found(pairs, test, n, experiments, 600);
            let all: Vec<Found> = NS.iter().zip(&N_EXPERIMENTS).map(of).collect();
            assert!(all.iter().all(|found| found.n_contradictions == 0), "{}", pairs.name);
            let rates = |of: fn(&Found) -> Rate| all.iter().map(of).collect::<Vec<Rate>>();
            coverage.row(pairs.name, &rates(|found| found.covered));
            if pairs.difference == 0.0 {
                sizes.row(pairs.name, &rates(|found| found.rejected));
            }
            widths.push(all.iter().map(|found| found.width).collect::<Vec<f64>>());
        }
        text += &coverage.text();
        text += &sizes.text();
    }
    let mut compared_widths = Rates::new(width, &NS);
    for (pairs, widths) in PAIRS.iter().chain(&SKEWED).chain(&UNEQUAL).zip(&widths) {
        let ratios = widths[1].iter().zip(&widths[0]).map(|(studentized, flips)| format!("{:.2}", studentized / flips));
        compared_widths.cells(pairs.name, &ratios.collect::<Vec<_>>());
    }
    text += &compared_widths.text();
    let of = |(&n, &experiments): (&usize, &usize)| several(n, experiments / 4);
    let (any, held): (Vec<Rate>, Vec<Rate>) =
        NS.iter().zip(&N_EXPERIMENTS).map(of).map(|[any, held]| (any, held)).unzip();
    let mut systems = Rates::new("Several systems on the same pairs, in %.", &NS);
    let names = [
        "twenty equal systems, any two called different (190 tests, for which more flips are drawn)",
        "five systems, two of them equal: all rank intervals hold the true ranks",
    ];
    systems.row(names[0], &any);
    systems.row(names[1], &held);
    write_part("differences", &(text + &systems.text()));
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_families() {
    const NS: [usize; 5] = [10, 20, 30, 40, 100];
    const N_EXPERIMENTS: usize = 1_000;
    let mut families = Rates::new("Tables of equal systems in which any difference is called different, in %.", &NS);
    let ways = ["by default (Holm over all differences)", "`--holm metric`", "uncorrected"];
    for table in &TABLES {
        let all = NS.map(|n| family(table, n, N_EXPERIMENTS));
        for (way, name) in ways.iter().enumerate() {
            let rates = all.map(|found| found[way]);
            families.row(&format!("{}: {name}", table.name), &rates);
        }
    }
    write_part("families", &families.text());
}
