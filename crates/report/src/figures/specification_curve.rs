//! Estimates under many specifications, sorted, with what each specification chose below them.

use super::axis::Axis;
use super::figure_style::Room;
use super::font::{self, Weight};
use super::page::{Around, Swatch};
use super::scene::{Anchor, Scene};
use super::style::{AXIS, GAP, INK, LABEL, QUIET, STRIPE, TICK, bold, colour, marker, upright, widest, words};
use super::{Picture, checks};
use crate::ReportError;

/// Height of the frame with the estimates.
const FRAME: f64 = 210.0;
const MAX_LABEL: f64 = 200.0;
/// Limits for the width of a specification, unless the figure's width is given.
const WIDEST: f64 = 44.0;
const NARROWEST: f64 = 6.0;
/// Width of the frame if the figure may choose it.
const COMFORTABLE: f64 = 480.0;
const LINE: f64 = 15.0;
const TICKS: usize = 6;

/// A specification curve (Simonsohn, Simmons & Nelson 2020): above, the estimates of one or more series under every
/// specification, from left to right in the given order; below, a line for each option, with a mark for every
/// specification that chose it.
///
/// - Shapes: each specification has at most one value for each of `series`, and `chosen` has the index of its option
///   for each of `factors`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpecificationCurve {
    pub title: String,
    pub y_label: String,
    pub series: Vec<String>,
    pub factors: Vec<Factor>,
    /// From the left.
    pub specifications: Vec<Specification>,
    /// A reference value for all estimates, and its name.
    pub level: Option<(String, f64)>,
    pub caption: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Factor {
    pub name: String,
    pub options: Vec<String>,
}

/// The ends of an interval, if it has one.
type Ends = Option<(f64, f64)>;

/// A specification: one option for every factor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Specification {
    /// Index of the series, value and interval.
    pub values: Vec<(usize, f64, Ends)>,
    /// Index of the chosen option, for each factor.
    pub chosen: Vec<usize>,
}

