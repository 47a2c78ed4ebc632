//! The probability of success, by enumeration.

use crate::support::*;
use neurogauge_metrics::decoding::identification::RankCounts;

/// The probability by enumerating all subsets.
fn enumerated(limit: usize, n_drawn: usize, n_items: usize, n_marked: usize) -> f64 {
    let subsets = (0_u32..1 << n_items).filter(|set| set.count_ones() as usize == n_drawn);
    let marked = (1_u32 << n_marked) - 1;
    let (mut hits, mut all) = (0.0, 0.0);
    for set in subsets {
        all += 1.0;
        hits += f64::from(u8::from(((set & marked).count_ones() as usize) < limit));
    }
    hits / all
}

#[test]
fn the_closed_form_is_what_enumeration_gives() {
    for n_items in 1..9 {
        for n_marked in 0..=n_items {
            for n_drawn in 1..=n_items {
                for limit in 1..=n_drawn {
                    let counts = RankCounts {
                        n_others: n_items,
                        n_better: n_marked,
                        n_tied: 0,
                    };
                    let found = counts.success(n_drawn + 1, limit, Ties::Lose);
                    let expected = enumerated(limit, n_drawn, n_items, n_marked);
                    assert!((found - expected).abs() < 1e-14, "{n_items} {n_marked}");
                }
            }
        }
    }
}

#[test]
fn ties_at_half_are_the_mean_over_all_orders() {
    let counts = RankCounts {
        n_others: 7,
        n_better: 2,
        n_tied: 2,
    };
    let by_hand: f64 = (2..=4).map(|b| enumerated(2, 4, 7, b)).sum::<f64>() / 3.0;
    assert!((counts.success(5, 2, Ties::Half) - by_hand).abs() < 1e-14);
}

#[test]
fn two_ways_are_the_share_of_others_that_are_less_similar() {
    let counts = RankCounts {
        n_others: 981,
        n_better: 300,
        n_tied: 0,
    };
    assert_eq!(counts.success(2, 1, Ties::Lose), 681.0 / 981.0);
}
