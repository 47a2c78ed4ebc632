//! A matrix of numbers as coloured cells.

use super::axis::{Axis, ends, minus};
use super::colour_scale::{ColourScale, ink_on};
use super::figure_style::Room;
use super::font::{self, Weight};
use super::page::{Around, Swatch, hatch};
use super::scene::{Anchor, Scene, Xy};
use super::style::{AXIS, INK, LABEL, OUTLINE, QUIET, TICK, upright, widest, width, words};
use super::{Picture, checks};
use crate::ReportError;
use crate::number::fixed;
use std::collections::BTreeSet;

const MAX_LABEL: f64 = 230.0;
const MAX_UPRIGHT_LABEL: f64 = 140.0;
const BAR: f64 = 14.0;
/// If numbers would be smaller than this, cells show only their colour; vertical names of columns are at least this
/// large.
const SMALLEST_NUMBER: f64 = 6.0;
/// Height of letters including descenders, as a share of their size.
const LETTERS: f64 = 0.93;
/// In narrower cells the smallest names of columns would overlap.
const SMALLEST_CELL: f64 = LETTERS * SMALLEST_NUMBER;
/// With more rows or columns than this, letters shrink.
const MANY: usize = 24;

/// A matrix of numbers as coloured cells, each with its number in it.
///
/// - Shapes: `values` has a row for each of `rows`, and each row a value for each of `columns`; `None` is hatched.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Heatmap {
    pub title: String,
    /// Names of the rows, from the top.
    pub rows: Vec<String>,
    /// Names of the columns, from the left.
    pub columns: Vec<String>,
    pub values: Vec<Vec<Option<f64>>>,
    /// Number of decimals in the cells.
    pub decimals: usize,
    /// Cells (row, column) with an outline around them.
    pub outlined: Vec<(usize, usize)>,
    /// The legend for the outlined cells.
    pub outline_label: String,
    pub scale: ColourScale,
    /// The label of the colour bar.
    pub value_label: String,
    pub caption: String,
}

