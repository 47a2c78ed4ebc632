//! Rows of images with text beside them.

use super::checks;
use super::figure_style::Room;
use super::fitted_image::{sharp, shown_size};
use super::font::{self, Weight};
use super::page::{Around, hatch};
use super::picture::Picture;
use super::scene::{Anchor, Scene};
use super::style::{AXIS, GRID, INK, LABEL, LEADING, QUIET, TICK, bold, words};
use crate::ReportError;
use neurogauge_core::Image;

/// Side of the square that each image is fitted into.
const SIDE: f64 = 120.0;
const BETWEEN: f64 = 8.0;
const WORDS: f64 = 300.0;

/// Rows of images with text beside them, such as a stimulus and its reconstruction.
///
/// - Shapes: each row has an image, or none, for each of `columns`; images are fitted into squares of   the same size.
///   The longer side has at most 240 pixels, enough for print at this size; a PDF stores each image once, however often
///   it is shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContactSheet {
    pub title: String,
    pub columns: Vec<String>,
    /// From the top.
    pub rows: Vec<SheetRow>,
    pub caption: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct SheetRow {
    /// An image for each column; `None` is hatched.
    pub images: Vec<Option<Image<u8>>>,
    /// Lines of text beside the images; the first is bold.
    pub lines: Vec<String>,
}

impl ContactSheet {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        checks::some(&self.title, "columns", self.columns.len())?;
        checks::some(&self.title, "rows", self.rows.len())?;
        for row in &self.rows {
            let (found, expected) = (row.images.len(), self.columns.len());
            checks::length(&self.title, "images in a row", found, expected)?;
        }
        let mut own = self.clone();
        for image in own.rows.iter_mut().flat_map(|row| &mut row.images).flatten() {
            *image = sharp(image, shown_size((image.width_px(), image.height_px()), SIDE), &self.title)?;
        }
        Picture::of(&self.title, &own, ContactSheet::scene)
    }

    fn scene(&self, room: Room) -> Scene {
        let n = self.columns.len() as f64;
        let above = LABEL * LEADING + 4.0;
        let line = SIDE + BETWEEN;
        let around = Around::of(&self.title, [], &self.caption, room);
        let size = (n * line + BETWEEN + WORDS, above + self.rows.len() as f64 * line);
        let mut page = around.page(size);
        let (x0, y0) = page.body;
        let scene = &mut page.scene;
        for (column, name) in self.columns.iter().enumerate() {
            let x = x0 + column as f64 * line + SIDE / 2.0;
            let name = font::shortened(name, LABEL, Weight::Regular, SIDE);
            let at = (x, y0 + above / 2.0);
            words(scene, &name, at, LABEL, Anchor::Middle, QUIET);
        }
        for (at, row) in self.rows.iter().enumerate() {
            let y = y0 + above + at as f64 * line;
            for (column, image) in row.images.iter().enumerate() {
                let corner = (x0 + column as f64 * line, y);
                match image {
                    Some(image) => place(scene, image, corner),
                    None => hatch(scene, corner, (SIDE, SIDE)),
                }
                scene.outline(corner, (SIDE, SIDE), GRID);
            }
            let x = x0 + n * line + BETWEEN;
            draw_lines(scene, &row.lines, (x, y));
            if at > 0 {
                let edge = y - BETWEEN / 2.0;
                let right = x0 + n * line + BETWEEN + WORDS;
                scene.line(&[(x, edge), (right, edge)], AXIS.faded(0.4), 0.8);
            }
        }
        page.scene
    }
}

fn place(scene: &mut Scene, image: &Image<u8>, (x, y): (f64, f64)) {
    let (wide, high) = shown_size((image.width_px(), image.height_px()), SIDE);
    let corner = (x + (SIDE - wide) / 2.0, y + (SIDE - high) / 2.0);
    scene.photo(corner, (wide, high), image.clone());
}

fn draw_lines(scene: &mut Scene, lines: &[String], (x, y): (f64, f64)) {
    // Number of lines that fit beside an image.
    let most = ((SIDE - LABEL * LEADING) / (TICK * LEADING)) as usize;
    let (first, others) = match lines.split_first() {
        Some((first, others)) => (Some(first), others),
        None => (None, lines),
    };
    let mut y = y;
    if let Some(line) = first {
        let line = font::shortened(line, LABEL, Weight::Bold, WORDS);
        bold(scene, &line, (x, y + LABEL * LEADING / 2.0), LABEL, Anchor::Start);
        y += LABEL * LEADING;
    }
    for line in fitted(others, most) {
        let at = (x, y + TICK * LEADING / 2.0);
        words(scene, &line, at, TICK, Anchor::Start, INK);
        y += TICK * LEADING;
    }
}

/// Wraps lines if there is space for it, otherwise cuts them: losing the end of a line is better than losing a line.
fn fitted(lines: &[String], most: usize) -> Vec<String> {
    let wrap = |line: &String| font::wrapped(line, TICK, Weight::Regular, WORDS);
    let wrapped: Vec<String> = lines.iter().flat_map(wrap).collect();
    if wrapped.len() <= most {
        return wrapped;
    }
    let cut = |line: &String| font::shortened(line, TICK, Weight::Regular, WORDS);
    lines.iter().take(most).map(cut).collect()
}
