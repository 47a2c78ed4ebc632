//! Resamples of several columns at once: the values of a drawn pair in all columns are adjacent in memory.
//!
//! Each column's sums are those of [`sum_at`](crate::resample::sum_at) and of a single chain over the drawn pairs, so
//! the results equal those of each column alone to the bit, several times as fast.

use multiversion::multiversion;

/// The number of columns side by side.
pub(crate) const WIDTH: usize = 8;

/// Up to [`WIDTH`] columns in which every pair has a value; missing columns are zeros.
pub(crate) struct SideBySide(Vec<[f64; WIDTH]>);

impl SideBySide {
    pub(crate) fn of(columns: &[&[f64]]) -> Self {
        let n_pairs = columns.first().map_or(0, |column| column.len());
        let mut pairs = vec![[0.0; WIDTH]; n_pairs];
        for (place, column) in columns.iter().take(WIDTH).enumerate() {
            for (pair, value) in pairs.iter_mut().zip(*column) {
                pair[place] = *value;
            }
        }
        SideBySide(pairs)
    }

    /// The mean of the drawn pairs in each column.
    pub(crate) fn means_at(&self, drawn: &[u32]) -> [f64; WIDTH] {
        let lanes = lanes_at(&self.0, drawn);
        let sum = |place: usize| lanes.iter().map(|lane| lane[place]).sum::<f64>();
        std::array::from_fn(|place| sum(place) / drawn.len() as f64)
    }

    /// For each column, the sum of squares and the largest absolute value of the drawn pairs' deviations from these
    /// means.
    pub(crate) fn spreads_at(&self, drawn: &[u32], means: &[f64; WIDTH]) -> [(f64, f64); WIDTH] {
        let (squares, largest) = spreads(&self.0, drawn, means);
        std::array::from_fn(|place| (squares[place], largest[place]))
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn lanes_at(pairs: &[[f64; WIDTH]], drawn: &[u32]) -> [[f64; WIDTH]; 4] {
    let mut lanes = [[0.0; WIDTH]; 4];
    let mut add = |lane: usize, pair: u32| {
        let values = &pairs[pair as usize];
        for place in 0..WIDTH {
            lanes[lane][place] += values[place];
        }
    };
    let (groups, rest) = drawn.as_chunks::<4>();
    for group in groups {
        for (lane, &pair) in group.iter().enumerate() {
            add(lane, pair);
        }
    }
    for (lane, &pair) in rest.iter().enumerate() {
        add(lane, pair);
    }
    lanes
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn spreads(pairs: &[[f64; WIDTH]], drawn: &[u32], means: &[f64; WIDTH]) -> ([f64; WIDTH], [f64; WIDTH]) {
    let (mut squares, mut largest) = ([0.0; WIDTH], [0.0_f64; WIDTH]);
    for &pair in drawn {
        let values = &pairs[pair as usize];
        for place in 0..WIDTH {
            let own = values[place] - means[place];
            squares[place] += own * own;
            // The comparison is false for a NaN, which `f64::max` ignores too.
            let size = own.abs();
            largest[place] = if size > largest[place] { size } else { largest[place] };
        }
    }
    (squares, largest)
}
