//! One binary mask as run lengths.

/// Which pixels of an image belong to something.
///
/// The runs go down the columns, from the left column to the right one, as COCO's do: so many pixels
/// outside, so many inside, so many outside, and so on. The first run may be 0 (the upper left pixel is
/// inside); no other run is, because [`Mask::from_runs`] joins the neighbours of an empty one. Equal
/// masks therefore have equal runs.
///
/// ```
/// use neurogauge_core::Mask;
/// // 2 high, 3 wide; inside are the lower left pixel and the middle column.
/// let mask = Mask::from_runs(2, 3, vec![1, 3, 2]).unwrap();
/// assert_eq!(mask.area_px2(), 3);
/// assert_eq!(mask.bounds_px(), Some([0, 0, 2, 2]));
/// assert!(mask.contains(1, 0) && !mask.contains(0, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mask {
    height_px: u32,
    width_px: u32,
    runs: Vec<u32>,
}

/// Run lengths that do not fill their image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MaskError {
    /// The sum is not the number of pixels.
    #[error(
        "the runs add up to {found} pixels, and an image of {width_px} x {height_px} px has {expected}"
    )]
    RunTotal {
        /// Sum of the runs.
        found: u64,
        /// Height times width.
        expected: u64,
        /// Width, px.
        width_px: u32,
        /// Height, px.
        height_px: u32,
    },
    /// More pixels than a run can count, or none.
    #[error("a mask of {width_px} x {height_px} px; expected from 1 to 4294967295 pixels")]
    Size {
        /// Width, px.
        width_px: u32,
        /// Height, px.
        height_px: u32,
    },
}

impl Mask {
    /// A mask of these runs.
    pub fn from_runs(height_px: u32, width_px: u32, runs: Vec<u32>) -> Result<Self, MaskError> {
        let expected = check_size(height_px, width_px)?;
        let found = runs.iter().map(|&run| u64::from(run)).sum();
        if found != u64::from(expected) {
            return Err(MaskError::RunTotal {
                found,
                expected: u64::from(expected),
                width_px,
                height_px,
            });
        }
        let runs = if runs.iter().skip(1).any(|&run| run == 0) {
            joined(&runs)
        } else {
            runs
        };
        Ok(Mask {
            height_px,
            width_px,
            runs,
        })
    }

    /// The mask of the pixels (column x, row y) for which `is_inside` holds.
    pub fn from_pixels(
        height_px: u32,
        width_px: u32,
        is_inside: impl Fn(u32, u32) -> bool,
    ) -> Result<Self, MaskError> {
        check_size(height_px, width_px)?;
        let mut runs = Vec::new();
        let (mut length, mut inside) = (0, false);
        for x in 0..width_px {
            for y in 0..height_px {
                if is_inside(x, y) != inside {
                    runs.push(length);
                    length = 0;
                    inside = !inside;
                }
                length += 1;
            }
        }
        runs.push(length);
        Ok(Mask {
            height_px,
            width_px,
            runs,
        })
    }

    /// Height of the image, px.
    pub fn height_px(&self) -> u32 {
        self.height_px
    }

    /// Width of the image, px.
    pub fn width_px(&self) -> u32 {
        self.width_px
    }

    /// Width and height of the image, px.
    pub fn size_px(&self) -> (u32, u32) {
        (self.width_px, self.height_px)
    }

    /// The run lengths, outside first.
    pub fn runs(&self) -> &[u32] {
        &self.runs
    }

    /// First position of each run inside and the position after its last; positions go down the
    /// columns.
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
        let inside = self.runs.iter().skip(1).step_by(2);
        inside.map(|&run| u64::from(run)).sum()
    }

    /// Is no pixel inside?
    pub fn is_empty(&self) -> bool {
        self.runs.len() < 2
    }

    /// Left, top, width and height of the smallest box around the pixels inside; none without any.
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
            // A run that goes on in the next column touches the bottom and the top.
            let (low, high) = if x0 < x1 {
                (0, self.height_px - 1)
            } else {
                (y0, y1)
            };
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
        self.intervals()
            .take_while(|&(start, _)| start <= position)
            .any(|(_, end)| position < end)
    }

    /// All pixels, column by column.
    pub fn pixels_by_column(&self) -> Vec<bool> {
        let mut pixels = vec![false; self.height_px as usize * self.width_px as usize];
        for (start, end) in self.intervals() {
            pixels[start as usize..end as usize].fill(true);
        }
        pixels
    }

    /// The same mask in an image of another size: each pixel is what the nearest pixel was, that is
    /// the one in column ⌊(x + ½) w / w'⌋ and row ⌊(y + ½) h / h'⌋, computed in whole numbers.
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

