//! Frames with axes, side by side.

use super::axis::Axis;
use super::font::{self, Weight};
use super::page::{Around, Page};
use super::scene::{Anchor, Point, Scene};
use super::style::{
    AXIS, GAP, GRID, INK, LABEL, LEADING, QUIET, TICK, bold, upright, widest, words,
};

const TICK_LENGTH: f64 = 4.0;
const MAX_TICKS: usize = 6;
const MAX_COLUMNS: usize = 6;

/// One frame and what its axes cover.
pub(super) struct Panel {
    pub(super) title: String,
    /// A few words below the title.
    pub(super) note: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
}

/// Where a panel's values lie in the picture.
pub(super) struct Frame {
    pub(super) corner: Point,
    pub(super) size: Point,
    x: Axis,
    y: Axis,
}

impl Frame {
    pub(super) fn place(&self, (x, y): Point) -> Point {
        (
            self.corner.0 + self.x.share(x) * self.size.0,
            self.corner.1 + (1.0 - self.y.share(y)) * self.size.1,
        )
    }

    pub(super) fn x_ends(&self) -> (f64, f64) {
        (self.x.low, self.x.high)
    }

    pub(super) fn y_ends(&self) -> (f64, f64) {
        (self.y.low, self.y.high)
    }
}

/// Panels in lines, with shared names of their axes.
pub(super) struct Panels<'a> {
    pub(super) around: Around<'a>,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    /// Panels abreast; as few places empty as can be where it is left out.
    pub(super) columns: Option<usize>,
    pub(super) panels: Vec<Panel>,
}

/// Size of each frame by how many there are, so that any number makes a page.
fn frame_size(n: usize) -> Point {
    match n {
        0..=1 => (440.0, 340.0),
        2..=4 => (290.0, 230.0),
        5..=12 => (210.0, 170.0),
        _ => (160.0, 130.0),
    }
}

/// As nearly square as leaves the fewest places empty.
fn n_columns(n: usize) -> usize {
    let (fewest, most) = ((n as f64).sqrt(), (2.0 * n as f64).sqrt());
    let candidates = (fewest.ceil() as usize)..=(most.ceil() as usize);
    let best =
        candidates.min_by_key(|&columns| (n.div_ceil(columns.max(1)) * columns - n, columns));
    best.unwrap_or(1).clamp(1, MAX_COLUMNS)
}

impl Panels<'_> {
    /// The page with empty frames, and where they are.
    pub(super) fn drawn(mut self) -> (Page, Vec<Frame>) {
        let n = self.panels.len();
        let (wide, high) = frame_size(n);
        for panel in &mut self.panels {
            panel.x = panel.x.fitted(wide, MAX_TICKS);
            panel.y = panel.y.fitted(high * 1.4, MAX_TICKS);
        }
        let columns = self.columns.unwrap_or_else(|| n_columns(n)).max(1);
        let lines = n.div_ceil(columns);
        let labels = self.panels.iter().flat_map(|panel| &panel.y.labels);
        let left = widest(labels, TICK) + TICK_LENGTH + 4.0;
        let has_titles = self.panels.iter().any(|panel| !panel.title.is_empty());
        let has_notes = self.panels.iter().any(|panel| !panel.note.is_empty());
        let room = |is_there: bool, size: f64| if is_there { size * LEADING + 2.0 } else { 0.0 };
        let (title_room, note_room) = (room(has_titles, LABEL), room(has_notes, TICK));
        let above = title_room + note_room;
        let x_labels = self.panels.iter().flat_map(|panel| &panel.x.labels);
        let beside = 8.0 + widest(x_labels, TICK) / 2.0;
        let below = TICK_LENGTH + TICK * LEADING + GAP;
        let name = |label: &str| {
            if label.is_empty() {
                0.0
            } else {
                LABEL * LEADING
            }
        };
        let (y_name, x_name) = (name(self.y_label), name(self.x_label));
        let cell = (left + wide + beside, above + high + below + 4.0);
        let size = (
            y_name + cell.0 * columns as f64,
            cell.1 * lines as f64 + x_name,
        );

        let mut page = self.around.page(size);
        let scene = &mut page.scene;
        let (x0, y0) = page.body;
        let frames: Vec<Frame> = self
            .panels
            .into_iter()
            .enumerate()
            .map(|(place, panel)| {
                let corner = (
                    x0 + y_name + (place % columns) as f64 * cell.0 + left,
                    y0 + (place / columns) as f64 * cell.1 + above,
                );
                let title = font::shortened(&panel.title, LABEL, Weight::Bold, wide);
                let middle = corner.0 + wide / 2.0;
                let at = (middle, corner.1 - note_room - title_room / 2.0);
                bold(scene, &title, at, LABEL, Anchor::Middle);
                let note = font::shortened(&panel.note, TICK, Weight::Regular, wide);
                let at = (middle, corner.1 - note_room / 2.0 - 1.0);
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
        let (body_width, body_height) = (size.0 - y_name, size.1 - x_name);
        let at = (
            x0 + y_name + body_width / 2.0,
            y0 + body_height + x_name / 2.0,
        );
        words(scene, self.x_label, at, LABEL, Anchor::Middle, INK);
        let at = (x0 + y_name / 2.0, y0 + body_height / 2.0);
        upright(scene, self.y_label, at, LABEL, Anchor::Middle);
        (page, frames)
    }
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
