//! A test whether values that follow each other are alike.

use crate::{draw_to_front, z_scores};
use neurogauge_core::Seed;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use serde::Serialize;
use std::ops::Range;

/// Neighbours up to this distance count, the nearest ones most.
const REACH: usize = 4;
/// With fewer items, nothing is tested.
const FEWEST: usize = 20;
/// The number of random orders; p is at least 1/2,000.
const ORDERS: u64 = 1999;
/// After this many orders, most sets of independent items are recognised as such.
const FIRST_ORDERS: u64 = 99;

/// How alike neighbours are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Neighbours {
    /// The correlation of each item with the next one, averaged over columns.
    pub correlation: f64,
    /// The share of random orders, including the actual one, in which neighbours are at least as alike. Above 0.05 it
    /// is only approximate.
    pub p_value: f64,
}

/// Tests whether items that follow each other are alike, as frames of a film are.
///
/// The statistic is Σ_columns Σ_{d = 1..4} (5 − d) Σ_i z_i z_{i+d} of the columns' z-scores; p is one-sided, of 1,999
/// random orders of the items (of 99, if these make it larger than 0.05).
///
/// - Shapes: `columns` hold a value for each item, `None` if it has none. All columns are reordered together.
/// - Range: `correlation` from −1 to 1, p above 0.
/// - Undefined: `None` below 20 items, or if no column varies.
/// - Reference: by hand, and a simulation of independent items.
///
/// ```
/// use neurogauge_stats::neighbours;
/// let blocks: Vec<_> = (0..60).map(|item| Some(f64::from(item / 5 % 3))).collect();
/// let found = neighbours(&[blocks], Default::default()).unwrap();
/// assert_eq!(found.p_value, 1.0 / 2000.0);
/// assert!((found.correlation - 0.725).abs() < 1e-12);
/// ```
pub fn neighbours(columns: &[Vec<Option<f64>>], seed: Seed) -> Option<Neighbours> {
    let columns: Vec<Vec<f64>> = columns.iter().filter_map(|column| standardised(column)).collect();
    let n = columns.first()?.len();
    if n < FEWEST {
        return None;
    }
    let found = statistic(&columns);
    let as_alike = |orders: Range<u64>| {
        let is_as_alike = |order: u64| {
            stop_if_asked();
            let mut places: Vec<usize> = (0..n).collect();
            let places = draw_to_front(&mut places, n, &mut seed.stream(order));
            let reordered = |column: &Vec<f64>| places.iter().map(|&place| column[place]).collect();
            statistic(&columns.iter().map(reordered).collect::<Vec<Vec<f64>>>()) >= found
        };
        let n_orders = (orders.end - orders.start) as usize;
        let found = parallel::map(n_orders, |n| is_as_alike(orders.start + n as u64));
        found.into_iter().filter(|is_as_alike| *is_as_alike).count() as f64
    };
    let first = as_alike(0..FIRST_ORDERS);
    let (more, n_orders) = match (1.0 + first) / (1.0 + FIRST_ORDERS as f64) > 0.05 {
        true => (0.0, FIRST_ORDERS),
        false => (as_alike(FIRST_ORDERS..ORDERS), ORDERS),
    };
    let next = columns.iter().map(|column| lagged(column, 1) / n as f64);
    Some(Neighbours {
        correlation: next.sum::<f64>() / columns.len() as f64,
        p_value: (1.0 + first + more) / (1.0 + n_orders as f64),
    })
}

fn statistic(columns: &[Vec<f64>]) -> f64 {
    let of_column = |column: &Vec<f64>| {
        (1..=REACH).map(|distance| (1 + REACH - distance) as f64 * lagged(column, distance)).sum::<f64>()
    };
    columns.iter().map(of_column).sum()
}

fn lagged(column: &[f64], distance: usize) -> f64 {
    column.iter().zip(&column[distance..]).map(|(one, other)| one * other).sum()
}

/// Z-scores, with 0 for an item without a value; `None` if nothing varies.
fn standardised(column: &[Option<f64>]) -> Option<Vec<f64>> {
    let known: Vec<f64> = column.iter().copied().flatten().collect();
    let mut scores = z_scores(&known)?.into_iter();
    Some(column.iter().map(|value: &Option<f64>| value.and_then(|_| scores.next()).unwrap_or(0.0)).collect())
}
