//! Comparisons of systems.

use crate::support::*;

const GAP: Outcome = Err(Undefined::NonFinite(Side::Gt));

fn noise(name: &str, n: usize) -> Vec<f64> {
    let values = Synthetic::new(name, 0);
    (0..n as u64).map(|i| f64::from(values.uniform(i))).collect()
}

fn compare(systems: &[&[Outcome]], direction: Direction) -> Comparison {
    let systems: Vec<Vec<&[Outcome]>> = systems.iter().map(|column| vec![*column]).collect();
    compare_systems(&systems, direction, SIGN_FLIP, &BootstrapOptions::default()).unwrap()
}

/// Hard and easy pairs; one system is always slightly better than the other, but not by the same amount.
fn hard_pairs() -> (Vec<Outcome>, Vec<Outcome>) {
    let difficulty = noise("difficulty", 200);
    let gain = noise("gain", 200);
    let better = outcomes(difficulty.iter().zip(&gain).map(|(d, g)| d + 0.02 * g));
    (outcomes(difficulty), better)
}

#[test]
fn pairing_finds_a_difference_smaller_than_either_interval() {
    let (weak, strong) = hard_pairs();
    let found = compare(&[&weak, &strong], Direction::Higher);
    let (low, high) = found.systems[0].estimate.interval.unwrap();
    let gain = found.systems[1].estimate.value.clone().unwrap();
    assert!(low < gain && gain < high, "the intervals of the two overlap");
    assert_eq!(found.systems[1].rank_interval, Some((1.0, 1.0)));
    assert_eq!(found.systems[0].rank_interval, Some((2.0, 2.0)));
    let difference = &found.differences[0];
    assert_eq!((difference.minuend, difference.subtrahend), (0, 1));
    assert!(difference.interval.unwrap().1 < 0.0);
    assert_eq!(difference.p_value, Some(1.0 / 10_000.0));
}

#[test]
fn systems_with_the_same_values_in_another_order_share_a_rank() {
    let (one, other) = (outcomes([0.1, 0.2, 0.3]), outcomes([0.3, 0.2, 0.1]));
    let found = compare(&[&one, &other, &outcomes([0.1, 0.2, 0.300001])], Direction::Higher);
    let ranks: Vec<Option<f64>> = found.systems.iter().map(|system| system.rank).collect();
    assert_eq!(ranks, [Some(2.5), Some(2.5), Some(1.0)]);
}

#[test]
fn direction_turns_the_ranks_and_nothing_else() {
    let (weak, strong) = hard_pairs();
    let higher = compare(&[&weak, &strong], Direction::Higher);
    let lower = compare(&[&weak, &strong], Direction::Lower);
    assert_eq!(lower.systems[0].rank, Some(1.0));
    assert_eq!(lower.systems[0].estimate, higher.systems[0].estimate);
    assert_eq!(lower.differences, higher.differences);
}

#[test]
fn equal_systems_share_their_rank() {
    let column = outcomes(noise("column", 30));
    let best = outcomes(noise("column", 30).iter().map(|v| v + 1.0));
    let found = compare(&[&column, &best, &column], Direction::Higher);
    let ranks: Vec<f64> = found.systems.iter().map(|s| s.rank.unwrap()).collect();
    assert_eq!(ranks, [2.5, 1.0, 2.5]);
    // The two cannot be distinguished, and both are worse than the best.
    let possible: Vec<_> = found.systems.iter().map(|s| s.rank_interval).collect();
    assert_eq!(possible, [Some((2.0, 3.0)), Some((1.0, 1.0)), Some((2.0, 3.0))]);
    let tie = &found.differences[1];
    assert_eq!((tie.minuend, tie.subtrahend), (0, 2));
    assert_eq!((tie.value.clone(), tie.p_value), (Ok(0.0), Some(1.0)));
    assert_eq!(tie.interval, None, "nothing varies");
}

