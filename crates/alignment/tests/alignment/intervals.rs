//! Intervals over subjects and target units: against scipy, and how often they contain the truth.

use crate::prelude::*;
use rand::Rng;

fn unit(subject: usize, region: usize) -> Unit {
    Unit::new(&format!("s{subject}"), "lh", &format!("r{region}"))
}

fn t(units: &[Unit], fewest: usize) -> UnitIntervals<'_> {
    UnitIntervals::new(UnitInterval::T, Default::default(), fewest, units)
}

fn assert_interval(found: &UnitEstimate, expected: (f64, f64)) {
    let (low, high) = found.interval.unwrap();
    let (low, high) = (low - expected.0, high - expected.1);
    assert!(low.abs() < 1e-9 && high.abs() < 1e-9, "{found:?}");
}

/// With the same value from two regions of each subject, a subject counts once. Expected: `scipy.stats.t.interval` of
/// the five subjects.
#[test]
fn subjects_count_once_and_units_of_a_single_subject_each() {
    let values = [0.31, 0.42, 0.28, 0.55, 0.47];
    let expected = (0.26701125786605945, 0.5449887421339406);
    let units: Vec<Unit> = (0..10).map(|place| unit(place / 2, place % 2)).collect();
    let entries = units.iter().enumerate().map(|(place, unit)| UnitEntry::new(unit, values[place / 2]));
    let found = t(&units, 5).estimate(entries.clone()).unwrap();
    assert_interval(&found, expected);
    assert_eq!((found.n, found.n_resamples), (10, 0));
    assert_eq!(t(&units, 6).estimate(entries).unwrap().interval, None);

    let units: Vec<Unit> = (0..5).map(|region| unit(0, region)).collect();
    let entries = units.iter().zip(values).map(|(unit, value)| UnitEntry::new(unit, value));
    assert_interval(&t(&units, 5).estimate(entries).unwrap(), expected);
}

/// Subjects with two, one and three entries: the jackknife, and Student's quantile with 36/14 − 1 degrees of freedom,
/// from numpy and scipy.
#[test]
fn subjects_with_more_entries_weigh_more() {
    let units = [0, 0, 1, 2, 2, 2].map(|subject| unit(subject, 0));
    let values = [0.2, 0.4, 0.9, 0.1, 0.3, 0.5];
    let entries = units.iter().zip(values).map(|(unit, value)| UnitEntry::new(unit, value));
    assert_interval(&t(&units, 2).estimate(entries).unwrap(), (-0.2917592672526966, 1.0917592672526968));
}

/// Every subject is a source for the other three; leaving out a subject removes it as target and as donor.
#[test]
fn donors_are_left_out_in_both_roles() {
    let units: Vec<Unit> = (0..4).map(|subject| unit(subject, 0)).collect();
    let names: Vec<&str> = units.iter().map(|unit| unit.subject.as_str()).collect();
    let entries = (0..16).filter(|place| place / 4 != place % 4);
    let entries = entries.map(|place| {
        let (target, donor) = (place / 4, place % 4);
        let value = (3.0 * target as f64 + 5.0 * donor as f64 + 1.0).sin();
        UnitEntry::of_source(&units[target], (names[donor], true), value)
    });
    assert_interval(&t(&units, 4).estimate(entries).unwrap(), (-1.1956393512202093, 1.1868305845632965));
    // With two subjects, each takes part in every entry.
    let entries = [(0, 1), (1, 0)];
    let entries = entries.map(|(target, donor)| UnitEntry::of_source(&units[target], (names[donor], true), 1.0));
    assert_eq!(t(&units[..2], 2).estimate(entries).unwrap().interval, None);
}

fn normal(rng: &mut impl Rng) -> f64 {
    // The sum of twelve uniform values is approximately normal with variance 1.
    let uniforms = (0..12).map(|_| (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64);
    uniforms.sum::<f64>() - 6.0
}

/// The share of experiments whose interval contains 0, the true value.
fn coverage(n_runs: u64, run: impl Fn(u64) -> UnitEstimate) -> f64 {
    let holds = |run: &UnitEstimate| run.interval.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0);
    let n_holding = (0..n_runs).map(run).filter(holds).count();
    n_holding as f64 / n_runs as f64
}

/// Half of the variance between units comes from the subject. The standard error of each coverage is 0.5 points.
#[test]
fn intervals_over_subjects_hold_the_truth() {
    for n_subjects in [5, 6, 8] {
        let units: Vec<Unit> = (0..2 * n_subjects).map(|place| unit(place / 2, place % 2)).collect();
        let intervals = t(&units, 5);
        let share = coverage(2000, |run| {
            let mut rng = Seed(n_subjects as u64).stream(run);
            let subjects: Vec<f64> = (0..n_subjects).map(|_| normal(&mut rng)).collect();
            let entries = units.iter().enumerate();
            let entries = entries.map(|(place, unit)| UnitEntry::new(unit, subjects[place / 2] + normal(&mut rng)));
            intervals.estimate(entries).unwrap()
        });
        assert!((0.93..=0.97).contains(&share), "{n_subjects}: {share}");
    }
}

/// A value is the sum of the target subject's part, an equally large part of the donor, and a remainder.
#[test]
fn intervals_of_donors_hold_the_truth() {
    for n_subjects in [5, 6, 8] {
        let units: Vec<Unit> = (0..n_subjects).map(|subject| unit(subject, 0)).collect();
        let intervals = t(&units, 5);
        let share = coverage(2000, |run| {
            let mut rng = Seed(n_subjects as u64).stream(run);
            let parts: Vec<[f64; 2]> = (0..n_subjects).map(|_| [normal(&mut rng), normal(&mut rng)]).collect();
            let mut entries = Vec::new();
            for (target, unit) in units.iter().enumerate() {
                for donor in (0..n_subjects).filter(|&donor| donor != target) {
                    let value = parts[target][0] + parts[donor][1] + 0.7 * normal(&mut rng);
                    let name = units[donor].subject.as_str();
                    entries.push(UnitEntry::of_source(unit, (name, true), value));
                }
            }
            intervals.estimate(entries).unwrap()
        });
        assert!((0.93..=0.97).contains(&share), "{n_subjects}: {share}");
    }
}
