//! Dots with whiskers, in a row for each thing.

use super::axis::Axis;
use super::figure_style::Room;
use super::font::{self, Weight};
use super::page::{Around, Swatch};
use super::scene::{Anchor, Scene};
use super::style::{
    AXIS, GAP, GRID, INK, LABEL, LEADING, QUIET, STRIPE, TICK, bold, colour, marker, no_values, widest, words,
};
use super::{Picture, checks};
use crate::ReportError;
use crate::Value;
use itertools::Itertools;

const MAX_LABEL: f64 = 220.0;
const PANEL: f64 = 195.0;
const BETWEEN: f64 = 16.0;
const PANELS_ABREAST: usize = 5;
/// Additional height of a row that shows single values.
const STRIP: f64 = 22.0;
/// Panels are not narrower than this, unless there is only one per line.
const NARROWEST: f64 = 110.0;
const TICKS: usize = 6;

/// Values with intervals: a row for each thing, a panel for each quantity, sorted as given.
///
/// - Shapes: each panel's dots name a row of `rows` and a series of `series` (0 without series).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Intervals {
    pub title: String,
    /// Names of the rows, from the top.
    pub rows: Vec<String>,
    /// The kinds of dots in each row; empty if there is only one kind.
    pub series: Vec<String>,
    /// What the notch of a dot means, such as the chance level; empty without notches.
    pub notch_label: String,
    pub panels: Vec<IntervalPanel>,
    /// Do all panels share one axis, because they show the same quantity?
    pub shared_axis: bool,
    pub caption: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct IntervalPanel {
    pub title: String,
    /// At most one dot for each row and series; a row without a dot stays empty.
    pub dots: Vec<Dot>,
    /// Levels that apply to all rows.
    pub levels: Vec<Level>,
    /// Single values behind the dots, each with the index of its row.
    pub points: Vec<(usize, f64)>,
    /// Does the axis have only integers?
    pub whole_numbers: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dot {
    pub row: usize,
    pub series: usize,
    pub value: f64,
    /// Ends of the interval, which may exclude the value.
    pub interval: Option<(f64, f64)>,
    /// A value to compare with, such as chance.
    pub notch: Option<f64>,
}

impl Dot {
    /// A dot for an estimate; `None` if it has no value.
    pub fn estimate((row, series): (usize, usize), value: impl Value, interval: Option<(f64, f64)>) -> Option<Dot> {
        Some(Dot {
            row,
            series,
            value: value.value()?,
            interval,
            notch: None,
        })
    }
}

impl IntervalPanel {
    pub fn of(title: impl Into<String>, dots: impl IntoIterator<Item = Dot>) -> Self {
        IntervalPanel {
            title: title.into(),
            dots: dots.into_iter().collect(),
            ..IntervalPanel::default()
        }
    }
}

impl Level {
    pub fn at(value: f64, label: impl Into<String>) -> Self {
        let label = label.into();
        Level { label, value }
    }
}

/// A line across all rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Level {
    /// Its name; lines with the same name look the same in all panels.
    pub label: String,
    pub value: f64,
}

impl Intervals {
    /// A figure of panels with one series.
    pub fn of(
        title: impl Into<String>,
        rows: impl IntoIterator<Item = impl Into<String>>,
        panels: Vec<IntervalPanel>,
        caption: impl Into<String>,
    ) -> Self {
        Intervals {
            title: title.into(),
            rows: rows.into_iter().map(Into::into).collect(),
            panels,
            caption: caption.into(),
            ..Intervals::default()
        }
    }

    pub fn draw(&self) -> Result<Picture, ReportError> {
        self.check()?;
        Picture::of(&self.title, self, Intervals::scene)
    }

    fn check(&self) -> Result<(), ReportError> {
        let title = &self.title;
        checks::some(title, "rows", self.rows.len())?;
        checks::some(title, "panels", self.panels.len())?;
        for panel in &self.panels {
            checks::finite(title, "values", panel.values())?;
            let rows = panel.points.iter().map(|(row, _)| *row).chain(panel.dots.iter().map(|dot| dot.row));
            rows.into_iter().try_for_each(|row| checks::place(title, "rows", row, self.rows.len()))?;
            let mut series = panel.dots.iter().map(|dot| dot.series);
            series.try_for_each(|series| checks::place(title, "series", series, self.n_series()))?;
        }
        Ok(())
    }

