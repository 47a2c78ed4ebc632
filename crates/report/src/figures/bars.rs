//! Bars from zero, grouped side by side.

use super::axis::Axis;
use super::figure_style::Room;
use super::font::{self, Weight};
use super::page::{Around, Swatch, hatch};
use super::scene::{Anchor, Scene};
use super::style::{AXIS, INK, LABEL, LEADING, TICK, colour, upright, widest, words};
use super::{Picture, checks};
use crate::Value;
use crate::{ReportError, number};

const HEIGHT: f64 = 220.0;
const TICKS: usize = 6;
/// Widest and narrowest bar.
const WIDEST: f64 = 26.0;
const NARROWEST: f64 = 5.0;
/// Narrowest bar if the figure's width is given.
const THINNEST: f64 = 2.5;
/// The space between groups, and a group's minimum width in a figure.
const BETWEEN: f64 = 18.0;
const GROUP: f64 = 74.0;
/// Minimum width of all groups together, if the bars can grow.
const FRAME: f64 = 480.0;

/// A group of bars for each of several things, all from zero, with whiskers.
///
/// - Shapes: `bars[g][s]` is the bar of group g and series s; its sizes are those of `groups` and `series`. A bar
///   without a value is hatched.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bars {
    pub title: String,
    pub y_label: String,
    /// From the left.
    pub groups: Vec<String>,
    /// The kinds of bars in each group, each with its own colour.
    pub series: Vec<String>,
    /// Bars by group and series.
    pub bars: Vec<Vec<Bar>>,
    pub caption: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bar {
    /// The signed length of the bar.
    pub value: Option<f64>,
    /// Ends of its whisker.
    pub interval: Option<(f64, f64)>,
    /// The rank, printed above the bar.
    pub rank: Option<f64>,
}

impl Bar {
    pub fn estimate(value: impl Value, interval: Option<(f64, f64)>) -> Bar {
        Bar {
            value: value.value(),
            interval,
            rank: None,
        }
    }
}

impl Bars {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        let title = &self.title;
        checks::some(title, "groups", self.groups.len())?;
        checks::some(title, "series", self.series.len())?;
        checks::length(title, "groups of bars", self.bars.len(), self.groups.len())?;
        for group in &self.bars {
            checks::length(title, "bars in a group", group.len(), self.series.len())?;
        }
        checks::finite(title, "values", self.values())?;
        Picture::of(&self.title, self, Bars::scene)
    }

    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let of_bar = |bar: &Bar| {
            let (low, high) = bar.interval.unzip();
            [bar.value, low, high]
        };
        self.bars.iter().flatten().flat_map(of_bar).flatten()
    }

    fn scene(&self, room: Room) -> Scene {
        let n = self.series.len() as f64;
        let axis = Axis::around(self.values().chain([0.0]), TICKS);
        // The axis goes below zero only if a value does.
        let lowest = self.values().fold(0.0, f64::min);
        let axis = if lowest < 0.0 {
            axis
        } else {
            Axis::exactly([0.0, axis.high], TICKS)
        };
        let left = widest(&axis.labels, TICK) + 8.0;
        let name = if self.y_label.is_empty() { 0.0 } else { LABEL * LEADING };
        let n_groups = self.groups.len() as f64;
        let (width, group) = match room.inner() {
            // The bars share the given width.
            Some(inner) => {
                let group = (inner - name - left - 4.0) / n_groups;
                let between = BETWEEN.min(0.2 * group);
                (((group - between) / n).clamp(THINNEST, WIDEST), group)
            }
            None => {
                let width = ((GROUP.max(FRAME / n_groups) - BETWEEN) / n).clamp(NARROWEST, WIDEST);
                (width, (n * width + BETWEEN).max(GROUP))
            }
        };
        let group = group.max(n * width);
        let frame = group * n_groups;
        let legend = self.series.iter().enumerate().map(|(s, name)| (Swatch::Patch(colour(s)), name.clone()));
        let around = Around::of(&self.title, legend, &self.caption, room);
        let mut page = around.page((name + left + frame + 4.0, HEIGHT + LABEL * LEADING + 8.0));
        let (x0, top) = page.body;
        let scene = &mut page.scene;
        let x0 = x0 + name + left;
        let y_of = |value: f64| top + (1.0 - axis.share(value)) * HEIGHT;
        axis.draw_upright(scene, (x0, frame), y_of);
        let at = (x0 - left - name / 2.0, top + HEIGHT / 2.0);
        upright(scene, &self.y_label, at, LABEL, Anchor::Middle);
        for (place, (name, bars)) in self.groups.iter().zip(&self.bars).enumerate() {
            let middle = x0 + (place as f64 + 0.5) * group;
            for (series, bar) in bars.iter().enumerate() {
                let x = middle + (series as f64 - n / 2.0) * width;
                draw_bar(scene, bar, series, (x, width), &y_of);
            }
            let name = font::shortened(name, LABEL, Weight::Regular, group - 4.0);
            let at = (middle, top + HEIGHT + 6.0 + LABEL / 2.0);
            words(scene, &name, at, LABEL, Anchor::Middle, INK);
        }
        scene.line(&[(x0, y_of(0.0)), (x0 + frame, y_of(0.0))], AXIS, 1.2);
        page.scene
    }
}

fn draw_bar(scene: &mut Scene, bar: &Bar, series: usize, (x, width): (f64, f64), y_of: &impl Fn(f64) -> f64) {
    let inside = (width - 2.0).max(2.0);
    let Some(value) = bar.value else {
        hatch(scene, (x + 1.0, y_of(0.0) - 14.0), (inside, 14.0));
        return;
    };
    let (from, to) = (y_of(0.0), y_of(value));
    let corner = (x + 1.0, from.min(to));
    scene.rectangle(corner, (inside, (from - to).abs()), colour(series));
    if let Some((low, high)) = bar.interval {
        let middle = x + width / 2.0;
        scene.line(&[(middle, y_of(low)), (middle, y_of(high))], INK, 1.2);
        for end in [low, high] {
            let y = y_of(end);
            scene.line(&[(middle - 2.5, y), (middle + 2.5, y)], INK, 1.2);
        }
    }
    if let Some(rank) = bar.rank {
        let above = bar.interval.map_or(value, |(_, high)| high).max(value);
        let at = (x + width / 2.0, y_of(above) - TICK * 0.7);
        words(scene, &number::rank(rank), at, TICK, Anchor::Middle, INK);
    }
}
