//! Maps: tensors of shape (image, row, column, channel).

use candle_core::{Layout, Result, bail};

/// The shape of a batch of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapShape {
    pub n_images: usize,
    pub height: usize,
    pub width: usize,
    pub n_channels: usize,
}

impl MapShape {
    /// The shape of a tensor that must have `n_channels` channels.
    pub fn of(layout: &Layout, n_channels: usize) -> Result<MapShape> {
        match *layout.dims() {
            [n_images, height, width, found] if found == n_channels => Ok(MapShape {
                n_images,
                height,
                width,
                n_channels,
            }),
            _ => bail!("a layer of {n_channels} channels got maps of {:?}", layout.shape()),
        }
    }

    /// The dimensions in a tensor's order.
    pub fn dims(&self) -> (usize, usize, usize, usize) {
        (self.n_images, self.height, self.width, self.n_channels)
    }

    /// Number of values in one image.
    pub fn image_len(&self) -> usize {
        self.height * self.width * self.n_channels
    }

    /// Number of values in all images.
    pub fn len(&self) -> usize {
        self.n_images * self.image_len()
    }
}

/// A window that slides over a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub height: usize,
    pub width: usize,
    pub stride: usize,
    /// Additional rows above and below the map, and columns on both sides.
    pub padding: (usize, usize),
    /// Does a last window that extends beyond the edge count?
    pub ceil: bool,
}

impl Window {
    pub const fn square(size: usize, stride: usize, padding: usize) -> Window {
        Window {
            height: size,
            width: size,
            stride,
            padding: (padding, padding),
            ceil: false,
        }
    }

    /// The shape of the map of windows, with this many channels.
    pub fn slide(&self, map: &MapShape, n_channels: usize) -> Result<MapShape> {
        let along = |size: usize, window: usize, padding: usize| -> Result<usize> {
            let Some(room) = (size + 2 * padding).checked_sub(window) else {
                bail!("a map of {size} is smaller than a window of {window}");
            };
            let places = room / self.stride + 1;
            // A window must begin inside the map or its padding before it.
            let one_more = self.ceil && room % self.stride != 0 && places * self.stride < size + padding;
            Ok(places + usize::from(one_more))
        };
        Ok(MapShape {
            n_images: map.n_images,
            height: along(map.height, self.height, self.padding.0)?,
            width: along(map.width, self.width, self.padding.1)?,
            n_channels,
        })
    }

    /// The rows (or columns) of the map that a window covers, given its position, its size, the padding and the map's
    /// size.
    pub fn covers(&self, place: usize, window: usize, padding: usize, size: usize) -> std::ops::Range<usize> {
        let start = place * self.stride;
        start.saturating_sub(padding)..(start + window).saturating_sub(padding).min(size)
    }
}
