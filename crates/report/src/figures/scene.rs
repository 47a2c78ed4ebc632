//! The elements of a figure, in pixels, before it becomes a file.

use super::font::{self, Weight};
use neurogauge_core::Image;

pub(super) type Point = (f64, f64);

/// A colour and how much of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Paint {
    pub(super) rgb: (u8, u8, u8),
    pub(super) alpha: f64,
}

impl Paint {
    pub(super) const fn new(r: u8, g: u8, b: u8) -> Self {
        Paint {
            rgb: (r, g, b),
            alpha: 1.0,
        }
    }

    pub(super) const fn faded(self, alpha: f64) -> Self {
        Paint { alpha, ..self }
    }
}

/// The position of the given point along a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// Words at a point: their vertical middle is there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) at: Point,
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) paint: Paint,
    pub(super) anchor: Anchor,
    /// Reading upwards.
    pub(super) upright: bool,
}

impl Words {
    /// Where the text begins, from its point along its direction.
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
pub(super) enum Shape {
    Line {
        points: Vec<Point>,
        paint: Paint,
        width: f64,
    },
    Area {
        points: Vec<Point>,
        paint: Paint,
    },
    Disc {
        centre: Point,
        radius: f64,
        paint: Paint,
    },
    Words(Words),
    /// Pixels, stretched over a rectangle.
    Photo {
        corner: Point,
        size: Point,
        image: Image<u8>,
    },
}

/// Shapes, the later over the earlier.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scene {
    pub(super) width: f64,
    pub(super) height: f64,
    /// How wide it has to be to hold its shapes.
    pub(super) needed_width: f64,
    pub(super) shapes: Vec<Shape>,
}

impl Scene {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Scene {
            width,
            height: height.ceil(),
            needed_width: width,
            shapes: Vec::new(),
        }
    }

    pub(super) fn line(&mut self, points: &[Point], paint: Paint, width: f64) {
        self.shapes.push(Shape::Line {
            points: points.to_vec(),
            paint,
            width,
        });
    }

    /// A line of dashes and gaps of these lengths, in turn.
    pub(super) fn dashed(&mut self, points: &[Point], paint: Paint, width: f64, lengths: &[f64]) {
        if lengths.is_empty() {
            return self.line(points, paint, width);
        }
        let (mut turn, mut left) = (0, lengths[0]);
        let mut dash: Vec<Point> = Vec::new();
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

    pub(super) fn area(&mut self, points: &[Point], paint: Paint) {
        self.shapes.push(Shape::Area {
            points: points.to_vec(),
            paint,
        });
    }

    pub(super) fn rectangle(&mut self, (x, y): Point, (width, height): Point, paint: Paint) {
        let (right, bottom) = (x + width, y + height);
        self.area(&[(x, y), (right, y), (right, bottom), (x, bottom)], paint);
    }

    pub(super) fn outline(&mut self, (x, y): Point, (width, height): Point, paint: Paint) {
        let (right, bottom) = (x + width, y + height);
        let corners = [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)];
        self.line(&corners, paint, 1.0);
    }

    pub(super) fn disc(&mut self, centre: Point, radius: f64, paint: Paint) {
        self.shapes.push(Shape::Disc { centre, radius, paint });
    }

    pub(super) fn words(&mut self, words: Words) {
        if !words.text.is_empty() {
            self.shapes.push(Shape::Words(words));
        }
    }

    pub(super) fn photo(&mut self, corner: Point, size: Point, image: Image<u8>) {
        self.shapes.push(Shape::Photo { corner, size, image });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_round_corners_and_have_their_lengths() {
        let mut scene = Scene::new(10.0, 10.0);
        let paint = Paint::new(0, 0, 0);
        scene.dashed(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], paint, 1.0, &[4.0, 2.0]);
        let lines: Vec<Vec<Point>> = scene
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Line { points, .. } => Some(points.clone()),
                _ => None,
            })
            .collect();
        // 10 long: a dash to 4, a gap to 6, a dash to 10.
        let expected = [vec![(0.0, 0.0), (4.0, 0.0)], vec![(5.0, 1.0), (5.0, 5.0)]];
        assert_eq!(lines, expected);
    }
}