fn check_size(height_px: u32, width_px: u32) -> Result<u32, MaskError> {
    match height_px.checked_mul(width_px) {
        Some(n_pixels) if n_pixels > 0 => Ok(n_pixels),
        _ => Err(MaskError::Size {
            width_px,
            height_px,
        }),
    }
}

/// The same runs without empty ones behind the first.
fn joined(runs: &[u32]) -> Vec<u32> {
    let mut joined: Vec<u32> = Vec::with_capacity(runs.len());
    let mut last_inside = None;
    for (place, &run) in runs.iter().enumerate() {
        let inside = place % 2 == 1;
        if run == 0 {
            continue;
        }
        match joined.last_mut() {
            Some(last) if last_inside == Some(inside) => *last += run,
            _ => {
                if joined.is_empty() && inside {
                    joined.push(0);
                }
                joined.push(run);
                last_inside = Some(inside);
            }
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::Synthetic;

    fn drawn(seed: u64) -> (Mask, Vec<bool>) {
        let draw = Synthetic::new("mask", seed);
        let (height, width) = (
            1 + u32::from(draw.byte(0)) % 9,
            1 + u32::from(draw.byte(1)) % 9,
        );
        let share = draw.byte(2);
        let pixels: Vec<bool> = (0..u64::from(height * width))
            .map(|i| draw.byte(3 + i) < share)
            .collect();
        let mask = Mask::from_pixels(height, width, |x, y| pixels[(x * height + y) as usize]);
        (mask.unwrap(), pixels)
    }

    #[test]
    fn runs_and_pixels_say_the_same() {
        for seed in 0..300 {
            let (mask, pixels) = drawn(seed);
            assert_eq!(mask.pixels_by_column(), pixels);
            let runs = Mask::from_runs(mask.height_px, mask.width_px, mask.runs.clone());
            assert_eq!(runs.unwrap(), mask);
            let inside: Vec<usize> = (0..pixels.len()).filter(|&i| pixels[i]).collect();
            assert_eq!(mask.area_px2(), inside.len() as u64);
            let height = mask.height_px as usize;
            let xs = inside.iter().map(|i| (i / height) as u32);
            let ys = inside.iter().map(|i| (i % height) as u32);
            let bounds = xs.clone().min().zip(ys.clone().min()).map(|(left, top)| {
                let (right, bottom) = (xs.max().unwrap(), ys.max().unwrap());
                [left, top, right - left + 1, bottom - top + 1]
            });
            assert_eq!(mask.bounds_px(), bounds);
            for x in 0..mask.width_px {
                for y in 0..mask.height_px {
                    let position = (x * mask.height_px + y) as usize;
                    assert_eq!(mask.contains(x, y), pixels[position]);
                }
            }
        }
    }

    #[test]
    fn empty_runs_are_joined() {
        let runs = |runs: &[u32]| {
            Mask::from_runs(2, 3, runs.to_vec())
                .unwrap()
                .runs()
                .to_vec()
        };
        assert_eq!(runs(&[1, 2, 0, 1, 2]), [1, 3, 2]);
        assert_eq!(runs(&[0, 0, 0, 6]), [0, 6]);
        assert_eq!(runs(&[0, 0, 6, 0]), [6]);
        assert_eq!(runs(&[2, 0, 1, 3, 0, 0]), [3, 3]);
    }

    #[test]
    fn runs_that_do_not_fill_the_image_are_refused() {
        for (height, width, runs) in [(2, 2, vec![3]), (2, 2, vec![]), (2, 2, vec![u32::MAX, 5])] {
            assert!(matches!(
                Mask::from_runs(height, width, runs),
                Err(MaskError::RunTotal { .. })
            ));
        }
        assert!(Mask::from_runs(0, 5, vec![0]).is_err());
        assert!(Mask::from_runs(1 << 16, 1 << 16, vec![0]).is_err());
    }

    #[test]
    fn resizing_takes_the_nearest_pixel() {
        let mask = Mask::from_runs(2, 2, vec![1, 1, 2]).unwrap();
        let twice = mask.resized(4, 4).unwrap();
        assert_eq!(twice.bounds_px(), Some([0, 2, 2, 2]));
        assert_eq!(twice.area_px2(), 4);
        assert_eq!(twice.resized(2, 2).unwrap(), mask);
        // Three columns to two: the first and the last, whose middles are nearest.
        let three = Mask::from_runs(1, 3, vec![1, 1, 1]).unwrap();
        assert!(three.resized(1, 2).unwrap().is_empty());
    }
}
