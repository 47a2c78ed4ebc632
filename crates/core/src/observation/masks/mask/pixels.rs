//! The pixels inside a mask: their positions, their number, and their counterparts in an image of another size.

use super::{Mask, MaskError};

impl Mask {
    /// First position of each run inside and the position after its last; positions count down the columns.
    pub fn intervals(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut end = 0;
        self.runs.chunks_exact(2).map(move |pair| {
            let start = end + pair[0];
            end = start + pair[1];
            (start, end)
        })
    }

    /// Number of pixels inside.
    pub fn area_px2(&self) -> u64 {
        self.runs.iter().skip(1).step_by(2).map(|&run| u64::from(run)).sum()
    }

    /// Are all pixels outside?
    pub fn is_empty(&self) -> bool {
        self.runs.len() < 2
    }

    /// Left, top, width and height of the smallest box around the pixels inside; `None` if the mask is empty.
    pub fn bounds_px(&self) -> Option<[u32; 4]> {
        if self.is_empty() {
            return None;
        }
        let (mut left, mut top, mut right, mut bottom) = (self.width_px, self.height_px, 0, 0);
        for (start, end) in self.intervals() {
            let (x0, y0) = (start / self.height_px, start % self.height_px);
            let (x1, y1) = ((end - 1) / self.height_px, (end - 1) % self.height_px);
            left = left.min(x0);
            right = right.max(x1);
            // A run that continues in the next column touches the bottom and the top.
            let (low, high) = if x0 < x1 { (0, self.height_px - 1) } else { (y0, y1) };
            top = top.min(low);
            bottom = bottom.max(high);
        }
        Some([left, top, right - left + 1, bottom - top + 1])
    }

    /// Is the pixel in column `x` and row `y` inside?
    pub fn contains(&self, x: u32, y: u32) -> bool {
        if x >= self.width_px || y >= self.height_px {
            return false;
        }
        let position = x * self.height_px + y;
        self.intervals().take_while(|&(start, _)| start <= position).any(|(_, end)| position < end)
    }

    /// All pixels, column by column.
    pub fn pixels_by_column(&self) -> Vec<bool> {
        let mut pixels = vec![false; self.height_px as usize * self.width_px as usize];
        for (start, end) in self.intervals() {
            pixels[start as usize..end as usize].fill(true);
        }
        pixels
    }

    /// The mask scaled to another image size: each pixel copies the nearest original pixel, in column ⌊(x + ½) w / w'⌋
    /// and row ⌊(y + ½) h / h'⌋, computed in integers.
    pub fn resized(&self, height_px: u32, width_px: u32) -> Result<Self, MaskError> {
        let pixels = self.pixels_by_column();
        let nearest = |to: u32, from_len: u32, to_len: u32| {
            (2 * u64::from(to) + 1) * u64::from(from_len) / (2 * u64::from(to_len))
        };
        Mask::from_pixels(height_px, width_px, |x, y| {
            let x = nearest(x, self.width_px, width_px);
            let y = nearest(y, self.height_px, height_px);
            pixels[(x * u64::from(self.height_px) + y) as usize]
        })
    }
}
