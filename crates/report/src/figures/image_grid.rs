//! A grid of images with row and column names and text below each image: stimuli and systems' reconstructions.

use super::figure_style::Room;
use super::font::{self, Weight};
use super::page::{Around, hatch};
use super::scene::{Anchor, Scene};
use super::style::{INK, LABEL, LEADING, QUIET, TICK, upright, width, words};
use super::{Picture, checks};
use crate::ReportError;
use neurogauge_core::Image;

/// Side of the square that each image is fitted into, unless the width is given.
const SIDE: f64 = 96.0;
/// Smallest side if the width is given.
const SMALLEST: f64 = 12.0;
/// Maximum number of lines of text below an image.
const MOST_LINES: usize = 6;
/// Space between images, as a share of their side.
const BETWEEN: f64 = 0.04;
/// Space for the names of rows, which are vertical.
const NAME: f64 = LABEL * LEADING;

/// Rows of images of the same size: one row of stimuli, one for each system, as papers show them.
///
/// - Shapes: each row has a cell for each of `columns`. Images are fitted into squares and keep their proportions. SVG
///   and PDF contain the original pixels; in PNG they are resized with antialiasing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImageGrid {
    pub title: String,
    /// Text above the columns, which may be empty.
    pub columns: Vec<String>,
    /// From the top.
    pub rows: Vec<GridRow>,
    /// Swaps rows and columns: stimuli are in the first column instead of the first row.
    pub transposed: bool,
    pub caption: String,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct GridRow {
    pub name: String,
    /// A cell for each column.
    pub cells: Vec<GridCell>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct GridCell {
    /// `None` is hatched.
    pub image: Option<Image<u8>>,
    /// Text below the image, such as a score; long lines are wrapped.
    pub words: String,
}

struct Layout {
    side: f64,
    between: f64,
    /// Space at the left for the names of rows, and above for the names of columns.
    left: f64,
    above: f64,
    /// Number of lines of text below the images of each row.
    lines: Vec<usize>,
}

impl ImageGrid {
    pub fn draw(&self) -> Result<Picture, ReportError> {
        checks::some(&self.title, "columns", self.columns.len())?;
        checks::some(&self.title, "rows", self.rows.len())?;
        for row in &self.rows {
            let (found, expected) = (row.cells.len(), self.columns.len());
            checks::length(&self.title, "images in a row", found, expected)?;
        }
        Picture::of(&self.title, self, ImageGrid::scene)
    }

    fn scene(&self, room: Room) -> Scene {
        if self.transposed {
            return self.turned().scene(room);
        }
        let layout = self.layout(room);
        let (n_columns, step) = (self.columns.len() as f64, layout.side + layout.between);
        let heights: Vec<f64> = layout.lines.iter().map(|lines| row_height(*lines, &layout)).collect();
        let size = (
            layout.left + n_columns * step - layout.between,
            layout.above + heights.iter().sum::<f64>() - layout.between,
        );
        let mut page = Around::of(&self.title, [], &self.caption, room).page(size);
        let (x0, mut y) = page.body;
        let scene = &mut page.scene;
        let x0 = x0 + layout.left;
        for (place, name) in self.columns.iter().enumerate() {
            let at = (x0 + place as f64 * step + layout.side / 2.0, y + layout.above / 2.0 - 1.0);
            let name = font::shortened(name, TICK, Weight::Regular, layout.side);
            words(scene, &name, at, TICK, Anchor::Middle, QUIET);
        }
        y += layout.above;
        for (row, height) in self.rows.iter().zip(heights) {
            draw_name(scene, &row.name, (x0, y), &layout);
            for (place, cell) in row.cells.iter().enumerate() {
                let corner = (x0 + place as f64 * step, y);
                match &cell.image {
                    Some(image) => place_image(scene, image, corner, layout.side),
                    None => hatch(scene, corner, (layout.side, layout.side)),
                }
                let mut below = y + layout.side + 2.0 + TICK * LEADING / 2.0;
                for line in fitted(&cell.words, layout.side) {
                    let at = (corner.0 + layout.side / 2.0, below);
                    words(scene, &line, at, TICK, Anchor::Middle, INK);
                    below += TICK * LEADING;
                }
            }
            y += height;
        }
        page.scene
    }

    /// Swaps rows and columns.
    fn turned(&self) -> ImageGrid {
        let row = |(place, name): (usize, &String)| GridRow {
            name: name.clone(),
            cells: self.rows.iter().map(|row| row.cells[place].clone()).collect(),
        };
        ImageGrid {
            title: self.title.clone(),
            columns: self.rows.iter().map(|row| row.name.clone()).collect(),
            rows: self.columns.iter().enumerate().map(row).collect(),
            transposed: false,
            caption: self.caption.clone(),
        }
    }

    fn layout(&self, room: Room) -> Layout {
        let is_named = |name: &String| !name.is_empty();
        let left = if self.rows.iter().any(|row| is_named(&row.name)) {
            NAME
        } else {
            0.0
        };
        let above = if self.columns.iter().any(is_named) {
            TICK * LEADING + 2.0
        } else {
            0.0
        };
        let n = self.columns.len() as f64;
        let side = match room.inner() {
            // The width has n sides and n - 1 gaps.
            Some(inner) => ((inner - left) / (n + (n - 1.0) * BETWEEN)).max(SMALLEST),
            None => SIDE,
        };
        let most = |row: &GridRow| row.cells.iter().map(|cell| fitted(&cell.words, side).len()).max().unwrap_or(0);
        Layout {
            side,
            between: BETWEEN * side,
            left,
            above,
            lines: self.rows.iter().map(most).collect(),
        }
    }
}

fn row_height(lines: usize, layout: &Layout) -> f64 {
    let words = if lines == 0 {
        0.0
    } else {
        lines as f64 * TICK * LEADING + 4.0
    };
    layout.side + words + layout.between
}

/// Draws the name of a row vertically beside its images.
fn draw_name(scene: &mut Scene, name: &str, (x, y): (f64, f64), layout: &Layout) {
    let name = font::shortened(name, LABEL, Weight::Regular, layout.side);
    let middle = y + layout.side / 2.0 + width(&name, LABEL) / 2.0;
    upright(scene, &name, (x - NAME / 2.0 - 2.0, middle), LABEL, Anchor::Start);
}

/// Fits an image into its square without changing its proportions.
fn place_image(scene: &mut Scene, image: &Image<u8>, (x, y): (f64, f64), side: f64) {
    let (wide, high) = (image.width_px() as f64, image.height_px() as f64);
    let longest = wide.max(high).max(1.0);
    let (wide, high) = (wide / longest * side, high / longest * side);
    let corner = (x + (side - wide) / 2.0, y + (side - high) / 2.0);
    scene.photo(corner, (wide, high), image.clone());
}

/// Wraps text into lines; the last line that fits marks omitted text.
fn fitted(text: &str, wide: f64) -> Vec<String> {
    let wrap = |line: &str| font::wrapped(line, TICK, Weight::Regular, wide);
    let mut lines: Vec<String> = text.lines().flat_map(wrap).collect();
    if lines.len() > MOST_LINES {
        let rest = lines.split_off(MOST_LINES - 1).join(" ");
        lines.push(font::shortened(&rest, TICK, Weight::Regular, wide));
    }
    lines
}