#[test]
fn zeros_and_ones_among_differences_are_no_share() {
    let never = outcomes([0.0; 10]);
    let once = outcomes((0..10).map(|i| f64::from(i == 4)));
    let difference = compare(&[&once, &never], Direction::Higher).differences[0].clone();
    assert_eq!(difference.p_value, Some(1.0));
    // All differences are above any negative one, which the test rejects; the mean of three that include the 1 is 1/3.
    assert_eq!(difference.interval, Some((0.0, 1.0 / 3.0)));
}

#[test]
fn only_pairs_that_all_systems_have_are_compared() {
    let a = [Ok(1.0), Ok(2.0), GAP, Ok(3.0)];
    let found = compare(&[&a, &[Ok(5.0), GAP, Ok(9.0), Ok(7.0)]], Direction::Higher);
    assert_eq!((found.n_shared, found.n_dropped), (2, 2));
    assert_eq!(found.systems[0].estimate.value, Ok(2.0));
    assert_eq!(found.systems[1].estimate.value, Ok(6.0));
    assert_eq!(found.systems[0].estimate.n, 2);
}

#[test]
fn a_system_without_gaps_gets_the_interval_that_it_gets_alone() {
    let column = outcomes(noise("column", 64));
    let other = outcomes(noise("other", 64));
    let options = BootstrapOptions::default();
    let systems = [vec![&column[..], &other], vec![&other[..], &column]];
    let found = compare_systems(&systems, Direction::Higher, SIGN_FLIP, &options).unwrap();
    assert_eq!(found.systems[0].estimate, estimate(&systems[0], &options).unwrap());
}

#[test]
fn same_bits_with_one_thread_and_with_eight() {
    let (weak, strong) = hard_pairs();
    let run = |threads| with_threads(threads, || compare(&[&weak, &strong], Direction::Higher));
    assert_eq!(run(1), run(8));
}

#[test]
fn the_p_value_of_equal_systems_is_as_small_as_it_says() {
    let n_experiments = 400;
    for n_pairs in [8, 40] {
        let small = (0..n_experiments).filter(|experiment| {
            let systems = ["a", "b"].map(|name| outcomes(noise(&format!("{name}{experiment}"), n_pairs)));
            compare_columns(&systems, &resampled(10)).differences[0].p_value.unwrap() <= 0.1
        });
        let rate = small.count() as f64 / f64::from(n_experiments);
        // The standard error of the rate is 0.015.
        assert!((0.06..=0.14).contains(&rate), "{n_pairs}: {rate}");
    }
}

/// Four systems with the same stimuli, of which the middle two are equal: with a probability of at least 95%, all four
/// intervals contain the true ranks.
#[test]
fn rank_intervals_hold_all_true_ranks_at_once() {
    const TRUTH: [(f64, f64, f64); 4] = [(0.0, 4.0, 4.0), (0.3, 2.0, 3.0), (0.3, 2.0, 3.0), (1.2, 1.0, 1.0)];
    for n_pairs in [8, 40] {
        let (mut held, mut told) = (0, 0);
        for experiment in 0..200 {
            let draw = |what: &str| noise(&format!("{what} {n_pairs} {experiment}"), n_pairs);
            let hard = draw("difficulty");
            let columns: Vec<Vec<Outcome>> = TRUTH
                .iter()
                .enumerate()
                .map(|(system, (gain, ..))| {
                    let own = draw(&format!("system {system}"));
                    outcomes(hard.iter().zip(own).map(|(hard, own)| hard + gain + own))
                })
                .collect();
            let found = compare_columns(&columns, &resampled(2));
            let ends: Vec<(f64, f64)> = (found.systems.iter()).map(|system| system.rank_interval.unwrap()).collect();
            let holds =
                |(&(low, high), &(_, best, worst)): (&(f64, f64), &(f64, f64, f64))| low <= best && worst <= high;
            held += usize::from(ends.iter().zip(&TRUTH).all(holds));
            told += usize::from(ends[3] == (1.0, 1.0));
        }
        assert!(held >= 188, "{n_pairs} pairs: {held} of 200");
        // The intervals are not merely wide.
        assert!(told > 100 || n_pairs == 8, "{n_pairs} pairs: {told} of 200");
    }
}

