//! Anti-aliased shapes: every pixel is the mean of 4 x 4 samples.

use neurogauge::core::{BoxXyxy, Image};

/// Red, green, blue.
pub(super) type Rgb = [u8; 3];

/// Samples along a side of a pixel.
const SAMPLES: usize = 4;

/// A picture in the making.
pub(super) struct Canvas {
    width_px: usize,
    height_px: usize,
    samples: Vec<Rgb>,
}

impl Canvas {
    pub(super) fn new(width_px: usize, height_px: usize) -> Self {
        Canvas {
            width_px,
            height_px,
            samples: vec![[0; 3]; width_px * height_px * SAMPLES * SAMPLES],
        }
    }

    /// The whole canvas.
    pub(super) fn bounds(&self) -> BoxXyxy {
        BoxXyxy {
            x0: 0.0,
            y0: 0.0,
            x1: self.width_px as f64,
            y1: self.height_px as f64,
        }
    }

    /// Sets the samples within `bounds` for which `colour` gives one; coordinates in px.
    fn paint(&mut self, bounds: BoxXyxy, colour: impl Fn(f64, f64) -> Option<Rgb>) {
        let scale = SAMPLES as f64;
        let (width, height) = (self.width_px * SAMPLES, self.height_px * SAMPLES);
        let range = |from: f64, to: f64, length: usize| {
            let from = (from * scale).floor().clamp(0.0, length as f64) as usize;
            let to = (to * scale).ceil().clamp(0.0, length as f64) as usize;
            from..to
        };
        for y in range(bounds.y0, bounds.y1, height) {
            for x in range(bounds.x0, bounds.x1, width) {
                let (x_px, y_px) = ((x as f64 + 0.5) / scale, (y as f64 + 0.5) / scale);
                if let Some(rgb) = colour(x_px, y_px) {
                    self.samples[y * width + x] = rgb;
                }
            }
        }
    }

    /// The means of the samples.
    pub(super) fn into_image(self) -> Image<u8> {
        let row = self.width_px * SAMPLES;
        let n = SAMPLES * SAMPLES;
        let mut data = Vec::with_capacity(self.width_px * self.height_px * 3);
        for y in 0..self.height_px {
            for x in 0..self.width_px {
                for channel in 0..3 {
                    let sum: usize = (0..n)
                        .map(|i| (y * SAMPLES + i / SAMPLES) * row + x * SAMPLES + i % SAMPLES)
                        .map(|sample| usize::from(self.samples[sample][channel]))
                        .sum();
                    data.push(((sum + n / 2) / n) as u8);
                }
            }
        }
        match Image::new(self.width_px, self.height_px, data) {
            Ok(image) => image,
            Err(mismatch) => unreachable!("the loops above push every value once: {mismatch}"),
        }
    }
}

/// Draws inside a box of the canvas: x and y run from 0 to 1 over the box, y downwards, and nothing
/// is drawn outside.
pub(super) struct Brush<'a> {
    canvas: &'a mut Canvas,
    frame: BoxXyxy,
    is_mirrored: bool,
}

impl<'a> Brush<'a> {
    pub(super) fn new(canvas: &'a mut Canvas, frame: BoxXyxy, is_mirrored: bool) -> Self {
        Brush {
            canvas,
            frame,
            is_mirrored,
        }
    }

    fn width(&self) -> f64 {
        self.frame.x1 - self.frame.x0
    }

    fn height(&self) -> f64 {
        self.frame.y1 - self.frame.y0
    }

