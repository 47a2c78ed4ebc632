//! Frames with axes, in lines.

use super::axis::Axis;
use super::font::{self, Weight};
use super::page::{Around, Page};
use super::scene::{Anchor, Scene, Xy};
use super::style::{AXIS, GAP, GRID, INK, LABEL, LEADING, QUIET, TICK, bold, upright, widest, width, words};

const TICK_LENGTH: f64 = 4.0;
const MAX_TICKS: usize = 6;
const MAX_COLUMNS: usize = 6;
/// Space between the axis names of two frames.
const BETWEEN_NAMES: f64 = 24.0;

/// A frame and the ranges of its axes.
pub(super) struct Panel {
    pub(super) title: String,
    /// A short note below the title.
    pub(super) note: String,
    /// Name of its horizontal axis, if different from the figure's.
    pub(super) x_label: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

/// Where a panel's values are in the picture.
pub(super) struct Frame {
    pub(super) corner: Xy,
    pub(super) size: Xy,
    x: Axis,
    y: Axis,
}

impl Frame {
    pub(super) fn place(&self, (x, y): Xy) -> Xy {
        (self.corner.0 + self.x.share(x) * self.size.0, self.corner.1 + (1.0 - self.y.share(y)) * self.size.1)
    }

    pub(super) fn x_ends(&self) -> (f64, f64) {
        (self.x.low, self.x.high)
    }

    pub(super) fn y_ends(&self) -> (f64, f64) {
        (self.y.low, self.y.high)
    }
}

/// Panels in lines, with shared axis names.
pub(super) struct Panels<'a> {
    pub(super) around: Around<'a>,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    /// Number of panels side by side; `None` leaves as few empty places as possible.
    pub(super) columns: Option<usize>,
    pub(super) panels: Vec<Panel>,
}

/// Size of each frame, depending on the number of frames, so that any number fits on a page.
fn frame_size(n: usize) -> Xy {
    match n {
        0..=1 => (440.0, 340.0),
        2..=4 => (290.0, 230.0),
        5..=12 => (210.0, 170.0),
        _ => (160.0, 130.0),
    }
}

/// Frames are not narrower than this, unless there is only one per line.
const NARROWEST: f64 = 100.0;
/// Frames are not higher than this.
const HIGHEST: f64 = 340.0;

/// The number of columns that leaves the fewest empty places, as close to a square as possible.
fn n_columns(n: usize) -> usize {
    let (fewest, most) = ((n as f64).sqrt(), (2.0 * n as f64).sqrt());
    let candidates = (fewest.ceil() as usize)..=(most.ceil() as usize);
    let best = candidates.min_by_key(|&columns| (n.div_ceil(columns.max(1)) * columns - n, columns));
    best.unwrap_or(1).clamp(1, MAX_COLUMNS)
}