#[test]
fn too_few_shared_pairs_leave_less_to_say() {
    let found = compare(&[&[Ok(1.0), GAP], &[GAP, Ok(1.0)]], Direction::Higher);
    assert_eq!((found.n_shared, found.n_dropped), (0, 2));
    assert_eq!(found.systems[0].estimate.value, Err(Undefined::NoPairs));
    assert_eq!(found.systems[0].rank, None);
    assert_eq!(found.differences[0].value, Err(Undefined::NoPairs));

    let found = compare(&[&[Ok(1.0)], &[Ok(2.0)]], Direction::Higher);
    assert_eq!(found.systems[1].rank, Some(1.0));
    assert_eq!(found.systems[1].rank_interval, None);
    assert_eq!(found.differences[0].value, Ok(-1.0));
    assert_eq!(found.differences[0].p_value, None);
}

#[test]
fn systems_that_do_not_fit_together_are_an_error() {
    let column = [Ok(1.0), Ok(2.0)];
    let run = |systems: &[Vec<&[Outcome]>]| {
        compare_systems(systems, Direction::Higher, SIGN_FLIP, &BootstrapOptions::default())
    };
    let refused = |systems: &[Vec<&[Outcome]>], words: &str| {
        let error = run(systems).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    };
    refused(&[], "no system was given");
    refused(&[vec![]], "no column of outcomes was given");
    refused(&[vec![&column], vec![&column, &column]], "system 1 has 2 columns and the first system 1");
    let short = "column 0 of system 1 holds 1 pairs and the first column 2";
    refused(&[vec![&column], vec![&column[..1]]], short);
}

#[test]
fn results_survive_json() {
    let (weak, strong) = hard_pairs();
    let found = compare(&[&weak, &strong], Direction::Higher);
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), found);
}

/// Differences of every kind that occurs in tests: noise, shifts, ties, whole numbers, skewed ones, mostly zeros, large
/// ones with an offset.
fn kinds_of_differences(n: usize, experiment: usize) -> Vec<Vec<f64>> {
    let draw = |what: &str| noise(&format!("{what} {n} {experiment}"), n);
    let (u, v) = (draw("u"), draw("v"));
    let both = || u.iter().zip(&v);
    vec![
        both().map(|(u, v)| u - v).collect(),
        both().map(|(u, v)| u - v + 0.2).collect(),
        both().map(|(u, v)| (10.0 * (u - v)).round() / 10.0).collect(),
        both().map(|(u, v)| f64::from(*u < 0.6) - f64::from(*v < 0.4)).collect(),
        u.iter().map(|u| -u.ln() - 0.5).collect(),
        both().map(|(u, v)| if *u < 0.8 { 0.0 } else { *v }).collect(),
        both().map(|(u, v)| 1e9 + u - v).collect(),
        both().map(|(u, v)| 1e-120 * (u - v + 0.3)).collect(),
    ]
}

#[test]
fn intervals_and_p_values_never_contradict_each_other() {
    for n in [2, 5, 6, 7, 10, 15, 16, 40, 200] {
        for (level, n_family) in [(0.5, 1), (0.9, 400), (0.95, 200), (0.999, 6), (0.9999, 1)] {
            let options = BootstrapOptions {
                level,
                resamples: 500,
                ..Default::default()
            };
            for (kind, differences) in (0..2).flat_map(|e| kinds_of_differences(n, e)).enumerate() {
                let tests = [
                    sign_flip_test(&differences, n_family, &options).unwrap(),
                    studentized_test(&differences, &options).unwrap(),
                ];
                for (place, found) in tests.into_iter().enumerate() {
                    let is_constant = differences.iter().all(|d| *d == differences[0]);
                    let Some(found) = found.filter(|_| !is_constant) else {
                        continue;
                    };
                    let case = format!("test {place}, n = {n}, level {level}, kind {kind}: {found:?}");
                    let is_rejected = found.p_value <= 1.0 - level;
                    match found.interval {
                        Some((low, high)) => {
                            assert_eq!(is_rejected, low > 0.0 || high < 0.0, "{case}");
                            let mean = differences.iter().sum::<f64>() / n as f64;
                            let slack = 1e-9 * mean.abs();
                            assert!(low - slack <= mean && mean <= high + slack, "{case}");
                        }
                        None if place == 0 => {
                            assert!(smallest_sign_flip_p(n, n_family, level) > 1.0 - level, "{case}");
                        }
                        None => assert!(2.0 / 501.0 > 1.0 - level, "{case}"),
                    }
                }
            }
        }
    }
}

