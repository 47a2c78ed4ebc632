//! The positions of all maps, concatenated, and their precomputed values.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{References, SinePositions, beside};

/// Rows and columns of each map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) sizes: Vec<(usize, usize)>,
}

/// Side of the box that a position of the first map proposes; it doubles with each further map.
const FIRST_SIDE: f32 = 0.05;
/// Proposals with centre or size outside this range are dropped.
const INSIDE: std::ops::Range<f32> = 0.01..0.99;

impl Places {
    pub(super) fn len(&self) -> usize {
        self.sizes.iter().map(|(height, width)| height * width).sum()
    }

    /// The centre (x, y) in 0..1 of every position, with the number of its map.
    fn middles(&self) -> impl Iterator<Item = (usize, [f32; 2])> {
        self.sizes.iter().enumerate().flat_map(|(level, &(height, width))| {
            (0..height * width).map(move |place| {
                let (row, column) = (place / width, place % width);
                let x = (column as f32 + 0.5) / width as f32;
                let y = (row as f32 + 0.5) / height as f32;
                (level, [x, y])
            })
        })
    }

    /// The centre of every position, as the reference point of its own attention.
    pub(super) fn references(&self) -> References {
        References::Points(self.middles().map(|(_, middle)| middle).collect())
    }

    /// The encoding of every position, shape (position, feature): its row and column, plus the vector of its map from
    /// `levels`. The whole image is valid, so rows and columns count from 1 to the map's size.
    pub(super) fn positions(&self, sines: &SinePositions, levels: &[f32], like: &Tensor) -> Result<Tensor> {
        /// Added to the size by which positions are divided.
        const EPSILON: f32 = 1e-6;
        let half = sines.n_features();
        let encoded = |size: usize| {
            let mut features = vec![0.0; size * half];
            for (index, out) in features.chunks_exact_mut(half).enumerate() {
                sines.encode((index + 1) as f32 / (size as f32 + EPSILON), out);
            }
            features
        };
        let mut positions = Vec::with_capacity(self.len() * 2 * half);
        for (&(height, width), level) in self.sizes.iter().zip(levels.chunks_exact(2 * half)) {
            let (rows, columns) = (encoded(height), encoded(width));
            for row in rows.chunks_exact(half) {
                for column in columns.chunks_exact(half) {
                    let features = row.iter().chain(column).zip(level);
                    positions.extend(features.map(|(position, level)| position + level));
                }
            }
        }
        beside(like, positions, (self.len(), 2 * half))
    }

    /// The box that each position proposes, as logits of (centre x, centre y, width, height); `None` if it is outside
    /// the limits.
    pub(super) fn proposals(&self) -> Vec<Option<[f32; 4]>> {
        self.middles()
            .map(|(level, [x, y])| {
                let side = FIRST_SIDE * (level as f32).exp2();
                let proposal = [x, y, side, side];
                let inside = |side: &f32| *side > INSIDE.start && *side < INSIDE.end;
                let logit = |share: f32| libm::logf(share / (1.0 - share));
                proposal.iter().all(inside).then(|| proposal.map(logit))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device};

    #[test]
    fn places_at_the_edge_and_maps_of_too_large_boxes_propose_nothing() {
        let places = Places {
            sizes: vec![(1, 100), (1, 2), (1, 1), (1, 1), (1, 1), (1, 1)],
        };
        let proposals = places.proposals();
        let absent: Vec<usize> = (0..places.len()).filter(|&i| proposals[i].is_none()).collect();
        // Their centres are 0.005 and 0.995, and the side is 0.05 x 2⁵.
        assert_eq!(absent, [0, 99, 105]);
        let [x, y, width, height] = proposals[100].unwrap();
        assert!((x - (0.25_f32 / 0.75).ln()).abs() < 1e-6 && y == 0.0);
        assert!((width - (0.1_f32 / 0.9).ln()).abs() < 1e-6 && height == width);
    }

    #[test]
    fn positions_are_rows_then_columns_then_the_map() {
        let places = Places {
            sizes: vec![(1, 1), (2, 4)],
        };
        let sines = SinePositions::new(2, 20.0);
        let like = Tensor::zeros(1, DType::F32, &Device::Cpu).unwrap();
        let levels = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0];
        let positions = places.positions(&sines, &levels, &like).unwrap();
        let rows = positions.to_vec2::<f32>().unwrap();
        assert_eq!(rows.len(), 9);
        // Row 2 of 2 is a whole turn; column 1 of 4 is a quarter.
        let expected = [1.0, 3.0, 4.0, 4.0];
        for (value, expected) in rows[5].iter().zip(expected) {
            assert!((value - expected).abs() < 1e-5, "{:?}", rows[5]);
        }
    }
}