impl Panels<'_> {
    /// The page with empty frames, and the frames' positions.
    pub(super) fn drawn(mut self) -> (Page, Vec<Frame>) {
        let grid = self.grid();
        for panel in &mut self.panels {
            panel.x = panel.x.fitted(grid.frame.0, MAX_TICKS);
            panel.y = panel.y.fitted(grid.frame.1 * 1.4, MAX_TICKS);
        }
        let mut page = self.around.page(grid.size);
        let scene = &mut page.scene;
        let (x0, y0) = page.body;
        let (wide, high) = grid.frame;
        let n = self.panels.len();
        let own: Vec<String> = self.panels.iter().map(|panel| panel.x_label.clone()).collect();
        let frames: Vec<Frame> = self
            .panels
            .into_iter()
            .enumerate()
            .map(|(place, panel)| {
                let corner = (
                    x0 + grid.y_name + (place % grid.columns) as f64 * grid.cell.0 + grid.left,
                    y0 + (place / grid.columns) as f64 * grid.cell.1 + grid.title_room + grid.note_room,
                );
                let title = font::shortened(&panel.title, LABEL, Weight::Bold, wide);
                let middle = corner.0 + wide / 2.0;
                let at = (middle, corner.1 - grid.note_room - grid.title_room / 2.0);
                bold(scene, &title, at, LABEL, Anchor::Middle);
                let note = font::shortened(&panel.note, TICK, Weight::Regular, wide);
                let at = (middle, corner.1 - grid.note_room / 2.0 - 1.0);
                words(scene, &note, at, TICK, Anchor::Middle, QUIET);
                let frame = Frame {
                    corner,
                    size: (wide, high),
                    x: panel.x,
                    y: panel.y,
                };
                frame.draw(scene);
                frame
            })
            .collect();

        // The name of an axis is beside each frame at the edge of the grid, or only once if it is too long.
        let below = |frame: &Frame| frame.corner.1 + high + grid.below + LABEL * LEADING / 2.0 - GAP;
        let is_lowest = |place: usize| place + grid.columns >= n;
        for (name, frame) in own.iter().zip(&frames) {
            let name = font::shortened(name, LABEL, Weight::Regular, grid.cell.0);
            let at = (frame.corner.0 + wide / 2.0, below(frame));
            words(scene, &name, at, LABEL, Anchor::Middle, INK);
        }
        if width(self.x_label, LABEL) <= grid.cell.0 - BETWEEN_NAMES {
            for (_, frame) in frames.iter().enumerate().filter(|(place, _)| is_lowest(*place)) {
                let at = (frame.corner.0 + wide / 2.0, below(frame));
                words(scene, self.x_label, at, LABEL, Anchor::Middle, INK);
            }
        } else if let Some(last) = frames.last() {
            let middle = x0 + (grid.y_name + grid.left + grid.size.0) / 2.0;
            let label = font::shortened(self.x_label, LABEL, Weight::Regular, grid.size.0);
            words(scene, &label, (middle, below(last)), LABEL, Anchor::Middle, INK);
        }
        let beside = x0 + grid.y_name / 2.0;
        if width(self.y_label, LABEL) <= grid.cell.1 - BETWEEN_NAMES {
            for frame in frames.iter().step_by(grid.columns) {
                let at = (beside, frame.corner.1 + high / 2.0 + width(self.y_label, LABEL) / 2.0);
                upright(scene, self.y_label, at, LABEL, Anchor::Start);
            }
        } else {
            let label = font::shortened(self.y_label, LABEL, Weight::Regular, grid.size.1);
            let at = (beside, y0 + grid.size.1 / 2.0);
            upright(scene, &label, at, LABEL, Anchor::Middle);
        }
        (page, frames)
    }

    /// All sizes. If the width is given, frames share it; there are fewer per line if they would be too narrow.
    fn grid(&self) -> Grid {
        let n = self.panels.len();
        let natural = frame_size(n);
        let y_ticks = |high: f64| {
            let axes = self.panels.iter().map(|panel| panel.y.fitted(high * 1.4, MAX_TICKS));
            let labels: Vec<String> = axes.flat_map(|axis| axis.labels).collect();
            widest(&labels, TICK) + TICK_LENGTH + 4.0
        };
        let left = y_ticks(natural.1);
        let x_labels = self.panels.iter().flat_map(|panel| &panel.x.labels);
        let beside = 8.0 + widest(x_labels, TICK) / 2.0;
        let has_titles = self.panels.iter().any(|panel| !panel.title.is_empty());
        let has_notes = self.panels.iter().any(|panel| !panel.note.is_empty());
        let room = |is_there: bool, size: f64| if is_there { size * LEADING + 2.0 } else { 0.0 };
        let (title_room, note_room) = (room(has_titles, LABEL), room(has_notes, TICK));
        let name = |label: &str| room(!label.is_empty(), LABEL);
        let (y_name, x_name) = (name(self.y_label), name(self.x_label));
        let below = TICK_LENGTH + TICK * LEADING + GAP;
        let own_name = room(self.panels.iter().any(|panel| !panel.x_label.is_empty()), LABEL);

        let mut columns = self.columns.unwrap_or_else(|| n_columns(n)).clamp(1, n.max(1));
        let mut frame = natural;
        if let Some(inner) = self.around.room.inner() {
            let share = |columns: usize| (inner - y_name) / columns as f64 - left - beside;
            while columns > 1 && share(columns) < NARROWEST {
                columns -= 1;
            }
            frame.0 = share(columns).max(TICK);
            frame.1 = (frame.0 * natural.1 / natural.0).min(HIGHEST);
        }
        let cell = (left + frame.0 + beside, title_room + note_room + frame.1 + below + 4.0 + own_name);
        let lines = n.div_ceil(columns);
        Grid {
            columns,
            frame,
            cell,
            left,
            below,
            title_room,
            note_room,
            y_name,
            size: (y_name + cell.0 * columns as f64, cell.1 * lines as f64 + x_name),
        }
    }
}

/// The sizes of a page of panels.
struct Grid {
    columns: usize,
    frame: Xy,
    /// Size of a frame including its surroundings.
    cell: Xy,
    left: f64,
    below: f64,
    title_room: f64,
    note_room: f64,
    y_name: f64,
    size: Xy,
}

impl Frame {
    fn draw(&self, scene: &mut Scene) {
        let ((left, top), (wide, high)) = (self.corner, self.size);
        let bottom = top + high;
        for (tick, label) in self.x.ticks.iter().zip(&self.x.labels) {
            let x = left + self.x.share(*tick) * wide;
            scene.line(&[(x, top), (x, bottom)], GRID, 1.0);
            scene.line(&[(x, bottom), (x, bottom + TICK_LENGTH)], AXIS, 1.0);
            let at = (x, bottom + TICK_LENGTH + 2.0 + TICK / 2.0);
            words(scene, label, at, TICK, Anchor::Middle, QUIET);
        }
        for (tick, label) in self.y.ticks.iter().zip(&self.y.labels) {
            let y = top + (1.0 - self.y.share(*tick)) * high;
            scene.line(&[(left, y), (left + wide, y)], GRID, 1.0);
            scene.line(&[(left - TICK_LENGTH, y), (left, y)], AXIS, 1.0);
            let at = (left - TICK_LENGTH - 3.0, y);
            words(scene, label, at, TICK, Anchor::End, QUIET);
        }
        scene.outline(self.corner, self.size, AXIS);
    }
}