/// Tested by shifting the differences, which needs no reasoning about flips and means.
#[test]
fn the_interval_is_what_the_test_does_not_reject() {
    let options = BootstrapOptions::default();
    for n in [6, 9, 30] {
        for differences in kinds_of_differences(n, 9).into_iter().take(6) {
            let tested = |shift: f64| {
                let shifted: Vec<f64> = differences.iter().map(|d| d - shift).collect();
                sign_flip_test(&shifted, 1, &options).unwrap().unwrap()
            };
            let Some((low, high)) = tested(0.0).interval else {
                continue;
            };
            let step = 1e-7;
            for (shift, is_held) in [(low - step, false), (low + step, true), (high - step, true), (high + step, false)]
            {
                let p_value = tested(shift).p_value;
                // Because of ties, few means are left if both ends are the same value.
                if high - low > 3.0 * step {
                    assert_eq!(p_value > 0.05, is_held, "{n}: {shift} in {low} to {high}");
                }
            }
        }
    }
}

/// 27 systems, each a hundred standard deviations above the previous one: 351 tests of one metric, 1404 of four.
#[test]
fn no_number_of_tests_hides_what_is_plain() {
    let n_pairs = 40;
    let columns: Vec<Vec<Outcome>> = (0..27)
        .map(|system| outcomes(noise(&format!("plain {system}"), n_pairs).iter().map(|v| v + 40.0 * f64::from(system))))
        .collect();
    let systems: Vec<Vec<&[Outcome]>> = columns.iter().map(|c| vec![&c[..]]).collect();
    let n_family = 4 * 351;
    let test = (PairedTest::SignFlip, n_family);
    let found = compare_systems(&systems, Direction::Higher, test, &resampled(2)).unwrap();
    let smallest = smallest_sign_flip_p(n_pairs, n_family, 0.95);
    let tests = found.differences.iter().map(|d| (d.p_value.unwrap(), smallest));
    let tests: Vec<(f64, f64)> = tests.cycle().take(n_family).collect();
    let verdicts = Verdict::corrected(&tests, 0.05).unwrap();
    assert!(verdicts.iter().all(|(p, verdict)| *p <= 0.05 && *verdict == Verdict::Different));
    for (place, standing) in found.systems.iter().enumerate() {
        let rank = 27.0 - place as f64;
        assert_eq!(standing.rank_interval, Some((rank, rank)));
    }
}

/// With ten pairs, 2 of 1,024 signs times 80 tests is more than 0.05.
#[test]
fn what_ten_pairs_cannot_show_is_not_decidable() {
    let smallest = smallest_sign_flip_p(10, 80, 0.95);
    let verdicts = |n_tests: usize| Verdict::corrected(&vec![(smallest, smallest); n_tests], 0.05).unwrap();
    assert!(verdicts(80).iter().all(|(_, verdict)| *verdict == Verdict::NotDecidable));
    assert!(verdicts(25).iter().all(|(_, verdict)| *verdict == Verdict::Different));
    let mut tests = vec![(0.4, smallest); 25];
    tests.push((1e-4, 1e-4));
    let found = Verdict::corrected(&tests, 0.05).unwrap();
    assert_eq!(found[25].1, Verdict::Different);
    // 25 tests are left, one of which could be below 0.05 / 25.
    assert!(found[..25].iter().all(|(_, verdict)| *verdict == Verdict::NotShown));
}

