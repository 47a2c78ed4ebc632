//! Divides maps into windows.

use crate::blocks::{Arrangement, Sequences};

/// The windows of maps, each of which is a sequence.
pub struct Windows {
    pub arrangement: Arrangement,
    /// The seams of one map's windows.
    seams: Vec<Seam>,
}

/// Are windows shifted by half of their size?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    None,
    /// Only in directions in which there are several windows, as in torchvision.
    WhereThereAreSeveral,
    /// In both directions, as in detectors' backbones.
    Always,
}

/// Where a window consists of pieces from opposite edges of the map, which do not attend to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seam {
    pub rows: bool,
    pub columns: bool,
}

impl Windows {
    /// The windows of `n_images` maps. If windows of `size` x `size` do not cover a map evenly, it is padded with zeros
    /// below and on the right. Shifted windows begin half a window further down and to the right, and continue at the
    /// opposite edge.
    pub fn new(n_images: usize, (height, width): (usize, usize), size: usize, shift: Shift) -> Windows {
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

    /// The seam of sequence `sequence`.
    pub fn seam(&self, sequence: usize) -> Seam {
        self.seams[sequence % self.seams.len()]
    }

    /// Does any window have this seam?
    pub fn have(&self, seam: Seam) -> bool {
        self.seams.contains(&seam)
    }
}
