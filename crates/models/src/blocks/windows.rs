//! The windows of a map.

use crate::blocks::{Arrangement, Sequences};

/// The windows that maps are divided into, each of them a sequence.
pub(crate) struct Windows {
    pub(crate) arrangement: Arrangement,
    /// For the windows of one map.
    seams: Vec<Seam>,
}

/// Are windows shifted by half of their size?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shift {
    None,
    /// In directions in which one window does not cover the map, as torchvision has it.
    WhereThereAreSeveral,
    /// In both directions, as detectors' backbones have it.
    Always,
}

/// Where a window has come together from opposite edges of the map, whose places do not see each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seam {
    /// Between its rows.
    pub(crate) rows: bool,
    /// Between its columns.
    pub(crate) columns: bool,
}

impl Windows {
    /// Of `n_images` maps. A map that windows of `size` x `size` do not cover evenly is filled up with
    /// zeros below and on the right. Shifted windows begin half a window further down and to the right,
    /// and go on at the opposite edge.
    pub(crate) fn new(
        n_images: usize,
        (height, width): (usize, usize),
        size: usize,
        shift: Shift,
    ) -> Windows {
        let (n_down, n_across) = (height.div_ceil(size), width.div_ceil(size));
        let shift = |n_windows: usize| match shift {
            Shift::Always => size / 2,
            Shift::WhereThereAreSeveral if n_windows > 1 => size / 2,
            Shift::WhereThereAreSeveral | Shift::None => 0,
        };
        let (down, across) = (shift(n_down), shift(n_across));
        let mut rows = Vec::with_capacity(n_images * n_down * n_across * size * size);
        for image in 0..n_images {
            for window in 0..n_down * n_across {
                for place in 0..size * size {
                    let y = window / n_across * size + place / size + down;
                    let x = window % n_across * size + place % size + across;
                    let (y, x) = (y % (n_down * size), x % (n_across * size));
                    let inside = y < height && x < width;
                    rows.push(inside.then_some(((image * height + y) * width + x) as u32));
                }
            }
        }
        let seams = (0..n_down * n_across).map(|window| Seam {
            rows: down > 0 && window / n_across + 1 == n_down,
            columns: across > 0 && window % n_across + 1 == n_across,
        });
        let lengths = std::iter::repeat_n(size * size, n_images * n_down * n_across);
        Windows {
            arrangement: Arrangement::new(Sequences::new(lengths), rows, n_images * height * width),
            seams: seams.collect(),
        }
    }

    /// Of a sequence of the arrangement.
    pub(crate) fn seam(&self, sequence: usize) -> Seam {
        self.seams[sequence % self.seams.len()]
    }

    /// Has any window this seam?
    pub(crate) fn have(&self, seam: Seam) -> bool {
        self.seams.contains(&seam)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Seam = Seam {
        rows: false,
        columns: false,
    };

    fn rows(windows: &Windows) -> Vec<Option<u32>> {
        windows.arrangement.rows().to_vec()
    }

    #[test]
    fn windows_go_on_at_the_opposite_edge() {
        let plain = Windows::new(1, (4, 4), 2, Shift::None);
        assert_eq!(rows(&plain)[4..8], [2, 3, 6, 7].map(Some));
        assert!((0..4).all(|window| plain.seam(window) == NONE));
        let shifted = Windows::new(1, (4, 4), 2, Shift::Always);
        assert_eq!(rows(&shifted)[..4], [5, 6, 9, 10].map(Some));
        assert_eq!(rows(&shifted)[12..], [15, 12, 3, 0].map(Some));
        assert_eq!(shifted.seam(0), NONE);
        assert!(!shifted.seam(1).rows && shifted.seam(1).columns);
        assert!(shifted.seam(2).rows && !shifted.seam(2).columns);
        assert!(shifted.seam(3).rows && shifted.seam(3).columns);
    }

    #[test]
    fn a_direction_that_one_window_covers_is_not_shifted() {
        let shifted = Windows::new(2, (3, 5), 4, Shift::WhereThereAreSeveral);
        let columns = [[2, 3, 4].map(Some).to_vec(), vec![None]].concat();
        assert_eq!(rows(&shifted)[..4], columns);
        assert_eq!(rows(&shifted)[12..16], [None; 4]);
        // The second image.
        assert_eq!(rows(&shifted)[32..36], [Some(17), Some(18), Some(19), None]);
        assert!(!shifted.seam(3).rows && shifted.seam(3).columns);
    }

    #[test]
    fn a_window_that_covers_the_map_may_be_shifted_too() {
        let shifted = Windows::new(1, (2, 2), 2, Shift::Always);
        assert_eq!(rows(&shifted), [3, 2, 1, 0].map(Some));
        assert!(shifted.seam(0).rows && shifted.seam(0).columns);
    }
}