impl SpecificationCurve {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        self.check()?;
        Picture::of(&self.title, self, SpecificationCurve::scene)
    }

    fn check(&self) -> Result<(), ReportError> {
        let title = &self.title;
        checks::some(title, "specifications", self.specifications.len())?;
        checks::some(title, "series", self.series.len())?;
        checks::finite(title, "values", self.values())?;
        for specification in &self.specifications {
            let (n, chosen) = (self.factors.len(), &specification.chosen);
            checks::length(title, "choices", chosen.len(), n)?;
            for (factor, option) in self.factors.iter().zip(chosen) {
                checks::place(title, "options", *option, factor.options.len())?;
            }
            for (series, ..) in &specification.values {
                checks::place(title, "series", *series, self.series.len())?;
            }
        }
        Ok(())
    }

    fn values(&self) -> impl Iterator<Item = f64> + '_ {
        let ends = self.specifications.iter().flat_map(|s| &s.values).flat_map(|(_, value, interval)| {
            let (low, high) = interval.unwrap_or((*value, *value));
            [*value, low, high]
        });
        ends.chain(self.level.iter().map(|(_, value)| *value))
    }

    /// The names of the lines below the estimates: factors in bold, each followed by its options.
    fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.factors.iter().enumerate().flat_map(|(place, factor)| {
            let options = factor.options.iter().enumerate();
            let options = options.map(move |(option, name)| Line::Option(place, option, name));
            std::iter::once(Line::Factor(&factor.name)).chain(options)
        })
    }

    fn scene(&self, room: Room) -> Scene {
        let longest = room.inner().map_or(MAX_LABEL, |inner| MAX_LABEL.min(0.4 * inner));
        let lines: Vec<Line<'_>> = self.lines().collect();
        let cut = |name: &str| font::shortened(name, TICK, Weight::Regular, longest);
        let names: Vec<String> = lines.iter().map(|line| cut(line.name())).collect();
        let axis = Axis::around(self.values(), TICKS);
        let y_name = if self.y_label.is_empty() { 0.0 } else { LABEL + 8.0 };
        let left = (widest(&names, TICK) + 10.0).max(widest(&axis.labels, TICK) + 10.0 + y_name);
        let n = self.specifications.len() as f64;
        let step = room.inner().map_or(COMFORTABLE, |inner| inner - left).max(NARROWEST) / n;
        let step = step.clamp(NARROWEST, WIDEST);
        let wide = step * n;
        let below = LINE * lines.len() as f64;
        let series = self.series.iter().enumerate();
        let mut legend: Vec<(Swatch, String)> =
            series.map(|(s, name)| (Swatch::Marker(s, colour(s)), name.clone())).collect();
        if let Some((name, _)) = &self.level {
            legend.push((Swatch::Dashes(QUIET, 1.3), name.clone()));
        }
        let around = Around::of(&self.title, legend, &self.caption, room);
        let mut page = around.page((left + wide, FRAME + 2.0 * GAP + below));
        let (x0, y0) = (page.body.0 + left, page.body.1);
        let scene = &mut page.scene;
        let y_of = |value: f64| y0 + (1.0 - axis.share(value)) * FRAME;
        let x_of = |place: usize| x0 + (place as f64 + 0.5) * step;
        axis.draw_upright(scene, (x0, wide), y_of);
        scene.outline((x0, y0), (wide, FRAME), AXIS);
        if !self.y_label.is_empty() {
            // Beside the numbers of the axis, even if the names below are longer.
            let x = x0 - 6.0 - widest(&axis.labels, TICK) - 8.0 - LABEL / 2.0;
            let at = (x, y0 + FRAME / 2.0);
            upright(scene, &self.y_label, at, LABEL, Anchor::Middle);
        }
        if let Some((_, value)) = self.level {
            let y = y_of(value);
            scene.dashed(&[(x0, y), (x0 + wide, y)], QUIET, 1.3, &[4.0, 3.0]);
        }
        for (place, specification) in self.specifications.iter().enumerate() {
            // Several series are drawn side by side.
            let apart = step * 0.6 / self.series.len() as f64;
            for (series, value, interval) in &specification.values {
                let offset = *series as f64 - (self.series.len() - 1) as f64 / 2.0;
                let x = x_of(place) + offset * apart;
                let paint = colour(*series);
                if let Some((low, high)) = interval {
                    scene.line(&[(x, y_of(*low)), (x, y_of(*high))], paint.faded(0.55), 2.2);
                }
                marker(scene, (x, y_of(*value)), *series, 2.8, paint);
            }
        }
        let mut y = y0 + FRAME + 2.0 * GAP;
        let mark = (0.6 * step).clamp(3.0, 8.0);
        let mut is_striped = false;
        for (line, name) in lines.iter().zip(&names) {
            let middle = y + LINE / 2.0;
            match *line {
                Line::Factor(_) => {
                    bold(scene, name, (x0 - 8.0, middle), TICK, Anchor::End);
                    is_striped = false;
                }
                Line::Option(factor, option, _) => {
                    if is_striped {
                        scene.rectangle((x0, y), (wide, LINE), STRIPE);
                    }
                    is_striped = !is_striped;
                    words(scene, name, (x0 - 8.0, middle), TICK, Anchor::End, INK);
                    for (place, specification) in self.specifications.iter().enumerate() {
                        if specification.chosen[factor] == option {
                            let corner = (x_of(place) - mark / 2.0, middle - LINE * 0.32);
                            scene.rectangle(corner, (mark, LINE * 0.64), INK);
                        }
                    }
                }
            }
            y += LINE;
        }
        page.scene
    }
}

/// A line below the estimates.
enum Line<'a> {
    Factor(&'a str),
    /// Index of the factor, index of the option, and its name.
    Option(usize, usize, &'a str),
}

impl Line<'_> {
    fn name(&self) -> &str {
        match self {
            Line::Factor(name) | Line::Option(_, _, name) => name,
        }
    }
}
