//! Turns boxes and points into tokens.

use crate::observers::segmentation::{MaskPrompt, PointLabel};
use std::f32::consts::TAU;

/// The encodings of positions and kinds of points, in f32 as in the reference.
pub(super) struct PromptEncoder {
    /// Side of the prepared image.
    pub(super) image_px: usize,
    /// Frequencies that multiply the two coordinates of a point: all for x, then all for y.
    pub(super) frequencies: Vec<f32>,
    /// Embeddings of a point outside and inside the object, and of a box's first and second corner, concatenated.
    pub(super) kinds: Vec<f32>,
    /// The embedding used when there is no point.
    pub(super) no_point: Vec<f32>,
}

/// Indices into `kinds`.
const BACKGROUND: usize = 0;
const OBJECT: usize = 1;
const FIRST_CORNER: usize = 2;
const SECOND_CORNER: usize = 3;

impl PromptEncoder {
    pub(super) fn n_tokens(prompt: &MaskPrompt) -> usize {
        match prompt {
            MaskPrompt::Box(_) => 3,
            MaskPrompt::Points(points) => points.len() + 1,
        }
    }

    /// The tokens of a prompt for an image of this size (width, height), concatenated. The last token stands for no
    /// point.
    pub(super) fn tokens(&self, prompt: &MaskPrompt, size_px: (usize, usize)) -> Vec<f32> {
        let mut tokens = Vec::new();
        let mut add = |x: f64, y: f64, kind: usize| {
            let share = |place: f64, size_px: usize| {
                let prepared = place as f32 / size_px as f32 * self.image_px as f32;
                (prepared + 0.5) / self.image_px as f32
            };
            let mut token = self.place(share(x, size_px.0), share(y, size_px.1));
            let width = token.len();
            for (value, kind) in token.iter_mut().zip(&self.kinds[kind * width..]) {
                *value += kind;
            }
            tokens.extend(token);
        };
        match prompt {
            MaskPrompt::Box(bbox) => {
                add(bbox.x0, bbox.y0, FIRST_CORNER);
                add(bbox.x1, bbox.y1, SECOND_CORNER);
            }
            MaskPrompt::Points(points) => {
                for point in points {
                    let kind = match point.label {
                        PointLabel::Object => OBJECT,
                        PointLabel::Background => BACKGROUND,
                    };
                    add(point.x, point.y, kind);
                }
            }
        }
        tokens.extend(&self.no_point);
        tokens
    }

    /// Encodings of the positions of a `side` x `side` map, row by row.
    pub(super) fn grid(&self, side: usize) -> Vec<f32> {
        let share = |index: usize| (index as f32 + 0.5) / side as f32;
        let places = (0..side * side).map(|place| (share(place % side), share(place / side)));
        places.flat_map(|(x, y)| self.place(x, y)).collect()
    }

    /// The encoding of a point with coordinates in 0..1 of the image: all sines, then all cosines.
    fn place(&self, x: f32, y: f32) -> Vec<f32> {
        let (x, y) = (2.0 * x - 1.0, 2.0 * y - 1.0);
        let (of_x, of_y) = self.frequencies.split_at(self.frequencies.len() / 2);
        let angles: Vec<f32> = of_x.iter().zip(of_y).map(|(a, b)| TAU * (x * a + y * b)).collect();
        let sines = angles.iter().map(|&angle| libm::sinf(angle));
        let cosines = angles.iter().map(|&angle| libm::cosf(angle));
        sines.chain(cosines).collect()
    }
}