    /// A point in px.
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let x = if self.is_mirrored { 1.0 - x } else { x };
        (self.frame.x0 + x * self.width(), self.frame.y0 + y * self.height())
    }

    fn fill(&mut self, low: (f64, f64), high: (f64, f64), rgb: Rgb, inside: impl Fn(f64, f64) -> bool) {
        let bounds = BoxXyxy {
            x0: low.0.max(self.frame.x0),
            y0: low.1.max(self.frame.y0),
            x1: high.0.min(self.frame.x1),
            y1: high.1.min(self.frame.y1),
        };
        self.canvas.paint(bounds, |x, y| inside(x, y).then_some(rgb));
    }

    pub(super) fn ellipse(&mut self, centre: (f64, f64), radii: (f64, f64), rgb: Rgb) {
        let (cx, cy) = self.at(centre);
        let (rx, ry) = (radii.0 * self.width(), radii.1 * self.height());
        self.fill((cx - rx, cy - ry), (cx + rx, cy + ry), rgb, |x, y| {
            let (dx, dy) = ((x - cx) / rx, (y - cy) / ry);
            dx * dx + dy * dy <= 1.0
        });
    }

    /// A circle by its centre and its radius in heights of the box.
    pub(super) fn circle(&mut self, centre: (f64, f64), radius: f64, rgb: Rgb) {
        let across = radius * self.height() / self.width();
        self.ellipse(centre, (across, radius), rgb);
    }

    /// A rectangle by two corners, its own corners rounded by a share of its shorter side.
    pub(super) fn rect(&mut self, a: (f64, f64), b: (f64, f64), rounding: f64, rgb: Rgb) {
        let (a, b) = (self.at(a), self.at(b));
        let low = (a.0.min(b.0), a.1.min(b.1));
        let high = (a.0.max(b.0), a.1.max(b.1));
        let radius = rounding * (high.0 - low.0).min(high.1 - low.1);
        self.fill(low, high, rgb, |x, y| {
            let dx = (low.0 + radius - x).max(x - (high.0 - radius)).max(0.0);
            let dy = (low.1 + radius - y).max(y - (high.1 - radius)).max(0.0);
            dx * dx + dy * dy <= radius * radius
        });
    }

    /// A polygon by its corners (even-odd rule).
    pub(super) fn polygon(&mut self, corners: &[(f64, f64)], rgb: Rgb) {
        let corners: Vec<(f64, f64)> = corners.iter().map(|&corner| self.at(corner)).collect();
        let bounds = |start: (f64, f64), pick: fn(f64, f64) -> f64| {
            let fold = |m: (f64, f64), c: &(f64, f64)| (pick(m.0, c.0), pick(m.1, c.1));
            corners.iter().fold(start, fold)
        };
        let low = bounds((f64::INFINITY, f64::INFINITY), f64::min);
        let high = bounds((f64::NEG_INFINITY, f64::NEG_INFINITY), f64::max);
        self.fill(low, high, rgb, |x, y| {
            let next = corners.iter().cycle().skip(1);
            let crossed = corners
                .iter()
                .zip(next)
                .filter(|(a, b)| (a.1 > y) != (b.1 > y) && x < a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0));
            crossed.count() % 2 == 1
        });
    }

    /// A line with round ends through some points; its thickness is in heights of the box.
    pub(super) fn line(&mut self, points: &[(f64, f64)], thickness: f64, rgb: Rgb) {
        let radius = thickness * self.height() / 2.0;
        let points: Vec<(f64, f64)> = points.iter().map(|&point| self.at(point)).collect();
        for ends in points.windows(2) {
            let (a, b) = (ends[0], ends[1]);
            let low = (a.0.min(b.0) - radius, a.1.min(b.1) - radius);
            let high = (a.0.max(b.0) + radius, a.1.max(b.1) + radius);
            let (dx, dy) = (b.0 - a.0, b.1 - a.1);
            let length2 = (dx * dx + dy * dy).max(f64::MIN_POSITIVE);
            self.fill(low, high, rgb, |x, y| {
                let along = ((x - a.0) * dx + (y - a.1) * dy) / length2;
                let along = along.clamp(0.0, 1.0);
                let (ex, ey) = (x - a.0 - along * dx, y - a.1 - along * dy);
                ex * ex + ey * ey <= radius * radius
            });
        }
    }

    /// Fills rows between two heights with a blend from one colour to another.
    pub(super) fn gradient(&mut self, from: (f64, Rgb), to: (f64, Rgb)) {
        let (y0, y1) = (self.at((0.0, from.0)).1, self.at((0.0, to.0)).1);
        let bounds = BoxXyxy { y0, y1, ..self.frame };
        self.canvas.paint(bounds, |_, y| Some(mix(from.1, to.1, (y - y0) / (y1 - y0))));
    }
}

/// A colour between two, `share` of the way.
pub(super) fn mix(from: Rgb, to: Rgb, share: f64) -> Rgb {
    let blend = |channel: usize| {
        let (from, to) = (f64::from(from[channel]), f64::from(to[channel]));
        (from + (to - from) * share).round().clamp(0.0, 255.0) as u8
    };
    [blend(0), blend(1), blend(2)]
}
