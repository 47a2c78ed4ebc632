//! Sums of values, plain and with random signs.

use crate::support::*;
use neurogauge_stats::internals::{FlippedSums, Scales, Signs};
use neurogauge_stats::sign_flip::Flip;
use neurogauge_stats::summation::{BLOCK, sum};
use std::num::Wrapping;

#[test]
fn sums_of_whole_numbers_are_exact_at_every_length_around_the_block() {
    for n in [0, 1, 7, 8, 9, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 13] {
        let values: Vec<f64> = (1..=n).map(|v| v as f64).collect();
        assert_eq!(sum(&values), (n * (n + 1) / 2) as f64, "n = {n}");
    }
}

#[test]
fn rounding_errors_do_not_pile_up() {
    let n = 1_000_000;
    let error = (sum(&vec![0.1; n]) - 0.1 * n as f64).abs();
    // A single running sum is off by 1.3e-6.
    assert!(error < 1e-8, "{error:e}");
}

/// The values are whole numbers, whose sums are exact.
#[test]
fn sums_are_those_of_flips_that_are_drawn_one_by_one() {
    for (n_pairs, n_systems) in [(1, 1), (31, 2), (32, 16), (33, 17), (100, 40)] {
        let value = |system: usize, pair: usize| ((system * 31 + pair * 17) % 101) as f64 - 50.0;
        let of_system = |system| (0..n_pairs).map(|pair| value(system, pair)).collect();
        let systems: Vec<Vec<f64>> = (0..n_systems).map(of_system).collect();
        let rows: Vec<&[f64]> = systems.iter().map(Vec::as_slice).collect();
        let signs = Signs::draw(5..12, n_pairs, Seed(3));
        let sums = FlippedSums::<f64, 16>::of(&rows, |_, value| value).sums(&signs);
        let whole = FlippedSums::<_, 8>::of(&rows, |_, value| Wrapping(value as i32)).sums(&signs);
        let mut expected = Vec::new();
        for system in &systems {
            for (place, flip) in (5..12).enumerate() {
                let drawn = Flip::draw(system, &mut Seed(3).stream(flip));
                assert_eq!(signs.n_turned()[place] as usize, drawn.n_turned);
                expected.push(drawn.sum);
            }
        }
        assert_eq!(whole.iter().map(|sum| f64::from(sum.0)).collect::<Vec<_>>(), expected);
        assert_eq!(sums, expected, "{n_pairs} pairs of {n_systems} systems");
    }
}

/// For systems of all sizes and more pairs than 32 bits serve; the bound of like systems is not much too wide.
#[test]
fn errors_are_within_their_bound() {
    for n in [300, 9000] {
        let noise = Synthetic::new("scales", n);
        let of_size = |(system, size): (u64, &f64)| -> Vec<f64> {
            (0..n).map(|i| size * f64::from(noise.uniform((system << 32) + i) - 0.5)).collect()
        };
        let systems: Vec<Vec<f64>> = (0..).zip(&[1.0, 1.0, 1e6, 1e-30, 1e-300]).map(of_size).collect();
        let (scales, signs) = (Scales::of(&systems), Signs::draw(0..40, n as usize, Seed(7)));
        let sums = scales.sums(&systems, &[0, 1, 2, 3, 4]).sums(&signs);
        for (a, b) in [(0, 1), (0, 2), (0, 3), (3, 4)] {
            let differences: Vec<f64> = systems[a].iter().zip(&systems[b]).map(|(a, b)| a - b).collect();
            let off = |flip: usize| {
                let exact = Flip::draw(&differences, &mut Seed(7).stream(flip as u64)).sum / scales.unit;
                (f64::from(sums[a * 40 + flip] - sums[b * 40 + flip]) - exact).abs() / f64::from(scales.error((a, b)))
            };
            let most = (0..40).map(off).fold(0.0, f64::max);
            assert!(most <= 1.0 && (b > 1 || most > 1e-4), "{n}, {a} − {b}: {most}");
        }
    }
}
