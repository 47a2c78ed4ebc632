//! Values of resamples, and intervals of them.

use crate::support::*;
use neurogauge_stats::internals::{Near, Replicates, order_statistic};

/// Whole numbers make many values equal; approximations are off by up to `error`.
#[test]
fn what_is_nearly_known_gives_the_bits_of_what_is_known() {
    let noise = Synthetic::new("replicates", 0);
    let draw = |place: u64| f64::from(noise.uniform(place));
    for (n, error) in [(1, 0.5), (2, 0.0), (500, 1e-5), (501, 0.3), (77, 40.0), (3000, 0.1)] {
        // Approximations are in another unit: thirds.
        let thirds = |r: u64| (draw(r) * 60.0).floor();
        let exact = |r: u64| (r % 13 != 5).then(|| thirds(r) / 3.0);
        let near = |r: u64| match exact(r) {
            Some(_) => (thirds(r) + (2.0 * draw(r + 5000) - 1.0) * error) as f32,
            None => f32::NAN,
        };
        let Replicates(held) = Replicates::of((0..n).filter_map(exact).collect());
        let near = Near::new((0..n).map(near).collect(), error as f32, exact).unwrap();
        assert_eq!(near.n_values(), held.len());
        for (place, value) in held.iter().enumerate() {
            assert_eq!(near.nth(place), *value, "{n} {error} {place}");
        }
    }
}

#[test]
fn few_values_are_computed_exactly() {
    let asked = std::cell::Cell::new(0);
    let value = |r: u64| (r * 7919 % 10_007) as f64;
    let exact = |r: u64| {
        asked.set(asked.get() + 1);
        Some(value(r))
    };
    let approximations = (0..10_007).map(|r| value(r) as f32).collect();
    let near = Near::new(approximations, 1e-6, exact).unwrap();
    assert_eq!(near.nth(2501), 2501.0);
    assert_eq!(asked.get(), 1);
}

/// Equal values, sorted values, an infinite one, and a place far from where a sample of every sixteenth value
/// suggests.
#[test]
fn an_order_statistic_is_that_of_sorted_values() {
    let noise = Synthetic::new("places", 0);
    for n in [1, 2, 17, 300, 2000] {
        let drawn = |place: usize| noise.uniform(place as u64);
        let kinds: [&dyn Fn(usize) -> f32; 4] = [
            &drawn,
            &|place| (drawn(place) * 5.0).floor(),
            &|place| {
                if place % 16 == 0 {
                    drawn(place) - 9.0
                } else {
                    drawn(place)
                }
            },
            &|place| {
                if place % 3 == 0 { f32::INFINITY } else { place as f32 }
            },
        ];
        for kind in kinds {
            let values: Vec<f32> = (0..n).map(kind).collect();
            let mut sorted = values.clone();
            sorted.sort_unstable_by(f32::total_cmp);
            for (place, value) in sorted.iter().enumerate() {
                assert_eq!(order_statistic(&values, place), *value, "{n} {place}");
            }
        }
    }
}

#[test]
fn nothing_is_near_infinity() {
    assert!(Near::new(vec![1.0, f32::NAN], 0.1, |_| Some(1.0)).is_none());
    assert!(Near::new(vec![1.0, f32::INFINITY], 0.1, |_| None).is_none());
    assert!(Near::new(vec![1.0, 2.0], f32::NAN, |_| Some(1.0)).is_none());
}

#[test]
fn without_spread_there_is_no_interval() {
    let jackknife = [1.0, 2.0, 4.0];
    let interval =
        |estimate, replicates: &[f64], jackknife: &[f64]| bca_interval(estimate, replicates, jackknife, 0.95).unwrap();
    assert_eq!(interval(1.0, &[], &jackknife), None);
    assert_eq!(interval(1.0, &[2.0, 3.0], &jackknife), None);
    assert_eq!(interval(2.5, &[2.0, 3.0], &[1.0, 1.0]), None);
    assert_eq!(interval(2.5, &[2.0, 3.0], &[]), None);
}

#[test]
fn nonsense_is_refused() {
    assert!(bca_interval(1.0, &[1.0], &[1.0], 1.0).is_err());
    assert!(bca_interval(1.0, &[f64::NAN], &[1.0], 0.9).is_err());
    assert!(bca_interval(f64::NAN, &[1.0], &[1.0], 0.9).is_err());
}