    fn n_series(&self) -> usize {
        self.series.len().max(1)
    }

    /// The distinct names of the levels.
    fn level_labels(&self) -> Vec<&str> {
        self.panels
            .iter()
            .flat_map(|panel| &panel.levels)
            .map(|level| level.label.as_str())
            .unique()
            .collect()
    }

    fn legend(&self) -> Vec<(Swatch, String)> {
        let series = self.series.iter().enumerate();
        let mut legend: Vec<(Swatch, String)> =
            series.map(|(s, name)| (Swatch::Marker(s, colour(s)), name.clone())).collect();
        if !self.notch_label.is_empty() {
            legend.push((Swatch::Notch(QUIET), self.notch_label.clone()));
        }
        for (place, label) in self.level_labels().into_iter().enumerate() {
            legend.push((Swatch::Dashes(level_paint(place), 1.3), label.to_owned()));
        }
        legend
    }

    fn scene(&self, room: Room) -> Scene {
        let longest = room.inner().map_or(MAX_LABEL, |inner| MAX_LABEL.min(0.4 * inner));
        let cut = |name: &String| font::shortened(name, LABEL, Weight::Regular, longest);
        let rows: Vec<String> = self.rows.iter().map(cut).collect();
        let n = self.n_series() as f64;
        let has_points = self.panels.iter().any(|panel| !panel.points.is_empty());
        let row_height = 12.0 + 8.0 * n + if has_points { STRIP } else { 0.0 };
        let left = widest(&rows, LABEL) + 10.0;
        let mut abreast = self.panels.len().min(PANELS_ABREAST);
        let mut wide = PANEL;
        if let Some(inner) = room.inner() {
            let share = |abreast: usize| (inner - left) / abreast as f64 - BETWEEN;
            while abreast > 1 && share(abreast) < NARROWEST {
                abreast -= 1;
            }
            wide = share(abreast).max(TICK);
        }
        let lines = self.panels.len().div_ceil(abreast);
        let has_titles = self.panels.iter().any(|panel| !panel.title.is_empty());
        let above = if has_titles { LABEL * LEADING + 2.0 } else { 0.0 };
        let frame_height = row_height * rows.len() as f64;
        let line_height = above + frame_height + 6.0 + TICK * LEADING + GAP;
        let around = Around::of(&self.title, self.legend(), &self.caption, room);
        let width = left + (wide + BETWEEN) * abreast as f64;
        let mut page = around.page((width, line_height * lines as f64));
        let labels = self.level_labels();
        for (place, panel) in self.panels.iter().enumerate() {
            let (column, line) = (place % abreast, place / abreast);
            let x = page.body.0 + left + column as f64 * (wide + BETWEEN);
            let y = page.body.1 + line as f64 * line_height + above;
            let scene = &mut page.scene;
            if column == 0 {
                for (row, name) in rows.iter().enumerate() {
                    let at = (x - 8.0, y + (row as f64 + 0.5) * row_height);
                    words(scene, name, at, LABEL, Anchor::End, INK);
                }
            }
            let title = font::shortened(&panel.title, LABEL, Weight::Bold, wide);
            let at = (x + wide / 2.0, y - above / 2.0);
            bold(scene, &title, at, LABEL, Anchor::Middle);
            let rows = Rows {
                corner: (x, y),
                width: wide,
                height: row_height,
                n_rows: rows.len(),
                n_series: self.n_series(),
            };
            let values = match self.shared_axis {
                true => self.panels.iter().flat_map(IntervalPanel::values).collect(),
                false => panel.values().collect(),
            };
            panel.draw(scene, &rows, &labels, values);
        }
        page.scene
    }
}

fn level_paint(place: usize) -> super::scene::Paint {
    // This is not the colour of the first series.
    colour(place + 1)
}

/// The positions of a panel's rows.
struct Rows {
    corner: (f64, f64),
    width: f64,
    height: f64,
    n_rows: usize,
    n_series: usize,
}

