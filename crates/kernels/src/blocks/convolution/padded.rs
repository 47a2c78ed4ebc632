//! Adds a border of zeros to images.

use crate::blocks::maps::{MapShape, Window};
use crate::blocks::slices::zeros;

/// A buffer for one image with a border of zeros.
pub(super) struct Padded {
    map: MapShape,
    padding: (usize, usize),
    /// Width including the padding.
    pub(super) width: usize,
    values: Vec<f32>,
}

impl Padded {
    pub(super) fn new(window: &Window, map: MapShape) -> Padded {
        let padding = window.padding;
        let (height, width) = (map.height + 2 * padding.0, map.width + 2 * padding.1);
        let n = if padding == (0, 0) {
            0
        } else {
            height * width * map.n_channels
        };
        Padded {
            map,
            padding,
            width,
            values: zeros(n),
        }
    }

    /// Copies the image into the buffer, whose zeros remain from image to image.
    pub(super) fn image<'a>(&'a mut self, image: &'a [f32]) -> &'a [f32] {
        if self.values.is_empty() {
            return image;
        }
        let n = self.map.n_channels;
        let rows = image.chunks_exact(self.map.width * n);
        for (y, row) in rows.enumerate() {
            let start = ((y + self.padding.0) * self.width + self.padding.1) * n;
            self.values[start..start + row.len()].copy_from_slice(row);
        }
        &self.values
    }
}
