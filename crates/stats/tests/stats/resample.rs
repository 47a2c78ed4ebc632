//! Random draws.

use crate::support::*;
use neurogauge_stats::internals::draw_below;
use std::collections::HashMap;

#[test]
fn draws_are_uniform_below_the_bound() {
    let mut drawn = vec![0; 60_000];
    draw_below(6, &mut Seed(1).stream(0), &mut drawn);
    for face in 0..6 {
        let count = drawn.iter().filter(|&&d| d == face).count() as f64;
        // The tolerance is six standard deviations of a binomial count.
        assert!((count - 10_000.0).abs() < 6.0 * 91.3, "{face}: {count}");
    }
    assert!(drawn.iter().all(|&d| d < 6));
}

#[test]
fn surplus_words_are_drawn_again() {
    /// Words 0, 1, 2, ... shifted to the top of the range.
    struct Counter(u32);
    impl rand::TryRng for Counter {
        type Error = std::convert::Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
            self.0 = self.0.wrapping_add(1);
            Ok(self.0 - 1)
        }
        fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
            Ok(0)
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Self::Error> {
            Ok(())
        }
    }
    // 2^32 mod 3 = 1: only the word 0 (lower half 0) is surplus.
    let mut rng = Counter(0);
    draw_below(3, &mut rng, &mut [0]);
    assert_eq!(rng.0, 2);
}

#[test]
fn every_subset_is_drawn_equally_often() {
    let mut rng = Seed(3).stream(0);
    let mut items = [0, 1, 2, 3, 4];
    let mut counts = HashMap::new();
    for _ in 0..10_000 {
        let mut drawn = draw_to_front(&mut items, 2, &mut rng).to_vec();
        drawn.sort();
        *counts.entry(drawn).or_insert(0.0) += 1.0;
    }
    assert_eq!(counts.len(), 10);
    for count in counts.values() {
        // The tolerance is five standard deviations of a binomial count.
        let difference: f64 = count - 1000.0;
        assert!(difference.abs() < 150.0, "{count}");
    }
}

#[test]
fn no_more_is_drawn_than_there_is() {
    let mut items = ["a"];
    assert_eq!(draw_to_front(&mut items, 3, &mut Seed(1).stream(0)), ["a"]);
}
