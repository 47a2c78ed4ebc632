//! The elements of a figure in pixels, before they are written to a file.

use super::font::{self, Weight};
use neurogauge_core::Image;

/// A position or a size: x and y.
pub(super) type Xy = (f64, f64);

/// A rectangle: left, top, right, bottom.
pub(super) type Bounds = (f64, f64, f64, f64);

/// A colour and its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paint {
    pub rgb: (u8, u8, u8),
    pub(super) alpha: f64,
}

impl Paint {
    pub const fn new(r: u8, g: u8, b: u8) -> Self {
        Paint {
            rgb: (r, g, b),
            alpha: 1.0,
        }
    }

    pub(super) const fn faded(self, alpha: f64) -> Self {
        Paint { alpha, ..self }
    }
}

/// Which part of a text is at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// Text that is vertically centred on a point.
#[derive(Debug, Clone, PartialEq)]
pub struct Words {
    pub text: String,
    pub at: Xy,
    pub size: f64,
    pub(super) weight: Weight,
    pub(super) paint: Paint,
    pub anchor: Anchor,
    /// Is the text vertical, reading upwards?
    pub(super) upright: bool,
}

impl Words {
    /// Distance from the point to the start of the text, along its direction.
    pub(super) fn start(&self) -> f64 {
        let width = font::width(&self.text, self.size, self.weight);
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    Line {
        points: Vec<Xy>,
        paint: Paint,
        width: f64,
    },
    Area {
        points: Vec<Xy>,
        paint: Paint,
    },
    Disc {
        centre: Xy,
        radius: f64,
        paint: Paint,
    },
    Words(Words),
    /// An image, stretched over a rectangle.
    Photo {
        corner: Xy,
        size: Xy,
        image: Image<u8>,
    },
}

/// Shapes; later ones are drawn over earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub width: f64,
    pub(super) height: f64,
    /// The width that the shapes need.
    pub(super) needed_width: f64,
    pub shapes: Vec<Shape>,
}

impl Scene {
    pub fn new(width: f64, height: f64) -> Self {
        Scene {
            width,
            height: height.ceil(),
            needed_width: width,
            shapes: Vec::new(),
        }
    }

    pub(super) fn line(&mut self, points: &[Xy], paint: Paint, width: f64) {
        self.shapes.push(Shape::Line {
            points: points.to_vec(),
            paint,
            width,
        });
    }

    /// A dashed line with these lengths of dashes and gaps in turn.
    pub fn dashed(&mut self, points: &[Xy], paint: Paint, width: f64, lengths: &[f64]) {
        if lengths.is_empty() {
            return self.line(points, paint, width);
        }
        let (mut turn, mut left) = (0, lengths[0]);
        let mut dash: Vec<Xy> = Vec::new();
        for ends in points.windows(2) {
            let [(mut x, mut y), (x1, y1)] = [ends[0], ends[1]];
            loop {
                if turn % 2 == 0 && dash.is_empty() {
                    dash.push((x, y));
                }
                let length = (x1 - x).hypot(y1 - y);
                if length <= left {
                    left -= length;
                    if turn % 2 == 0 {
                        dash.push((x1, y1));
                    }
                    break;
                }
                x += (x1 - x) * left / length;
                y += (y1 - y) * left / length;
                if turn % 2 == 0 {
                    dash.push((x, y));
                    self.line(&dash, paint, width);
                    dash.clear();
                }
                turn += 1;
                left = lengths[turn % lengths.len()];
            }
        }
        if dash.len() > 1 {
            self.line(&dash, paint, width);
        }
    }

    pub(super) fn area(&mut self, points: &[Xy], paint: Paint) {
        self.shapes.push(Shape::Area {
            points: points.to_vec(),
            paint,
        });
    }

    pub(super) fn rectangle(&mut self, (x, y): Xy, (width, height): Xy, paint: Paint) {
        let (right, bottom) = (x + width, y + height);
        self.area(&[(x, y), (right, y), (right, bottom), (x, bottom)], paint);
    }

    pub(super) fn outline(&mut self, (x, y): Xy, (width, height): Xy, paint: Paint) {
        let (right, bottom) = (x + width, y + height);
        let corners = [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)];
        self.line(&corners, paint, 1.0);
    }

    pub(super) fn disc(&mut self, centre: Xy, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Disc { centre, radius, paint });
    }

    pub(super) fn words(&mut self, words: Words) {
        if !words.text.is_empty() {
            self.shapes.push(Shape::Words(words));
        }
    }

    pub(super) fn photo(&mut self, corner: Xy, size: Xy, image: Image<u8>) {
        self.shapes.push(Shape::Photo { corner, size, image });
    }
}