impl IntervalPanel {
    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let of_dot = |dot: &Dot| {
            let (low, high) = dot.interval.unwrap_or((dot.value, dot.value));
            [dot.value, low, high, dot.notch.unwrap_or(dot.value)]
        };
        let levels = self.levels.iter().map(|level| level.value);
        let points = self.points.iter().map(|(_, value)| *value);
        self.dots.iter().flat_map(of_dot).chain(levels).chain(points)
    }

    /// Draws the panel on an axis that covers all `values`.
    fn draw(&self, scene: &mut Scene, rows: &Rows, labels: &[&str], values: Vec<f64>) {
        let wide = rows.width;
        let axis = Axis::around(values, TICKS).fitted(wide, TICKS);
        let axis = if self.whole_numbers { axis.whole() } else { axis };
        let (left, top) = rows.corner;
        let height = rows.height * rows.n_rows as f64;
        let bottom = top + height;
        for row in (1..rows.n_rows).step_by(2) {
            let corner = (left, top + row as f64 * rows.height);
            scene.rectangle(corner, (wide, rows.height), STRIPE);
        }
        let x_of = |value: f64| left + axis.share(value) * wide;
        for (tick, label) in axis.ticks.iter().zip(&axis.labels) {
            let x = x_of(*tick);
            scene.line(&[(x, top), (x, bottom)], GRID, 1.0);
            scene.line(&[(x, bottom), (x, bottom + 4.0)], AXIS, 1.0);
            let at = (x, bottom + 6.0 + TICK / 2.0);
            words(scene, label, at, TICK, Anchor::Middle, QUIET);
        }
        scene.outline((left, top), (wide, height), AXIS);
        for level in &self.levels {
            let place = labels.iter().position(|label| *label == level.label);
            let x = x_of(level.value);
            let paint = level_paint(place.unwrap_or(0));
            scene.dashed(&[(x, top), (x, bottom)], paint, 1.3, &[4.0, 3.0]);
        }
        self.draw_points(scene, rows, x_of);
        for dot in &self.dots {
            let share = (dot.series as f64 + 0.5) / rows.n_series as f64;
            let inset = 0.15;
            let within = inset + (1.0 - 2.0 * inset) * share;
            let y = top + (dot.row as f64 + within) * rows.height;
            let x = x_of(dot.value);
            let paint = colour(dot.series);
            if let Some(notch) = dot.notch {
                let half = 0.38 * rows.height / rows.n_series as f64;
                let at = x_of(notch);
                scene.line(&[(at, y - half), (at, y + half)], QUIET, 2.0);
            }
            if let Some((low, high)) = dot.interval {
                let (low, high) = (x_of(low), x_of(high));
                scene.line(&[(low, y), (high, y)], paint, 1.8);
                for end in [low, high] {
                    scene.line(&[(end, y - 3.0), (end, y + 3.0)], paint, 1.4);
                }
            }
            marker(scene, (x, y), dot.series, 3.6, paint);
        }
        if self.dots.is_empty() && self.points.is_empty() {
            no_values(scene, rows.corner, (wide, height));
        }
    }

    /// Draws single values, spread over the height of their row so that equal values are visible.
    fn draw_points(&self, scene: &mut Scene, rows: &Rows, x_of: impl Fn(f64) -> f64) {
        // The fractional parts of multiples of the golden ratio are evenly spread for any number of points.
        let spread = |place: usize| (place as f64 * 0.618_033_988_749_894_9).fract() - 0.5;
        let (radius, alpha) = match self.points.len() / rows.n_rows.max(1) {
            0..=60 => (2.0, 0.5),
            61..=300 => (1.5, 0.35),
            _ => (1.1, 0.22),
        };
        let mut n_in_row = vec![0; rows.n_rows];
        for (row, value) in &self.points {
            let height = 0.5 + 0.8 * spread(n_in_row[*row]);
            n_in_row[*row] += 1;
            let y = rows.corner.1 + (*row as f64 + height) * rows.height;
            scene.disc((x_of(*value), y), radius, QUIET.faded(alpha));
        }
    }
}
