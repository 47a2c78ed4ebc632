//! Curves over a quantity, with bands behind them.

use super::axis::Axis;
use super::figure_style::Room;
use super::page::{Around, Swatch, band_dashes};
use super::panels::{Frame, Panel, Panels};
use super::scene::{Paint, Scene};
use super::style::{REFERENCE, colour, dashes, marker, no_values};
use super::{Picture, checks};
use crate::ReportError;
use itertools::Itertools;

const TICKS: usize = 6;
/// Bands are behind the curves, since they only serve for comparison. Their fill is faint but their edges are not, so
/// that two overlapping bands can be distinguished.
const BANDS: [Paint; 4] = [
    Paint::new(196, 120, 30),
    Paint::new(60, 140, 75),
    Paint::new(95, 108, 130),
    Paint::new(130, 95, 175),
];
const BAND_FILL: f64 = 0.16;

/// Curves over a quantity, in one panel or many, with bands behind them.
///
/// - Shapes: each curve has points in the order in which they are joined; a point without a value breaks the curve, and
///   a value between two such points is a dot. Curves and bands with the same label look the same in all panels and
///   appear in the legend once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curves {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    pub panels: Vec<CurvePanel>,
    /// Number of panels side by side; `None` leaves as few empty places in the grid as possible.
    pub columns: Option<usize>,
    /// Values that every vertical axis must include, such as 0 and 1.
    pub y_reaches: Vec<f64>,
    pub caption: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct CurvePanel {
    /// Its title, which distinguishes it from the other panels.
    pub title: String,
    /// Name of its horizontal axis, if different from the figure's.
    pub x_label: String,
    /// Areas behind the curves; later bands are drawn over earlier ones.
    pub bands: Vec<Band>,
    pub curves: Vec<Curve>,
}

/// A line through points.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Curve {
    /// Its name in the legend.
    pub label: String,
    /// Horizontal position and value of each point.
    pub points: Vec<(f64, Option<f64>)>,
    /// Intervals around points (horizontal position, low, high), drawn in the curve's colour; points without an
    /// interval are left out.
    pub interval: Vec<(f64, f64, f64)>,
    pub markers: bool,
    /// Is the line dashed, because it is a reference for the other curves?
    pub dashed: bool,
}

/// An area between two curves, such as the range of other people or of chance.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Band {
    /// Its name in the legend.
    pub label: String,
    /// Horizontal position, low and high.
    pub points: Vec<(f64, f64, f64)>,
}

fn place_in(labels: &[&str], label: &str) -> usize {
    labels.iter().position(|known| *known == label).unwrap_or(0)
}

impl Curves {
    /// A figure of panels without axis names.
    pub fn of(title: impl Into<String>, panels: Vec<CurvePanel>, caption: impl Into<String>) -> Self {
        Curves {
            title: title.into(),
            panels,
            caption: caption.into(),
            ..Curves::default()
        }
    }

    pub fn draw(&self) -> Result<Picture, ReportError> {
        checks::some(&self.title, "panels", self.panels.len())?;
        checks::finite(&self.title, "values", self.y_reaches.iter().copied())?;
        for panel in &self.panels {
            checks::finite(&self.title, "points", panel.xs().chain(panel.ys()))?;
        }
        Picture::of(&self.title, self, Curves::scene)
    }

    fn scene(&self, room: Room) -> Scene {
        let all = || self.panels.iter().flat_map(|panel| &panel.curves);
        let curve_labels = all().map(|curve| curve.label.as_str()).unique().collect_vec();
        let band_labels = self
            .panels
            .iter()
            .flat_map(|panel| &panel.bands)
            .map(|band| band.label.as_str())
            .unique()
            .collect_vec();
        let strokes = curve_labels.iter().enumerate().map(|(c, name)| {
            let own = || all().filter(|curve| curve.label == *name);
            let is_dashed = own().any(|curve| curve.dashed);
            match own().any(|curve| curve.markers) {
                true => (Swatch::MarkedStroke(c, line(c, is_dashed), colour(c)), *name),
                false => (Swatch::Stroke(line(c, is_dashed), colour(c)), *name),
            }
        });
        let patches = band_labels.iter().enumerate().map(|(b, name)| (Swatch::Band(b, BANDS[b % BANDS.len()]), *name));
        let legend = strokes.chain(patches).filter(|(_, name)| !name.is_empty());

        let panels = self.panels.iter().map(|panel| Panel {
            title: panel.title.clone(),
            note: String::new(),
            x_label: panel.x_label.clone(),
            x: Axis::around(panel.xs(), TICKS),
            y: Axis::around(panel.ys().chain(self.y_reaches.iter().copied()), TICKS),
        });
        let (mut page, frames) = Panels {
            around: Around::of(&self.title, legend.map(|(s, name)| (s, name.to_owned())), &self.caption, room),
            x_label: &self.x_label,
            y_label: &self.y_label,
            columns: self.columns,
            panels: panels.collect(),
        }
        .drawn();
        for (panel, frame) in self.panels.iter().zip(&frames) {
            for band in &panel.bands {
                let place = place_in(&band_labels, &band.label);
                let paint = BANDS[place % BANDS.len()];
                area(&mut page.scene, frame, &band.points, paint.faded(BAND_FILL));
                edges(&mut page.scene, frame, &band.points, paint, band_dashes(place));
            }
            for curve in &panel.curves {
                curve.draw(&mut page.scene, frame, place_in(&curve_labels, &curve.label));
            }
            if panel.ys().next().is_none() {
                no_values(&mut page.scene, frame.corner, frame.size);
            }
        }
        page.scene
    }
}