impl Heatmap {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        self.check()?;
        Picture::of(&self.title, self, Heatmap::scene)
    }

    fn check(&self) -> Result<(), ReportError> {
        let title = &self.title;
        checks::some(title, "rows", self.rows.len())?;
        checks::some(title, "columns", self.columns.len())?;
        checks::length(title, "rows of values", self.values.len(), self.rows.len())?;
        for row in &self.values {
            checks::length(title, "values in a row", row.len(), self.columns.len())?;
        }
        checks::finite(title, "values", self.present())
    }

    fn present(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().flatten().flatten().copied()
    }

    fn scene(&self, room: Room) -> Scene {
        let is_many = self.rows.len().max(self.columns.len()) > MANY;
        let (number_size, label_size) = if is_many { (8.0, TICK) } else { (TICK, LABEL) };
        let cut = |name: &String, most| font::shortened(name, label_size, Weight::Regular, most);
        let longest = room.inner().map_or(MAX_LABEL, |inner| MAX_LABEL.min(0.35 * inner));
        let rows: Vec<String> = self.rows.iter().map(|name| cut(name, longest)).collect();
        let columns: Vec<String> = self.columns.iter().map(|name| cut(name, MAX_UPRIGHT_LABEL)).collect();
        let left = widest(&rows, label_size) + 8.0;
        let has_values = self.present().next().is_some();
        let (low, high) = self.scale.ends(ends(self.present()));

        let cell_height = (number_size * 2.1).ceil();
        let matrix_height = cell_height * rows.len() as f64;
        let bar_height = matrix_height.clamp(90.0, 320.0);
        let n_ticks = (bar_height / 34.0) as usize;
        let bar = Axis::exactly([low, high], n_ticks.max(2));
        let bar_width = if has_values {
            let name = if self.value_label.is_empty() { 0.0 } else { LABEL + 10.0 };
            18.0 + BAR + 8.0 + widest(&bar.labels, TICK) + name
        } else {
            0.0
        };
        let given = room.inner().map(|inner| (inner - left - bar_width) / columns.len() as f64);
        let (cell_width, number_size) = self.cell_width(number_size, given);
        let matrix = (cell_width * columns.len() as f64, matrix_height);
        // Leaves a white pixel between cells.
        let cell = (cell_width - 1.0, cell_height - 1.0);
        let columns_lie = widest(&columns, label_size) <= cell_width - 4.0;
        let upright_size = label_size.min((cell_width / LETTERS).max(SMALLEST_NUMBER));
        let below = 6.0
            + if columns_lie {
                label_size
            } else {
                widest(&columns, upright_size)
            };

        let mut legend = Vec::new();
        if self.values.iter().flatten().any(Option::is_none) {
            legend.push((Swatch::Hatch, "no value".to_owned()));
        }
        if !self.outlined.is_empty() {
            legend.push((Swatch::Outline(OUTLINE), self.outline_label.clone()));
        }
        let around = Around::of(&self.title, legend, &self.caption, room);
        let height = (matrix.1 + below).max(bar_height);
        let mut page = around.page((left + matrix.0 + bar_width, height));
        let (x0, y0) = (page.body.0 + left, page.body.1);
        let scene = &mut page.scene;
        for (line, (name, values)) in rows.iter().zip(&self.values).enumerate() {
            let y = y0 + line as f64 * cell_height;
            let middle = y + cell_height / 2.0;
            words(scene, name, (x0 - 6.0, middle), label_size, Anchor::End, INK);
            for (place, value) in values.iter().enumerate() {
                let corner = (x0 + place as f64 * cell_width, y);
                let Some(value) = value else {
                    hatch(scene, corner, cell);
                    continue;
                };
                let paint = self.scale.colour(bar.share(*value));
                scene.rectangle(corner, cell, paint);
                if let Some(size) = number_size {
                    let number = minus(&fixed(*value, self.decimals));
                    let at = (corner.0 + cell_width / 2.0, middle);
                    words(scene, &number, at, size, Anchor::Middle, ink_on(paint));
                }
            }
        }
        for (from, to) in outline(&self.outlined) {
            let at = |(column, line): (usize, usize)| {
                let (x, y) = (column as f64 * cell_width, line as f64 * cell_height);
                (x0 + x - 0.5, y0 + y - 0.5)
            };
            scene.line(&[at(from), at(to)], OUTLINE, 2.4);
        }
        for (place, name) in columns.iter().enumerate() {
            let x = x0 + (place as f64 + 0.5) * cell_width;
            let y = y0 + matrix.1 + 6.0;
            if columns_lie {
                let at = (x, y + label_size / 2.0);
                words(scene, name, at, label_size, Anchor::Middle, INK);
            } else {
                upright(scene, name, (x, y), upright_size, Anchor::End);
            }
        }
        if has_values {
            let corner = (x0 + matrix.0 + 18.0, y0);
            self.draw_bar(scene, corner, bar_height, &bar);
        }
        page.scene
    }

    /// Width of a cell and size of its number, given the maximum width: numbers shrink, and are left out if they would
    /// be too small to read.
    fn cell_width(&self, size: f64, most: Option<f64>) -> (f64, Option<f64>) {
        let numbers: Vec<String> = self.present().map(|value| minus(&fixed(value, self.decimals))).collect();
        let natural = |size: f64| (widest(&numbers, size) + 0.85 * size).max(size * 2.8).ceil();
        match most {
            Some(most) if most < natural(size) => {
                let steps = ((size - SMALLEST_NUMBER) / 0.5) as i32;
                let sizes = (1..=steps).map(|step| size - 0.5 * f64::from(step));
                let fits = |size: &f64| widest(&numbers, *size) + 0.3 * size <= most;
                (most.max(SMALLEST_CELL), sizes.into_iter().find(fits))
            }
            _ => (natural(size), Some(size)),
        }
    }

    fn draw_bar(&self, scene: &mut Scene, (x, y): Xy, height: f64, axis: &Axis) {
        let n_steps = 64;
        let step = height / f64::from(n_steps);
        for place in 0..n_steps {
            let share = 1.0 - (f64::from(place) + 0.5) / f64::from(n_steps);
            let corner = (x, y + f64::from(place) * step);
            // Steps overlap slightly, so that no seam is visible.
            let overlap = if place + 1 < n_steps { 0.5 } else { 0.0 };
            scene.rectangle(corner, (BAR, step + overlap), self.scale.colour(share));
        }
        scene.outline((x, y), (BAR, height), AXIS);
        for (tick, label) in axis.ticks.iter().zip(&axis.labels) {
            let at = y + (1.0 - axis.share(*tick)) * height;
            scene.line(&[(x + BAR, at), (x + BAR + 4.0, at)], AXIS, 1.0);
            let place = (x + BAR + 7.0, at);
            words(scene, label, place, TICK, Anchor::Start, QUIET);
        }
        let name = font::shortened(&self.value_label, LABEL, Weight::Regular, height);
        let beside = x + BAR + 7.0 + widest(&axis.labels, TICK) + 6.0 + LABEL / 2.0;
        // Centred beside the bar.
        let top = y + height / 2.0 - width(&name, LABEL) / 2.0;
        upright(scene, &name, (beside, top), LABEL, Anchor::End);
    }
}

/// A corner of a cell: columns from the left, rows from the top.
type Corner = (usize, usize);

/// The edges between the given cells (row, column) and all others, each from corner to corner, by row and column.
pub fn outline(cells: &[(usize, usize)]) -> Vec<(Corner, Corner)> {
    let inside: BTreeSet<(usize, usize)> = cells.iter().copied().collect();
    let mut edges = Vec::new();
    for &(row, column) in &inside {
        let is_open = |row: Option<usize>, column: Option<usize>| match (row, column) {
            (Some(row), Some(column)) => !inside.contains(&(row, column)),
            _ => true,
        };
        let (left, right, top, bottom) = (column, column + 1, row, row + 1);
        if is_open(row.checked_sub(1), Some(column)) {
            edges.push(((left, top), (right, top)));
        }
        if is_open(Some(bottom), Some(column)) {
            edges.push(((left, bottom), (right, bottom)));
        }
        if is_open(Some(row), column.checked_sub(1)) {
            edges.push(((left, top), (left, bottom)));
        }
        if is_open(Some(row), Some(right)) {
            edges.push(((right, top), (right, bottom)));
        }
    }
    edges
}