#[test]
fn each_subject_has_the_differences_of_its_own_scores() {
    let column = |name: &str| outcomes(noise(name, 12));
    let compared =
        |systems: &[Vec<Vec<Outcome>>]| compare_tables(systems, SubjectPopulation::These, &BootstrapOptions::default());
    let found = compared(&[vec![column("a1"), column("a2")], vec![column("b1"), column("b2")]]);
    let alone = |a: &str, b: &str| compare(&[&column(a), &column(b)], Direction::Lower).differences;
    assert_eq!(found.differences, [alone("a1", "b1"), alone("a2", "b2")]);
    // Systems with different numbers of subjects have none.
    let uneven = compared(&[vec![column("a1"), column("a2")], vec![column("b1")]]);
    assert!(uneven.differences.is_empty());
}

#[test]
fn effect_sizes_follow_their_formulas_and_need_spread() {
    let one = outcomes([0.5, 0.75, 0.25, 1.0]);
    let found = compare(&[&one, &outcomes([0.25, 0.75, 0.5, 0.25])], Direction::Higher);
    let difference = &found.differences[0];
    // Differences 0.25, 0, -0.25 and 0.75: mean 0.1875, squares about it 0.546875.
    let deviation = (0.546875_f64 / 3.0).sqrt();
    assert!((difference.deviation.unwrap() - deviation).abs() < 1e-15);
    assert!((difference.d_z().unwrap() - 0.1875 / deviation).abs() < 1e-14);
    assert_eq!(difference.share_higher, Some(2.5 / 4.0));
    // z(1 - 0.05 / 56) + z(0.8) = 3.965355863896 by Python's NormalDist.
    let detectable = difference.detectable(4, 28, 0.95).unwrap();
    assert!((detectable - 3.965_355_863_896_7 * deviation / 2.0).abs() < 1e-9, "{detectable}");
    let same = &compare(&[&one, &one], Direction::Higher).differences[0];
    assert!(same.is_nothing() && same.d_z().is_none() && same.detectable(4, 1, 0.95).is_none());
    assert_eq!(same.share_higher, Some(0.5));
    // An equal difference in all pairs is detectable, though it does not vary.
    let more = outcomes([0.75, 1.0, 0.5, 1.25]);
    let constant = &compare(&[&more, &one], Direction::Higher).differences[0];
    assert!(!constant.is_nothing() && constant.d_z().is_none());
}

/// A part with values for four of eight pairs cannot show more than four pairs can, whatever the other part has.
#[test]
fn a_composite_shows_no_more_than_its_smallest_part_can() {
    let column = |n: usize, shift: f64| -> Vec<Outcome> {
        let value = |pair: usize| 0.1 * pair as f64 + shift * (1.0 + 0.1 * pair as f64);
        (0..8)
            .map(|pair| {
                if pair < n {
                    Ok(value(pair))
                } else {
                    Err(Undefined::NoPairs)
                }
            })
            .collect()
    };
    let of = |n: usize| {
        let systems = [0.0, 0.3].map(|shift| [column(8, shift), column(n, shift)]);
        let systems = systems.each_ref().map(|own| slices(own));
        compare_systems(&systems, Direction::Higher, SIGN_FLIP, &BootstrapOptions::default()).unwrap()
    };
    let shown = |n: usize| {
        let found = of(n);
        let difference = &found.differences[0];
        (found.n_stimuli, found.n_fewest, difference.p_value, difference.interval.is_some())
    };
    assert_eq!(shown(4), (8, 4, Some(2.0 / 16.0), false));
    assert_eq!(shown(7), (8, 7, Some(2.0 / 128.0), true));
    assert_eq!(shown(8), (8, 8, Some(2.0 / 256.0), true));
}
