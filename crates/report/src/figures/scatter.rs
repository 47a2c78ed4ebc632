//! Points in a plane.

use super::axis::{Axis, ends};
use super::figure_style::Room;
use super::page::{Around, Swatch};
use super::panels::{Frame, Panel, Panels};
use super::point_labels::draw_labels;
use super::scene::Scene;
use super::style::{INK, colour, marker, no_values};
use super::{Picture, checks};
use crate::ReportError;

const TICKS: usize = 6;

/// One quantity against another, in one panel or many.
///
/// - Shapes: any number of points in each panel, each in one of `groups`; without groups all points look the same. A
///   panel   without points has a note.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scatter {
    pub title: String,
    pub x_label: String,
    pub y_label: String,
    /// The kinds of points, each with its own colour and marker.
    pub groups: Vec<String>,
    pub panels: Vec<ScatterPanel>,
    pub caption: String,
}

/// One frame of a [`Scatter`] with its own axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScatterPanel {
    /// Its title, which distinguishes it from the other panels.
    pub title: String,
    pub points: Vec<Point>,
    pub fit: Fit,
    /// A short note below the title.
    pub note: String,
}

impl ScatterPanel {
    /// A panel that has only points.
    pub fn of(title: impl Into<String>, points: Vec<Point>) -> Self {
        ScatterPanel {
            title: title.into(),
            points,
            ..ScatterPanel::default()
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// The label; it is left out if it would cover the label of an earlier point.
    pub label: String,
    pub group: usize,
}

impl Point {
    /// A point without a label, of the first group.
    pub fn at(x: f64, y: f64) -> Self {
        Point::of_group(0, x, y)
    }

    /// A point without a label.
    pub fn of_group(group: usize, x: f64, y: f64) -> Self {
        let label = String::new();
        Point { x, y, label, group }
    }
}

/// A line through points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fit {
    #[default]
    Nothing,
    /// The line with the smallest squared vertical distances; not drawn if all points have the same x.
    LeastSquares,
    /// The line of equal coordinates.
    Identity,
}

impl Scatter {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        self.check()?;
        Picture::of(&self.title, self, Scatter::scene)
    }

    fn check(&self) -> Result<(), ReportError> {
        checks::some(&self.title, "panels", self.panels.len())?;
        for panel in &self.panels {
            let points = panel.points.iter();
            checks::finite(&self.title, "points", points.flat_map(|p| [p.x, p.y]))?;
            let n_groups = self.groups.len().max(1);
            panel
                .points
                .iter()
                .try_for_each(|point| checks::place(&self.title, "groups", point.group, n_groups))?;
        }
        Ok(())
    }

    fn scene(&self, room: Room) -> Scene {
        let axes = |panel: &ScatterPanel| {
            let xs = panel.points.iter().map(|p| p.x);
            let ys = panel.points.iter().map(|p| p.y);
            if panel.fit == Fit::Identity && !panel.points.is_empty() {
                let both = Axis::around(xs.chain(ys), TICKS);
                return (both.clone(), both);
            }
            (Axis::around(xs, TICKS), Axis::around(ys, TICKS))
        };
        let panels: Vec<Panel> = self
            .panels
            .iter()
            .map(|panel| {
                let (x, y) = axes(panel);
                Panel {
                    title: panel.title.clone(),
                    note: panel.note.clone(),
                    x_label: String::new(),
                    x,
                    y,
                }
            })
            .collect();
        let legend = self.groups.iter().enumerate().map(|(g, name)| (Swatch::Marker(g, colour(g)), name.clone()));
        let (mut page, frames) = Panels {
            around: Around::of(&self.title, legend, &self.caption, room),
            x_label: &self.x_label,
            y_label: &self.y_label,
            columns: None,
            panels,
        }
        .drawn();
        for (panel, frame) in self.panels.iter().zip(&frames) {
            panel.draw(&mut page.scene, frame);
        }
        page.scene
    }
}

impl ScatterPanel {
    fn draw(&self, scene: &mut Scene, frame: &Frame) {
        if self.points.is_empty() {
            no_values(scene, frame.corner, frame.size);
        }
        let n = self.points.len();
        // If many points cover each other, smaller and fainter ones show their density.
        let (radius, alpha) = match n {
            0..=60 => (3.4, 0.85),
            61..=300 => (2.6, 0.65),
            301..=1500 => (2.0, 0.45),
            _ => (1.5, 0.25),
        };
        for point in &self.points {
            let at = frame.place((point.x, point.y));
            let paint = colour(point.group).faded(alpha);
            marker(scene, at, point.group, radius, paint);
        }
        if let Some((from, to)) = self.line(frame) {
            scene.dashed(&[frame.place(from), frame.place(to)], INK, 1.3, &[5.0, 3.0]);
        }
        let places: Vec<_> = self.points.iter().map(|p| frame.place((p.x, p.y))).collect();
        let labels = self.points.iter().map(|p| p.label.as_str());
        draw_labels(scene, frame, &places, labels, radius);
    }

    /// The ends of the line at the edges of the frame.
    fn line(&self, frame: &Frame) -> Option<((f64, f64), (f64, f64))> {
        let (slope, offset) = match self.fit {
            Fit::Nothing => return None,
            Fit::Identity => (1.0, 0.0),
            Fit::LeastSquares => least_squares(&self.points)?,
        };
        let (x_low, x_high) = frame.x_ends();
        let (y_low, y_high) = frame.y_ends();
        let at = |x: f64| slope * x + offset;
        let mut places = vec![x_low, x_high];
        if slope != 0.0 {
            let crossings = [(y_low - offset) / slope, (y_high - offset) / slope];
            places.extend(crossings.into_iter().filter(|x| (x_low..=x_high).contains(x)));
        }
        let tolerance = 1e-9 * (y_high - y_low);
        let inside = (y_low - tolerance)..=(y_high + tolerance);
        places.retain(|&x| inside.contains(&at(x)));
        let (from, to) = ends(places.iter().copied());
        (places.len() > 1 && from < to).then_some(((from, at(from)), (to, at(to))))
    }
}

pub fn least_squares(points: &[Point]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let x_mean = points.iter().map(|p| p.x / n).sum::<f64>();
    let y_mean = points.iter().map(|p| p.y / n).sum::<f64>();
    // Relative to the largest deviation, so that no square overflows or underflows.
    let reach = points.iter().map(|p| (p.x - x_mean).abs()).fold(0.0, f64::max);
    if points.len() < 2 || reach <= 1e-12 * x_mean.abs() || reach == 0.0 {
        return None;
    }
    let deviation = |p: &Point| (p.x - x_mean) / reach;
    let above: f64 = points.iter().map(|p| deviation(p) * (p.y - y_mean)).sum();
    let below: f64 = points.iter().map(|p| deviation(p).powi(2)).sum();
    let slope = above / below / reach;
    slope.is_finite().then_some((slope, y_mean - slope * x_mean))
}