impl CurvePanel {
    /// A panel that has only curves.
    pub fn of(title: impl Into<String>, curves: impl IntoIterator<Item = Curve>) -> Self {
        CurvePanel {
            title: title.into(),
            curves: curves.into_iter().collect(),
            ..CurvePanel::default()
        }
    }

    /// The areas of bands and intervals: horizontal position, low and high.
    fn areas(&self) -> impl Iterator<Item = &(f64, f64, f64)> {
        let bands = self.bands.iter().flat_map(|band| &band.points);
        bands.chain(self.curves.iter().flat_map(|curve| &curve.interval))
    }

    fn points(&self) -> impl Iterator<Item = &(f64, Option<f64>)> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    fn xs(&self) -> impl Iterator<Item = f64> {
        self.points().map(|(x, _)| *x).chain(self.areas().map(|(x, ..)| *x))
    }

    fn ys(&self) -> impl Iterator<Item = f64> {
        self.points().filter_map(|(_, y)| *y).chain(self.areas().flat_map(|(_, low, high)| [*low, *high]))
    }
}

impl Curve {
    /// A solid line through marked points.
    pub fn of(label: impl Into<String>, points: impl IntoIterator<Item = (f64, Option<f64>)>) -> Self {
        Curve {
            label: label.into(),
            points: points.into_iter().collect(),
            markers: true,
            ..Curve::default()
        }
    }

    /// The same with values at 1, 2, ...
    pub fn from_one(label: impl Into<String>, values: impl IntoIterator<Item = Option<f64>>) -> Self {
        Curve::of(label, (1u32..).map(f64::from).zip(values))
    }

    fn draw(&self, scene: &mut Scene, frame: &Frame, series: usize) {
        let paint = colour(series);
        area(scene, frame, &self.interval, paint.faded(0.18));
        for piece in self.points.split(|(_, y)| y.is_none()) {
            let piece: Vec<(f64, f64)> = piece.iter().filter_map(|(x, y)| Some(frame.place((*x, (*y)?)))).collect();
            match piece.as_slice() {
                [] => {}
                [alone] => scene.disc(*alone, 3.0, paint),
                _ => scene.dashed(&piece, paint, 2.0, line(series, self.dashed)),
            }
            if self.markers {
                for at in piece {
                    marker(scene, at, series, 3.0, paint);
                }
            }
        }
    }
}

/// The dashes of a curve, which may be none.
fn line(series: usize, is_dashed: bool) -> &'static [f64] {
    if is_dashed { REFERENCE } else { dashes(series) }
}

fn area(scene: &mut Scene, frame: &Frame, points: &[(f64, f64, f64)], paint: Paint) {
    if points.len() < 2 {
        return;
    }
    let above = points.iter().map(|(x, _, high)| frame.place((*x, *high)));
    let edge: Vec<(f64, f64)> = above.chain(points.iter().rev().map(|(x, low, _)| frame.place((*x, *low)))).collect();
    scene.area(&edge, paint);
}

/// Draws the lower and upper edge of a band.
fn edges(scene: &mut Scene, frame: &Frame, points: &[(f64, f64, f64)], paint: Paint, dashes: &[f64]) {
    let below = points.iter().map(|(x, low, _)| frame.place((*x, *low)));
    let above = points.iter().map(|(x, _, high)| frame.place((*x, *high)));
    let both: [Vec<(f64, f64)>; 2] = [below.collect(), above.collect()];
    for edge in both {
        scene.dashed(&edge, paint, 1.0, dashes);
    }
}
