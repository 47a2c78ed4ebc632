//! Intervals of means.

use crate::support::*;
use neurogauge_stats::internals::{MeanOfMeans, intervals};
use neurogauge_stats::u_statistic::interval;

/// Many kinds of values: noise, zeros and ones, tenths, tiny and huge ones, an outlier, constants.
fn samples(n_pairs: usize) -> Vec<Vec<f64>> {
    let noise = Synthetic::new("means", n_pairs as u64);
    let draw = |kind: u64, i: usize| f64::from(noise.uniform((kind << 32) + i as u64));
    let kinds: [&dyn Fn(usize) -> f64; 12] = [
        &|i| draw(0, i),
        &|i| draw(1, i) - 0.5,
        &|i| f64::from(draw(2, i) < 0.2),
        &|i| f64::from(draw(3, i) < 0.3) - f64::from(draw(4, i) < 0.3),
        &|i| (draw(5, i) * 10.0).floor() / 10.0,
        &|i| 1e9 + draw(6, i) * 10.0,
        &|i| 1e12 + f64::from(i == 1),
        &|i| draw(7, i) * 1e-170,
        &|i| (draw(8, i) - 0.5) * 1e155,
        &|i| (draw(9, i) - 0.5) * 1.7e308,
        &|i| if i == 2 { 1e6 } else { draw(10, i) },
        &|_| 0.25,
    ];
    kinds.iter().map(|kind: &&dyn Fn(usize) -> f64| (0..n_pairs).map(*kind).collect()).collect()
}

#[test]
fn intervals_are_those_of_each_mean_alone_to_the_bit() {
    for n_pairs in [1, 2, 3, 5, 6, 9, 40, 257, 700] {
        let samples = samples(n_pairs);
        for interval in MeanInterval::ALL {
            let options = BootstrapOptions {
                resamples: 199,
                interval,
                ..Default::default()
            };
            let mean = |place: usize| {
                let values = samples[place / 2].clone();
                match place % 2 {
                    0 => MeanOfMeans::of_values(values),
                    _ => MeanOfMeans::of_differences(values),
                }
            };
            let finite = |place: &usize| mean(*place).interval(&options).is_ok();
            let places: Vec<usize> = (0..2 * samples.len()).filter(finite).collect();
            let means: Vec<MeanOfMeans> = places.iter().map(|&place| mean(place)).collect();
            let found = intervals(&means.iter().collect::<Vec<_>>(), &options);
            for (&place, found) in places.iter().zip(found.unwrap()) {
                let alone = mean(place).interval(&options).unwrap();
                let bits = |ends: Option<(f64, f64)>| ends.map(|(low, high)| (low.to_bits(), high.to_bits()));
                let case = format!("{n_pairs} pairs, sample {place}, {interval:?}");
                assert_eq!(bits(found), bits(alone), "{case}: {found:?} {alone:?}");
            }
        }
    }
}

#[test]
fn the_reason_without_an_interval_is_true_of_different_values_of_one_stimulus() {
    let reason = |values: [f64; 3], stimuli: &[usize]| {
        let column = values.map(Ok);
        let found = estimate_over_stimuli(&[&column], stimuli, (-1.0, 1.0), &Default::default());
        found.unwrap().without_interval()
    };
    let different = [0.744, 0.234, 0.689];
    assert_eq!(reason(different, &[0, 1, 2]), None);
    let without = reason(different, &[4, 4, 4]).unwrap();
    assert!(without.contains("all of one stimulus"), "{without}");
    assert_eq!(reason([0.5; 3], &[0, 1, 2]), Some(without));
}

#[test]
fn the_interval_is_the_same_seen_from_either_end() {
    let pseudo = [0.9, 0.95, 1.0, 1.02, 0.6, 0.97, 0.99];
    let mean = pseudo.iter().sum::<f64>() / 7.0;
    let (low, high) = interval(mean, &pseudo, 0.95).unwrap();
    let (turned_low, turned_high) = interval(1.0 - mean, &pseudo.map(|value| 1.0 - value), 0.95).unwrap();
    assert!((low + turned_high - 1.0).abs() < 1e-12);
    assert!((high + turned_low - 1.0).abs() < 1e-12);
    assert!(low < mean && mean < high && high < 1.0);
}

#[test]
fn there_is_none_where_nothing_is_known() {
    assert_eq!(interval(0.9, &[0.9; 5], 0.95), None);
    assert_eq!(interval(1.0, &[1.0; 2], 0.95), None);
    assert_eq!(interval(0.5, &[], 0.95), None);
    let none = interval(0.0, &[0.0; 30], 0.95).unwrap();
    assert!(none.0 == 0.0 && (none.1 - 0.1157).abs() < 1e-4);
}
